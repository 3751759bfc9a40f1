import { diffLines } from '../../core/review/files/diff.ts';
import type { Line } from '../../core/review/files/document.ts';
import { runNow } from '../../core/review/files/slices.ts';

/** Lines `start` to `end` (from 0, half-open) of a document become `lines`. */
export interface LinesEdit {
  start: number;
  end: number;
  lines: string[];
}

/** The edits of whole lines that make one text of another, last first, so that none moves the lines of those still to come. Line ends do not count: a document has one kind. */
export function lineEdits(before: string, after: string): LinesEdit[] {
  const [a, b] = [toLines(before), toLines(after)];
  const changes = runNow(diffLines(a, b, 'text'));
  return changes.toReversed().map(({ baseStart, baseEnd, proposedStart, proposedEnd }) => ({ start: baseStart, end: baseEnd, lines: b.slice(proposedStart, proposedEnd).map((line) => line.text) }));
}

/** As an editor counts them: a text that ends with a line end has an empty last line. */
function toLines(text: string): Line[] {
  return text.split(/\r\n|\r|\n/u).map((line) => ({ text: line, end: '\n' }));
}

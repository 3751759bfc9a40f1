import { type Change, diffLines } from '../files/diff.ts';
import { decodeDocument, type Line } from '../files/document.ts';
import type { Content } from '../files/file-review.ts';
import { runInSlices } from '../files/slices.ts';

/** Where a line of the later text stands in the earlier one. `changed`: it is not there as it is; `before` is the line it took the place of, if one. Lines from 0. */
export type Mapped = { kind: 'same'; line: number } | { kind: 'changed'; change: Change; before?: number };

/** A content as lines; nothing for what has none, undefined for what is not read by lines. */
export function linesOfContent(content: Content): readonly Line[] | undefined {
  if (content.kind !== 'file') return [];
  const document = decodeDocument(content.bytes);
  return document.kind === 'text' ? document.lines : undefined;
}

/** Follows one line of `later` back into `earlier`. Line ends do not count. */
export async function followBack(earlier: readonly Line[], later: readonly Line[], line: number, signal: AbortSignal): Promise<Mapped> {
  const changes = await runInSlices(diffLines(earlier, later, 'text'), { signal });
  let shift = 0;
  for (const change of changes) {
    if (line < change.proposedStart) break;
    if (line < change.proposedEnd) {
      const before = change.baseStart + line - change.proposedStart;
      return { kind: 'changed', change, ...(before < change.baseEnd ? { before } : {}) };
    }
    shift = change.baseEnd - change.proposedEnd;
  }
  return { kind: 'same', line: line + shift };
}

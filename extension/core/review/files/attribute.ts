import type { Change } from './diff.ts';
import type { FileReview } from './file-review.ts';
import type { LinesHunk } from './hunks.ts';
import { pairText } from './pair.ts';
import type { Decision } from './resolve.ts';
import type { Sliced } from './slices.ts';

/** A whole proposed side as a person has left it, told as decisions of its hunks. */
export interface Attribution {
  decisions: Map<string, Decision>;
  /** Stretches of the person's own that lie in no hunk; with any of them `bytes` is the result and the decisions only describe it. */
  outside: Change[];
  /** The exact final file: the person's text in the file's encoding and line ends. */
  bytes: Uint8Array;
}

/**
 * What a person's text for the whole file means for each hunk: left as proposed is accepted, put back is rejected, anything else is edited.
 * The final newline is decided by the text too. For files reviewed by lines.
 */
export function* attributeText(review: FileReview, text: string): Sliced<Attribution> {
  const decisions = new Map<string, Decision>();
  if (review.proposed.kind !== 'file' || review.body.kind !== 'lines') return { decisions, outside: [], bytes: Buffer.from(text) };
  const pair = yield* pairText(review.proposed.bytes, text, { encoding: review.body.proposed.encoding });
  if (pair.kind !== 'lines') return { decisions, outside: [], bytes: pair.proposedBytes };
  const { changes } = pair;
  const hunks = review.hunks.filter((hunk) => hunk.kind === 'lines');
  for (const hunk of hunks) {
    const inside = changes.filter((change) => touches(change, hunk));
    decisions.set(hunk.id, inside.length === 0 ? { decision: 'accept' } : judge(hunk, inside, changes, pair.proposed.lines.map((line) => line.text)));
  }
  for (const hunk of review.hunks) if (hunk.kind === 'final_newline') decisions.set(hunk.id, { decision: pair.proposed.finalNewline === hunk.adds ? 'accept' : 'reject' });
  const newlineDecided = review.hunks.some((hunk) => hunk.kind === 'final_newline');
  const outside = changes.filter((change) => !hunks.some((hunk) => within(change, hunk)));
  if (!newlineDecided && pair.proposed.finalNewline !== review.body.proposed.finalNewline) outside.push({ baseStart: pair.base.lines.length, baseEnd: pair.base.lines.length, proposedStart: pair.proposed.lines.length, proposedEnd: pair.proposed.lines.length });
  return { decisions, outside, bytes: pair.proposedBytes };
}

/** The person's changes have the proposal as their base. */
function touches(change: Change, hunk: LinesHunk): boolean {
  return change.baseStart <= hunk.proposedEnd && change.baseEnd >= hunk.proposedStart;
}

function within(change: Change, hunk: LinesHunk): boolean {
  return change.baseStart >= hunk.proposedStart && change.baseEnd <= hunk.proposedEnd;
}

function judge(hunk: LinesHunk, inside: readonly Change[], changes: readonly Change[], final: readonly string[]): Decision {
  const first = inside[0];
  const last = inside.at(-1);
  if (!first || !last) return { decision: 'accept' };
  const start = Math.min(hunk.proposedStart, first.baseStart) === first.baseStart ? first.proposedStart : placeOf(hunk.proposedStart, changes);
  const end = last.baseEnd >= hunk.proposedEnd ? last.proposedEnd : last.proposedEnd + hunk.proposedEnd - last.baseEnd;
  const lines = final.slice(start, end);
  if (lines.length === hunk.removed.length && lines.every((line, index) => line === hunk.removed[index]?.text)) return { decision: 'reject' };
  return { decision: 'edited', text: lines.map((line) => `${line}\n`).join('') };
}

/** Where a line of the proposal that lies in no change stands in the final text. */
function placeOf(line: number, changes: readonly Change[]): number {
  let shift = 0;
  for (const change of changes) if (change.baseEnd <= line) shift = change.proposedEnd - change.baseEnd;
  return line + shift;
}

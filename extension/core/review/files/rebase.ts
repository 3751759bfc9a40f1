import type { DecodeOptions, Line } from './document.ts';
import { type FileReview, reviewFile } from './file-review.ts';
import { mergeBytes } from './merge.ts';
import { pairText } from './pair.ts';
import { runInSlices } from './slices.ts';

export interface RebaseInput {
  root: string;
  path: string;
  /** The bytes that the proposal was made on: the file as it was, or an earlier proposal. */
  base: Uint8Array;
  /** The bytes that are there now: what was decided, or what somebody else wrote. */
  current: Uint8Array;
  proposed: { bytes: Uint8Array } | { text: string };
  decode?: DecodeOptions;
  mode?: number;
}

/** Where a proposal and the present both changed the base. Rejecting `hunks` keeps the present, accepting them takes the proposal, editing them joins both. */
export interface Conflict {
  hunks: string[];
  base: Line[];
  current: Line[];
  proposed: Line[];
}

export interface Rebased {
  /** From the present to the proposal re-based on it. Without hunks everything proposed is already there. */
  review: FileReview;
  conflicts: Conflict[];
  /** Versions that cannot be merged by lines: the whole proposal stands against the whole present. */
  whole: boolean;
}

/**
 * Re-bases a pending proposal on what the file has become. What was rejected from the version it was made on stays rejected, what the present has gained
 * stays, and what both changed becomes a hunk that says so; nothing is dropped.
 */
export async function rebaseFile(input: RebaseInput, options: { signal?: AbortSignal; sliceMs?: number } = {}): Promise<Rebased> {
  const decode = input.decode === undefined ? {} : { decode: input.decode };
  const proposed = 'bytes' in input.proposed ? input.proposed.bytes : (await runInSlices(pairText(input.base, input.proposed.text, input.decode), options)).proposedBytes;
  const merge = await runInSlices(mergeBytes(input.base, input.current, proposed, input.decode), options);
  const target = merge.kind === 'clean' ? merge.bytes : merge.kind === 'conflict' ? merge.withTheirs : proposed;
  const withMode = input.mode === undefined ? {} : { mode: input.mode };
  const review = await reviewFile(
    { root: input.root, path: input.path, base: { kind: 'file', bytes: input.current, ...withMode }, proposed: { kind: 'file', bytes: target }, ...decode },
    options,
  );
  if (merge.kind !== 'conflict') return { review, conflicts: [], whole: merge.kind === 'whole' };
  let at = 0;
  const conflicts: Conflict[] = [];
  for (const region of merge.regions) {
    const lines = region.kind === 'conflict' ? region.theirs : region.lines;
    if (region.kind === 'conflict') conflicts.push({ hunks: hunksAt(review, region.at.ours, [at, at + lines.length]), base: region.base, current: region.ours, proposed: region.theirs });
    at += lines.length;
  }
  return { review, conflicts, whole: false };
}

/**
 * The hunks that carry a conflict. A hunk may have slid over equal lines away from where the merge saw it; then it is the nearest. Two versions of what was an empty
 * file can differ in how the last line ends alone; then the hunk about that end carries it.
 */
function hunksAt(review: FileReview, current: readonly [number, number], merged: readonly [number, number]): string[] {
  const lines = review.hunks.filter((hunk) => hunk.kind === 'lines');
  if (lines.length === 0) return review.hunks.filter((hunk) => hunk.kind === 'final_newline').map((hunk) => hunk.id);
  const away = lines.map((hunk) => Math.max(distance([hunk.baseStart, hunk.baseEnd], current), distance([hunk.proposedStart, hunk.proposedEnd], merged)));
  const nearest = Math.min(...away);
  return lines.filter((_hunk, index) => (away[index] ?? 0) <= Math.max(0, nearest)).map((hunk) => hunk.id);
}

/** Lines between two stretches; 0 where they touch. */
function distance([start, end]: readonly [number, number], [from, to]: readonly [number, number]): number {
  return Math.max(0, from - end, start - to);
}

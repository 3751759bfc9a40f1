import type { Change } from './diff.ts';
import type { Line } from './document.ts';
import type { Sliced } from './slices.ts';

/** An insertion or deletion may often move up or down over equal lines without changing its meaning; this is how far it is tried. */
const maxSlide = 50;
const changesPerSlice = 32;

/**
 * Puts pure insertions and deletions where a reader expects them: starting after a blank line, else at the least indented line,
 * else as far down as they go. Joins changes that touch after that.
 */
export function* slideChanges(changes: readonly Change[], base: readonly Line[], proposed: readonly Line[], equal: (a: Line | undefined, b: Line | undefined) => boolean): Sliced<Change[]> {
  const result: Change[] = [];
  for (const [index, change] of changes.entries()) {
    if (index % changesPerSlice === changesPerSlice - 1) yield;
    const previous = result.at(-1);
    const next = changes[index + 1];
    const slid = slide(change, previous, next, base, proposed, equal);
    if (previous && previous.baseEnd === slid.baseStart && previous.proposedEnd === slid.proposedStart) result[result.length - 1] = { ...previous, baseEnd: slid.baseEnd, proposedEnd: slid.proposedEnd };
    else result.push(slid);
  }
  return result;
}

function slide(change: Change, previous: Change | undefined, next: Change | undefined, base: readonly Line[], proposed: readonly Line[], equal: (a: Line | undefined, b: Line | undefined) => boolean): Change {
  const inserted = change.baseStart === change.baseEnd;
  if (!inserted && change.proposedStart !== change.proposedEnd) return change;
  const lines = inserted ? proposed : base;
  const [start, end] = inserted ? [change.proposedStart, change.proposedEnd] : [change.baseStart, change.baseEnd];
  const floor = start - Math.min(maxSlide, change.baseStart - (previous?.baseEnd ?? 0), change.proposedStart - (previous?.proposedEnd ?? 0));
  const room = Math.min(maxSlide, (next?.baseStart ?? base.length) - change.baseEnd, (next?.proposedStart ?? proposed.length) - change.proposedEnd);
  let up = 0;
  while (start - up > floor && equal(lines[start - up - 1], lines[end - up - 1])) up += 1;
  let down = 0;
  while (down < room && equal(lines[start + down], lines[end + down])) down += 1;
  if (up === 0 && down === 0) return change;
  let best = down;
  let bestScore = Infinity;
  for (let by = down; by >= -up; by -= 1) {
    const score = placeScore(lines, start + by, end + by);
    if (score < bestScore) [best, bestScore] = [by, score];
  }
  return { baseStart: change.baseStart + best, baseEnd: change.baseEnd + best, proposedStart: change.proposedStart + best, proposedEnd: change.proposedEnd + best };
}

/** Smaller reads better: a block that ends with a blank line or begins after one, then one whose first line is little indented. */
function placeScore(lines: readonly Line[], start: number, end: number): number {
  const indent = (line: Line | undefined): number => (line === undefined ? 0 : line.text.search(/\S|$/u));
  const blank = (line: Line | undefined): boolean => line === undefined || line.text.trim() === '';
  const first = lines[start];
  return indent(first) * 4 + (blank(lines[start - 1]) ? 0 : 1) + (blank(first) ? 3 : 0) + (blank(lines[end - 1]) && start > 0 ? 0 : 1);
}

import type { Line } from './document.ts';
import { boundedMyers } from './myers.ts';
import { slideChanges } from './slide.ts';
import type { Sliced } from './slices.ts';

/** A stretch of base lines and the stretch of proposed lines that takes its place; half-open, from 0, never both empty. */
export interface Change {
  baseStart: number;
  baseEnd: number;
  proposedStart: number;
  proposedEnd: number;
}

/** What makes two lines the same: their text alone (agents' text has no say in line ends), or text and end. */
export type Sameness = 'text' | 'bytes';

const linesPerSlice = 4096;
/** Deeper than this the rest goes to Myers, whose cost is bounded; unique lines that split badly cannot make it quadratic. */
const maxDepth = 24;

/**
 * Line changes from base to proposed: unchanged beginning and end are passed once, then lines that occur once on both sides anchor the rest (patience),
 * and what lies between two anchors is compared by Myers with a bound on its cost. The result is always a valid edit; only its shortness is bounded.
 */
export function* diffLines(base: readonly Line[], proposed: readonly Line[], same: Sameness): Sliced<Change[]> {
  const equal = (a: Line | undefined, b: Line | undefined): boolean => a !== undefined && b !== undefined && a.text === b.text && (same === 'text' || a.end === b.end);
  const shorter = Math.min(base.length, proposed.length);
  let head = 0;
  while (head < shorter && equal(base[head], proposed[head])) if (++head % linesPerSlice === 0) yield;
  let tail = 0;
  while (tail < shorter - head && equal(base[base.length - 1 - tail], proposed[proposed.length - 1 - tail])) if (++tail % linesPerSlice === 0) yield;
  const middle = { baseStart: head, baseEnd: base.length - tail, proposedStart: head, proposedEnd: proposed.length - tail };
  if (middle.baseStart === middle.baseEnd && middle.proposedStart === middle.proposedEnd) return [];
  if (middle.baseStart === middle.baseEnd || middle.proposedStart === middle.proposedEnd) return yield* slideChanges([middle], base, proposed, equal);
  const names = new Map<string, number>();
  const a = yield* numbered(base, middle.baseStart, middle.baseEnd, same, names);
  const b = yield* numbered(proposed, middle.proposedStart, middle.proposedEnd, same, names);
  const keptA = new Uint8Array(a.length);
  const keptB = new Uint8Array(b.length);
  yield* matchRegion({ a, b, keptA, keptB }, 0, a.length, 0, b.length, 0);
  return yield* slideChanges(changesOf(keptA, keptB, head), base, proposed, equal);
}

/** Lines as small numbers, the same number for the same line. */
function* numbered(lines: readonly Line[], start: number, end: number, same: Sameness, names: Map<string, number>): Sliced<Int32Array> {
  const numbers = new Int32Array(end - start);
  for (let index = start; index < end; index += 1) {
    const line = lines[index];
    if (line === undefined) break;
    let name = names.get(line.text);
    if (name === undefined) {
      name = names.size;
      names.set(line.text, name);
    }
    numbers[index - start] = name * 4 + (same === 'text' ? 0 : line.end.length + (line.end === '\r' ? 2 : 0));
    if (index % linesPerSlice === 0) yield;
  }
  return numbers;
}

/** Both sides as numbers, and which lines have found their partner so far; partners are in the same order on both sides. */
export interface Matching {
  a: Int32Array;
  b: Int32Array;
  keptA: Uint8Array;
  keptB: Uint8Array;
}

function* matchRegion(m: Matching, aFrom: number, aTo: number, bFrom: number, bTo: number, depth: number): Sliced<void> {
  let [aStart, aEnd, bStart, bEnd] = [aFrom, aTo, bFrom, bTo];
  while (aStart < aEnd && bStart < bEnd && m.a[aStart] === m.b[bStart]) m.keptA[aStart++] = m.keptB[bStart++] = 1;
  while (aStart < aEnd && bStart < bEnd && m.a[aEnd - 1] === m.b[bEnd - 1]) m.keptA[--aEnd] = m.keptB[--bEnd] = 1;
  if (aStart === aEnd || bStart === bEnd) return;
  const anchors = depth < maxDepth ? yield* uniqueAnchors(m, aStart, aEnd, bStart, bEnd) : [];
  if (anchors.length === 0) {
    yield* boundedMyers(m, aStart, aEnd, bStart, bEnd);
    return;
  }
  for (const [atA, atB] of anchors) {
    // A neighbour's extension may have reached past this anchor already.
    if (atA < aStart || atB < bStart) continue;
    if (aStart < atA && bStart < atB) yield* matchRegion(m, aStart, atA, bStart, atB, depth + 1);
    aStart = atA;
    bStart = atB;
    while (aStart < aEnd && bStart < bEnd && m.a[aStart] === m.b[bStart]) m.keptA[aStart++] = m.keptB[bStart++] = 1;
  }
  yield* matchRegion(m, aStart, aEnd, bStart, bEnd, depth + 1);
}

/** The longest sequence, in order on both sides, of lines that occur exactly once in each region. */
function* uniqueAnchors(m: Matching, aStart: number, aEnd: number, bStart: number, bEnd: number): Sliced<[number, number][]> {
  const seen = new Map<number, { a: number; b: number }>();
  for (let index = aStart; index < aEnd; index += 1) {
    const name = m.a[index] ?? -1;
    const entry = seen.get(name);
    if (entry) entry.a = -2;
    else seen.set(name, { a: index, b: -1 });
    if (index % linesPerSlice === 0) yield;
  }
  for (let index = bStart; index < bEnd; index += 1) {
    const entry = seen.get(m.b[index] ?? -1);
    if (entry) entry.b = entry.b === -1 ? index : -2;
    if (index % linesPerSlice === 0) yield;
  }
  // In base order already, since a Map keeps the order of insertion.
  const pairs: [number, number][] = [];
  for (const { a, b } of seen.values()) if (a >= 0 && b >= 0) pairs.push([a, b]);
  return longestIncreasing(pairs);
}

/** Patience sorting on the second member. */
function longestIncreasing(pairs: readonly [number, number][]): [number, number][] {
  const tops: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [index, [, value]] of pairs.entries()) {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tops[middle] ?? 0]?.[1] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (tops[low - 1] ?? -1) : -1;
    tops[low] = index;
  }
  const chain: [number, number][] = [];
  for (let at = tops.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair) chain.push(pair);
  }
  return chain.toReversed();
}

function changesOf(keptA: Uint8Array, keptB: Uint8Array, offset: number): Change[] {
  const changes: Change[] = [];
  let a = 0;
  let b = 0;
  while (a < keptA.length || b < keptB.length) {
    const [fromA, fromB] = [a, b];
    while (a < keptA.length && keptA[a] === 0) a += 1;
    while (b < keptB.length && keptB[b] === 0) b += 1;
    if (a > fromA || b > fromB) changes.push({ baseStart: fromA + offset, baseEnd: a + offset, proposedStart: fromB + offset, proposedEnd: b + offset });
    while (a < keptA.length && b < keptB.length && keptA[a] === 1 && keptB[b] === 1) {
      a += 1;
      b += 1;
    }
  }
  return changes;
}

import type { Matching } from './diff.ts';
import type { Sliced } from './slices.ts';

/** Rounds of the search for a middle before the furthest point reached is taken instead; at least this many. */
const minRounds = 256;
const workPerSlice = 20_000;

/**
 * Matches lines of a region by Myers' O(ND) difference in linear space ("An O(ND) Difference Algorithm and Its Variations", 1986). Lines without
 * any partner on the other side are left out first, and the search for each middle is cut off, so that a total rewrite stays cheap.
 */
export function* boundedMyers(m: Matching, aStart: number, aEnd: number, bStart: number, bEnd: number): Sliced<void> {
  const inA = yield* valuesOf(m.a, aStart, aEnd);
  const inB = yield* valuesOf(m.b, bStart, bEnd);
  const whereA = indexesOf(m.a, aStart, aEnd, inB);
  const whereB = indexesOf(m.b, bStart, bEnd, inA);
  yield;
  const a = whereA.map((index) => m.a[index] ?? -1);
  const b = whereB.map((index) => m.b[index] ?? -1);
  const size = a.length + b.length;
  const search: Search = {
    a,
    b,
    rounds: Math.max(minRounds, Math.ceil(Math.sqrt(size))),
    forward: new Int32Array(size + 3),
    backward: new Int32Array(size + 3),
    work: 0,
    match: (x, y) => {
      m.keptA[whereA[x] ?? 0] = 1;
      m.keptB[whereB[y] ?? 0] = 1;
    },
  };
  const open: Box[] = [[0, a.length, 0, b.length]];
  for (let box = open.pop(); box; box = open.pop()) {
    const middle = yield* step(search, box);
    if (middle) open.push(...middle);
  }
}

type Box = [aStart: number, aEnd: number, bStart: number, bEnd: number];

interface Search {
  a: Int32Array;
  b: Int32Array;
  rounds: number;
  forward: Int32Array;
  backward: Int32Array;
  work: number;
  match(x: number, y: number): void;
}

function* valuesOf(numbers: Int32Array, start: number, end: number): Sliced<Set<number>> {
  const values = new Set<number>();
  for (let index = start; index < end; index += 1) {
    values.add(numbers[index] ?? -1);
    if (index % 4096 === 0) yield;
  }
  return values;
}

function indexesOf(numbers: Int32Array, start: number, end: number, wanted: ReadonlySet<number>): Int32Array {
  const found: number[] = [];
  for (let index = start; index < end; index += 1) if (wanted.has(numbers[index] ?? -1)) found.push(index);
  return Int32Array.from(found);
}

/** Takes equal lines off both ends of a box and halves the rest; undefined when nothing is left to match. */
function* step(s: Search, box: Box): Sliced<[Box, Box] | undefined> {
  let [aStart, aEnd, bStart, bEnd] = box;
  while (aStart < aEnd && bStart < bEnd && s.a[aStart] === s.b[bStart]) s.match(aStart++, bStart++);
  while (aStart < aEnd && bStart < bEnd && s.a[aEnd - 1] === s.b[bEnd - 1]) s.match(--aEnd, --bEnd);
  s.work += box[1] - box[0] - (aEnd - aStart);
  if (aStart === aEnd || bStart === bEnd) return undefined;
  const [x, y] = yield* middleOf(s, aStart, aEnd, bStart, bEnd);
  if ((x === aStart && y === bStart) || (x === aEnd && y === bEnd)) return undefined;
  return [[aStart, x, bStart, y], [x, aEnd, y, bEnd]];
}

/** A point on a shortest path from both ends, or after too many rounds the point furthest along from either end. */
function* middleOf(s: Search, aStart: number, aEnd: number, bStart: number, bEnd: number): Sliced<[number, number]> {
  const n = aEnd - aStart;
  const k0 = bEnd - bStart;
  const { a, b, forward, backward } = s;
  const delta = n - k0;
  const odd = (delta & 1) !== 0;
  const at = k0 + 1;
  forward[at + 1] = 0;
  backward[at + 1] = 0;
  const limit = Math.min(s.rounds, Math.ceil((n + k0) / 2));
  // Diagonals outside the box are left out; these narrow the range as its edges are reached.
  for (let d = 0; d <= limit; d += 1) {
    const low = -d + 2 * Math.max(0, d - k0);
    const high = d - 2 * Math.max(0, d - n);
    for (let k = low; k <= high; k += 2) {
      let x = k === -d || (k !== d && (forward[at + k - 1] ?? 0) < (forward[at + k + 1] ?? 0)) ? (forward[at + k + 1] ?? 0) : (forward[at + k - 1] ?? 0) + 1;
      let y = x - k;
      const from = x;
      while (x < n && y < k0 && a[aStart + x] === b[bStart + y]) {
        x += 1;
        y += 1;
      }
      s.work += 1 + x - from;
      forward[at + k] = x;
      const other = delta - k;
      if (odd && other >= -(d - 1) && other <= d - 1 && x + (backward[at + other] ?? 0) >= n) return [aStart + x, bStart + y];
    }
    for (let k = low; k <= high; k += 2) {
      let x = k === -d || (k !== d && (backward[at + k - 1] ?? 0) < (backward[at + k + 1] ?? 0)) ? (backward[at + k + 1] ?? 0) : (backward[at + k - 1] ?? 0) + 1;
      let y = x - k;
      const from = x;
      while (x < n && y < k0 && a[aEnd - 1 - x] === b[bEnd - 1 - y]) {
        x += 1;
        y += 1;
      }
      s.work += 1 + x - from;
      backward[at + k] = x;
      const other = delta - k;
      if (!odd && other >= -d && other <= d && x + (forward[at + other] ?? 0) >= n) return [aEnd - x, bEnd - y];
    }
    if (s.work > workPerSlice) {
      s.work = 0;
      yield;
    }
  }
  return furthest(s, aStart, aEnd, bStart, bEnd, limit);
}

function furthest(s: Search, aStart: number, aEnd: number, bStart: number, bEnd: number, d: number): [number, number] {
  const [n, k0] = [aEnd - aStart, bEnd - bStart];
  const at = k0 + 1;
  let best = -1;
  let point: [number, number] = [aStart, bStart];
  for (let k = -d + 2 * Math.max(0, d - k0); k <= d - 2 * Math.max(0, d - n); k += 2) {
    const x = s.forward[at + k] ?? 0;
    if (x <= n && x - k <= k0 && 2 * x - k > best) [best, point] = [2 * x - k, [aStart + x, bStart + x - k]];
    const back = s.backward[at + k] ?? 0;
    if (back <= n && back - k <= k0 && 2 * back - k > best) [best, point] = [2 * back - k, [aEnd - back, bEnd - back + k]];
  }
  return point;
}

import { type Change, diffLines } from './diff.ts';
import { type DecodeOptions, decodeSteps, type Line } from './document.ts';
import { closed, encodeSide, type WholeWhy } from './pair.ts';
import type { Sliced } from './slices.ts';

/** A stretch that both sides changed differently, with what each has; `at` is where it stands in the lines of each, half-open. */
export interface ConflictRegion {
  kind: 'conflict';
  base: Line[];
  ours: Line[];
  theirs: Line[];
  at: { base: [number, number]; ours: [number, number]; theirs: [number, number] };
}

export type MergeRegion = { kind: 'merged'; from: 'base' | 'ours' | 'theirs' | 'both'; lines: Line[] } | ConflictRegion;

/**
 * Three versions made one. `clean`: the bytes. `conflict`: regions in file order, nothing left out of any version. `whole`: not comparable by lines and
 * changed differently on both sides.
 */
export type Merge =
  | { kind: 'clean'; bytes: Uint8Array; from: 'ours' | 'theirs' | 'merged' }
  | { kind: 'conflict'; regions: MergeRegion[]; /** With their side in every conflict. */ withTheirs: Uint8Array }
  | { kind: 'whole'; why: WholeWhy };

/** Merges exact bytes by lines. Changes of both sides that overlap or touch are a conflict unless they are the same. */
export function* mergeBytes(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array, options: DecodeOptions = {}): Sliced<Merge> {
  if (Buffer.compare(base, ours) === 0) return { kind: 'clean', bytes: theirs, from: 'theirs' };
  if (Buffer.compare(base, theirs) === 0 || Buffer.compare(ours, theirs) === 0) return { kind: 'clean', bytes: ours, from: 'ours' };
  const documents = [];
  for (const bytes of [base, ours, theirs]) {
    const document = yield* decodeSteps(bytes, options);
    if (document.kind === 'whole') return { kind: 'whole', why: document.why };
    documents.push(document);
  }
  const [b, o, t] = documents;
  if (!b || !o || !t || b.encoding !== o.encoding || b.encoding !== t.encoding) return { kind: 'whole', why: 'encoding_changed' };
  const baseLines = closed(b.lines, o.lines, 'text');
  const ends = [b, o, t].map((document) => (document.lines.length === 0 ? undefined : document.lines.at(-1)?.end !== ''));
  const regions = yield* mergeLines(baseLines, closed(o.lines, baseLines, 'bytes'), closed(t.lines, baseLines, 'bytes'));
  const lines = regions.flatMap((region) => (region.kind === 'conflict' ? region.theirs : region.lines));
  const bytes = encodeSide({ encoding: b.encoding, bom: pick(b.bom, o.bom, t.bom), lines, finalNewline: pick(ends[0], ends[1], ends[2]) ?? true });
  return regions.some((region) => region.kind === 'conflict') ? { kind: 'conflict', regions, withTheirs: bytes } : { kind: 'clean', bytes, from: 'merged' };
}

/** The three-way merge of lines, each with its end. */
export function* mergeLines(base: readonly Line[], ours: readonly Line[], theirs: readonly Line[]): Sliced<MergeRegion[]> {
  const mine = yield* diffLines(base, ours, 'bytes');
  const other = yield* diffLines(base, theirs, 'bytes');
  const regions: MergeRegion[] = [];
  let at = 0;
  for (const group of groups(mine, other)) {
    if (group.start > at) regions.push({ kind: 'merged', from: 'base', lines: base.slice(at, group.start) });
    const ourRange = rangeIn(group, group.ours, group.ourShift);
    const theirRange = rangeIn(group, group.theirs, group.theirShift);
    const [ourLines, theirLines] = [ours.slice(...ourRange), theirs.slice(...theirRange)];
    if (group.theirs.length === 0) regions.push({ kind: 'merged', from: 'ours', lines: ourLines });
    else if (group.ours.length === 0) regions.push({ kind: 'merged', from: 'theirs', lines: theirLines });
    else if (sameLines(ourLines, theirLines)) regions.push({ kind: 'merged', from: 'both', lines: ourLines });
    else regions.push({ kind: 'conflict', base: base.slice(group.start, group.end), ours: ourLines, theirs: theirLines, at: { base: [group.start, group.end], ours: ourRange, theirs: theirRange } });
    at = group.end;
  }
  if (at < base.length) regions.push({ kind: 'merged', from: 'base', lines: base.slice(at) });
  return regions;
}

export function sameLines(a: readonly Line[], b: readonly Line[]): boolean {
  return a.length === b.length && a.every((line, index) => line.text === b[index]?.text && line.end === b[index].end);
}

/** Changes of both sides that overlap or touch; `…Shift`: how much longer that side is before the group. */
interface Group {
  start: number;
  end: number;
  ours: Change[];
  theirs: Change[];
  ourShift: number;
  theirShift: number;
}

function groups(ours: readonly Change[], theirs: readonly Change[]): Group[] {
  const all = [...ours.map((change) => ({ change, side: 'ours' as const })), ...theirs.map((change) => ({ change, side: 'theirs' as const }))].toSorted(
    (a, b) => a.change.baseStart - b.change.baseStart || a.change.baseEnd - b.change.baseEnd,
  );
  const shift = { ours: 0, theirs: 0 };
  const found: Group[] = [];
  for (const { change, side } of all) {
    const last = found.at(-1);
    let group = last && change.baseStart <= last.end ? last : undefined;
    if (group) group.end = Math.max(group.end, change.baseEnd);
    else {
      group = { start: change.baseStart, end: change.baseEnd, ours: [], theirs: [], ourShift: shift.ours, theirShift: shift.theirs };
      found.push(group);
    }
    group[side].push(change);
    shift[side] += change.proposedEnd - change.proposedStart - (change.baseEnd - change.baseStart);
  }
  return found;
}

function rangeIn(group: Group, changes: readonly Change[], shift: number): [number, number] {
  const growth = changes.reduce((sum, change) => sum + change.proposedEnd - change.proposedStart - (change.baseEnd - change.baseStart), 0);
  return [group.start + shift, group.end + shift + growth];
}

/** What only one side changed is that side's; two values of two cannot both differ from the base and from each other. An empty base says nothing, so both did: theirs is shown. */
function pick<T>(base: T, ours: T, theirs: T): T {
  return ours === base || base === undefined ? (theirs ?? ours) : (ours ?? theirs);
}

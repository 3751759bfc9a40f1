import { createHash } from 'node:crypto';
import { sha256 } from '../../base/hash.ts';
import type { Change } from './diff.ts';
import type { Line } from './document.ts';
import type { Side } from './pair.ts';
import type { Sliced } from './slices.ts';

/** Lines to be replaced: `removed` stands at `baseStart` (from 0, half-open), `added` would take its place. Decided by accept, reject, or edited text in place of `added`. */
export interface LinesHunk extends Change {
  kind: 'lines';
  id: string;
  removed: readonly Line[];
  added: readonly Line[];
}

/** Whether the file's last line has an end: only that changes. */
export interface FinalNewlineHunk {
  kind: 'final_newline';
  id: string;
  adds: boolean;
}

/** What is decided about a file as a whole. `content` is a change of bytes that cannot be shown by lines. */
export interface EntryHunk {
  kind: 'entry';
  id: string;
  what: 'create' | 'delete' | 'rename' | 'mode' | 'symlink' | 'content';
}

export type Hunk = LinesHunk | FinalNewlineHunk | EntryHunk;

/** In lines; a hunk costs about as much as fifty. */
const weightPerSlice = 4000;

/** How a hunk is split: a replaced line together with its replacement, or every line by itself. */
export type SplitBy = 'pairs' | 'lines';

/**
 * Hunks of a comparison in file order. An id is made of the path, the lines, the unchanged line on either side and, among hunks alike in all of that, the
 * how-manieth; it holds no line number, so what is decided or inserted elsewhere does not change it.
 */
export function* hunksOf(path: string, base: Side, proposed: Side, changes: readonly Change[]): Sliced<Hunk[]> {
  const seen = new Map<string, number>();
  const hunks: Hunk[] = [];
  let weight = 0;
  for (const change of changes) {
    const removed = base.lines.slice(change.baseStart, change.baseEnd);
    const added = proposed.lines.slice(change.proposedStart, change.proposedEnd);
    // One line of context is always an unchanged one and so the same whatever becomes of the neighbours; a second might not be.
    const around = [base.lines[change.baseStart - 1]?.text ?? null, base.lines[change.baseEnd]?.text ?? null];
    hunks.push({ kind: 'lines', id: numbered(seen, `h${yield* linesDigest([path, removed.length, added.length, around], [removed, added])}`), removed, added, ...change });
    weight += 50 + removed.length + added.length;
    if (weight > weightPerSlice) {
      weight = 0;
      yield;
    }
  }
  if (base.finalNewline !== proposed.finalNewline) hunks.push({ kind: 'final_newline', id: `n${digest([path, proposed.finalNewline])}`, adds: proposed.finalNewline });
  return hunks;
}

/** A hunk for a decision about the whole file; `facts` are what makes it this one (hashes, modes, names). */
export function entryHunk(path: string, what: EntryHunk['what'], facts: readonly (string | number | null)[]): EntryHunk {
  return { kind: 'entry', id: `e${digest([path, what, facts])}`, what };
}

/**
 * The parts of a hunk, each decidable by itself in any combination; their ids begin with the hunk's. In `pairs` the first removed line goes with the first added one and
 * so on; lines left over stand alone. A hunk that has no smaller part is returned as it is.
 */
export function splitHunk(hunk: LinesHunk, by: SplitBy): LinesHunk[] {
  const paired = by === 'pairs' ? Math.min(hunk.removed.length, hunk.added.length) : 0;
  if (Math.max(hunk.removed.length, paired) + hunk.added.length - paired <= 1) return [hunk];
  const seen = new Map<string, number>();
  const part = (removedAt: number | undefined, addedAt: number | undefined): LinesHunk => {
    const removed = removedAt === undefined ? [] : hunk.removed.slice(removedAt, removedAt + 1);
    const added = addedAt === undefined ? [] : hunk.added.slice(addedAt, addedAt + 1);
    const baseStart = removedAt === undefined ? hunk.baseEnd : hunk.baseStart + removedAt;
    const proposedStart = hunk.proposedStart + (addedAt ?? (removedAt === undefined ? 0 : Math.min(paired, hunk.added.length)));
    const id = numbered(seen, `${hunk.id}.${by === 'pairs' ? 'p' : 'l'}${digest([flat(removed), flat(added)]).slice(0, 10)}`);
    return { kind: 'lines', id, removed, added, baseStart, baseEnd: baseStart + removed.length, proposedStart, proposedEnd: proposedStart + added.length };
  };
  return [
    ...hunk.removed.map((_line, index) => part(index, index < paired ? index : undefined)),
    ...hunk.added.slice(paired).map((_line, index) => part(undefined, paired + index)),
  ];
}

/**
 * Hunks as decisions name them: where an id is that of a part, its hunk is split as it was when the decision was taken. So recorded decisions
 * can be replayed from the bytes alone. Parts of both kinds for one hunk: the first id's kind is taken.
 */
export function splitFor(hunks: readonly Hunk[], ids: Iterable<string>): Hunk[] {
  const kinds = new Map<string, SplitBy>();
  for (const id of ids) {
    const [whole = '', part] = id.split('.');
    if (part !== undefined && !kinds.has(whole)) kinds.set(whole, part.startsWith('p') ? 'pairs' : 'lines');
  }
  return hunks.flatMap((hunk) => {
    const by = kinds.get(hunk.id);
    return hunk.kind === 'lines' && by !== undefined ? splitHunk(hunk, by) : [hunk];
  });
}

function numbered(seen: Map<string, number>, id: string): string {
  const count = seen.get(id) ?? 0;
  seen.set(id, count + 1);
  return count === 0 ? id : `${id}-${count + 1}`;
}

/** In steps, since a total rewrite is one hunk. Lines hold no line end in their text, so putting them together keeps them apart. */
function* linesDigest(facts: unknown, parts: readonly (readonly Line[])[]): Sliced<string> {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const lines of parts) {
    for (let start = 0; start < lines.length; start += weightPerSlice) {
      hash.update(flat(lines.slice(start, start + weightPerSlice)));
      if (lines.length > weightPerSlice) yield;
    }
  }
  return hash.digest('hex').slice(0, 20);
}

function digest(value: unknown): string {
  return sha256(JSON.stringify(value)).slice(0, 20);
}

function flat(lines: readonly Line[]): string {
  let text = '';
  for (const line of lines) text += line.text + line.end;
  return text;
}

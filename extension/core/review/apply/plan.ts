import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { sha256 } from '../../base/hash.ts';
import type { Root } from '../../repo/roots.ts';
import type { Content } from '../files/file-review.ts';
import type { DiskEntry, WriteDisk } from './disk.ts';
import { writeFailure } from './failure.ts';
import { type LinkPolicy, type Place, placeOf } from './places.ts';
import type { RecordItem } from './record.ts';
import type { State } from './states.ts';

/** One file of a set to be written: `before` stands at `from` (default `path`) and becomes `after` at `path`. A `FileResult` is one. */
export interface WriteEntry {
  root: string;
  path: string;
  from?: string;
  before: Content;
  after: Content;
}

/** A step at one place: what the record says of it, with what it needs to be done. */
export interface PlannedItem extends RecordItem {
  bytes?: Uint8Array;
  /** The file whose mode and owner the new one takes. */
  model?: DiskEntry;
  /** A rename without edits: the file itself goes to its new name, with all it has. */
  sameFileAs?: string;
}

export interface Plan {
  items: PlannedItem[];
  folders: string[];
  /** Files that have another name elsewhere, which will keep the old content. */
  hardLinks: string[];
}

/** Finds every place, refuses what must not be written, and names the temporary files. Reads only; the bases are checked later, more than once. */
export async function planWrite(disk: WriteDisk, roots: readonly Root[], entries: readonly WriteEntry[], policy: LinkPolicy): Promise<Plan> {
  const plan: Plan = { items: [], folders: [], hardLinks: [] };
  for (const entry of entries) await planEntry(disk, roots, entry, policy, plan);
  const seen = new Set<string>();
  for (const item of plan.items) {
    for (const place of [item.place, ...(item.recase === undefined ? [] : [item.recase])]) {
      if (seen.has(place)) throw writeFailure('duplicate_path', 'two changes of this set are for the same file', { path: item.shown });
      seen.add(place);
    }
    // On a disk that does not tell cases apart, two spellings are one file.
    const own = item.model && item.before.kind !== 'absent' ? `${item.model.dev}:${item.model.ino}:${item.place.toLowerCase()}` : item.place;
    if (own !== item.place && seen.has(own)) throw writeFailure('duplicate_path', 'two changes of this set are for the same file', { path: item.shown });
    seen.add(own);
  }
  // Nothing is taken away before everything new is there.
  plan.items.sort((a, b) => Number(a.after.kind === 'absent') - Number(b.after.kind === 'absent'));
  return plan;
}

async function planEntry(disk: WriteDisk, roots: readonly Root[], entry: WriteEntry, policy: LinkPolicy, plan: Plan): Promise<void> {
  const root = roots.find((candidate) => candidate.name === entry.root);
  if (!root) throw writeFailure('unknown_root', `there is no root ${entry.root}`, { path: `${entry.root}/${entry.path}` });
  const from = entry.from ?? entry.path;
  const through = entry.before.kind === 'file' && entry.after.kind === 'file' && from === entry.path;
  const to = await placeOf(disk, root, entry.path, through, policy);
  for (const folder of entry.after.kind === 'absent' ? [] : to.missing) if (!plan.folders.includes(folder)) plan.folders.push(folder);
  const shown = `${entry.root}/${entry.path}`;
  if (from === entry.path) {
    await checkWritable(disk, to, shown, entry.before);
    plan.items.push(item(shown, to, entry.before, entry.after, to.entry, plan));
    return;
  }
  const old = await placeOf(disk, root, from, false, policy);
  const shownFrom = `${entry.root}/${from}`;
  await checkWritable(disk, old, shownFrom, entry.before);
  const sameEntry = old.entry && to.entry && old.entry.dev === to.entry.dev && old.entry.ino === to.entry.ino && from.toLowerCase() === entry.path.toLowerCase();
  if (sameEntry && entry.after.kind !== 'absent') {
    plan.items.push({ ...item(shown, old, entry.before, entry.after, old.entry, plan), recase: to.path });
    return;
  }
  const moved = item(shown, to, { kind: 'absent' }, entry.after, old.entry, plan, entry.before);
  if (entry.after.kind !== 'absent') {
    const untouched = entry.before.kind === 'file' && entry.after.kind === 'file' && Buffer.compare(entry.before.bytes, entry.after.bytes) === 0 && finalMode(entry.before, entry.after, old.entry) === old.entry?.mode;
    plan.items.push({ ...moved, ...(untouched ? { sameFileAs: old.path } : {}) });
  }
  plan.items.push(item(shownFrom, old, entry.before, { kind: 'absent' }, old.entry, plan));
}

async function checkWritable(disk: WriteDisk, place: Place, shown: string, before: Content): Promise<void> {
  if (before.kind === 'file' && place.entry?.kind === 'file' && !(await disk.writable(place.path))) throw writeFailure('read_only', 'the file is not writable', { path: shown });
}

/** `modeOf`: whose mode is kept unless another was asked for; for a moved file not the nothing that is at its new place. */
function item(shown: string, place: Place, before: Content, after: Content, model: DiskEntry | undefined, plan: Plan, modeOf: Content = before): PlannedItem {
  const mode = finalMode(modeOf, after, model);
  const folder = dirname(place.path);
  const mark = randomBytes(6).toString('hex');
  // Short, since a name has at most 255 bytes.
  const hidden = (what: string): string => join(folder, `.${basename(place.path).slice(0, 40)}.${mark}.casebook-${what}`);
  if (place.entry && place.entry.links > 1 && place.entry.kind === 'file' && after.kind === 'file') plan.hardLinks.push(shown);
  return {
    shown,
    place: place.path,
    before: stateOf(before, place.entry?.mode),
    after: stateOf(after, mode),
    ...(after.kind === 'absent' ? {} : { temp: hidden('new') }),
    ...(before.kind === 'absent' ? {} : { backup: hidden('old') }),
    ...(after.kind === 'file' ? { bytes: after.bytes } : {}),
    ...(model?.kind === 'file' ? { model } : {}),
  };
}

/** The mode asked for, else the one the file has now. Somebody's chmod in between is kept. */
function finalMode(before: Content, after: Content, model: DiskEntry | undefined): number | undefined {
  if (after.kind !== 'file') return undefined;
  const same = before.kind === 'file' && before.mode !== undefined && after.mode !== undefined && (before.mode & 0o7777) === (after.mode & 0o7777);
  if (after.mode !== undefined && !same) return after.mode & 0o7777;
  return model?.kind === 'file' ? model.mode : after.mode;
}

function stateOf(content: Content, mode: number | undefined): State {
  if (content.kind === 'file') return { kind: 'file', hash: sha256(content.bytes), ...(mode === undefined ? {} : { mode }) };
  return content.kind === 'link' ? { kind: 'link', target: content.target } : { kind: 'absent' };
}

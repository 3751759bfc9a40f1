import type { SnapshotRoot } from '../../model/code.ts';
import { plainBytes, type PlainEntry, plainFiles } from '../../repo/plain-snapshot.ts';
import type { Root } from '../../repo/roots.ts';
import type { Content } from '../files/file-review.ts';
import type { ProposedFile } from '../port.ts';
import { type Left, maxSetBytes, type SavedByPerson } from './gathered.ts';
import { diskContent, splitOmitted } from './git-changes.ts';

/** Two listings of a folder without git. */
export interface PlainStates {
  root: Root;
  before: SnapshotRoot;
  now: SnapshotRoot;
  savedByPerson?: SavedByPerson;
}

/** A path that two listings have different; a file that is gone and one alike that is new are a rename. */
interface PlainDifference {
  path: string;
  from?: string;
  before?: PlainEntry;
}

/** What differs between two listings. Only of files that were small enough to be kept is the earlier content known; others are named in `left`. */
export async function plainChanges(states: PlainStates, folder: string, signal: AbortSignal): Promise<{ files: ProposedFile[]; left: Left[] }> {
  const { root, before, now, savedByPerson } = states;
  const left: Left[] = [];
  const leave = (path: string, why: string): void => void left.push({ root: root.name, path, why });
  const old = await plainFiles(folder, before.listing ?? '');
  if (old === undefined) return { files: [], left: [{ root: root.name, path: '', why: 'what it was like then is no longer stored' }] };
  const unknown = new Set((before.omitted ?? []).map((sentence) => splitOmitted(sentence)[0]));
  const current = (await plainFiles(folder, now.listing ?? '')) ?? [];
  const files: ProposedFile[] = [];
  let total = 0;
  for (const difference of differencesOf(old, current)) {
    signal.throwIfAborted();
    const { path, from } = difference;
    if (unknown.has(path)) {
      leave(path, 'it was too large to be kept when the comparison began');
      continue;
    }
    const base = await baseOf(folder, root, difference);
    const proposed = await diskContent(root, path);
    total += sizeOf(base) + sizeOf(proposed);
    if (base === undefined) leave(path, 'its earlier content was too large to be kept');
    else if (proposed === undefined) leave(path, 'it is no regular file, or larger than 32 MiB');
    else if (total > maxSetBytes) leave(path, 'there is more than one review can hold; review the rest afterwards');
    else {
      const saved = savedByPerson?.(root.name, path);
      files.push({ root: root.name, path, ...(from === undefined ? {} : { from }), base, proposed: withoutMode(proposed), ...(saved === undefined ? {} : { by: saved ? 'person' : 'origin' }) });
    }
  }
  for (const omitted of now.omitted ?? []) leave(...splitOmitted(omitted));
  return { files, left };
}

function differencesOf(old: readonly PlainEntry[], current: readonly PlainEntry[]): PlainDifference[] {
  const before = new Map(old.map((file) => [file.path, file]));
  const now = new Map(current.map((file) => [file.path, file]));
  const gone = old.filter((file) => !now.has(file.path));
  const found: PlainDifference[] = [];
  const moved = new Set<string>();
  for (const file of current) {
    const was = before.get(file.path);
    if (was?.hash === file.hash && was.link === file.link) continue;
    const source = was === undefined && file.size > 0 ? gone.find((one) => one.hash === file.hash && one.link === file.link && !moved.has(one.path)) : undefined;
    if (source !== undefined) moved.add(source.path);
    found.push(source === undefined ? { path: file.path, ...(was === undefined ? {} : { before: was }) } : { path: file.path, from: source.path, before: source });
  }
  for (const file of gone) if (!moved.has(file.path)) found.push({ path: file.path, before: file });
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function baseOf(folder: string, root: Root, { path, from, before }: PlainDifference): Promise<Content | undefined> {
  if (before === undefined) return { kind: 'absent' };
  if (before.link !== undefined) return { kind: 'link', target: before.link };
  // A file that only moved is its own earlier content.
  const bytes = await plainBytes(folder, root.path, from === undefined ? before : { ...before, path });
  return bytes && { kind: 'file', bytes };
}

/** Modes are not part of a plain listing, so none is compared. */
function withoutMode(content: Content): Content {
  return content.kind === 'file' ? { kind: 'file', bytes: content.bytes } : content;
}

function sizeOf(content: Content | undefined): number {
  return content?.kind === 'file' ? content.bytes.length : 0;
}

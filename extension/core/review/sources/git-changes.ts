import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnapshotRoot } from '../../model/code.ts';
import { checkoutForm } from '../../repo/checkout-form.ts';
import { isUnreadableName, unreadableName } from '../../repo/git.ts';
import { objectSizes, readObjects } from '../../repo/objects.ts';
import type { Root } from '../../repo/roots.ts';
import { type Repository, objectEnvironment } from '../../repo/snapshot.ts';
import { diffTrees, type TreeDifference } from '../../repo/tree-diff.ts';
import { maxReadBytes, readRegular } from '../../repo/work-tree.ts';
import type { Content } from '../files/file-review.ts';
import type { ProposedFile } from '../port.ts';
import { type Left, maxSetBytes, type SavedByPerson, type SourceDeps } from './gathered.ts';

/** Two states of a root in git: the tree before, and a snapshot of now. */
export interface GitStates {
  root: Root;
  repository: Repository;
  now: SnapshotRoot & { tree: string };
  before: string;
  /** Whether the tree before holds this file as git stores it (line ends by attributes) and not as it lay on disk. By path from the root. */
  isStored(path: string): boolean;
  /** Names of files that were left out of the tree before, so that nothing is known of their content. */
  unknownBefore: ReadonlySet<string>;
  savedByPerson?: SavedByPerson;
}

/**
 * What differs on disk from a tree, with exact bytes of both sides as they lie (or would lie) in the working tree. The work is that of the difference:
 * unchanged files are not read. What cannot be reviewed is named in `left`.
 */
export async function gitChanges(states: GitStates, deps: SourceDeps, signal: AbortSignal): Promise<{ files: ProposedFile[]; left: Left[] }> {
  const { root, repository, now, before } = states;
  const env = await objectEnvironment(repository, deps.folder);
  const left: Left[] = [];
  const leave = (path: string, why: string): void => void left.push({ root: root.name, path, why });
  const differences = await diffTrees(deps.git, repository.top, before, now.tree, { signal, env });
  const behindFilter = await filtered(states, differences, deps, signal);
  const candidates: TreeDifference[] = [];
  for (const difference of differences) {
    const why = await whyNot(states, difference, behindFilter);
    if (why === undefined) candidates.push(difference);
    else if (why !== '') leave(difference.path, why);
  }
  const ids = candidates.flatMap(({ before: old }) => (old === undefined ? [] : [old.id]));
  const sizes = await objectSizes(deps.git, repository.top, ids, { signal, env });
  const chosen: TreeDifference[] = [];
  let total = 0;
  for (const difference of candidates) {
    const size = sizes.get(difference.before?.id ?? '') ?? 0;
    total += size + (await sizeOnDisk(root, difference.path));
    if (difference.before !== undefined && !sizes.has(difference.before.id)) leave(difference.path, 'its earlier content is no longer stored');
    else if (size > maxReadBytes) leave(difference.path, 'its earlier content is larger than 32 MiB');
    else if (total > maxSetBytes) leave(difference.path, 'there is more than one review can hold; review the rest afterwards');
    else chosen.push(difference);
  }
  const bases = await baseBytes(states, chosen, env, deps, signal);
  const files: ProposedFile[] = [];
  for (const difference of chosen) {
    const base = await baseOf(states, difference, bases);
    const proposed = await diskContent(root, difference.path);
    if (proposed === undefined) leave(difference.path, 'it is no regular file, or larger than 32 MiB');
    else if (base === undefined) leave(difference.path, 'its earlier content cannot be read');
    else files.push(asProposed(states, difference, base, proposed));
  }
  for (const nested of now.nested ?? []) if (nested.kind === 'repository') leave(nested.path, 'a repository of its own inside this one; open it as a folder to review it');
  for (const omitted of now.omitted ?? []) leave(...splitOmitted(omitted));
  return { files, left };
}

/** `path: why`, as snapshots name what they left out. */
export function splitOmitted(sentence: string): [path: string, why: string] {
  const cut = sentence.lastIndexOf(': ');
  return cut === -1 ? ['', sentence] : [sentence.slice(0, cut), sentence.slice(cut + 2)];
}

/** Undefined: it can be reviewed. Empty: nothing to say about it here. */
async function whyNot(states: GitStates, difference: TreeDifference, behindFilter: ReadonlyMap<string, boolean>): Promise<string | undefined> {
  const { path, from = path, before, after } = difference;
  if (before?.mode === '160000' || after?.mode === '160000') return 'a submodule: which commit of it is used is decided in git';
  const there = await exists(states.root, path);
  // Putting it back or taking it away would touch another name than the file's.
  if (isUnreadableName(path, there) || isUnreadableName(from, from === path && there)) return (states.now.omitted ?? []).includes(`${path}: ${unreadableName}`) ? '' : unreadableName;
  // The snapshot's own words on it follow.
  if (after === undefined && there) return '';
  if (states.unknownBefore.has(path)) return 'it was too large to be kept when the comparison began';
  const filter = behindFilter.get(path);
  if (filter !== undefined) return filter ? 'behind a content filter (such as git-lfs): git holds other bytes than the disk' : '';
  return undefined;
}

/** Paths whose content on disk passes a filter program, with whether git takes them for changed. */
async function filtered(states: GitStates, differences: readonly TreeDifference[], deps: SourceDeps, signal: AbortSignal): Promise<Map<string, boolean>> {
  const { repository } = states;
  const paths = differences.filter(({ path, before }) => before !== undefined && states.isStored(path)).map(({ path }) => repository.prefix + path);
  if (paths.length === 0) return new Map();
  const drivers = new Set(await deps.git.filterDrivers(repository.top, signal));
  if (drivers.size === 0) return new Map();
  const attributes = await deps.git.records(repository.top, ['check-attr', '-z', '--stdin', 'filter'], { signal, stdin: paths.map((path) => `${path}\0`).join('') });
  const own = paths.filter((_path, index) => drivers.has(attributes[index * 3 + 2] ?? ''));
  if (own.length === 0) return new Map();
  const changed = new Set(await deps.git.records(repository.top, ['diff', '--name-only', '-z', '--no-renames', states.before, '--', ...own], { signal, codes: [0, 1, 128] }));
  return new Map(own.map((path) => [path.slice(repository.prefix.length), changed.has(path)]));
}

async function baseBytes(states: GitStates, chosen: readonly TreeDifference[], env: Record<string, string>, deps: SourceDeps, signal: AbortSignal): Promise<Map<string, Uint8Array>> {
  const { repository } = states;
  const stored = await readObjects(deps.git, repository.top, chosen.flatMap(({ before }) => (before === undefined ? [] : [before.id])), { signal, env });
  const byPath = new Map<string, Uint8Array>();
  const toConvert: { path: string; id: string; bytes: Uint8Array }[] = [];
  for (const { path, from = path, before } of chosen) {
    const bytes = before && stored.get(before.id);
    if (bytes === undefined) continue;
    byPath.set(from, bytes);
    if (before?.mode !== '120000' && states.isStored(from)) toConvert.push({ path: repository.prefix + from, id: before?.id ?? '', bytes });
  }
  for (const [path, bytes] of await checkoutForm(deps.git, repository, toConvert, signal)) byPath.set(path.slice(repository.prefix.length), bytes);
  return byPath;
}

async function baseOf(states: GitStates, { path, from = path, before, after }: TreeDifference, bases: ReadonlyMap<string, Uint8Array>): Promise<Content | undefined> {
  if (before === undefined) return { kind: 'absent' };
  const bytes = bases.get(from);
  if (bytes === undefined) return undefined;
  if (before.mode === '120000') return { kind: 'link', target: new TextDecoder().decode(bytes) };
  const executable = before.mode === '100755';
  // Git knows one bit of the mode; the others are those the file has now.
  if (after === undefined || after.mode === '120000') return { kind: 'file', bytes, ...(executable ? { mode: 0o755 } : {}) };
  const mode = after.mode === before.mode ? undefined : await modeOnDisk(states.root, path);
  return { kind: 'file', bytes, ...(mode === undefined ? {} : { mode: executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111 }) };
}

function asProposed(states: GitStates, { path, from, before, after }: TreeDifference, base: Content, proposed: Content): ProposedFile {
  const modeSame = before !== undefined && after !== undefined && before.mode === after.mode;
  const { mode, ...bare } = proposed.kind === 'file' ? proposed : { ...proposed, mode: undefined };
  const saved = states.savedByPerson?.(states.root.name, path);
  return {
    root: states.root.name,
    path,
    ...(from === undefined ? {} : { from }),
    base,
    proposed: proposed.kind === 'file' && !modeSame && mode !== undefined ? proposed : bare,
    ...(saved === undefined ? {} : { by: saved ? ('person' as const) : ('origin' as const) }),
  };
}

/** What stands at a path of a root now, links not followed. Undefined for folders, devices and files that are too large. */
export async function diskContent(root: Root, path: string): Promise<Content | undefined> {
  const place = join(root.path, path);
  const stats = await lstat(place).catch(() => undefined);
  if (stats === undefined || stats.isDirectory()) return { kind: 'absent' };
  if (stats.isSymbolicLink()) return { kind: 'link', target: await readlink(place) };
  const bytes = await readRegular(place);
  return bytes && { kind: 'file', bytes, mode: stats.mode & 0o7777 };
}

async function exists(root: Root, path: string): Promise<boolean> {
  const stats = await lstat(join(root.path, path)).catch(() => undefined);
  return stats !== undefined && !stats.isDirectory();
}

async function sizeOnDisk(root: Root, path: string): Promise<number> {
  return (await lstat(join(root.path, path)).catch(() => undefined))?.size ?? 0;
}

async function modeOnDisk(root: Root, path: string): Promise<number | undefined> {
  const stats = await lstat(join(root.path, path)).catch(() => undefined);
  return stats && stats.mode & 0o7777;
}

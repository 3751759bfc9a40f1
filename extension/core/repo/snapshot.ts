import { randomUUID } from 'node:crypto';
import { copyFile, lstat, mkdir, readdir, readlink, realpath, rm, stat, utimes } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { isFailure } from '../base/failure.ts';
import { sha256 } from '../base/hash.ts';
import type { Snapshot, SnapshotRoot } from '../model/code.ts';
import { type Change, type Checkout, readCheckout } from './checkout.ts';
import { type Git, isUnreadableName, unreadableName } from './git.ts';
import { takePlainSnapshot } from './plain-snapshot.ts';
import type { Root } from './roots.ts';
import { maxReadBytes } from './work-tree.ts';

export interface SnapshotDeps {
  git: Git;
  /** Casebook's folder for this workspace; objects and listings go below it, never into the repository. */
  folder: string;
  clock: Clock;
  /** Told what was done: `hashed` files and `statted` files; for tests and the bench. */
  count?: (what: 'hashed', by: number) => void;
}

/** Tracked files behind a content filter (git-lfs, git-crypt) are read as they lie on disk up to this size; larger ones stay as git stores them. */
const maxFilteredBytes = 1024 * 1024;

/**
 * Records the exact state of the code: tracked, changed and untracked files that are not ignored. Where there is git, only what differs from the index is read.
 * The repository gets no object, its index, refs and logs stay byte-identical. Fails with a GitFailureReason; a folder without git becomes a plain root.
 */
export async function takeSnapshot(roots: readonly Root[], deps: SnapshotDeps, signal: AbortSignal): Promise<Snapshot> {
  const takenAt = new Date(deps.clock.now()).toISOString();
  const taken: SnapshotRoot[] = [];
  for (const root of roots) {
    const repository = await findRepository(deps.git, root.path, signal);
    const git = repository && (await takeGitSnapshot(root, repository, deps, signal));
    taken.push(git ?? (await takePlainSnapshot(root, deps, signal)));
  }
  return { takenAt, roots: taken };
}

/** Paths of a repository, as seen from a folder in its working tree. */
export interface Repository {
  top: string;
  /** From the top to the folder, with a slash at the end; empty at the top. */
  prefix: string;
  index: string;
  objects: string;
}

/** The repository a folder is part of; undefined where there is none, it has no working tree, or its configuration claims a tree elsewhere. */
export async function findRepository(git: Git, folder: string, signal: AbortSignal): Promise<Repository | undefined> {
  try {
    const text = await git.text(folder, ['rev-parse', '--show-toplevel', '--show-prefix', '--git-path', 'index', '--git-path', 'objects'], { signal });
    const [top = '', prefix = '', index = '', objects = ''] = text.split('\n');
    // `core.worktree` of a hostile repository can point at any folder of the disk.
    if ((await realpath(join(top, prefix))) !== (await realpath(folder))) return undefined;
    return { top, prefix, index: resolve(folder, index), objects: await realpath(resolve(folder, objects)) };
  } catch (error) {
    if (isFailure(error, 'not_a_repository', 'git_missing')) return undefined;
    throw error;
  }
}

const quoted = (path: string): string => (path.includes(delimiter) || path.startsWith('"') ? JSON.stringify(path) : path);

/** Environment by which git writes new objects to Casebook's folder and reads those of the repository beside them. */
export async function objectEnvironment(repository: Repository, folder: string): Promise<Record<string, string>> {
  const own = join(folder, 'objects', sha256(repository.objects).slice(0, 24));
  await mkdir(own, { recursive: true, mode: 0o700 });
  // A repository that was moved had another store here; what an earlier snapshot put there is still to be read.
  const others = (await readdir(join(folder, 'objects'))).map((name) => join(folder, 'objects', name)).filter((path) => path !== own);
  return { GIT_OBJECT_DIRECTORY: own, GIT_ALTERNATE_OBJECT_DIRECTORIES: [repository.objects, ...others].map(quoted).join(delimiter) };
}

async function takeGitSnapshot(root: Root, repository: Repository, deps: SnapshotDeps, signal: AbortSignal): Promise<SnapshotRoot | undefined> {
  const checkout = await readCheckout(deps.git, root.path, signal);
  const omitted: string[] = [];
  const env = await objectEnvironment(repository, deps.folder);
  const index = await copyIndex(repository.index, deps.folder);
  const work = { root, repository, deps, signal, env: { ...env, GIT_INDEX_FILE: index }, omitted };
  try {
    const changed = checkout.changes.filter((change) => (change.kind === 'tracked' && !change.stagedOnly) || change.kind === 'untracked' || change.kind === 'unmerged').map((change) => change.path);
    const filtered = await filteredPaths(deps.git, repository, root, signal);
    await updateIndex(work, [...new Set([...changed, ...filtered])], new Set(filtered));
    const tree = await writeTree(work);
    if (tree === undefined) return undefined;
    const submodules = await submodulePaths(work);
    return describeRoot(root, repository, checkout, tree, submodules, omitted);
  } finally {
    await rm(index, { force: true });
  }
}

function describeRoot(root: Root, repository: Repository, checkout: Checkout, tree: string, submodules: string[], omitted: string[]): SnapshotRoot {
  const { changes, ...state } = checkout;
  const own = (change: Change): string => change.path.slice(repository.prefix.length);
  const dirty = changes.filter((change) => change.kind !== 'nested').map(own);
  const nested = [
    ...submodules.map((path) => ({ path, kind: 'submodule' as const })),
    ...changes.filter((change) => change.kind === 'nested').map((change) => ({ path: own(change), kind: 'repository' as const })),
  ];
  return {
    name: root.name,
    path: root.path,
    kind: 'git',
    tree,
    ...state,
    dirty: dirty.slice(0, 200),
    dirtyCount: dirty.length,
    ...(nested.length > 0 ? { nested } : {}),
    ...(omitted.length > 0 ? { omitted: omitted.slice(0, 50) } : {}),
  };
}

interface Work {
  root: Root;
  repository: Repository;
  deps: SnapshotDeps;
  signal: AbortSignal;
  env: Record<string, string>;
  omitted: string[];
}

/**
 * A copy of the index with its time kept: git takes an entry for possibly changed when it is not older than the index file,
 * and a younger copy would hide a change made in the same instant. Rounding down only makes git look once more.
 */
async function copyIndex(index: string, folder: string): Promise<string> {
  const copies = join(folder, 'tmp');
  await mkdir(copies, { recursive: true, mode: 0o700 });
  const copy = join(copies, `index-${randomUUID()}`);
  const stats = await stat(index).catch(() => undefined);
  if (stats) {
    await copyFile(index, copy);
    const seconds = Math.floor(stats.mtimeMs) / 1000;
    await utimes(copy, seconds, seconds);
  }
  return copy;
}

/** Tracked paths of the root whose content on disk passes a filter, so that the stored object is not what a person sees. */
async function filteredPaths(git: Git, repository: Repository, root: Root, signal: AbortSignal): Promise<string[]> {
  const drivers = new Set(await git.filterDrivers(root.path, signal));
  if (drivers.size === 0) return [];
  const tracked = (await git.run(root.path, ['ls-files', '-z'], { signal })).stdout;
  const attributes = await git.records(root.path, ['check-attr', '-z', '--stdin', 'filter'], { signal, stdin: tracked });
  const paths: string[] = [];
  for (let at = 0; at + 2 < attributes.length; at += 3) {
    if (drivers.has(attributes[at + 2] ?? '')) paths.push(repository.prefix + (attributes[at] ?? ''));
  }
  return paths;
}

/** Puts the files as they lie on disk into the temporary index; content goes in raw, so that no filter has a say. */
async function updateIndex(work: Work, paths: readonly string[], filtered: ReadonlySet<string>): Promise<void> {
  const { repository, deps, signal, env } = work;
  if (paths.length === 0) return;
  const removed: string[] = [];
  const files: { path: string; mode: string }[] = [];
  const entries: string[] = [];
  for (const path of paths) {
    const stats = await lstat(join(repository.top, path)).catch(() => undefined);
    if (isUnreadableName(path, stats !== undefined)) {
      work.omitted.push(`${path.slice(repository.prefix.length)}: ${unreadableName}`);
      continue;
    }
    if (filtered.has(path) && (!stats?.isFile() || stats.size > maxFilteredBytes)) continue;
    removed.push(path);
    if (stats?.isSymbolicLink()) {
      const target = await readlink(join(repository.top, path));
      const hash = (await deps.git.text(repository.top, ['hash-object', '-w', '--stdin'], { signal, env, stdin: target })).trim();
      entries.push(`120000 ${hash} 0\t${path}`);
    } else if (stats?.isFile() && stats.size <= maxReadBytes && !path.includes('\n')) {
      files.push({ path, mode: stats.mode & 0o100 ? '100755' : '100644' });
    } else if (stats) {
      work.omitted.push(`${path.slice(repository.prefix.length)}: ${stats.isFile() && stats.size > maxReadBytes ? 'larger than 32 MiB' : 'not a regular file, or a line break in its name'}`);
    }
  }
  const hashes = await hashFiles(work, files.map((file) => file.path));
  for (const [index, file] of files.entries()) entries.push(`${file.mode} ${hashes[index] ?? ''} 0\t${file.path}`);
  const gone = `0 ${'0'.repeat(40)}`;
  const input = [...removed.map((path) => `${gone}\t${path}`), ...entries].map((entry) => `${entry}\0`).join('');
  await deps.git.run(repository.top, ['update-index', '-z', '--index-info'], { signal, env, stdin: input });
}

async function hashFiles(work: Work, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  work.deps.count?.('hashed', paths.length);
  const output = await work.deps.git.text(work.repository.top, ['hash-object', '-w', '--no-filters', '--stdin-paths'], { signal: work.signal, env: work.env, stdin: `${paths.join('\n')}\n` });
  return output.trim().split('\n');
}

/** Undefined when the root holds nothing that git would keep (an ignored or empty folder). */
async function writeTree(work: Work): Promise<string | undefined> {
  const prefix = work.repository.prefix;
  const args = ['write-tree', '--missing-ok', ...(prefix === '' ? [] : [`--prefix=${prefix}`])];
  const { code, stdout } = await work.deps.git.run(work.repository.top, args, { signal: work.signal, env: work.env, codes: prefix === '' ? [0] : [0, 128] });
  return code === 0 ? new TextDecoder().decode(stdout).trim() : undefined;
}

async function submodulePaths(work: Work): Promise<string[]> {
  const top = work.repository.top;
  const listed = await lstat(join(top, '.gitmodules')).catch(() => undefined);
  if (!listed) return [];
  const records = await work.deps.git.records(work.root.path, ['ls-files', '-z', '--stage'], { signal: work.signal, env: work.env });
  return records.filter((record) => record.startsWith('160000 ')).map((record) => record.slice(record.indexOf('\t') + 1));
}

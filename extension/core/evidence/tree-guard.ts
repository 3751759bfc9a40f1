import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../base/hash.ts';
import { readCheckout } from '../repo/checkout.ts';
import type { Git } from '../repo/git.ts';
import { walk } from '../repo/plain-snapshot.ts';
import type { Root } from '../repo/roots.ts';
import { type Repository, findRepository } from '../repo/snapshot.ts';
import { readRegular } from '../repo/work-tree.ts';

/** A file that became other than it was; `path` from its root. */
export interface TreeChange {
  root: string;
  path: string;
  change: 'added' | 'modified' | 'deleted';
}

/** What a user's folders were like at one moment. */
export interface TreeWatch {
  /** The files that are different now, sorted. Nothing is put back: what to do about it is the user's decision. */
  changes(signal: AbortSignal): Promise<TreeChange[]>;
}

/** Above this a file's size and time stand for its content. */
const maxHashedBytes = 8 * 1024 * 1024;
/** Plain folders are watched up to this many files. */
const maxPlainFiles = 50_000;

/**
 * Remembers the state of the folders, to tell afterwards what a run changed there. With git only files that differ from HEAD are looked at
 * (ignored ones are not watched); a commit made in between counts by the files it changes on disk. Without git: sizes and times.
 */
export async function watchTree(roots: readonly Root[], deps: { git: Git }, signal: AbortSignal): Promise<TreeWatch> {
  const { git } = deps;
  const before = await Promise.all(roots.map((root) => lookAt(root, git, signal)));
  return {
    async changes(later) {
      const found = await Promise.all(before.map((look) => compare(look, git, later)));
      return found.flat();
    },
  };
}

interface Look {
  root: Root;
  /** Absent for plain folders. */
  repository?: Repository;
  commit?: string;
  /** Fingerprints by path from the root; with git of the files that differ from HEAD, else of all. `undefined`: not there. */
  files: Map<string, string | undefined>;
  /** Paths HEAD does not have. */
  untracked: Set<string>;
}

async function lookAt(root: Root, git: Git, signal: AbortSignal): Promise<Look> {
  const repository = await findRepository(git, root.path, signal);
  const files = new Map<string, string | undefined>();
  const untracked = new Set<string>();
  if (!repository) {
    for await (const file of walk(root.path, '', signal)) {
      if (files.size >= maxPlainFiles) break;
      files.set(file.path, file.link ?? `${file.size} ${file.time}`);
    }
    return { root, files, untracked };
  }
  const checkout = await readCheckout(git, root.path, signal);
  for (const change of checkout.changes) {
    const path = change.path.slice(repository.prefix.length);
    files.set(path, await fingerprint(root, path));
    if (change.kind === 'untracked') untracked.add(path);
  }
  return { root, repository, files, untracked, ...(checkout.commit === undefined ? {} : { commit: checkout.commit }) };
}

async function compare(before: Look, git: Git, signal: AbortSignal): Promise<TreeChange[]> {
  const now = await lookAt(before.root, git, signal);
  const committed = await committedBetween(before, now, git, signal);
  const paths = [...new Set([...before.files.keys(), ...now.files.keys(), ...committed.keys()])].sort();
  const changes: TreeChange[] = [];
  for (const path of paths) {
    const is = now.files.has(path) ? now.files.get(path) : await currentOf(before, path);
    if (before.files.has(path) && before.files.get(path) === is) continue;
    const existed = before.files.has(path) ? before.files.get(path) !== undefined : existedAtHead(path, before, now, committed);
    if (!existed && is === undefined) continue;
    changes.push({ root: before.root.name, path, change: is === undefined ? 'deleted' : existed ? 'modified' : 'added' });
  }
  return changes;
}

/** A path that nobody listed before was then as HEAD had it. */
function existedAtHead(path: string, before: Look, now: Look, committed: Map<string, string>): boolean {
  if (!before.repository) return false;
  const status = committed.get(path);
  return status === undefined ? !now.untracked.has(path) && !now.untracked.has(`${path}/`) : status !== 'A';
}

async function currentOf(before: Look, path: string): Promise<string | undefined> {
  return before.repository ? fingerprint(before.root, path) : undefined;
}

/** Paths by status letter between the two HEADs, within the root. */
async function committedBetween(before: Look, now: Look, git: Git, signal: AbortSignal): Promise<Map<string, string>> {
  const changed = new Map<string, string>();
  if (!before.repository || before.commit === undefined || now.commit === undefined || before.commit === now.commit) return changed;
  const records = await git.records(before.repository.top, ['diff-tree', '-r', '-z', '--no-renames', '--name-status', before.commit, now.commit], { signal });
  for (let at = 0; at + 1 < records.length; at += 2) {
    const path = records[at + 1] ?? '';
    if (path.startsWith(before.repository.prefix)) changed.set(path.slice(before.repository.prefix.length), records[at] ?? '');
  }
  return changed;
}

async function fingerprint(root: Root, path: string): Promise<string | undefined> {
  const place = join(root.path, path);
  const stats = await lstat(place).catch(() => undefined);
  if (!stats) return undefined;
  if (stats.isSymbolicLink()) return `link ${await readlink(place).catch(() => '')}`;
  if (!stats.isFile()) return 'other';
  const mode = stats.mode & 0o100 ? 'x' : '-';
  if (stats.size > maxHashedBytes) return `${mode} ${stats.size} ${stats.mtimeMs}`;
  const bytes = await readRegular(place);
  return bytes ? `${mode} ${sha256(bytes)}` : `${mode} unreadable`;
}

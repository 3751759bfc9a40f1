import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { WriteDisk } from '../../../extension/core/review/apply/disk.ts';
import type { WriteEntry } from '../../../extension/core/review/apply/plan.ts';
import type { Content } from '../../../extension/core/review/files/file-review.ts';

export const file = (text: string | Uint8Array, mode?: number): Content => ({ kind: 'file', bytes: Buffer.from(text), ...(mode === undefined ? {} : { mode }) });
export const absent: Content = { kind: 'absent' };

const made: string[] = [];

/** Removes every tree that this file's tests have made. */
export async function removeTrees(): Promise<void> {
  for (const top of made.splice(0)) await rm(top, { recursive: true, force: true });
}

/** A new folder with a root `w` and a place for records. */
export async function newTree(files: Record<string, string | { link: string } | { text: string; mode: number }> = {}): Promise<{ root: string; state: string; top: string }> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'casebook-write-')));
  made.push(top);
  const root = join(top, 'w');
  await mkdir(root);
  for (const [path, content] of Object.entries(files)) {
    const place = join(root, path);
    await mkdir(dirname(place), { recursive: true });
    if (typeof content === 'string') await writeFile(place, content);
    else if ('link' in content) await symlink(content.link, place);
    else {
      await writeFile(place, content.text);
      await chmod(place, content.mode);
    }
  }
  return { root, state: join(top, 'state'), top };
}

/** Everything under a folder: path → kind, mode and content. */
export async function treeOf(folder: string, prefix = ''): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  let names: string[];
  try {
    names = await readdir(folder);
  } catch {
    return found;
  }
  for (const name of names.toSorted()) {
    const path = join(folder, name);
    const entry = await lstat(path);
    const shown = `${prefix}${name}`;
    if (entry.isSymbolicLink()) found[shown] = `link ${await readlink(path)}`;
    else if (entry.isDirectory()) {
      found[shown] = 'folder';
      Object.assign(found, await treeOf(path, `${shown}/`));
    } else found[shown] = `${(entry.mode & 0o7777).toString(8)} ${await readFile(path, 'latin1')}`;
  }
  return found;
}

/** Without fsync, which tests that write a thousand files do not need and a shared machine does not forgive. */
export function quickDisk(disk: WriteDisk): WriteDisk {
  return {
    ...disk,
    stage: async (path, bytes, as) => {
      await writeFile(path, bytes, { flag: 'wx', mode: as.mode === undefined ? 0o666 : 0o600 });
      if (as.uid !== undefined && as.gid !== undefined && process.getuid?.() === 0) await chown(path, as.uid, as.gid);
      if (as.mode !== undefined) await chmod(path, as.mode);
    },
    record: (path, text) => writeFile(path, text, { mode: 0o600 }),
    syncFolder: () => Promise.resolve(),
  };
}

const changing = new Set(['makeFolder', 'removeFolder', 'stage', 'link', 'symlink', 'rename', 'remove', 'syncFolder', 'record']);

export interface Step {
  name: string;
  args: readonly unknown[];
  /** Among all steps and among the changing ones, from 1. */
  number: number;
  changingNumber: number;
}

/** The disk with a look at every step before it is done; the hook may throw in its place. */
export function watched(disk: WriteDisk, before: (step: Step) => void | Promise<void>): WriteDisk {
  let number = 0;
  let changingNumber = 0;
  return new Proxy(disk, {
    get(target, name: keyof WriteDisk) {
      return async (...args: unknown[]): Promise<unknown> => {
        number += 1;
        if (changing.has(name)) changingNumber += 1;
        await before({ name, args, number, changingNumber: changing.has(name) ? changingNumber : 0 });
        return Reflect.apply(target[name] as (...all: unknown[]) => unknown, target, args);
      };
    },
  });
}

/** A set with a change of every kind. */
export const sceneFiles = {
  'src/a.ts': 'one\ntwo\n',
  'run.sh': { text: '#!/bin/sh\n', mode: 0o755 },
  'old.txt': 'gone soon',
  'from.txt': { text: 'moved and edited', mode: 0o640 },
  'plain.txt': 'moved only',
  'mode.txt': 'mode',
  'link': { link: 'src/a.ts' },
  'untouched.txt': 'untouched',
};

export const sceneEntries: WriteEntry[] = [
  { root: 'w', path: 'src/a.ts', before: file('one\ntwo\n'), after: file('one\n2\n') },
  { root: 'w', path: 'run.sh', before: file('#!/bin/sh\n'), after: file('#!/bin/sh\nexit\n') },
  { root: 'w', path: 'new/deep/b.ts', before: absent, after: file('new') },
  { root: 'w', path: 'old.txt', before: file('gone soon'), after: absent },
  { root: 'w', path: 'to.txt', from: 'from.txt', before: file('moved and edited'), after: file('edited') },
  { root: 'w', path: 'lib/plain.txt', from: 'plain.txt', before: file('moved only'), after: file('moved only') },
  { root: 'w', path: 'mode.txt', before: file('mode', 0o644), after: file('mode', 0o755) },
  { root: 'w', path: 'link', before: { kind: 'link', target: 'src/a.ts' }, after: { kind: 'link', target: 'run.sh' } },
];

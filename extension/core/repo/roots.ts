import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** A folder that an investigation may look at, under the name that citations use for it. */
export interface Root {
  /** Short and unique among the roots; a single path segment without spaces. */
  name: string;
  /** Real absolute path. */
  path: string;
}

/** Names folders by their last segment; where that is taken, the parent's name goes before it, then a number after it. Links are resolved, a folder given twice counts once. */
export async function nameRoots(folders: readonly string[]): Promise<Root[]> {
  const paths = [...new Set(await Promise.all(folders.map((folder) => realpath(folder))))];
  const short = paths.map((path) => segmentName(basename(path)));
  const used = new Set<string>();
  return paths.map((path, index) => {
    const own = short[index] ?? 'root';
    const shared = short.filter((name) => name.toLowerCase() === own.toLowerCase()).length > 1;
    const wanted = shared ? `${segmentName(basename(dirname(path)))}-${own}` : own;
    let name = wanted;
    for (let number = 2; used.has(name.toLowerCase()); number += 1) name = `${wanted}-${number}`;
    used.add(name.toLowerCase());
    return { name, path };
  });
}

/**
 * Where recorded roots are now: as recorded, or, where that folder is gone because the project was moved or renamed, the present root of the same
 * name, or the only one where only one was recorded. They keep the names that the citations use.
 */
export function rootsNow<R extends Root>(recorded: readonly R[], present: readonly Root[]): R[] {
  const alone = recorded.length === 1 && present.length === 1 ? present[0] : undefined;
  return recorded.map((root) => {
    if (existsSync(root.path)) return root;
    return { ...root, path: (present.find((one) => one.name === root.name) ?? alone)?.path ?? root.path };
  });
}

/** Keeps letters, digits and `. _ -`; anything else would be ambiguous in `root/path:12`. */
function segmentName(text: string): string {
  const name = text.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^\.+|^-+|-+$/gu, '');
  return name === '' ? 'root' : name;
}

export type Refusal = { ok: false; why: string };
/** A path from a root with forward slashes, cleaned of `.` and doubled slashes. */
export type CleanPath = { ok: true; path: string } | Refusal;

/** Checks a relative path by its words alone: no absolute form of any system, no `..`, no NUL. An empty path is the root itself. */
export function cleanRelative(path: string): CleanPath {
  if (path.includes('\0')) return { ok: false, why: 'the path holds a NUL character' };
  const slashes = path.replaceAll('\\', '/');
  if (slashes.startsWith('/') || /^[a-z]:/iu.test(slashes)) return { ok: false, why: 'absolute paths are not followed; paths start at a root' };
  const parts = slashes.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return { ok: false, why: 'paths with ".." are not followed' };
  return { ok: true, path: parts.join('/') };
}

/** Splits `root/path/in/it`; undefined when the first segment names no root. */
export function splitRootPath(roots: readonly Root[], path: string): { root: Root; path: string } | undefined {
  const [first = '', ...rest] = path.split('/');
  const root = roots.find((candidate) => candidate.name === first);
  return root && { root, path: rest.join('/') };
}

export type RealPlace = { ok: true; path: string; inside: string } | { ok: false; why: string; absent: boolean };

/**
 * Where a path in a root really is on disk. Every link on the way is resolved, and what lies outside the root is refused, however its name begins
 * (`/w-secret` is not in `/w`). `inside` is the real path from the root. Between this check and a read the tree may change: read through the returned path.
 */
export async function realPlace(root: Root, path: string): Promise<RealPlace> {
  const clean = cleanRelative(path);
  if (!clean.ok) return { ...clean, absent: false };
  let real: string;
  let base: string;
  try {
    [real, base] = await Promise.all([realpath(join(root.path, clean.path)), realpath(root.path)]);
  } catch {
    return { ok: false, why: 'there is no such file', absent: true };
  }
  const inside = relative(base, real);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return { ok: false, why: 'a link leads out of the root', absent: false };
  return { ok: true, path: real, inside: inside.split(sep).join('/') };
}

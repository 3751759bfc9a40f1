import { realpathSync } from 'node:fs';
import { basename, isAbsolute, resolve, sep } from 'node:path';
import { Failure } from '../core/base/failure.ts';
import type { Root } from '../core/repo/roots.ts';
import type { HostFailureReason } from '../shared/words.ts';

export type { Root } from '../core/repo/roots.ts';

/** Real paths of the workspace's folders with unique names; a folder that does not exist is left out, one opened twice appears once. */
export function rootsOf(folders: readonly { name: string; fsPath: string }[], real: (path: string) => string = realpathSync): Root[] {
  const roots: Root[] = [];
  for (const folder of folders) {
    const path = tryReal(folder.fsPath, real);
    if (path === undefined || roots.some((root) => root.path === path)) continue;
    roots.push({ name: uniqueName(folder.name === '' ? basename(path) : folder.name, roots), path });
  }
  return roots;
}

/** The names of `rootsOf`, each with the paths under which the editor may name what is in it. */
export function foldersOf(folders: readonly { name: string; fsPath: string }[], real: (path: string) => string = realpathSync): { root: string; paths: string[] }[] {
  return rootsOf(folders, real).map((root) => ({ root: root.name, paths: [...new Set([root.path, ...folders.map((folder) => folder.fsPath).filter((path) => tryReal(path, real) === root.path)])] }));
}

function tryReal(path: string, real: (path: string) => string): string | undefined {
  try {
    return real(path);
  } catch {
    return undefined;
  }
}

/** The name is the first segment of citations, so it can hold no slash and must differ from the others. */
function uniqueName(wanted: string, taken: readonly Root[]): string {
  const base = wanted.replaceAll(/[/\\]/g, '-');
  const names = new Set(taken.map((root) => root.name));
  let name = base;
  for (let n = 2; names.has(name); n += 1) name = `${base}-${n}`;
  return name;
}

/**
 * The absolute path of a citation (`<root>/<path>`). Citations come from models: a path that leaves its root, by `..` or
 * by a link, is refused with Failure `outside_roots`; a missing file with `file_gone`.
 */
export function resolveCitation(file: string, roots: readonly Root[], real: (path: string) => string = realpathSync): string {
  const root = [...roots].sort((a, b) => b.name.length - a.name.length).find((candidate) => file.startsWith(`${candidate.name}/`));
  if (root === undefined) throw new Failure<HostFailureReason>('outside_roots', 'a citation names no root of this case');
  return resolveInside(root.path, file.slice(root.name.length + 1), real);
}

/** The absolute path of `relative` inside a folder, links followed; same refusals as `resolveCitation`. */
export function resolveInside(folder: string, relative: string, real: (path: string) => string = realpathSync): string {
  const wanted = resolve(folder, relative);
  if (isAbsolute(relative) || !isInside(folder, wanted)) throw new Failure<HostFailureReason>('outside_roots', 'a citation points out of its root');
  const path = tryReal(wanted, real);
  if (path === undefined) throw new Failure<HostFailureReason>('file_gone', 'a cited file does not exist now');
  if (!isInside(tryReal(folder, real) ?? folder, path)) throw new Failure<HostFailureReason>('outside_roots', 'a citation leaves its root through a link');
  return path;
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

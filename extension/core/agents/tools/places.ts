import { isAbsolute, relative, sep } from 'node:path';
import { type Root, realPlace, splitRootPath } from '../../repo/roots.ts';
import { notShared } from '../../repo/sharing.ts';
import { type ToolContext, refused } from './tool.ts';

/** An existing file or folder that a tool may look at. */
export interface ToolPlace {
  root: Root;
  /** As asked for, from the root. */
  path: string;
  /** Real path on disk, links resolved; read through it. */
  real: string;
  /** The real path from the root. */
  inside: string;
}

/**
 * Finds what a model means by a path: `root/path`, a path in the only root that has it, or an absolute path within a root.
 * Refuses what leads out of the roots, by words or by links, and what is not shared, under its own name or that of the file a link stands for.
 */
export async function findPlace(context: ToolContext, input: string): Promise<ToolPlace> {
  const candidates = candidatesFor(context, input);
  const found: ToolPlace[] = [];
  let why = 'there is no such file or folder';
  for (const { root, path, exact } of candidates) {
    const place = await realPlace(root, path);
    if (place.ok) {
      if (!context.sharing.isShared(path) || !context.sharing.isShared(place.inside)) throw refused(notShared);
      found.push({ root, path, real: place.path, inside: place.inside });
      if (exact) break;
    } else {
      if (!context.sharing.isShared(path)) throw refused(notShared);
      if (!place.absent) why = place.why;
    }
  }
  const [first, second] = found;
  if (!first) throw refused(`${shown(input)}: ${why}.`);
  if (second && !candidates.some((candidate) => candidate.exact && candidate.root === first.root)) {
    throw refused(`${shown(input)} is in several roots; name one: ${found.map((place) => `${place.root.name}/${place.path}`).join(', ')}.`);
  }
  return first;
}

/** Like `findPlace`, for paths that need not exist now, such as those of an old commit. */
export async function namePlace(context: ToolContext, input: string): Promise<{ root: Root; path: string }> {
  const candidates = candidatesFor(context, input);
  // A root often holds a folder of its own name; what exists now is the better guess.
  const present = await Promise.all(candidates.map(async ({ root, path }) => (await realPlace(root, path)).ok));
  const chosen = candidates.find((_, index) => present[index]) ?? candidates.find((candidate) => candidate.exact) ?? (candidates.length === 1 ? candidates[0] : undefined);
  if (!chosen) throw refused(`Name the root of ${shown(input)}: ${context.roots.map((root) => root.name).join(', ')}.`);
  const parts = chosen.path.replaceAll('\\', '/').split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || chosen.path.includes('\0')) throw refused('Paths with ".." are not followed.');
  const path = parts.join('/');
  if (!context.sharing.isShared(path)) throw refused(notShared);
  return { root: chosen.root, path };
}

interface Candidate {
  root: Root;
  path: string;
  /** The root was named, so no other one is meant while it has the path. */
  exact: boolean;
}

function candidatesFor(context: ToolContext, input: string): Candidate[] {
  const { roots } = context;
  if (isAbsolute(input)) {
    const inside = roots.map((root) => ({ root, path: relative(root.path, input).split(sep).join('/') }));
    // The nearest root wins when roots lie in each other.
    const [best] = inside.filter(({ path }) => path !== '..' && !path.startsWith('../') && !isAbsolute(path)).sort((a, b) => a.path.length - b.path.length);
    if (!best) throw refused(`${shown(input)} is outside of the folders you may read.`);
    return [{ ...best, exact: true }];
  }
  const path = input.replace(/^(?:\.\/)+/u, '');
  const named = splitRootPath(roots, path);
  const rest = roots.map((root) => ({ root, path: path === '.' ? '' : path, exact: false }));
  return named ? [{ ...named, exact: true }, ...rest] : rest;
}

function shown(input: string): string {
  return input.length > 200 ? `${input.slice(0, 200)}…` : input;
}

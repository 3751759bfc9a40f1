import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { Failure } from '../base/failure.ts';
import { errorCode } from '../base/files.ts';
import { type Root, splitRootPath } from '../repo/roots.ts';
import type { LinkFailureReason } from './failure.ts';

/** A place in the workspace that an agent named; there may be nothing there yet. */
export interface LinkPlace {
  root: Root;
  /** From the root, with forward slashes. */
  path: string;
  /** Absolute, every link on the way to it resolved. */
  real: string;
  exists: boolean;
}

/**
 * Finds what an agent means by a path: absolute, a `file:` URI in either spelling (raw as Claude Code writes it, or percent-encoded), relative to the only root
 * that has it, or `root/path`. Links are resolved before anything is compared, so that neither `..`, nor a link, nor a folder whose name merely begins like a
 * root's leads out. Fails `outside` and `ambiguous` with what was compared, `bad_path` for a path that can name nothing.
 */
export async function findLinkPlace(roots: readonly Root[], input: string): Promise<LinkPlace> {
  if (input === '' || input.includes('\0')) throw new Failure<LinkFailureReason>('bad_path', 'The path is empty or holds a NUL character.');
  let last: LinkPlace[] = [];
  for (const spelling of spellingsOf(input)) {
    last = isAbsolute(spelling) ? await absolutePlaces(roots, spelling) : await relativePlaces(roots, spelling);
    const existing = last.filter((place) => place.exists);
    if (existing.length > 0) return theOne(existing, input);
  }
  // Nothing is there under any spelling: the last one is how a new file would be called.
  if (last.length > 0) return theOne(last, input);
  throw new Failure<LinkFailureReason>('outside', `${shown(input)} is in none of the workspace’s folders: ${roots.map((root) => root.path).join(', ') || '(there are none)'}.`);
}

function theOne(places: readonly LinkPlace[], input: string): LinkPlace {
  const [first] = places;
  if (first === undefined || places.length > 1) throw new Failure<LinkFailureReason>('ambiguous', `${shown(input)} could be ${places.map((place) => `${place.root.name}/${place.path}`).join(' or ')}; give the full path.`);
  return first;
}

/** As given, with percent signs decoded for a URI, and in both Unicode forms; the ones tried first win where several exist. */
function spellingsOf(input: string): string[] {
  const uri = /^file:\/\/(?:localhost)?(?=\/)/iu.exec(input);
  const plain = uri === null ? input : input.slice(uri[0].length);
  const all = [plain];
  if (uri !== null) {
    try {
      all.push(decodeURIComponent(plain));
    } catch {
      // A percent sign of the name itself.
    }
  }
  const last = all.at(-1) ?? plain;
  return [...new Set([...all, last.normalize('NFD'), last.normalize('NFC'), last])];
}

async function absolutePlaces(roots: readonly Root[], path: string): Promise<LinkPlace[]> {
  const { real, exists } = await realOrParent(normalize(path));
  // The nearest root wins where roots lie in each other.
  const [best] = roots
    .map((root) => ({ root, path: relative(root.path, real) }))
    .filter((one) => isInside(one.path))
    .sort((a, b) => a.path.length - b.path.length);
  return best === undefined ? [] : [{ root: best.root, path: best.path.split(sep).join('/'), real, exists }];
}

/** What is there in any root comes first; then a path that begins with a root's name is one in that root; a new file could be in each of them. */
async function relativePlaces(roots: readonly Root[], path: string): Promise<LinkPlace[]> {
  const inRoots = await Promise.all(roots.map((root) => absolutePlaces(roots, resolve(root.path, path))));
  const found = [...new Map(inRoots.flat().map((place) => [place.real, place])).values()];
  const named = splitRootPath(roots, path);
  return named === undefined || found.some((place) => place.exists) ? found : absolutePlaces(roots, join(named.root.path, named.path));
}

/** The real path, or that of the nearest folder that is there with the rest after it. */
async function realOrParent(path: string): Promise<{ real: string; exists: boolean }> {
  try {
    return { real: await realpath(path), exists: true };
  } catch (error) {
    const parent = dirname(path);
    if (parent === path || !['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw new Failure<LinkFailureReason>('bad_path', `${shown(path)} cannot be looked at.`, { cause: error });
    const above = await realOrParent(parent);
    return { real: join(above.real, relative(parent, path)), exists: false };
  }
}

function isInside(path: string): boolean {
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

function shown(input: string): string {
  return input.length > 300 ? `${input.slice(0, 300)}…` : input;
}

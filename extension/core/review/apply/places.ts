import { isAbsolute, join, relative, sep } from 'node:path';
import { messageOf } from '../../base/failure.ts';
import { cleanRelative, type Root } from '../../repo/roots.ts';
import type { DiskEntry, WriteDisk } from './disk.ts';
import { writeFailure } from './failure.ts';

/** Where a path of a set is on disk: its folder with every link resolved, inside the root. */
export interface Place {
  path: string;
  entry?: DiskEntry;
  /** Folders on the way that are not there yet, outermost first. */
  missing: string[];
}

/** Whether links inside the root are written through, or refused. A link that leads out of the root is always refused. */
export type LinkPolicy = 'follow' | 'refuse';

/**
 * Finds the real place of a path and refuses whatever lies outside its root, however it is reached. `through`: a link at the end is replaced by what it
 * leads to, for changes of a file's content. Fails with a WriteFailureReason; reads only.
 */
export async function placeOf(disk: WriteDisk, root: Root, path: string, through: boolean, policy: LinkPolicy): Promise<Place> {
  const shown = `${root.name}/${path}`;
  checkWords(path, shown);
  const base = await disk.real(root.path);
  const segments = path.split('/');
  const leaf = segments.pop() ?? '';
  let existing = base;
  const absent: string[] = [];
  for (const segment of segments) {
    const next = join(existing, segment);
    const entry = absent.length > 0 ? undefined : await disk.look(next);
    if (entry === undefined) absent.push(segment);
    else if (entry.kind === 'link') existing = await followed(disk, base, next, shown, policy, 'folder');
    else if (entry.kind === 'folder') existing = next;
    else throw writeFailure('in_the_way', `${segment} is a file, not a folder`, { path: shown });
  }
  // By its true name, which on some disks is spelled otherwise; the writer compares it again before each exchange.
  existing = await disk.real(existing);
  const missing = absent.map((_segment, index) => join(existing, ...absent.slice(0, index + 1)));
  const folder = missing.at(-1) ?? existing;
  const place = join(folder, leaf);
  const entry = missing.length > 0 ? undefined : await disk.look(place);
  if (entry?.kind === 'folder' || entry?.kind === 'other') throw writeFailure('in_the_way', `${leaf} is no file`, { path: shown });
  if (entry?.kind !== 'link' || !through) return { path: place, missing, ...(entry === undefined ? {} : { entry }) };
  const target = await followed(disk, base, place, shown, policy, 'file');
  const targetEntry = await disk.look(target);
  return { path: target, missing, ...(targetEntry === undefined ? {} : { entry: targetEntry }) };
}

/** Why no review may touch a path, by its words alone; undefined when it may. */
export function pathFault(path: string): string | undefined {
  try {
    checkWords(path, path);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function checkWords(path: string, shown: string): void {
  const clean = cleanRelative(path);
  // Written exactly where it says or not at all: a backslash is a letter on one system and a separator on another.
  if (!clean.ok || clean.path === '' || clean.path !== path) throw writeFailure('bad_path', clean.ok ? 'the path is not in its plain form' : clean.why, { path: shown });
  if (process.platform === 'win32' && /[<>:"|?*]|[. ](?:\/|$)/u.test(path)) throw writeFailure('bad_path', 'the path has characters that Windows reads in another way', { path: shown });
  checkProtected(path, shown);
}

/** A hook or a setting in there is a program that git runs. */
function checkProtected(path: string, shown: string): void {
  // NTFS and HFS+ also find it under these spellings.
  const isGit = (segment: string): boolean => /^(?:\.git|git~1)$/iu.test(segment.replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, '').replace(/[. ]+$/u, ''));
  if (path.split('/').some(isGit)) throw writeFailure('protected', "git's own folder is not written to", { path: shown });
}

async function followed(disk: WriteDisk, base: string, link: string, shown: string, policy: LinkPolicy, wanted: 'file' | 'folder'): Promise<string> {
  if (policy === 'refuse') throw writeFailure('link_refused', 'links are not written through', { path: shown });
  let real: string;
  try {
    real = await disk.real(link);
  } catch (error) {
    throw writeFailure('link_refused', `the link leads nowhere: ${messageOf(error)}`, { path: shown }, error);
  }
  const inside = relative(base, real);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) throw writeFailure('link_refused', 'a link leads out of the root', { path: shown });
  checkProtected(inside.split(sep).join('/'), shown);
  if ((await disk.look(real))?.kind !== wanted) throw writeFailure('in_the_way', `the link leads to no ${wanted}`, { path: shown });
  return real;
}

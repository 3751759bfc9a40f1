import { cp, lstat, mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from '../base/failure.ts';
import { ensurePrivateFolder, errorCode, syncFolder } from '../base/files.ts';
import { makeOnce } from './claims.ts';
import { listHeads, namesIn } from './heads.ts';
import type { Layout } from './layout.ts';
import type { JournalFailureReason } from './port.ts';
import { listSessions } from './scan.ts';
import { Sessions } from './sessions.ts';

/** Says in the folder that a history was taken from where it went; made before the first file is moved, and kept. */
const marker = 'moved-to.json';

/** What stays behind: the marker, whose history this was, and the index, which is a cache. */
const stays = new Set([marker, 'workspace.json', 'journal', 'heads']);
const isIndex = (name: string): boolean => name.startsWith('index.sqlite');

/** The folder that a history went, or is going, to; undefined when it is where it was. */
export async function wentTo(root: string): Promise<string | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(root, marker), 'utf8'));
    return typeof value === 'object' && value !== null && 'to' in value && typeof value.to === 'string' ? value.to : undefined;
  } catch {
    return undefined;
  }
}

/** Sessions of a history, those with only a head or only a file included. */
export async function sessionsOf(layout: Layout): Promise<string[]> {
  return Array.from(new Set([...(await listSessions(layout)), ...(await listHeads(layout)).map(({ session }) => session)])).sort();
}

/**
 * Refuses what must not be moved: Failure `not_found` when nothing is there or it went elsewhere, `in_use` while a process that writes to it lives.
 * Gives its sessions.
 */
export async function adoptable(from: Layout, to: Layout): Promise<string[]> {
  const sessions = await sessionsOf(from);
  const other = await wentTo(from.root);
  if (sessions.length === 0 || (other !== undefined && other !== to.root)) throw new Failure<JournalFailureReason>('not_found', `There is no history in ${from.root}${other === undefined ? '' : `; it went to ${other}`}.`);
  const states = new Sessions(from, undefined);
  for (const session of sessions) {
    if ((await states.state(session)) === 'alive') throw new Failure<JournalFailureReason>('in_use', 'Another window or terminal still writes to that history; close it first.');
  }
  return sessions;
}

/**
 * Moves everything of one history into another journal's folder. Every session keeps its files byte for byte, so each chain and each kept head
 * holds there as it did before. What is interrupted half-way is finished by calling it again. Only to be called after `adoptable`, by a process that writes to `to`.
 */
export async function moveHistory(from: Layout, to: Layout, sessions: readonly string[]): Promise<void> {
  if (!(await makeOnce(join(from.root, marker), JSON.stringify({ to: to.root }))) && (await wentTo(from.root)) !== to.root) {
    throw new Failure<JournalFailureReason>('not_found', `The history in ${from.root} was just brought elsewhere.`);
  }
  for (const name of await namesIn(from.root)) if (!stays.has(name) && !isIndex(name)) await moveInto(join(from.root, name), join(to.root, name));
  await Promise.all([to.journal, to.heads].map((folder) => ensurePrivateFolder(folder)));
  // A head last: whoever watches the heads finds the session whole.
  for (const session of sessions) {
    await moveInto(from.session(session), to.session(session));
    await moveInto(from.head(session), to.head(session));
  }
  await Promise.all([to.root, to.journal, to.heads].map((folder) => syncFolder(folder)));
  for (const name of await namesIn(from.root)) if (isIndex(name)) await rm(join(from.root, name), { force: true });
  for (const folder of [from.journal, from.heads]) await rmdir(folder).catch(() => undefined);
}

/** Moves a file or folder; folders that are in both places become one, and of a file that is in both the newer stays. What is not there is left alone. */
async function moveInto(from: string, to: string): Promise<void> {
  const [source, target] = await Promise.all([lstatOf(from), lstatOf(to)]);
  if (source === undefined) return;
  if (target === undefined) return moveTo(from, to);
  if (source.isDirectory() && target.isDirectory()) {
    for (const name of await namesIn(from)) await moveInto(join(from, name), join(to, name));
    await rmdir(from);
  } else if (source.mtimeMs > target.mtimeMs) await moveTo(from, to);
  else await rm(from, { recursive: true });
}

async function moveTo(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await rename(from, to);
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error;
    // A journal that is kept in its workspace may be on another disk: the copy gets its name only when it is whole.
    const copy = `${to}.${process.pid}.tmp`;
    await cp(from, copy, { recursive: true, preserveTimestamps: true });
    await rename(copy, to);
    await rm(from, { recursive: true });
  }
}

async function lstatOf(path: string): Promise<Awaited<ReturnType<typeof lstat>> | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

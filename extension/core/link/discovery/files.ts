import { readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Failure, messageOf } from '../../base/failure.ts';
import { ensurePrivateFolder, errorCode, writeFileAtomic } from '../../base/files.ts';
import type { Logger } from '../../base/logger.ts';
import { ownIdentity, processState } from '../../journal/liveness.ts';
import type { LinkFailureReason } from '../failure.ts';

/** The part of every discovery file that is ours alone: by it, and by nothing else, a file is known as one that this program wrote. */
export const ownMark = z.object({ version: z.string(), /** Of the process that wrote it; the agents' `pid` may be another one. */ pid: z.number().int(), startTime: z.string().optional(), host: z.string() });

export interface Announced {
  readonly file: string;
  /** Removes the file, if it still is the one that was written. */
  remove(): Promise<void>;
}

/** The mark of this process, for the field `casebook` of a discovery file. */
export function markOf(version: string): z.infer<typeof ownMark> {
  return { version, ...ownIdentity() };
}

/** Puts a discovery file in place, whole and for this user alone, its folder too. Rejects with Failure `no_lock`. */
export async function writeDiscovery(file: string, content: unknown): Promise<Announced> {
  const text = JSON.stringify(content);
  try {
    await ensurePrivateFolder(dirname(file));
    await writeFileAtomic(file, text);
  } catch (error) {
    throw new Failure<LinkFailureReason>('no_lock', `Agents cannot find this window: ${file} cannot be written (${messageOf(error)}).`, { cause: error });
  }
  return {
    file,
    async remove() {
      const now = await readFile(file, 'utf8').catch(() => undefined);
      if (now === text) await rm(file, { force: true });
    },
  };
}

/** Of whom a discovery file tells. */
export interface Announcer {
  mark: z.infer<typeof ownMark>;
  /** Where it takes connections. */
  at: { port: number } | { path: string };
}

/**
 * Removes the files that earlier windows of this program left in a folder, each on proof that its process is dead: nobody answers any more, and the process of that number
 * is gone or began at another time. `read` tells of whom a file is; what it does not know, another product wrote, and stays.
 */
export async function sweep(folder: string, read: (name: string, content: unknown) => Announcer | undefined, logger: Logger): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    const announcer = read(name, await contentOf(file));
    if (announcer !== undefined) await removeIfDead(file, announcer, logger);
  }
}

async function contentOf(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}

async function removeIfDead(file: string, { mark, at }: Announcer, logger: Logger): Promise<void> {
  const state = processState(mark);
  const stays = state === 'alive' ? 'its window is alive' : (await answersAt(at)) ? 'its server answers' : state === 'unknown' ? 'its window may be alive elsewhere' : undefined;
  logger.debug('found the discovery file of another window', { file, removed: stays === undefined, why: stays ?? 'its window is gone' });
  if (stays === undefined) await rm(file, { force: true });
}

/** Whether anything takes connections there; only a refusal, or a socket file that is not there, is a no. */
export function answersAt(at: Announcer['at']): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect('port' in at ? { host: '127.0.0.1', port: at.port, timeout: 1000 } : { path: at.path, timeout: 1000 });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(true));
    socket.once('error', (error) => end(!['ECONNREFUSED', 'ENOENT'].includes(errorCode(error) ?? '')));
  });
}

import { readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure, messageOf } from '../base/failure.ts';
import { ensurePrivateFolder, errorCode, writeFileAtomic } from '../base/files.ts';
import type { Logger } from '../base/logger.ts';
import { ownIdentity, processState } from '../journal/liveness.ts';
import type { LinkFailureReason } from './failure.ts';

/**
 * The lock file by which Claude Code and Kitsoki find an editor: `<port>.lock` (docs/link.md). `casebook` is ours alone: by it, and by nothing else, a file is known as
 * one that this program wrote.
 */
const lockFile = z.object({
  pid: z.number().int(),
  workspaceFolders: z.array(z.string()),
  ideName: z.string(),
  transport: z.literal('ws'),
  runningInWindows: z.boolean(),
  authToken: z.string(),
  casebook: z.object({ version: z.string(), startTime: z.string().optional(), host: z.string() }),
});

export interface Announcement {
  port: number;
  token: string;
  /** Real paths. */
  folders: readonly string[];
  version: string;
}

export interface Announced {
  readonly file: string;
  /** Removes the file, if it still is the one that was written. */
  remove(): Promise<void>;
}

/** Where the clients look: one folder, since a client that found the same window in two would connect to neither. */
export function lockFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const configured = env['CLAUDE_CONFIG_DIR'];
  return join(configured === undefined || configured === '' ? join(home, '.claude') : configured, 'ide');
}

/**
 * Makes the link known: first what earlier windows of this program left behind is swept, then the file is there at once, whole, for this user alone.
 * Rejects with Failure `no_lock`.
 */
export async function announce(folder: string, what: Announcement, logger: Logger): Promise<Announced> {
  const file = join(folder, `${what.port}.lock`);
  const { startTime, host } = ownIdentity();
  const lock: z.infer<typeof lockFile> = {
    pid: process.pid,
    workspaceFolders: [...what.folders],
    ideName: 'Casebook',
    transport: 'ws',
    runningInWindows: process.platform === 'win32',
    authToken: what.token,
    casebook: { version: what.version, ...(startTime === undefined ? {} : { startTime }), host },
  };
  const text = JSON.stringify(lock);
  try {
    await ensurePrivateFolder(folder);
    await sweep(folder, logger);
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

/**
 * Removes lock files of this program whose process is proved dead: nobody listens on the port any more, and the process of that number is gone or began at another
 * time. What another product wrote, and what cannot be read, stays.
 */
async function sweep(folder: string, logger: Logger): Promise<void> {
  for (const name of await readdir(folder)) {
    const port = /^(\d{1,5})\.lock$/u.exec(name)?.[1];
    if (port === undefined) continue;
    const lock = await readLock(join(folder, name));
    if (lock === undefined) continue;
    const state = processState({ pid: lock.pid, host: lock.casebook.host, ...(lock.casebook.startTime === undefined ? {} : { startTime: lock.casebook.startTime }) });
    const stays = state === 'alive' ? 'its window is alive' : (await answers(Number(port))) ? 'its port answers' : state === 'unknown' ? 'its window may be alive elsewhere' : undefined;
    logger.debug('found the lock file of another window', { port: Number(port), removed: stays === undefined, why: stays ?? 'its window is gone' });
    if (stays === undefined) await rm(join(folder, name), { force: true });
  }
}

async function readLock(file: string): Promise<z.infer<typeof lockFile> | undefined> {
  try {
    return lockFile.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Whether anything takes connections on that port of this machine; only a refusal is a no. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 1000 });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(true));
    socket.once('error', (error) => end(errorCode(error) !== 'ECONNREFUSED'));
  });
}

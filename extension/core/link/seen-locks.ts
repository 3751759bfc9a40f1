import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../base/files.ts';
import { answersAt } from './discovery/files.ts';
import type { SeenLock } from './doctor.ts';

/** As agents read it: they know no more of it than this. */
const lock = z.object({ pid: z.number().optional(), workspaceFolders: z.array(z.string()).default([]), ideName: z.string().default('IDE'), authToken: z.string().optional() });

/** Every lock file in the folders where Claude's family looks, whoever wrote it. `token`: this window's own. */
export async function seenLocks(folders: readonly string[], token: string | undefined): Promise<SeenLock[]> {
  const found: SeenLock[] = [];
  for (const folder of new Set(folders)) {
    for (const name of (await readdir(folder).catch(() => [])).toSorted((a, b) => (a < b ? -1 : 1))) {
      const port = /^(\d{1,5})\.lock$/u.exec(name)?.[1];
      if (port !== undefined) found.push(await seen(join(folder, name), Number(port), token));
    }
  }
  return found;
}

async function seen(file: string, port: number, token: string | undefined): Promise<SeenLock> {
  try {
    const { pid, workspaceFolders, ideName, authToken } = lock.parse(JSON.parse(await readFile(file, 'utf8')));
    const own = token !== undefined && authToken === token;
    return { file, content: { port, folders: workspaceFolders, name: ideName, ...(pid === undefined ? {} : { pid }) }, own, alive: pid === undefined || isAlive(pid), answers: await answersAt({ port }) };
  } catch {
    return { file, own: false, alive: false, answers: false };
  }
}

/** As agents look: a signal that does nothing. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

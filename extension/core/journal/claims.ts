import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensurePrivateFolder, errorCode } from '../base/files.ts';
import { sha256 } from '../base/hash.ts';

/** How deep a row of claimants who all died may be. */
const deepest = 32;

/**
 * Claims something for `own` by a file that can be made once. Where a claimant died after its claim, the claim on *its* place is tried,
 * so no claim is ever removed and there is no moment at which two can hold the same one. Gives the holder that was followed
 * (`from` or a dead claimant), or undefined when somebody else has it.
 */
export async function claim(folder: string, what: string, from: string, own: string, isDead: (session: string) => Promise<boolean>): Promise<string | undefined> {
  await ensurePrivateFolder(folder);
  let holder = from;
  for (let depth = 0; depth < deepest; depth += 1) {
    if (!(await isDead(holder))) return undefined;
    const path = join(folder, `${sha256(`${what}\n${holder}`).slice(0, 32)}.json`);
    if (await makeOnce(path, JSON.stringify({ what, from: holder, by: own }))) return holder;
    const next = await claimant(path);
    if (next === undefined || next === own) return undefined;
    holder = next;
  }
  return undefined;
}

/** Makes a file with its whole content, or says that it is there already; no reader sees it half written. */
export async function makeOnce(path: string, content: string): Promise<boolean> {
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, content, { flag: 'wx', mode: 0o600 });
    await link(temporary, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function claimant(path: string): Promise<string | undefined> {
  const value = JSON.parse(await readFile(path, 'utf8')) as { by?: unknown };
  return typeof value.by === 'string' ? value.by : undefined;
}

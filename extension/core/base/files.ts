import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Makes a folder (and its parents) that only this user can enter: 0700. An existing folder of ours that is wider is narrowed. Rejects with the system's error,
 * which names the first folder that could not be made.
 */
export async function ensurePrivateFolder(path: string): Promise<void> {
  await makeFolders(resolve(path));
  if (process.platform === 'win32') return;
  const found = await stat(path);
  if ((found.mode & 0o077) !== 0 && found.uid === process.getuid?.()) await chmod(path, 0o700);
}

/** One by one from the nearest parent that is there: node's recursive mkdir never ends where a parent exists and takes no folders (as /proc). */
async function makeFolders(path: string): Promise<void> {
  const missing: string[] = [];
  for (let at = path; (await stat(at).catch(unlessMissing)) === undefined && dirname(at) !== at; at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) {
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      // Another process may have made it meanwhile.
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
  if (!(await stat(path)).isDirectory()) throw Object.assign(new Error(`ENOTDIR: a file is in the place of the folder '${path}'`), { code: 'ENOTDIR' });
}

function unlessMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}

/**
 * Replaces a file so that a reader, or a crash, sees the old or the new bytes and nothing between: temporary file 0600 in the
 * same folder, fsync, rename, fsync of the folder. Rejects with the system's error, leaving no temporary file behind.
 */
export async function writeFileAtomic(path: string, data: Uint8Array | string): Promise<void> {
  await replaceFile(path, data);
  await syncFolder(dirname(path));
}

/** The same, for a caller that syncs the folder itself: until then the new name may be lost with the power. */
export async function replaceFile(path: string, data: Uint8Array | string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Makes a new or renamed entry survive a power loss. Where folders cannot be synced (Windows) this does nothing. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The system's error code (`ENOENT`, …) of something thrown, if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

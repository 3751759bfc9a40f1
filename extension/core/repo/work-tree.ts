import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Root, realPlace, splitRootPath } from './roots.ts';

/** Reads by `root/path`, at a snapshot or as it is now. Undefined: no such file, not a file, outside its root, or too large. */
export interface CodeReader {
  read(path: string, signal?: AbortSignal): Promise<Uint8Array | undefined>;
}

/** Files above this are not read as code. */
export const maxReadBytes = 32 * 1024 * 1024;

/** The working tree as it is now. */
export class WorkTreeReader implements CodeReader {
  constructor(private readonly roots: readonly Root[]) {}

  async read(path: string): Promise<Uint8Array | undefined> {
    const found = splitRootPath(this.roots, path);
    if (!found) return undefined;
    const place = await realPlace(found.root, found.path);
    return place.ok ? readRegular(place.path) : undefined;
  }
}

/** Bytes of a regular file; never follows a link at the last step and never blocks on a pipe or device. */
export async function readRegular(path: string, maxBytes = maxReadBytes): Promise<Uint8Array | undefined> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (!handle) return undefined;
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > maxBytes) return undefined;
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

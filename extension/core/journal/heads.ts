import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import { errorCode } from '../base/files.ts';
import { genesis } from './envelope.ts';
import { isSessionName, type Layout } from './layout.ts';
import type { Head } from './port.ts';

/**
 * The separately kept head of a session's file: how many records there are, the hash of the last, and where it ends.
 * `generation` grows when an erasure rewrote the segments, because offsets known to others are void then.
 */
export interface StoredHead extends Head {
  segment: string;
  /** Bytes of `segment` that are complete and on disk. */
  offset: number;
  generation: number;
  closed: boolean;
}

export const emptyHead: StoredHead = { count: 0, hash: genesis, segment: '0001.jsonl', offset: 0, generation: 0, closed: false };

const size = 256;

/** Writes one session's head in place: always the same number of bytes in one call, so that a full disk or a kill leaves it whole. */
export class HeadFile {
  private file: FileHandle | undefined;

  constructor(private readonly path: string) {}

  async write(head: StoredHead): Promise<void> {
    this.file ??= await open(this.path, 'w', 0o600);
    await this.file.write(headBytes(head), 0, size, 0);
  }

  async close(): Promise<void> {
    await this.file?.close();
    this.file = undefined;
  }
}

/** A head as its file holds it: one line, padded to a fixed length. */
export function headBytes(head: StoredHead): Buffer {
  const bytes = Buffer.alloc(size, ' ');
  bytes.write(JSON.stringify(head));
  bytes[size - 1] = 0x0a;
  return bytes;
}

/** The kept head of a session; undefined when there is none or it cannot be read. */
export async function readHead(layout: Layout, session: string): Promise<StoredHead | undefined> {
  let text: string;
  try {
    text = await readFile(layout.head(session), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const value = JSON.parse(text) as Partial<StoredHead>;
    if (!Number.isSafeInteger(value.count) || typeof value.hash !== 'string' || typeof value.segment !== 'string' || !Number.isSafeInteger(value.offset)) return undefined;
    return { ...emptyHead, ...value };
  } catch {
    return undefined;
  }
}

/** Sessions that have a head, with the head's time of change (milliseconds). */
export async function listHeads(layout: Layout): Promise<{ session: string; changed: number }[]> {
  const found: { session: string; changed: number }[] = [];
  for (const name of await namesIn(layout.heads)) {
    const session = name.replace(/\.json$/, '');
    if (!name.endsWith('.json') || !isSessionName(session)) continue;
    try {
      found.push({ session, changed: (await stat(layout.head(session))).mtimeMs });
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
  return found;
}

/** Entries of a folder, sorted; none when it is not there. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ensurePrivateFolder, errorCode, replaceFile, syncFolder } from '../base/files.ts';
import { Failure } from '../base/failure.ts';
import { sha256 } from '../base/hash.ts';
import { isBlobHash, type Layout } from './layout.ts';
import type { BlobBatch, BlobStore, JournalFailureReason } from './port.ts';

/** Exact bytes on disk under `blobs/xx/<sha256>`, 0600; the name proves the content. */
export class FileBlobs implements BlobStore {
  constructor(private readonly layout: Layout) {}

  async put(bytes: Uint8Array): Promise<string> {
    return this.keep(bytes, syncFolder);
  }

  /** Of thousands of files most of the time would go into syncing the same 256 folders again and again. */
  together(): BlobBatch {
    const folders = new Set<string>();
    return {
      put: (bytes) => this.keep(bytes, async (folder) => void folders.add(folder)),
      done: async () => {
        for (const folder of folders) await syncFolder(folder);
        folders.clear();
      },
    };
  }

  private async keep(bytes: Uint8Array, sync: (folder: string) => Promise<void>): Promise<string> {
    const hash = sha256(bytes);
    const path = this.layout.blob(hash);
    if (await this.has(hash, bytes.byteLength)) return hash;
    await ensurePrivateFolder(dirname(path));
    await replaceFile(path, bytes);
    await sync(dirname(path));
    return hash;
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    // A hash comes out of a record that somebody may have edited; anything else than a hash must not become a path.
    if (!isBlobHash(hash)) return undefined;
    let bytes: Uint8Array;
    try {
      bytes = await readFile(this.layout.blob(hash));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
    if (sha256(bytes) !== hash) throw new Failure<JournalFailureReason>('corrupt', `blob ${hash} does not hash to its name`);
    return bytes;
  }

  private async has(hash: string, length: number): Promise<boolean> {
    try {
      return (await stat(this.layout.blob(hash))).size === length;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  }
}

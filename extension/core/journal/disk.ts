import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ensurePrivateFolder, syncFolder } from '../base/files.ts';

/** One segment file open for appending. Every method rejects with the system's error. */
export interface SegmentFile {
  /** Writes all bytes at the position, or rejects; after a rejection some of them may be there. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Resolves when the data is on the disk. */
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** How the writer reaches the disk; a port, because a failing fsync cannot be had from a real one on demand. */
export interface Disk {
  /** Opens a segment for writing, making it (0600) and its folder (0700) where needed. `fresh`: it must not exist yet. */
  open(path: string, fresh: boolean): Promise<SegmentFile>;
}

export const realDisk: Disk = {
  async open(path, fresh) {
    await ensurePrivateFolder(dirname(path));
    const file = await open(path, fresh ? 'wx' : 'r+', 0o600);
    await syncFolder(dirname(path));
    return new RealSegment(file);
  },
};

class RealSegment implements SegmentFile {
  constructor(private readonly file: FileHandle) {}

  async write(bytes: Uint8Array, position: number): Promise<void> {
    // A nearly full disk takes a part and says so only in the count.
    for (let done = 0; done < bytes.byteLength; ) {
      const { bytesWritten } = await this.file.write(bytes, done, bytes.byteLength - done, position + done);
      if (bytesWritten === 0) throw new Error('the disk took no bytes');
      done += bytesWritten;
    }
  }

  sync(): Promise<void> {
    return this.file.datasync();
  }

  truncate(length: number): Promise<void> {
    return this.file.truncate(length);
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

import { errorCode, ensurePrivateFolder } from '../base/files.ts';
import { messageOf } from '../base/failure.ts';
import type { Logger } from '../base/logger.ts';
import type { Disk, SegmentFile } from './disk.ts';
import { encodeRecord, genesis, type RecordFields } from './envelope.ts';
import { emptyHead, HeadFile, type StoredHead } from './heads.ts';
import { type Layout, segmentName } from './layout.ts';

export interface WriterOptions {
  layout: Layout;
  session: string;
  disk: Disk;
  maxSegmentBytes: number;
  logger: Logger;
}

export type UnplacedRecord = Omit<RecordFields, 'session' | 'seq' | 'prev'>;

export interface PlacedRecord {
  seq: number;
  bodyHash: string;
}

/**
 * The only writer of one session's segments. It is not safe against itself: whoever owns it calls one method at a time (`Serial`).
 * A record is *placed* (has its number and its link in the chain, waits in memory) or *committed* (on disk, fdatasync done).
 * Whatever fails, bytes that were complete on disk before stay as they are.
 */
export class SegmentWriter {
  private readonly headFile: HeadFile;
  private file: SegmentFile | undefined;
  private segment = 0;
  /** Complete bytes on disk in the current segment. */
  private offset = 0;
  private placed: Buffer[] = [];
  private placedBytes = 0;
  private placedHead = { count: 0, hash: genesis };
  private synced = { ...emptyHead };
  private generation = 0;
  /** Set when the current file cannot be trusted to take more (a failed fsync, a failed truncation). */
  private distrusted = false;

  constructor(private readonly options: WriterOptions) {
    this.headFile = new HeadFile(options.layout.head(options.session));
  }

  /** What is on disk for certain. */
  get head(): StoredHead {
    return this.synced;
  }

  get pendingBytes(): number {
    return this.placedBytes;
  }

  /** Gives a record its number and its place in the batch; `flush` brings it to disk. */
  place(record: UnplacedRecord, body: unknown): PlacedRecord {
    const { line, hash, bodyHash } = this.encode(record, body);
    this.placed.push(line);
    this.placedBytes += line.byteLength;
    this.placedHead = { count: this.placedHead.count + 1, hash };
    return { seq: this.placedHead.count, bodyHash };
  }

  /** Writes and syncs all placed records. After a rejection they are still placed, and the file ends where it ended before. */
  async flush(): Promise<void> {
    if (this.placed.length === 0) return;
    await this.store(Buffer.concat(this.placed), this.placedHead);
    this.placed = [];
    this.placedBytes = 0;
  }

  /** Writes and syncs one record, after whatever is placed. After a rejection the record has no number and is nowhere. */
  async commit(record: UnplacedRecord, body: unknown): Promise<PlacedRecord> {
    await this.flush();
    const { line, hash, bodyHash } = this.encode(record, body);
    const head = { count: this.placedHead.count + 1, hash };
    await this.store(line, head);
    this.placedHead = head;
    return { seq: head.count, bodyHash };
  }

  /** Closes the files; `closed` marks the session as ended in order. */
  async close(closed: boolean): Promise<void> {
    if (this.file !== undefined) {
      if (closed) await this.writeHead({ ...this.synced, closed: true });
      await this.file.close();
      this.file = undefined;
    }
    await this.headFile.close();
  }

  /**
   * Lets `rewrite` replace this session's segment files (an erasure) and goes on at the end of the last one. `rewrite` gives the
   * last segment's new length in bytes.
   */
  async rewriting(rewrite: () => Promise<{ length: number }>): Promise<void> {
    await this.flush();
    await this.file?.close();
    this.file = undefined;
    this.offset = (await rewrite()).length;
    this.generation += 1;
    this.synced = { ...this.synced, offset: this.offset, generation: this.generation };
    await this.writeHead(this.synced);
  }

  private encode(record: UnplacedRecord, body: unknown): ReturnType<typeof encodeRecord> {
    return encodeRecord({ ...record, session: this.options.session, seq: this.placedHead.count + 1, prev: this.placedHead.hash }, body);
  }

  private async store(bytes: Buffer, head: { count: number; hash: string }): Promise<void> {
    const file = await this.ready(bytes.byteLength);
    try {
      await file.write(bytes, this.offset);
    } catch (error) {
      await this.cutBack(file);
      throw error;
    }
    try {
      await file.sync();
    } catch (error) {
      // After a failed fsync the system may drop the pages and report success next time: this file takes no more.
      this.distrusted = true;
      await this.cutBack(file);
      throw error;
    }
    this.offset += bytes.byteLength;
    this.synced = { ...head, segment: segmentName(this.segment), offset: this.offset, generation: this.generation, closed: false };
    await this.writeHead(this.synced);
  }

  private async ready(bytes: number): Promise<SegmentFile> {
    const full = this.offset > 0 && this.offset + bytes > this.options.maxSegmentBytes;
    if (this.segment === 0 || full || this.distrusted) return this.openNext();
    this.file ??= await this.options.disk.open(this.options.layout.segment(this.options.session, segmentName(this.segment)), false);
    return this.file;
  }

  private async openNext(): Promise<SegmentFile> {
    // The head has its place on the disk before the first record: on a full disk the record could fit and its head not, which would look like a loss for good.
    if (this.segment === 0) await this.keepHead(this.synced);
    const next = this.segment + 1;
    const path = this.options.layout.segment(this.options.session, segmentName(next));
    const file = await this.openFresh(path);
    await this.file?.close();
    this.file = file;
    this.segment = next;
    this.offset = 0;
    this.distrusted = false;
    return file;
  }

  private async openFresh(path: string): Promise<SegmentFile> {
    try {
      return await this.options.disk.open(path, true);
    } catch (error) {
      // Left by an attempt of ours that made the file and then failed.
      if (errorCode(error) !== 'EEXIST') throw error;
      return this.options.disk.open(path, false);
    }
  }

  private async cutBack(file: SegmentFile): Promise<void> {
    try {
      await file.truncate(this.offset);
    } catch (error) {
      this.distrusted = true;
      this.options.logger.warn('a partly written record could not be cut off; a new segment follows', { error: messageOf(error) });
    }
  }

  private async writeHead(head: StoredHead): Promise<void> {
    try {
      await this.keepHead(head);
    } catch (error) {
      // The records are on disk; a head that lags behind only proves less.
      this.options.logger.warn('the head could not be kept', { error: messageOf(error) });
    }
  }

  private async keepHead(head: StoredHead): Promise<void> {
    await ensurePrivateFolder(this.options.layout.heads);
    await this.headFile.write(head);
  }
}

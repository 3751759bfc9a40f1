import { setTimeout as delay } from 'node:timers/promises';
import { mapAtOnce } from '../../base/at-once.ts';
import { isFailure } from '../../base/failure.ts';
import type { BlobStore } from '../../journal/port.ts';
import { fileKey } from '../../model/change.ts';
import type { Root } from '../../repo/roots.ts';
import type { WriteDisk } from '../apply/disk.ts';
import { writeFailure, type WriteFailureReason } from '../apply/failure.ts';
import type { WriteEntry } from '../apply/plan.ts';
import { DiskWriter, undoEntries, type WriteReceipt } from '../apply/writer.ts';
import { mergeBytes } from '../files/merge.ts';
import { runInSlices } from '../files/slices.ts';
import type { Buffers } from '../port.ts';
import { contentOf, keepContent, sameBytes } from './contents.ts';
import { filesAtOnce } from './intake.ts';
import { type Present, type PresentFiles, textOfBytes } from './present.ts';
import type { WrittenState } from './state.ts';

/** How often a write is tried again while another one has a file under way, and how long apart. Milliseconds. */
const busyTries = 40;
const busyPause = 50;

export interface CarrierDeps {
  disk: WriteDisk;
  roots: () => readonly Root[];
  stateFolder: string;
  blobs: BlobStore;
  present: PresentFiles;
  buffers?: Buffers;
}

interface BufferEdit {
  entry: WriteEntry;
  place: string;
  before: { text: string; bytes: Uint8Array };
  after: { text: string; bytes: Uint8Array };
}

/**
 * Carries decided changes out: to disk, all or nothing, and in the open buffers of files that have unsaved text, where they are merged by lines and left unsaved.
 * Fails with a WriteFailureReason and nothing changed; `base_changed` also where a buffer's text and the change meet in the same lines.
 */
export class Carrier {
  constructor(private readonly deps: CarrierDeps) {}

  async write(entries: readonly WriteEntry[], options: { emptyFolders?: readonly string[] } = {}): Promise<WrittenState> {
    const { disk, edits } = await this.split(entries);
    const receipt = disk.length === 0 ? undefined : await this.toDisk(disk, options);
    const done: BufferEdit[] = [];
    for (const edit of edits) {
      if (await this.deps.buffers?.replace(edit.place, edit.before.text, edit.after.text)) {
        done.push(edit);
        continue;
      }
      await this.takeBack(receipt, done);
      throw writeFailure('base_changed', `${fileKey(edit.entry)} was changed in the editor at the same moment`, { conflicts: [{ path: fileKey(edit.entry), found: 'file' }] });
    }
    return this.written(receipt, done);
  }

  /** The same files the other way round: what a write left becomes what was there before it. */
  async undo(written: WrittenState): Promise<WrittenState> {
    return this.write(undoEntries({ entries: await this.entriesOf(written) }), { emptyFolders: written.folders });
  }

  async redo(written: WrittenState): Promise<WrittenState> {
    return this.write(await this.entriesOf(written));
  }

  /** Whether everything that these entries would write is there already, as after a crash between the write and its record. */
  async isThere(entries: readonly WriteEntry[]): Promise<boolean> {
    for (const entry of entries) {
      const { content } = await this.deps.present.at(entry, { link: entry.after.kind !== 'file' });
      if (!sameBytes(content, entry.after)) return false;
      if (entry.from !== undefined && entry.from !== entry.path && (await this.deps.present.at({ root: entry.root, path: entry.from }, { link: true })).content.kind !== 'absent') return false;
    }
    return entries.length > 0;
  }

  /** What events keep of entries: contents by their blobs. */
  async refsOf(entries: readonly WriteEntry[]): Promise<WrittenState['files']> {
    const { blobs } = this.deps;
    return mapAtOnce(entries, filesAtOnce, async ({ root, path, from, before, after }) => ({ root, path, ...(from === undefined || from === path ? {} : { from }), before: await keepContent(blobs, before), after: await keepContent(blobs, after) }));
  }

  private async entriesOf(written: WrittenState): Promise<WriteEntry[]> {
    const { blobs } = this.deps;
    return mapAtOnce(written.files, filesAtOnce, async ({ root, path, from, before, after }) => ({ root, path, ...(from === undefined ? {} : { from }), before: await contentOf(blobs, before), after: await contentOf(blobs, after) }));
  }

  private async split(entries: readonly WriteEntry[]): Promise<{ disk: WriteEntry[]; edits: BufferEdit[] }> {
    const disk: WriteEntry[] = [];
    const edits: BufferEdit[] = [];
    for (const entry of entries) {
      const through = entry.before.kind === 'file' && entry.after.kind === 'file' && (entry.from ?? entry.path) === entry.path;
      const { buffer, place } = await this.deps.present.at({ root: entry.root, path: entry.from ?? entry.path }, { link: !through });
      if (buffer === undefined) disk.push(entry);
      else edits.push(await this.bufferEdit(entry, place, buffer));
    }
    return { disk, edits };
  }

  private async bufferEdit(entry: WriteEntry, place: string, buffer: NonNullable<Present['buffer']>): Promise<BufferEdit> {
    const key = fileKey(entry);
    if (entry.before.kind !== 'file' || entry.after.kind !== 'file' || (entry.from ?? entry.path) !== entry.path) throw writeFailure('dirty_buffer', 'the file has unsaved changes in an editor; save or close it first', { path: key });
    const merge = await runInSlices(mergeBytes(entry.before.bytes, buffer.bytes, entry.after.bytes));
    const text = merge.kind === 'clean' ? textOfBytes(merge.bytes) : undefined;
    if (merge.kind !== 'clean' || text === undefined) throw writeFailure('base_changed', `${key} has unsaved changes in the same lines`, { conflicts: [{ path: key, found: 'file' }] });
    return { entry, place, before: buffer, after: { text, bytes: merge.bytes } };
  }

  private async toDisk(entries: readonly WriteEntry[], options: { emptyFolders?: readonly string[] }): Promise<WriteReceipt> {
    const { disk, roots, stateFolder, buffers } = this.deps;
    const writer = new DiskWriter({ disk, roots: roots(), stateFolder, ...(buffers === undefined ? {} : { dirty: (path) => buffers.unsaved(path) !== undefined }) });
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await writer.apply(entries, options);
      } catch (error) {
        if (!isFailure<WriteFailureReason>(error, 'busy') || attempt === busyTries) throw error;
        await delay(busyPause);
      }
    }
  }

  /** A buffer could not be changed: what was done of the set goes back. */
  private async takeBack(receipt: WriteReceipt | undefined, done: readonly BufferEdit[]): Promise<void> {
    for (const edit of done.toReversed()) await this.deps.buffers?.replace(edit.place, edit.after.text, edit.before.text);
    if (receipt !== undefined) await this.toDisk(undoEntries(receipt), { emptyFolders: receipt.folders });
  }

  private async written(receipt: WriteReceipt | undefined, done: readonly BufferEdit[]): Promise<WrittenState> {
    const inBuffers = done.map(({ entry, before, after }): WriteEntry => ({ root: entry.root, path: entry.path, before: { kind: 'file', bytes: before.bytes }, after: { kind: 'file', bytes: after.bytes } }));
    return { files: await this.refsOf([...(receipt?.entries ?? []), ...inBuffers]), folders: receipt?.folders ?? [], buffers: done.map((edit) => fileKey(edit.entry)) };
  }
}

import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { mapAtOnce } from '../../base/at-once.ts';
import { errorCode, ensurePrivateFolder } from '../../base/files.ts';
import { Serial } from '../../base/serial.ts';
import type { Root } from '../../repo/roots.ts';
import type { Content } from '../files/file-review.ts';
import type { DiskEntry, WriteDisk } from './disk.ts';
import { withRollback, type WriteConflict, writeFailure } from './failure.ts';
import type { LinkPolicy } from './places.ts';
import { type Plan, type PlannedItem, planWrite, type WriteEntry } from './plan.ts';
import { donePath, intentPath, newRecord, readRecords, type WriteRecord } from './record.ts';
import { removeFolderIfEmpty, removeIfThere, removeLeavings, rollBack } from './rollback.ts';
import { sameState, stateAt } from './states.ts';

/** Files that are read, staged or compared at a time: most of it is waiting for the disk. */
const filesAtOnce = 8;

export interface DiskWriterOptions {
  disk: WriteDisk;
  roots: readonly Root[];
  /** Where intent records are kept: private, outside of every root, shared by all processes that write to these roots. */
  stateFolder: string;
  links?: LinkPolicy;
  /** Whether an open buffer holds unsaved text for that real path; such a file is not written under it. */
  dirty?: (path: string) => boolean;
}

export interface WriteOptions {
  /** Stops the write as long as nothing has been replaced. */
  signal?: AbortSignal;
  /** Absolute folders to be removed afterwards if they are empty: those that the write to be undone had made. */
  emptyFolders?: readonly string[];
}

/** What was written, complete enough to be undone. */
export interface WriteReceipt {
  id: string;
  /** With the modes that were and are on disk. */
  entries: WriteEntry[];
  /** Folders that were made, absolute, outermost first. */
  folders: string[];
  notes: { path: string; note: 'hard_link_broken' | 'leavings' }[];
}

/**
 * Writes sets of files: all of a set or nothing. Every new content is first a file beside its target, every old one has a second name; then each base is compared
 * once more, and names are exchanged. An intent record says at any moment what a crash left (see `recoverWrites`). One set at a time;
 * another process that has one of the files under way makes the write fail `busy`.
 */
export class DiskWriter {
  private readonly turns = new Serial();

  constructor(private readonly options: DiskWriterOptions) {}

  /**
   * Resolves once the set is on disk and read back. Fails with a WriteFailureReason and a WriteFailureDetail; unless that says `rolledBack: false`,
   * every file is as it was.
   */
  apply(entries: readonly WriteEntry[], options: WriteOptions = {}): Promise<WriteReceipt> {
    return this.turns.run(() => this.write(entries, options));
  }

  private async write(entries: readonly WriteEntry[], options: WriteOptions): Promise<WriteReceipt> {
    const { disk, roots, stateFolder, links } = this.options;
    let record: WriteRecord | undefined;
    let begun = false;
    let plan: Plan;
    try {
      plan = await planWrite(disk, roots, entries, links ?? 'follow');
      await this.checkBases(plan.items);
      const planned = newRecord(randomUUID(), plan.folders, plan.items.map(recorded));
      await ensurePrivateFolder(stateFolder);
      record = planned;
      await disk.record(intentPath(stateFolder, record.id), JSON.stringify(record));
      await this.checkOthers(record);
      begun = true;
      await this.prepare(plan);
      if (options.signal?.aborted) throw writeFailure('cancelled', 'the write was cancelled');
      for (const item of plan.items) await this.exchange(item);
      await this.readBack(plan.items);
      await disk.rename(intentPath(stateFolder, record.id), donePath(stateFolder, record.id));
    } catch (error) {
      throw await this.undone(error, record, begun);
    }
    return this.finish(entries, plan, record, options);
  }

  /** From here on the set is written; what fails now only leaves files lying about, which the next `recoverWrites` takes away. */
  private async finish(entries: readonly WriteEntry[], plan: Plan, record: WriteRecord, options: WriteOptions): Promise<WriteReceipt> {
    const { disk, stateFolder } = this.options;
    const receipt: WriteReceipt = { id: record.id, entries: withModes(entries, plan.items), folders: plan.folders, notes: plan.hardLinks.map((path) => ({ path, note: 'hard_link_broken' })) };
    try {
      await disk.syncFolder(stateFolder);
      await removeLeavings(disk, record);
      for (const folder of [...(options.emptyFolders ?? [])].toReversed()) await removeFolderIfEmpty(disk, folder);
      await disk.remove(donePath(stateFolder, record.id));
    } catch {
      receipt.notes.push({ path: donePath(stateFolder, record.id), note: 'leavings' });
    }
    return receipt;
  }

  private async undone(error: unknown, record: WriteRecord | undefined, begun: boolean): Promise<Error> {
    if (record === undefined) return withRollback(error, true, []);
    try {
      const left = begun ? await rollBack(this.options.disk, record) : [];
      await removeIfThere(this.options.disk, intentPath(this.options.stateFolder, record.id));
      return withRollback(error, true, left);
    } catch {
      // A record of a write that had not begun says the same to the next start: there is nothing to put back.
      return withRollback(error, !begun, []);
    }
  }

  private async checkBases(items: readonly PlannedItem[]): Promise<void> {
    const looked = await mapAtOnce(items, filesAtOnce, async (item): Promise<WriteConflict[]> => {
      this.checkBuffer(item);
      const found = await stateAt(this.options.disk, item.place);
      return sameState(found, item.before, false) ? [] : [{ path: item.shown, found: found.kind, ...(found.kind === 'file' ? { hash: found.hash } : {}) }];
    });
    const conflicts = looked.flat();
    if (conflicts.length > 0) throw writeFailure('base_changed', `${conflicts.length === 1 ? `${conflicts[0]?.path ?? ''} has` : `${conflicts.length} files have`} changed since the proposal`, { conflicts });
  }

  private checkBuffer(item: PlannedItem): void {
    if (this.options.dirty?.(item.place)) throw writeFailure('dirty_buffer', 'the file has unsaved changes in an editor', { path: item.shown });
  }

  /** Both of two writers have their record on disk before either looks, so at least one of them sees the other. */
  private async checkOthers(own: WriteRecord): Promise<void> {
    const places = new Set(own.items.flatMap((item) => [item.place, item.recase ?? item.place]));
    for (const { record, done } of await readRecords(this.options.disk, this.options.stateFolder)) {
      if (record === undefined || done || record.id === own.id) continue;
      const shared = record.items.find((item) => places.has(item.place) || (item.recase !== undefined && places.has(item.recase)));
      if (shared) throw writeFailure('busy', 'another write has this file under way', { path: shared.shown });
    }
  }

  /** New contents and second names of old ones; nothing that anybody reads has changed after this. */
  private async prepare(plan: Plan): Promise<void> {
    const { disk } = this.options;
    for (const folder of plan.folders) {
      try {
        await disk.makeFolder(folder);
      } catch (error) {
        if (errorCode(error) !== 'EEXIST' || (await disk.look(folder))?.kind !== 'folder') throw error;
      }
    }
    // In any order: nothing of it is seen before the exchange.
    await mapAtOnce(plan.items, filesAtOnce, async (item) => {
      if (item.temp !== undefined) {
        await this.stageNew(item, item.temp);
        // Read back before anything is exchanged: after it, other bytes could as well be somebody else's and would have to stay.
        if (!sameState(await stateAt(disk, item.temp), item.after, process.platform !== 'win32')) throw writeFailure('verify_failed', `${item.shown} is not what was written`, { path: item.shown });
      }
      if (item.backup !== undefined) await this.secondName(item, item.backup);
    });
  }

  private async stageNew(item: PlannedItem, temp: string): Promise<void> {
    const { disk } = this.options;
    if (item.after.kind === 'link') return disk.symlink(item.after.target, temp);
    if (item.sameFileAs !== undefined && (await linked(disk, item.sameFileAs, temp))) return undefined;
    const { model, bytes } = item;
    const mode = item.after.kind === 'file' ? item.after.mode : undefined;
    try {
      await disk.stage(temp, bytes ?? new Uint8Array(), { ...(mode === undefined ? {} : { mode }), ...(model ? { uid: model.uid, gid: model.gid } : {}) });
    } catch (error) {
      if (model && errorCode(error) === 'EPERM') throw writeFailure('owner', "the new content would not be the same user's", { path: item.shown }, error);
      throw error;
    }
    return undefined;
  }

  /** A hard link, so that what is put back is the very file; a copy where the disk has none. */
  private async secondName(item: PlannedItem, backup: string): Promise<void> {
    const { disk } = this.options;
    if (item.before.kind === 'link') return disk.symlink(item.before.target, backup);
    try {
      if (await linked(disk, item.place, backup)) return undefined;
    } catch (error) {
      if (errorCode(error) === 'ENOENT' && (await disk.look(item.place)) === undefined) throw writeFailure('base_changed', `${item.shown} is gone since the proposal`, { conflicts: [{ path: item.shown, found: 'absent' }] }, error);
      throw error;
    }
    const { mode, uid, gid } = (await disk.look(item.place)) ?? {};
    return disk.stage(backup, await disk.read(item.place), { ...(mode === undefined ? {} : { mode }), ...(uid === undefined ? {} : { uid }), ...(gid === undefined ? {} : { gid }) });
  }

  /** Puts one file in place: its base is compared at this very moment, and what the exchange took away once more after it. */
  private async exchange(item: PlannedItem): Promise<void> {
    const { disk } = this.options;
    if ((await disk.real(dirname(item.place))) !== dirname(item.place)) throw writeFailure('link_refused', 'the folder has become a link', { path: item.shown });
    await this.checkBases([item]);
    const changes = !sameState(item.before, item.after, true);
    if (item.after.kind === 'absent') await disk.remove(item.place);
    else if (item.before.kind === 'absent') await this.placeNew(item);
    else if (changes && item.temp !== undefined) await disk.rename(item.temp, item.place);
    if (item.recase !== undefined) await disk.rename(item.place, item.recase);
    if (item.backup === undefined) return;
    const taken = await stateAt(disk, item.backup);
    // Written in place between the comparison and the exchange: the roll back restores exactly that.
    if (!sameState(taken, item.before, false)) throw writeFailure('base_changed', `${item.shown} has changed since the proposal`, { conflicts: [{ path: item.shown, found: taken.kind, ...(taken.kind === 'file' ? { hash: taken.hash } : {}) }] });
  }

  /** Never over something that has appeared meanwhile. */
  private async placeNew(item: PlannedItem): Promise<void> {
    const { disk } = this.options;
    try {
      if (item.after.kind === 'link') await disk.symlink(item.after.target, item.place);
      else if (item.temp !== undefined && !(await linked(disk, item.temp, item.place))) await disk.rename(item.temp, item.place);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') throw writeFailure('base_changed', `${item.shown} has appeared since the proposal`, { conflicts: [{ path: item.shown, found: 'file' }] }, error);
      throw error;
    }
  }

  private async readBack(items: readonly PlannedItem[]): Promise<void> {
    const { disk } = this.options;
    await mapAtOnce([...new Set(items.map((item) => dirname(item.place)))], filesAtOnce, (folder) => disk.syncFolder(folder));
    await mapAtOnce(items, filesAtOnce, async (item) => {
      const found = await stateAt(disk, item.recase ?? item.place);
      if (!sameState(found, item.after, process.platform !== 'win32')) throw writeFailure('verify_failed', `${item.shown} is not what was written`, { path: item.shown });
    });
  }
}

/** The write that takes another one back; give its `folders` as `emptyFolders`. Undoing that one is the redo. */
export function undoEntries(receipt: Pick<WriteReceipt, 'entries'>): WriteEntry[] {
  return receipt.entries.map(({ root, path, from, before, after }) => ({ root, path: from ?? path, from: path, before: after, after: before }));
}

/** False where the disk has no hard links. */
async function linked(disk: WriteDisk, from: string, to: string): Promise<boolean> {
  try {
    await disk.link(from, to);
    return true;
  } catch (error) {
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

function recorded({ shown, place, before, after, temp, backup, recase }: PlannedItem): WriteRecord['items'][number] {
  return { shown, place, before, after, ...(temp === undefined ? {} : { temp }), ...(backup === undefined ? {} : { backup }), ...(recase === undefined ? {} : { recase }) };
}

/** The entries with the modes that the disk has, so that undoing gives them back. */
function withModes(entries: readonly WriteEntry[], items: readonly PlannedItem[]): WriteEntry[] {
  const modeOf = (content: Content, states: readonly ({ kind: string; mode?: number | undefined } | DiskEntry)[]): Content => {
    const mode = states.find((state) => state.kind === 'file' && state.mode !== undefined)?.mode;
    return content.kind === 'file' && mode !== undefined ? { ...content, mode } : content;
  };
  return entries.map((entry) => {
    const shown = `${entry.root}/${entry.path}`;
    const from = `${entry.root}/${entry.from ?? entry.path}`;
    const own = items.filter((item) => item.shown === shown);
    const old = items.filter((item) => item.shown === from);
    return { ...entry, before: modeOf(entry.before, [...old, ...own].map((item) => item.before)), after: modeOf(entry.after, own.map((item) => item.after)) };
  });
}

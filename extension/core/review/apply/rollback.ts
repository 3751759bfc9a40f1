import { basename, dirname } from 'node:path';
import { errorCode } from '../../base/files.ts';
import { processState } from '../../journal/liveness.ts';
import type { WriteDisk } from './disk.ts';
import type { LeftBehind } from './failure.ts';
import { readRecords, type RecordItem, type WriteRecord } from './record.ts';
import { sameState, stateAt } from './states.ts';

/** What became of a write that a process left open. */
export interface Recovered {
  id: string;
  /** Paths of the set, as `root/path`. */
  paths: string[];
  /** `completed`: it had been written, leavings are gone. `waiting`: its process may still live. `incomplete`: the disk refused; `why` says it, try again. */
  state: 'rolled_back' | 'completed' | 'waiting' | 'incomplete' | 'unreadable';
  left: LeftBehind[];
  why?: string;
}

/**
 * Settles what dead processes left in the state folder; call it on start, before any write. A set that was not written as a whole is rolled back: the person's
 * decision is in the journal and can be carried out again, and half a set is never taken for one. Records of living processes are left alone.
 */
export async function recoverWrites(disk: WriteDisk, stateFolder: string): Promise<Recovered[]> {
  const results: Recovered[] = [];
  for (const { path, done, record } of await readRecords(disk, stateFolder)) {
    if (record === undefined) {
      results.push({ id: basename(path), paths: [], state: 'unreadable', left: [] });
      continue;
    }
    const common = { id: record.id, paths: record.items.map((item) => item.shown) };
    if (processState(record.writer) !== 'dead') {
      results.push({ ...common, state: 'waiting', left: [] });
      continue;
    }
    try {
      const left = done ? [] : await rollBack(disk, record);
      if (done) await removeLeavings(disk, record);
      await removeIfThere(disk, path);
      results.push({ ...common, state: done ? 'completed' : 'rolled_back', left });
    } catch (error) {
      results.push({ ...common, state: 'incomplete', left: [], why: error instanceof Error ? error.message : String(error) });
    }
  }
  return results;
}

/**
 * Puts everything back as it was before the write, from whatever point it had reached; may be run again after a crash of its own. What somebody else has
 * written in between is left as it is and told. Fails with the system's error when the disk refuses; then the record must stay.
 */
export async function rollBack(disk: WriteDisk, record: WriteRecord): Promise<LeftBehind[]> {
  const left: LeftBehind[] = [];
  const folders = new Set<string>();
  for (const item of record.items.toReversed()) {
    const behind = await putBack(disk, item);
    if (behind) left.push(behind);
    if (item.temp !== undefined) await removeIfThere(disk, item.temp);
    if (item.backup !== undefined && behind?.kept === undefined) await removeIfThere(disk, item.backup);
    folders.add(dirname(item.place));
  }
  for (const folder of folders) if (await disk.look(folder)) await disk.syncFolder(folder);
  for (const folder of record.folders.toReversed()) await removeFolderIfEmpty(disk, folder);
  return left;
}

async function putBack(disk: WriteDisk, item: RecordItem): Promise<LeftBehind | undefined> {
  if (item.recase !== undefined && (await disk.look(dirname(item.recase))) && (await disk.names(dirname(item.recase))).includes(basename(item.recase))) await disk.rename(item.recase, item.place);
  const modes = item.before.kind === 'file' && item.after.kind === 'file' && item.before.hash === item.after.hash;
  const now = await stateAt(disk, item.place);
  const backup = item.backup === undefined ? undefined : await disk.look(item.backup);
  if (sameState(now, item.before, modes)) return undefined;
  if (sameState(now, item.after, modes)) {
    if (item.before.kind === 'absent') await disk.remove(item.place);
    else if (item.backup !== undefined && backup) await disk.rename(item.backup, item.place);
    else return { path: item.shown };
    return undefined;
  }
  // Somebody else's content. Under the old file's own number it is an edit in place of a file that was never replaced.
  const place = await disk.look(item.place);
  if (!backup || !item.backup || (place && place.dev === backup.dev && place.ino === backup.ino)) return backup || item.before.kind === 'absent' || item.backup === undefined ? undefined : { path: item.shown };
  const kept = !sameState(await stateAt(disk, item.backup), item.before, false);
  return { path: item.shown, ...(kept ? { kept: item.backup } : {}) };
}

/** Temporary files and backups of a write that is done. */
export async function removeLeavings(disk: WriteDisk, record: WriteRecord): Promise<void> {
  for (const item of record.items) {
    if (item.temp !== undefined) await removeIfThere(disk, item.temp);
    if (item.backup !== undefined) await removeIfThere(disk, item.backup);
  }
}

export async function removeIfThere(disk: WriteDisk, path: string): Promise<void> {
  try {
    await disk.remove(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
  }
}

export async function removeFolderIfEmpty(disk: WriteDisk, path: string): Promise<void> {
  try {
    await disk.removeFolder(path);
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  }
}

import { realpathSync } from 'node:fs';
import { type FileListing, listFiles } from '../files.ts';
import type { Git } from '../git.ts';
import { updateIndex } from './build.ts';
import type { RepoIndex } from './repo-index.ts';
import { type StoredIndex, cacheFileOf, openStored, writeStored } from './store.ts';

export interface OpenInput {
  root: string;
  /** Absent: list by walking, as for a folder without git. */
  git?: Git;
  /** Absent: nothing is kept. */
  cacheFolder?: string;
  signal: AbortSignal;
  /** Milliseconds since the epoch; the file system's clock and this one are taken to agree within the racy window. */
  now: () => number;
}

export interface OpenedIndex {
  index: RepoIndex;
  listing: FileListing;
  /** Files whose size and times were asked for: all of them, or none when a watch says that nothing changed. */
  filesLookedAt: number;
  /** Files whose contents were read to bring the index up to date: 0 on an unchanged repository. */
  filesRead: number;
  filesIndexed: number;
  /** Set when the cache could not be written; the index is right all the same. */
  cacheFailed: boolean;
  close(): void;
}

/** Where a search gets its indexes from. */
export interface Indexes {
  open(input: OpenInput): Promise<OpenedIndex>;
  /** Lets go of whatever is kept open: a cache file turned out to be damaged. */
  forget(): void;
}

/** Indexes for one search, as a process gives them that ends with it. */
export const freshIndexes: Indexes = { open: openIndex, forget: () => undefined };

/**
 * The index of a root as it is right now. The listing and one stat per file are made each time; contents are read only of files that are new,
 * changed, or were touched so shortly before the last look that their times cannot tell.
 */
export async function openIndex(input: OpenInput): Promise<OpenedIndex> {
  const { root, signal } = input;
  const takenAt = input.now();
  const listing = await listFiles(root, { ...(input.git ? { git: input.git } : {}), signal });
  const file = input.cacheFolder === undefined ? undefined : cacheFileOf(input.cacheFolder, realpathSync(root));
  const stored = file === undefined ? undefined : openStored(file);
  const update = bringUpToDate(input, listing, stored);
  let cacheFailed = false;
  if (file !== undefined && (update.changed || !stored)) {
    try {
      writeStored(file, update.index, takenAt);
    } catch {
      cacheFailed = true;
    }
  }
  return { index: update.index, listing, filesLookedAt: listing.files.length + listing.unreadable, filesRead: update.filesRead, filesIndexed: update.filesIndexed, cacheFailed, close: () => stored?.close() };
}

function bringUpToDate(input: OpenInput, listing: FileListing, stored: StoredIndex | undefined): ReturnType<typeof updateIndex> {
  const base = { root: input.root, listing, keepHashes: input.cacheFolder !== undefined, signal: input.signal };
  if (!stored) return updateIndex(base);
  try {
    return updateIndex({ ...base, older: stored });
  } catch (error) {
    input.signal.throwIfAborted();
    stored.close();
    // Postings are not covered by the check sum (that would mean reading them all); what cannot be merged is made anew.
    if (error instanceof Error) return updateIndex(base);
    throw error;
  }
}

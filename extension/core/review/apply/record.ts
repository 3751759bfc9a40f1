import { join } from 'node:path';
import { z } from 'zod';
import { ownIdentity } from '../../journal/liveness.ts';
import type { WriteDisk } from './disk.ts';

const state = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('file'), hash: z.string(), mode: z.number().optional() }),
  z.object({ kind: z.literal('link'), target: z.string() }),
]);

const recordItem = z.object({
  /** `root/path`, for people. */
  shown: z.string(),
  /** Absolute; links resolved. */
  place: z.string(),
  before: state,
  after: state,
  temp: z.string().optional(),
  backup: z.string().optional(),
  /** The same file under a name that differs only in case, on a disk that does not tell them apart. */
  recase: z.string().optional(),
});

const writeRecord = z.object({
  v: z.literal(1),
  id: z.string(),
  writer: z.object({ pid: z.number(), startTime: z.string().optional(), host: z.string() }),
  /** Folders that the write makes, outermost first. */
  folders: z.array(z.string()),
  items: z.array(recordItem),
});

export type RecordItem = z.infer<typeof recordItem>;

/**
 * What a write is about to do, on disk before it does anything: `<id>.intent.json`. Renamed to `<id>.done.json` at the one moment at which the set
 * counts as written; before that moment a crash is rolled back, after it only the leavings are removed.
 */
export type WriteRecord = z.infer<typeof writeRecord>;

export const intentPath = (folder: string, id: string): string => join(folder, `${id}.intent.json`);
export const donePath = (folder: string, id: string): string => join(folder, `${id}.done.json`);

export function newRecord(id: string, folders: string[], items: RecordItem[]): WriteRecord {
  return { v: 1, id, writer: ownIdentity(), folders, items };
}

/** Every record in a state folder; `record` is undefined where the file cannot be read as one. A folder that is not there has none. */
export async function readRecords(disk: WriteDisk, folder: string): Promise<{ path: string; done: boolean; record: WriteRecord | undefined }[]> {
  if ((await disk.look(folder))?.kind !== 'folder') return [];
  const found = [];
  for (const name of (await disk.names(folder)).toSorted()) {
    const done = name.endsWith('.done.json');
    if (!done && !name.endsWith('.intent.json')) continue;
    const path = join(folder, name);
    const parsed = writeRecord.safeParse(await readJson(disk, path));
    found.push({ path, done, record: parsed.success ? parsed.data : undefined });
  }
  return found;
}

async function readJson(disk: WriteDisk, path: string): Promise<unknown> {
  try {
    return JSON.parse(Buffer.from(await disk.read(path)).toString('utf8'));
  } catch {
    return undefined;
  }
}

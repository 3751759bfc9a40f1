import { mkdir, opendir, readFile, readlink, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { sha256 } from '../base/hash.ts';
import type { SnapshotRoot } from '../model/code.ts';
import type { Root } from './roots.ts';
import { readRegular } from './work-tree.ts';

/** Limits of a snapshot without git; what is beyond is named in `omitted`. */
export const plainLimits = { files: 50_000, fileBytes: 8 * 1024 * 1024, keptFileBytes: 256 * 1024, keptBytes: 64 * 1024 * 1024 };

/** Folders that hold no code of the user's. */
const skippedFolders = new Set(['.git', '.hg', '.svn', 'node_modules', '.venv', 'venv', '__pycache__']);

/** One file: path, size, time and content hash, or a link with its target. */
const plainEntry = z.object({ path: z.string(), size: z.number(), time: z.number(), hash: z.string(), link: z.string().optional(), kept: z.boolean().default(false) });
const plainListing = z.object({ takenAt: z.number(), files: z.array(plainEntry) });
export type PlainEntry = z.infer<typeof plainEntry>;

export interface PlainDeps {
  folder: string;
  clock: Clock;
  count?: (what: 'hashed', by: number) => void;
}

/**
 * Content hashes of a folder without git. Small files are kept as copies, so that they can be read after they changed; of larger ones only the hash is known.
 * A file with the size and time of the last listing is not read again, unless that time is so young that a change could hide behind it.
 */
export async function takePlainSnapshot(root: Root, deps: PlainDeps, signal: AbortSignal): Promise<SnapshotRoot> {
  const folder = join(deps.folder, 'plain');
  await mkdir(join(folder, 'bytes'), { recursive: true, mode: 0o700 });
  const latest = join(folder, `latest-${sha256(root.path).slice(0, 24)}.json`);
  const before = await readListing(latest);
  const known = new Map(before?.files.map((file) => [file.path, file]));
  const omitted: string[] = [];
  const files: PlainEntry[] = [];
  let kept = 0;
  for await (const found of walk(root.path, '', signal)) {
    if (files.length >= plainLimits.files) {
      omitted.push(`more than ${plainLimits.files} files; the rest is left out`);
      break;
    }
    const old = known.get(found.path);
    const trusted = old && before && old.size === found.size && old.time === found.time && found.time < before.takenAt - 2000;
    const entry = trusted ? old : await hashEntry(root, found, kept, folder, deps);
    if (entry === undefined) omitted.push(`${found.path}: larger than 8 MiB, or not readable`);
    else {
      files.push(entry);
      if (entry.kept) kept += entry.size;
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const listing = sha256(files.map((file) => `${file.path}\0${file.size}\0${file.hash}\n`).join(''));
  const text = JSON.stringify({ takenAt: deps.clock.now(), files });
  await writeAtomically(join(folder, `${listing}.json`), text);
  await writeAtomically(latest, text);
  return { name: root.name, path: root.path, kind: 'plain', listing, dirty: [], dirtyCount: 0, ...(omitted.length > 0 ? { omitted: omitted.slice(0, 50) } : {}) };
}

/** The files of an earlier plain snapshot; undefined when its listing is gone. */
export async function plainFiles(folder: string, listing: string): Promise<PlainEntry[] | undefined> {
  return (await readListing(join(folder, 'plain', `${listing}.json`)))?.files;
}

/** The bytes of a file of a plain snapshot: its kept copy, or the file on disk while it still has the same hash. */
export async function plainBytes(folder: string, root: string, entry: PlainEntry): Promise<Uint8Array | undefined> {
  const bytes = entry.kept ? await readRegular(join(folder, 'plain', 'bytes', entry.hash)) : await readRegular(join(root, entry.path));
  return bytes && sha256(bytes) === entry.hash ? bytes : undefined;
}

interface Found {
  path: string;
  size: number;
  time: number;
  link?: string;
}

/** Files and links below a folder, links not followed; dependency and version control folders are left out. */
export async function* walk(base: string, path: string, signal: AbortSignal): AsyncIterable<Found> {
  signal.throwIfAborted();
  const folder = await opendir(join(base, path)).catch(() => undefined);
  if (!folder) return;
  for await (const item of folder) {
    const inner = path === '' ? item.name : `${path}/${item.name}`;
    if (item.isDirectory()) {
      if (!skippedFolders.has(item.name)) yield* walk(base, inner, signal);
    } else if (item.isSymbolicLink()) {
      const link = await readlink(join(base, inner)).catch(() => '');
      yield { path: inner, size: link.length, time: 0, link };
    } else if (item.isFile()) {
      const stats = await stat(join(base, inner)).catch(() => undefined);
      if (stats) yield { path: inner, size: stats.size, time: stats.mtimeMs };
    }
  }
}

async function hashEntry(root: Root, found: Found, kept: number, folder: string, deps: PlainDeps): Promise<PlainEntry | undefined> {
  if (found.link !== undefined) return { path: found.path, size: found.size, time: 0, hash: sha256(found.link), link: found.link, kept: false };
  const bytes = await readRegular(join(root.path, found.path), plainLimits.fileBytes);
  if (!bytes) return undefined;
  deps.count?.('hashed', 1);
  const hash = sha256(bytes);
  const keep = bytes.length <= plainLimits.keptFileBytes && kept + bytes.length <= plainLimits.keptBytes;
  if (keep) await writeFile(join(folder, 'bytes', hash), bytes, { mode: 0o600, flag: 'wx' }).catch(ignoreExisting);
  return { path: found.path, size: bytes.length, time: found.time, hash, kept: keep };
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}

async function readListing(path: string): Promise<z.infer<typeof plainListing> | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const parsed = plainListing.safeParse(safeJson(text));
  return parsed.success ? parsed.data : undefined;
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function writeAtomically(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, path);
}

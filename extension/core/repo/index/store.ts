import { closeSync, fstatSync, mkdirSync, openSync, readSync, readdirSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { sha256 } from '../../base/hash.ts';
import type { FileRole } from '../kinds.ts';
import { type IndexedDoc, type Postings, RepoIndex } from './repo-index.ts';

/** Changes whenever a change of code makes older caches wrong: tokenising, roles, layout. */
const FORMAT = 'casebook-index-1';
const HEADER_BYTES = 128;

export interface StoredIndex {
  index: RepoIndex;
  /** Milliseconds since the epoch, taken before the listing that the index was made from. */
  takenAt: number;
  /** Lets the cache file go; the index gives no postings afterwards. */
  close(): void;
}

/** The cache file's postings do not fit its documents; delete it and build anew. */
export class DamagedCache extends Error {
  override readonly name = 'DamagedCache';
}

interface Columns {
  paths: string[];
  sizes: number[];
  mtimes: number[];
  ctimes: number[];
  inodes: number[];
  hashes: string[];
  roles: FileRole[];
  lengths: number[];
  lines: number[];
  machineMade: number[];
}

/** Where the cache of a root lies: a name that no other root can have. */
export function cacheFileOf(cacheFolder: string, realRoot: string): string {
  return path.join(cacheFolder, `${sha256(`${FORMAT}\0${realRoot}`).slice(0, 32)}.index`);
}

/** Opens a cache file; undefined when there is none, or it is of another format, cut off or damaged. Never throws for what is in the file. */
export function openStored(file: string): StoredIndex | undefined {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch {
    return undefined;
  }
  try {
    const stored = readStored(handle);
    if (stored) return stored;
  } catch {
    // Damaged beyond reading: as good as absent.
  }
  closeSync(handle);
  return undefined;
}

function readStored(handle: number): StoredIndex | undefined {
  const header = readBytes(handle, 0, HEADER_BYTES);
  const lines = header.toString('latin1').split('\n');
  if (lines[0] !== FORMAT) return undefined;
  const [headBytes, terms, pairs, takenAt, total] = lines[1]!.split(' ').map(Number) as [number, number, number, number, number];
  const check = lines[2]!;
  if (fstatSync(handle).size !== total) return undefined;
  const dictionaryAt = HEADER_BYTES + headBytes;
  const dictionaryBytes = terms * 8 + (terms + 1) * 4;
  const head = readBytes(handle, HEADER_BYTES, headBytes + dictionaryBytes);
  if (sha256(head).slice(0, 32) !== check) return undefined;
  const columns = JSON.parse(head.subarray(0, headBytes).toString('utf8')) as Columns;
  const numbers = new Int32Array(dictionaryBytes / 4);
  new Uint8Array(numbers.buffer).set(head.subarray(headBytes));
  const termA = numbers.subarray(0, terms);
  const termB = numbers.subarray(terms, 2 * terms);
  const offsets = numbers.subarray(2 * terms);
  const docsAt = dictionaryAt + dictionaryBytes;
  const docs = docsOf(columns);
  const read = (from: number, to: number): Postings => {
    const found = readPostings(handle, docsAt + from * 4, docsAt + pairs * 4 + from * 4, to - from);
    for (const doc of found.docs) if (doc < 0 || doc >= docs.length) throw new DamagedCache(`the cache names document ${doc} of ${docs.length}`);
    return found;
  };
  let open = true;
  const close = (): void => {
    if (open) closeSync(handle);
    open = false;
  };
  return { index: new RepoIndex(docs, { termA, termB, offsets }, read), takenAt, close };
}

function docsOf(columns: Columns): IndexedDoc[] {
  return columns.paths.map((file, i) => ({
    path: file,
    size: columns.sizes[i]!,
    stamp: { mtimeMs: columns.mtimes[i]!, ctimeMs: columns.ctimes[i]!, inode: columns.inodes[i]! },
    hash: columns.hashes[i]!,
    role: columns.roles[i]!,
    length: columns.lengths[i]!,
    lines: columns.lines[i]!,
    machineMade: columns.machineMade[i] === 1,
  }));
}

/** Writes an index beside the cache file and moves it over it, so that a reader sees the old or the new one whole. */
export function writeStored(file: string, index: RepoIndex, takenAt: number): void {
  const arrays = index.arrays();
  const head = Buffer.from(JSON.stringify(columnsOf(index.docs)), 'utf8');
  const padded = Buffer.concat([head, Buffer.alloc((4 - (head.length % 4)) % 4, 0x20)]);
  const dictionary = Buffer.concat([arrays.termA, arrays.termB, arrays.offsets].map(bytesOf));
  const check = sha256(Buffer.concat([padded, dictionary])).slice(0, 32);
  const pairs = arrays.docs.length;
  const total = HEADER_BYTES + padded.length + dictionary.length + pairs * 8;
  const header = Buffer.alloc(HEADER_BYTES, 0x20);
  header.write(`${FORMAT}\n${padded.length} ${arrays.termA.length} ${pairs} ${takenAt} ${total}\n${check}\n`, 'latin1');
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  sweep(file);
  const beside = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  const handle = openSync(beside, 'wx', 0o600);
  try {
    try {
      for (const part of [header, padded, dictionary, bytesOf(arrays.docs), bytesOf(arrays.packed)]) writeWhole(handle, part);
    } finally {
      closeSync(handle);
    }
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Takes away what writers that were killed left beside the cache file; younger ones may still be writing. */
function sweep(file: string): void {
  const folder = path.dirname(file);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${path.basename(file)}.`) || !name.endsWith('.tmp')) continue;
    const left = path.join(folder, name);
    if ((statSync(left, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - 3_600_000) rmSync(left, { force: true });
  }
}

function columnsOf(docs: readonly IndexedDoc[]): Columns {
  return {
    paths: docs.map((doc) => doc.path),
    sizes: docs.map((doc) => doc.size),
    mtimes: docs.map((doc) => doc.stamp.mtimeMs),
    ctimes: docs.map((doc) => doc.stamp.ctimeMs),
    inodes: docs.map((doc) => doc.stamp.inode),
    hashes: docs.map((doc) => doc.hash),
    roles: docs.map((doc) => doc.role),
    lengths: docs.map((doc) => doc.length),
    lines: docs.map((doc) => doc.lines),
    machineMade: docs.map((doc) => (doc.machineMade ? 1 : 0)),
  };
}

function bytesOf(numbers: Int32Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

function writeWhole(handle: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at, bytes.length - at);
}

function readBytes(handle: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const got = readSync(handle, bytes, at, length - at, position + at);
    if (got === 0) throw new Error('the cache file ends too early');
    at += got;
  }
  return bytes;
}

function readPostings(handle: number, docsAt: number, packedAt: number, count: number): Postings {
  try {
    return { docs: readNumbers(handle, docsAt, count), packed: readNumbers(handle, packedAt, count) };
  } catch (error) {
    throw new DamagedCache('the postings cannot be read', { cause: error });
  }
}

function readNumbers(handle: number, position: number, count: number): Int32Array {
  if (count === 0) return new Int32Array(0);
  const numbers = new Int32Array(count);
  const bytes = readBytes(handle, position, count * 4);
  new Uint8Array(numbers.buffer).set(bytes);
  return numbers;
}

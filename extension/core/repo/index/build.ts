import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import type { FileListing, ListedFile } from '../files.ts';
import { extensionOf, isIndexed, maxIndexedBytes, roleOf } from '../kinds.ts';
import { IndexBuilder, type IndexedDoc, type Postings, RepoIndex } from './repo-index.ts';
import { Scanner } from './scanner.ts';

/** What an update did; what tests count. */
export interface IndexUpdate {
  index: RepoIndex;
  /** Files whose contents were read. */
  filesRead: number;
  /** Files whose terms were counted anew. */
  filesIndexed: number;
  /** False when the older index is still true to the byte, stamps included, and need not be written again. */
  changed: boolean;
}

export interface UpdateInput {
  root: string;
  listing: FileListing;
  /** The older index and the moment (milliseconds) before its listing was made. */
  older?: { index: RepoIndex; takenAt: number };
  /** Whether content hashes are wanted, as they are when the index will be kept. */
  keepHashes: boolean;
  signal: AbortSignal;
}

/**
 * A file may change twice within one tick of its file system's clock without its times showing it. Whatever was touched this short a time
 * before the older index looked at it is read again and compared by content. File systems that only keep whole seconds get two of them.
 */
function isRacy(file: ListedFile, takenAt: number): boolean {
  const { mtimeMs, ctimeMs } = file.stamp;
  const coarse = mtimeMs % 1000 === 0 && ctimeMs % 1000 === 0;
  return Math.max(mtimeMs, ctimeMs) >= takenAt - (coarse ? 2100 : 100);
}

/** Brings an index up to date with a listing, or makes one. Only files that are new, changed or racy are read. */
export function updateIndex(input: UpdateInput): IndexUpdate {
  const { listing, older, signal } = input;
  const known = new Map<string, number>();
  older?.index.docs.forEach((doc, number) => known.set(doc.path, number));
  const plan = new Plan(older, known);
  const maker = new Maker(input, plan);
  for (const file of listing.files) {
    signal.throwIfAborted();
    maker.take(file, known.get(file.path));
  }
  const { filesRead, filesIndexed } = maker;
  const index = filesIndexed === 0 && older && plan.sameOrder() ? older.index.withDocs(plan.docs) : maker.merge();
  return { index, filesRead, filesIndexed, changed: filesIndexed > 0 || plan.differs() };
}

/** Takes files one by one: keeps what is known of them, or reads and scans. */
class Maker {
  filesRead = 0;
  filesIndexed = 0;
  private readonly scanner = new Scanner();
  private readonly builder = new IndexBuilder(this.scanner.terms);
  private readonly reader = new FileReader();

  constructor(
    private readonly input: UpdateInput,
    private readonly plan: Plan,
  ) {}

  take(file: ListedFile, number: number | undefined): void {
    const { older, root } = this.input;
    const doc = number === undefined ? undefined : older!.index.docs[number]!;
    const role = roleOf(file.path);
    const wanted = isIndexed(role, extensionOf(file.path), file.size);
    if (doc && sameStamp(doc, file) && (!wanted || !isRacy(file, older!.takenAt))) {
      this.plan.keep(doc, number!);
      return;
    }
    const bare: IndexedDoc = { path: file.path, size: file.size, stamp: file.stamp, hash: '', role, length: 0, lines: 0, machineMade: false };
    const bytes = wanted ? this.reader.read(`${root}${path.sep}${file.path}`) : undefined;
    if (!bytes) {
      this.plan.keep(bare, -1);
      return;
    }
    this.filesRead++;
    const hash = this.input.keepHashes ? createHash('sha256').update(bytes).digest('hex') : '';
    if (doc && hash !== '' && doc.hash === hash && doc.role === role) this.plan.keep({ ...doc, size: file.size, stamp: file.stamp }, number!);
    else this.scan({ ...bare, hash }, bytes);
  }

  private scan(doc: IndexedDoc, bytes: Uint8Array): void {
    this.filesIndexed++;
    if (bytes.subarray(0, 8000).includes(0)) {
      this.plan.keep({ ...doc, role: 'binary' }, -1);
      return;
    }
    const scanned = this.scanner.scan(bytes);
    const machineMade = isMachineMade(bytes, scanned.longestLine, scanned.lines);
    const number = this.plan.keep({ ...doc, length: scanned.length, lines: scanned.lines, machineMade }, -1);
    for (let i = 0; i < scanned.terms.length; i++) this.builder.add(scanned.terms[i]!, number, scanned.packed[i]!);
  }

  /** The new files' terms together with those of the older index that still hold. */
  merge(): RepoIndex {
    const older = this.input.older?.index;
    const kept = this.plan.from.some((from) => from >= 0);
    if (older && kept) {
      const target = new Int32Array(older.docs.length).fill(-1);
      this.plan.from.forEach((from, number) => {
        if (from >= 0) target[from] = number;
      });
      for (const { a, b, postings } of older.all()) this.mergeTerm(a, b, postings, target);
    }
    return RepoIndex.inMemory(this.plan.docs, this.builder.finish());
  }

  private mergeTerm(a: number, b: number, postings: Postings, target: Int32Array): void {
    let term = -1;
    for (let i = 0; i < postings.docs.length; i++) {
      const number = target[postings.docs[i]!]!;
      if (number < 0) continue;
      if (term < 0) term = this.scanner.terms.intern(a, b);
      this.builder.add(term, number, postings.packed[i]!);
    }
  }
}

/** Reads small files into one buffer that is used over and over. */
class FileReader {
  private readonly buffer = Buffer.allocUnsafeSlow(maxIndexedBytes + 1);

  /** The contents, valid until the next read; undefined when the file is gone, unreadable or has grown too large. */
  read(file: string): Uint8Array | undefined {
    let handle: number;
    try {
      handle = openSync(file, 'r');
    } catch {
      return undefined;
    }
    try {
      let length = 0;
      for (;;) {
        const got = readSync(handle, this.buffer, length, this.buffer.length - length, null);
        if (got === 0) return this.buffer.subarray(0, length);
        length += got;
        if (length === this.buffer.length) return undefined;
      }
    } catch {
      return undefined;
    } finally {
      closeSync(handle);
    }
  }
}

/** The documents of the index to be, and where each comes from. */
class Plan {
  readonly docs: IndexedDoc[] = [];
  /** For each document its number in the older index, or -1. */
  readonly from: number[] = [];
  private restamped = false;

  constructor(
    private readonly older: UpdateInput['older'],
    private readonly known: ReadonlyMap<string, number>,
  ) {}

  keep(doc: IndexedDoc, from: number): number {
    if (from < 0 || this.older?.index.docs[from] !== doc) this.restamped = true;
    this.from.push(from);
    return this.docs.push(doc) - 1;
  }

  differs(): boolean {
    return this.restamped || this.docs.length !== this.known.size;
  }

  /** Whether every document stands where it stood, so that the older postings hold as they are. */
  sameOrder(): boolean {
    return this.docs.length === this.known.size && this.from.every((from, number) => from === number || (from < 0 && this.older!.index.docs[number]?.path === this.docs[number]!.path && this.older!.index.docs[number]?.hash === ''));
  }
}

/** Minified (very long lines on average), or saying in its first lines that a program wrote it. */
function isMachineMade(bytes: Uint8Array, longestLine: number, lines: number): boolean {
  if (longestLine > 2000 && bytes.length / lines > 300) return true;
  return /@generated|do not edit|code generated by|automatically generated|auto-generated by|this file (?:is|was) generated/i.test(Buffer.from(bytes.subarray(0, 600)).toString('latin1'));
}

function sameStamp(doc: IndexedDoc, file: ListedFile): boolean {
  return doc.size === file.size && doc.stamp.mtimeMs === file.stamp.mtimeMs && doc.stamp.ctimeMs === file.stamp.ctimeMs && doc.stamp.inode === file.stamp.inode;
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FileListing, ListedFile } from '../files.ts';
import { extensionOf, isIndexed, roleOf } from '../kinds.ts';
import { IndexBuilder, type IndexedDoc, RepoIndex } from './repo-index.ts';
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
  const { root, listing, older, signal } = input;
  const known = new Map<string, number>();
  older?.index.docs.forEach((doc, number) => known.set(doc.path, number));
  const plan = new Plan(older, known);
  const scanner = new Scanner();
  let filesRead = 0;
  const fresh: FreshFile[] = [];
  for (const file of listing.files) {
    signal.throwIfAborted();
    const number = known.get(file.path);
    const doc = number === undefined ? undefined : older!.index.docs[number]!;
    const role = roleOf(file.path);
    const wanted = isIndexed(role, extensionOf(file.path), file.size);
    if (doc && sameStamp(doc, file) && (!wanted || !isRacy(file, older!.takenAt))) {
      plan.keep(doc, number!);
      continue;
    }
    const bare: IndexedDoc = { path: file.path, size: file.size, stamp: file.stamp, hash: '', role, length: 0, lines: 0, machineMade: false };
    const bytes = wanted ? readBytes(root, file.path) : undefined;
    if (!bytes) {
      plan.keep(bare, -1);
      continue;
    }
    filesRead++;
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (doc && doc.hash === hash && doc.role === role) {
      plan.keep({ ...doc, size: file.size, stamp: file.stamp }, number!);
      continue;
    }
    fresh.push(scanInto(scanner, { ...bare, hash }, bytes, plan));
  }
  const changed = fresh.length > 0 || plan.differs();
  const index = fresh.length === 0 && older && plan.sameOrder() ? older.index.withDocs(plan.docs) : merge(plan, fresh, scanner, older?.index);
  return { index, filesRead, filesIndexed: fresh.length, changed };
}

interface FreshFile {
  number: number;
  terms: Int32Array;
  packed: Int32Array;
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

function readBytes(root: string, file: string): Buffer | undefined {
  try {
    return readFileSync(path.join(root, file));
  } catch {
    return undefined;
  }
}

function scanInto(scanner: Scanner, doc: IndexedDoc, bytes: Buffer, plan: Plan): FreshFile {
  if (isBinary(bytes)) return { number: plan.keep({ ...doc, role: 'binary' }, -1), terms: new Int32Array(0), packed: new Int32Array(0) };
  const scanned = scanner.scan(bytes);
  const machineMade = isMachineMade(bytes, scanned.longestLine, scanned.lines);
  const number = plan.keep({ ...doc, length: scanned.length, lines: scanned.lines, machineMade }, -1);
  return { number, terms: scanned.terms.slice(), packed: scanned.packed.slice() };
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** Minified (very long lines on average), or saying in its first lines that a program wrote it. */
function isMachineMade(bytes: Buffer, longestLine: number, lines: number): boolean {
  if (longestLine > 2000 && bytes.length / lines > 300) return true;
  return /@generated|do not edit|code generated by|automatically generated|auto-generated by|this file (?:is|was) generated/i.test(bytes.subarray(0, 600).toString('latin1'));
}

function sameStamp(doc: IndexedDoc, file: ListedFile): boolean {
  return doc.size === file.size && doc.stamp.mtimeMs === file.stamp.mtimeMs && doc.stamp.ctimeMs === file.stamp.ctimeMs && doc.stamp.inode === file.stamp.inode;
}

function merge(plan: Plan, fresh: readonly FreshFile[], scanner: Scanner, older: RepoIndex | undefined): RepoIndex {
  const builder = new IndexBuilder(scanner.terms);
  if (older) {
    const target = new Int32Array(older.docs.length).fill(-1);
    plan.from.forEach((from, number) => {
      if (from >= 0) target[from] = number;
    });
    for (const { a, b, postings } of older.all()) {
      let term = -1;
      for (let i = 0; i < postings.docs.length; i++) {
        const number = target[postings.docs[i]!]!;
        if (number < 0) continue;
        if (term < 0) term = scanner.terms.intern(a, b);
        builder.add(term, number, postings.packed[i]!);
      }
    }
  }
  for (const file of fresh) for (let i = 0; i < file.terms.length; i++) builder.add(file.terms[i]!, file.number, file.packed[i]!);
  return RepoIndex.inMemory(plan.docs, builder.finish());
}

import type { StatStamp } from '../files.ts';
import type { FileRole } from '../kinds.ts';
import { type HashTable, Int32List } from './table.ts';
import type { TermHash } from './words.ts';

/** What the index keeps of one file besides its terms. */
export interface IndexedDoc {
  path: string;
  size: number;
  stamp: StatStamp;
  /** SHA-256 of the contents; empty when they were never read (binary, vendored, too large). */
  hash: string;
  role: FileRole;
  /** Words in the file. */
  length: number;
  lines: number;
  /** Minified or marked as generated in its first lines. */
  machineMade: boolean;
}

/** Where a term occurs: document numbers and, in parallel, what it does there (see `packing`). */
export interface Postings {
  docs: Int32Array;
  packed: Int32Array;
}

export const noPostings: Postings = { docs: new Int32Array(0), packed: new Int32Array(0) };

/** The flat arrays of an inverted index. Terms are sorted by (a, b) as signed numbers; `offsets` has one entry more than there are terms. */
export interface IndexArrays {
  termA: Int32Array;
  termB: Int32Array;
  offsets: Int32Array;
  docs: Int32Array;
  packed: Int32Array;
}

/** Looks terms up. The postings may lie in memory or in the cache file. */
export class RepoIndex {
  constructor(
    readonly docs: readonly IndexedDoc[],
    private readonly dictionary: Pick<IndexArrays, 'termA' | 'termB' | 'offsets'>,
    private readonly read: (from: number, to: number) => Postings,
  ) {}

  /** An index whose postings are in memory. */
  static inMemory(docs: readonly IndexedDoc[], arrays: IndexArrays): RepoIndex {
    return new RepoIndex(docs, arrays, (from, to) => ({ docs: arrays.docs.subarray(from, to), packed: arrays.packed.subarray(from, to) }));
  }

  /** The same terms over documents whose stamps were renewed. */
  withDocs(docs: readonly IndexedDoc[]): RepoIndex {
    return new RepoIndex(docs, this.dictionary, this.read);
  }

  postings(term: TermHash): Postings {
    const at = this.find(term.a | 0, term.b | 0);
    if (at < 0) return noPostings;
    return this.read(this.dictionary.offsets[at]!, this.dictionary.offsets[at + 1]!);
  }

  /** All postings, term by term, for merging into a newer index. */
  *all(): IterableIterator<{ a: number; b: number; postings: Postings }> {
    const { termA, termB, offsets } = this.dictionary;
    const whole = this.read(0, offsets[termA.length]!);
    for (let i = 0; i < termA.length; i++) {
      const from = offsets[i]!;
      const to = offsets[i + 1]!;
      yield { a: termA[i]!, b: termB[i]!, postings: { docs: whole.docs.subarray(from, to), packed: whole.packed.subarray(from, to) } };
    }
  }

  /** Everything as flat arrays, for writing. */
  arrays(): IndexArrays {
    const { termA, termB, offsets } = this.dictionary;
    return { termA, termB, offsets, ...this.read(0, offsets[termA.length]!) };
  }

  private find(a: number, b: number): number {
    const { termA, termB } = this.dictionary;
    let low = 0;
    let high = termA.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const difference = termA[middle]! - a || termB[middle]! - b;
      if (difference === 0) return middle;
      if (difference < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

/** Collects (document, term) pairs in any document order and turns them into an inverted index. */
export class IndexBuilder {
  private readonly pairTerm = new Int32List(1 << 19);
  private readonly pairDoc = new Int32List(1 << 19);
  private readonly pairPacked = new Int32List(1 << 19);

  /** `terms` gives the ids that `add` is called with. */
  constructor(private readonly terms: HashTable) {}

  add(term: number, doc: number, packed: number): void {
    this.pairTerm.push(term);
    this.pairDoc.push(doc);
    this.pairPacked.push(packed);
  }

  /** Sorts by term. Within a term documents keep the order in which they were added. */
  finish(): IndexArrays {
    const keys = this.terms.keys();
    const count = keys.a.length;
    const order = sortedOrder(keys.a, keys.b);
    const rank = new Int32Array(count);
    const termA = new Int32Array(count);
    const termB = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      const id = order[i]!;
      rank[id] = i;
      termA[i] = keys.a[id]!;
      termB[i] = keys.b[id]!;
    }
    const pairs = this.pairTerm.length;
    const offsets = new Int32Array(count + 1);
    const pairTerm = this.pairTerm.view();
    for (let i = 0; i < pairs; i++) offsets[rank[pairTerm[i]!]! + 1]!++;
    for (let i = 0; i < count; i++) offsets[i + 1] = offsets[i + 1]! + offsets[i]!;
    const next = offsets.slice(0, count);
    const docs = new Int32Array(pairs);
    const packed = new Int32Array(pairs);
    for (let i = 0; i < pairs; i++) {
      const at = next[rank[pairTerm[i]!]!]!++;
      docs[at] = this.pairDoc.at(i);
      packed[at] = this.pairPacked.at(i);
    }
    return { termA, termB, offsets, docs, packed };
  }
}

/** Ids ordered by (a, b) as signed numbers. Sorting doubles natively is several times faster than a comparator over ids. */
function sortedOrder(a: Int32Array, b: Int32Array): Int32Array {
  const count = a.length;
  const combined = new Float64Array(count);
  // 21 low bits hold the id; above it `a`. Ties of `a` are put right by `b` afterwards.
  for (let id = 0; id < count; id++) combined[id] = a[id]! * 2_097_152 + id;
  if (count >= 2_097_152) return Int32Array.from([...combined.keys()].sort((x, y) => a[x]! - a[y]! || b[x]! - b[y]!));
  combined.sort();
  const order = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const value = combined[i]!;
    order[i] = value - Math.floor(value / 2_097_152) * 2_097_152;
  }
  for (let i = 1; i < count; i++) {
    let at = i;
    while (at > 0 && a[order[at - 1]!] === a[order[at]!] && b[order[at - 1]!]! > b[order[at]!]!) {
      const swap = order[at]!;
      order[at] = order[at - 1]!;
      order[at - 1] = swap;
      at--;
    }
  }
  return order;
}

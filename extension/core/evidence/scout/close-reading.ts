import { HashTable, Int32List } from '../../repo/index/table.ts';
import { byteClass, hashStart, maxIdentifierLength, nextA, nextB, splitIdentifier } from '../../repo/index/words.ts';
import type { Query } from './query.ts';
import { stopWords } from './stop-words.ts';

/** What a second, closer look at one candidate's contents found. */
export interface CloseReading {
  /** The best passage: weight of the ticket's terms that stand within a few lines of each other. */
  passage: number;
  /** Passages worth showing, best first: 1-based inclusive line ranges. */
  lines: [number, number][];
  /** Pairs of neighbouring ticket words that are neighbours here too, by pair. */
  pairs: Set<number>;
  /** Phrases (indexes into `query.phrases`) that stand here word by word, and the line of the first. */
  phrases: Map<number, number>;
}

/** Lines a passage spans. */
const PASSAGE_LINES = 25;

/** Reads candidates closely. One reader serves all candidates of one ticket. */
export class CloseReader {
  private readonly names = new HashTable(1 << 12);
  private readonly from = new Int32List();
  private readonly to = new Int32List();
  /** 1 for words of grammar, which do not part neighbours. */
  private readonly grammar = new Int32List();
  private readonly entries = new Int32List();
  private readonly byTerm = new Map<string, number>();
  private readonly pairsOfTicket = new Set<number>();
  private readonly phrases: { index: number; text: string }[];

  /** `weights` runs in parallel with `query.terms`. */
  constructor(
    query: Query,
    private readonly weights: Float64Array,
  ) {
    query.terms.forEach((entry, i) => this.byTerm.set(`${entry.term.a}:${entry.term.b}`, i));
    this.phrases = query.phrases.map((phrase, index) => ({ index, text: literalCore(phrase.text) })).filter(({ text }) => text.length >= 6);
    for (const line of query.text.slice(0, 60_000).split(/[\n.;!?|]+/)) this.readPairs(Buffer.from(line));
  }

  private readPairs(bytes: Buffer): void {
    let previous = -1;
    this.eachName(bytes, (name) => {
      if (this.grammar.at(name) === 1) return;
      const last = this.to.at(name) - 1;
      const first = this.from.at(name);
      if (last < first) {
        previous = -1;
        return;
      }
      if (previous >= 0) this.pairsOfTicket.add(previous * 4096 + this.entries.at(first));
      previous = this.entries.at(last);
    });
  }

  read(bytes: Buffer): CloseReading {
    const hitLine: number[] = [];
    const hitTerm: number[] = [];
    const pairs = new Set<number>();
    let previous = -1;
    this.eachName(bytes, (name, line) => {
      if (this.grammar.at(name) === 1) return;
      const first = this.from.at(name);
      const end = this.to.at(name);
      if (end === first) {
        previous = -1;
        return;
      }
      for (let i = first; i < end; i++) {
        const term = this.entries.at(i);
        hitLine.push(line);
        hitTerm.push(term);
        if (previous >= 0 && previous !== term) {
          const pair = previous * 4096 + term;
          if (this.pairsOfTicket.has(pair)) pairs.add(pair);
        }
        previous = term;
      }
    });
    const { best, ranges } = this.passages(hitLine, hitTerm);
    return { passage: best, lines: ranges, pairs, phrases: this.findPhrases(bytes) };
  }

  private findPhrases(bytes: Buffer): Map<number, number> {
    const found = new Map<number, number>();
    for (const phrase of this.phrases) {
      const at = bytes.indexOf(phrase.text);
      if (at >= 0) found.set(phrase.index, lineAt(bytes, at));
    }
    return found;
  }

  private passages(lines: readonly number[], terms: readonly number[]): { best: number; ranges: [number, number][] } {
    const counts = new Int32Array(this.weights.length);
    let score = 0;
    let tail = 0;
    const found: { score: number; from: number; to: number }[] = [];
    for (let head = 0; head < lines.length; head++) {
      const term = terms[head]!;
      const seen = counts[term]!++;
      score += this.weights[term]! * gainOf(seen);
      while (lines[tail]! < lines[head]! - PASSAGE_LINES) {
        const old = terms[tail++]!;
        score -= this.weights[old]! * gainOf(--counts[old]!);
      }
      const last = found.at(-1);
      const from = lines[tail]!;
      const to = lines[head]!;
      if (last && from <= last.to) {
        if (score > last.score) found[found.length - 1] = { score, from, to };
      } else found.push({ score, from, to });
    }
    found.sort((left, right) => right.score - left.score || left.from - right.from);
    const best = found[0]?.score ?? 0;
    const ranges = found.filter((passage) => passage.score >= best * 0.6).slice(0, 3).map((passage): [number, number] => [passage.from, passage.to]);
    return { best, ranges };
  }

  private eachName(bytes: Uint8Array, visit: (name: number, line: number) => void): void {
    let line = 1;
    let i = 0;
    while (i < bytes.length) {
      if (byteClass[bytes[i]!] === 0) {
        if (bytes[i] === 10) line++;
        i++;
        continue;
      }
      const start = i;
      let a = hashStart.a;
      let b = hashStart.b;
      do {
        const byte = bytes[i]!;
        a = nextA(a, byte);
        b = nextB(b, byte);
        i++;
      } while (i < bytes.length && byteClass[bytes[i]!] !== 0);
      if (i - start >= 2 && i - start <= maxIdentifierLength) visit(this.name(bytes, start, i, a, b), line);
    }
  }

  private name(bytes: Uint8Array, start: number, end: number, a: number, b: number): number {
    const known = this.names.size;
    const id = this.names.intern(a, b);
    if (id < known) return id;
    const { parts, compound } = splitIdentifier(bytes, start, end);
    this.from.push(this.entries.length);
    for (const term of compound ? [...parts, compound] : parts) {
      const entry = this.byTerm.get(`${term.a}:${term.b}`);
      if (entry !== undefined) this.entries.push(entry);
    }
    this.to.push(this.entries.length);
    this.grammar.push(end - start <= 9 && stopWords.has(Buffer.from(bytes.subarray(start, end)).toString('latin1').toLowerCase()) ? 1 : 0);
    return id;
  }
}

/** The first occurrence counts in full, a second a little, more nothing. */
function gainOf(seen: number): number {
  return seen === 0 ? 1 : seen === 1 ? 0.25 : 0;
}

/** The part of a quoted text or message that may stand in code as it is: up to what looks filled in (numbers, paths, quotes, braces). */
function literalCore(text: string): string {
  let best = '';
  for (const piece of text.split(/["'`<>{}[\]()]|\b\d+\b|\S*[/\\]\S*|%[sdvq]|\$\S+/)) {
    const trimmed = piece.trim();
    if (trimmed.length > best.length) best = trimmed;
  }
  return best;
}

/** 1-based line of an offset. */
function lineAt(bytes: Buffer, at: number): number {
  let line = 1;
  for (let i = bytes.indexOf(10); i >= 0 && i < at; i = bytes.indexOf(10, i + 1)) line++;
  return line;
}

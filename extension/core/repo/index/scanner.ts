import { HashTable, Int32List } from './table.ts';
import { byteClass, hashStart, maxIdentifierLength, nextA, nextB, splitIdentifier } from './words.ts';

/** What a term does in a file, packed into one number so that postings stay flat. */
export const packing = {
  /** Occurrences, saturating. */
  count: (packed: number): number => packed & 0xffff,
  /** How often the term is part of a name that is defined in the file, saturating at 255. */
  defined: (packed: number): number => (packed >>> 16) & 0xff,
  /** Whether the term as a whole is the name of something defined there (class, function, method, type). */
  definesName: (packed: number): boolean => (packed & 0x1000000) !== 0,
};

const MAX_COUNT = 0xffff;
const DEFINES = 0x1000000;

/** One file's terms. `terms` and `packed` run in parallel and are valid until the next scan. */
export interface ScannedFile {
  /** Words counted, repeated ones too. */
  length: number;
  lines: number;
  terms: Int32Array;
  packed: Int32Array;
  /** The longest line, in bytes; what tells minified files. */
  longestLine: number;
}

const strongKeywords = new Set(
  'class def function func fn fun interface struct enum trait type module namespace protocol object record union macro defmodule defp defmacro sub define typedef mixin extension actor annotation component'.split(' '),
);
const weakKeywords = new Set('const let var val static readonly final'.split(' '));
const notMethods = new Set(
  'if for while switch catch with foreach function return synchronized using lock elif else unless until match when new throw await yield typeof in of case delete do try super this assert print not and or import require from sizeof defer go select loop'.split(' '),
);
const notTypes = new Set('return new else throw await yield typeof in of case delete not and or import from raise del assert defer go print is as extends implements'.split(' '));

/** What a word is to the definition heuristics; bits. */
const Word = { plain: 0, strong: 1, weak: 2, notMethod: 4, notType: 8, goFunc: 16 } as const;

/** Turns bytes into term counts. One scanner serves a whole repository: names seen before are not split again. */
export class Scanner {
  readonly terms = new HashTable(1 << 16);
  private readonly names = new HashTable(1 << 16);
  private readonly nameStart = new Int32List(1 << 16);
  private readonly nameEnd = new Int32List(1 << 16);
  /** The term that stands for the whole name: the compound, or the only part; -1 when there is none. */
  private readonly nameWhole = new Int32List(1 << 16);
  private readonly nameKind = new Int32List(1 << 16);
  private readonly nameTerms = new Int32List(1 << 17);
  private packed = new Int32Array(1 << 17);
  private touched = new Int32List(1 << 12);
  private outTerms = new Int32Array(1 << 12);
  private outPacked = new Int32Array(1 << 12);

  /** Counts the terms of `bytes`. */
  scan(bytes: Uint8Array): ScannedFile {
    const state = { length: 0, lines: 1, longest: 0 };
    this.walk(bytes, state);
    const count = this.touched.length;
    if (this.outTerms.length < count) {
      this.outTerms = new Int32Array(count * 2);
      this.outPacked = new Int32Array(count * 2);
    }
    for (let i = 0; i < count; i++) {
      const term = this.touched.at(i);
      this.outTerms[i] = term;
      this.outPacked[i] = this.packed[term]!;
      this.packed[term] = 0;
    }
    this.touched.length = 0;
    return { length: state.length, lines: state.lines, longestLine: state.longest, terms: this.outTerms.subarray(0, count), packed: this.outPacked.subarray(0, count) };
  }

  private walk(bytes: Uint8Array, state: { length: number; lines: number; longest: number }): void {
    const end = bytes.length;
    let i = 0;
    let lineStart = 0;
    let lineFresh = true; // nothing but white space on this line so far
    let previousKind: number = Word.plain;
    let gapBlank = false; // only blanks (and * or &) since the previous word, on the same line
    let receiver = 0; // Go: 1 inside the receiver of a func, 2 just behind it
    while (i < end) {
      const byte = bytes[i]!;
      const kind = byteClass[byte]!;
      if (kind === 0) {
        if (byte === 10) {
          if (i - lineStart > state.longest) state.longest = i - lineStart;
          lineStart = i + 1;
          state.lines++;
          lineFresh = true;
          gapBlank = false;
        } else if (byte !== 32 && byte !== 9 && byte !== 13) {
          if (byte === 0x28 && gapBlank && (previousKind & Word.goFunc) !== 0) receiver = 1;
          else if (byte === 0x29 && receiver === 1) receiver = 2;
          if (byte !== 0x2a && byte !== 0x26) gapBlank = false;
          lineFresh = false;
        }
        i++;
        continue;
      }
      const start = i;
      let a = hashStart.a;
      let b = hashStart.b;
      do {
        const inner = bytes[i]!;
        a = nextA(a, inner);
        b = nextB(b, inner);
        i++;
      } while (i < end && byteClass[bytes[i]!] !== 0);
      const size = i - start;
      if (size < 2 || size > maxIdentifierLength) {
        if (size > maxIdentifierLength) previousKind = Word.plain;
        gapBlank = size >= 2;
        lineFresh = false;
        continue;
      }
      const name = this.name(bytes, start, i, a, b);
      const nameKind = this.nameKind.at(name);
      let strength = 0;
      if (gapBlank && (previousKind & (Word.strong | Word.weak)) !== 0) strength = (previousKind & Word.strong) !== 0 ? 2 : 1;
      else if (receiver === 2) strength = 2;
      else if ((nameKind & Word.strong) === 0) strength = this.definitionAhead(bytes, start, i, lineFresh, lineStart, gapBlank, previousKind, nameKind);
      if (receiver === 2) receiver = 0;
      this.count(name, strength);
      state.length++;
      previousKind = nameKind;
      gapBlank = true;
      lineFresh = false;
    }
    if (end - lineStart > state.longest) state.longest = end - lineStart;
  }

  /** Whether what follows the name makes it a definition: 2 function-like, 1 a constant, 0 none. */
  private definitionAhead(bytes: Uint8Array, start: number, at: number, lineFresh: boolean, lineStart: number, gapBlank: boolean, previousKind: number, nameKind: number): number {
    if ((nameKind & Word.notMethod) !== 0) return 0;
    let i = at;
    while (bytes[i] === 32) i++;
    const byte = bytes[i];
    if (byte === 0x28) {
      if (!lineFresh && !gapBlank) return 0;
      if (gapBlank && (previousKind & Word.notType) !== 0) return 0;
      return opensBody(bytes, i, gapBlank && !lineFresh) ? 2 : 0;
    }
    if (byte !== 0x3d && byte !== 0x3a) return 0;
    if (byte === 0x3d && start === lineStart && bytes[i + 1] === 32) return functionAhead(bytes, i + 1) ? 2 : 1;
    return functionAhead(bytes, i + 1) ? 2 : 0;
  }

  private name(bytes: Uint8Array, start: number, end: number, a: number, b: number): number {
    const known = this.names.size;
    const id = this.names.intern(a, b);
    if (id < known) return id;
    const split = splitIdentifier(bytes, start, end);
    this.nameStart.push(this.nameTerms.length);
    for (const part of split.parts) this.nameTerms.push(this.terms.intern(part.a, part.b));
    let whole = -1;
    if (split.compound) {
      whole = this.terms.intern(split.compound.a, split.compound.b);
      this.nameTerms.push(whole);
    } else if (split.parts.length === 1) whole = this.nameTerms.at(this.nameTerms.length - 1);
    this.nameEnd.push(this.nameTerms.length);
    this.nameWhole.push(whole);
    this.nameKind.push(kindOfWord(bytes, start, end));
    if (this.terms.size > this.packed.length) {
      const larger = new Int32Array(this.packed.length * 2);
      larger.set(this.packed);
      this.packed = larger;
    }
    return id;
  }

  private count(name: number, strength: number): void {
    const from = this.nameStart.at(name);
    const to = this.nameEnd.at(name);
    for (let i = from; i < to; i++) {
      const term = this.nameTerms.at(i);
      let packed = this.packed[term]!;
      if (packed === 0) this.touched.push(term);
      if ((packed & 0xffff) < MAX_COUNT) packed++;
      if (strength > 0 && (packed & 0xff0000) !== 0xff0000) packed += 0x10000;
      this.packed[term] = packed;
    }
    if (strength === 2) {
      const whole = this.nameWhole.at(name);
      if (whole >= 0) this.packed[whole] = this.packed[whole]! | DEFINES;
    }
  }
}

function kindOfWord(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > 12) return Word.plain;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  let kind: number = Word.plain;
  if (strongKeywords.has(text)) kind |= Word.strong;
  if (weakKeywords.has(text)) kind |= Word.weak;
  if (notMethods.has(text)) kind |= Word.notMethod;
  if (notTypes.has(text) || notMethods.has(text)) kind |= Word.notType;
  return text === 'func' ? kind | Word.goFunc : kind;
}

/** From an opening parenthesis: whether the list closes on this line and a body opens, or (`typed`) goes on over the next lines. */
function opensBody(bytes: Uint8Array, open: number, typed: boolean): boolean {
  let depth = 0;
  let last = 0;
  const limit = Math.min(bytes.length, open + 300);
  for (let i = open; i < limit; i++) {
    const byte = bytes[i]!;
    if (byte === 10) break;
    if (byte === 0x28) depth++;
    else if (byte === 0x29) depth--;
    if (byte !== 32 && byte !== 9 && byte !== 13) last = byte;
  }
  if (depth === 0) return last === 0x7b || (typed && last === 0x29);
  return typed && depth > 0 && (last === 0x28 || last === 0x2c);
}

/** Whether a function or class literal starts at `at` (after `=` or `:`). */
function functionAhead(bytes: Uint8Array, at: number): boolean {
  let i = at;
  while (bytes[i] === 32) i++;
  const byte = bytes[i];
  if (byte === 0x66) return startsWith(bytes, i, 'function');
  if (byte === 0x61) return startsWith(bytes, i, 'async ');
  if (byte === 0x63) return startsWith(bytes, i, 'class ');
  if (byte !== 0x28) return false;
  const limit = Math.min(bytes.length, i + 200);
  for (; i < limit; i++) {
    if (bytes[i] === 10) return false;
    if (bytes[i] === 0x3d && bytes[i + 1] === 0x3e) return true;
  }
  return false;
}

function startsWith(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

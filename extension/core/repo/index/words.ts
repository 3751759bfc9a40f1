/**
 * How text becomes terms, for files (bytes) and for tickets (strings) alike; both sides must agree to the byte.
 * An identifier gives its stemmed parts and, when it has several, one compound term without separators,
 * so that `keySpacing`, `key_spacing` and `key-spacing` are the same compound.
 */

/** Longest identifier that is looked at; longer runs are data, not names. */
export const maxIdentifierLength = 80;

const FNV_PRIME = 16777619;
const FNV_START = 0x811c9dc5 | 0;
const SECOND_START = 0x2545f491 | 0;
const SECOND_PRIME = 0x5bd1e995;
/** Keeps compounds apart from plain words. */
const COMPOUND_MARK = 0x3d;

/** A term as two independent 32-bit hashes; the words themselves are never stored. */
export interface TermHash {
  a: number;
  b: number;
}

/** Where both hashes start. */
export const hashStart: Readonly<TermHash> = { a: FNV_START, b: SECOND_START };

/** Takes one byte into the first hash. */
export function nextA(a: number, byte: number): number {
  return Math.imul(a ^ byte, FNV_PRIME);
}

/** Takes one byte into the second hash. */
export function nextB(b: number, byte: number): number {
  return Math.imul(b + byte, SECOND_PRIME) ^ (b >>> 15);
}

/** Character classes of bytes: 0 separator, 1 lower-case letter, 2 upper-case letter, 3 digit, 4 `_` or `$`, 5 non-ASCII. */
export const byteClass: Uint8Array = makeByteClasses();

function makeByteClasses(): Uint8Array {
  const classes = new Uint8Array(256);
  for (let byte = 0; byte < 256; byte++) {
    if (byte >= 0x61 && byte <= 0x7a) classes[byte] = 1;
    else if (byte >= 0x41 && byte <= 0x5a) classes[byte] = 2;
    else if (byte >= 0x30 && byte <= 0x39) classes[byte] = 3;
    else if (byte === 0x5f || byte === 0x24) classes[byte] = 4;
    else if (byte >= 0x80) classes[byte] = 5;
  }
  return classes;
}

/** Terms of one identifier: `compound` is undefined when there is a single part. */
export interface SplitIdentifier {
  parts: TermHash[];
  compound: TermHash | undefined;
}

/** Splits the identifier at `bytes[start, end)` at `_`, `$`, case changes and digit borders, and hashes what comes out. */
export function splitIdentifier(bytes: Uint8Array, start: number, end: number): SplitIdentifier {
  const parts: TermHash[] = [];
  let partStart = -1;
  let previous = 4;
  let pieces = 0;
  let a = nextA(FNV_START, COMPOUND_MARK);
  let b = nextB(SECOND_START, COMPOUND_MARK);
  const close = (at: number): void => {
    if (partStart >= 0) {
      pieces++;
      if (at - partStart > 1) parts.push(hashWord(bytes, partStart, at));
    }
    partStart = -1;
  };
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    const kind = byteClass[byte]!;
    if (kind === 4) {
      close(i);
      previous = 4;
      continue;
    }
    const next = i + 1 < end ? byteClass[bytes[i + 1]!]! : 4;
    const border =
      (kind === 2 && (previous === 1 || (previous === 2 && next === 1))) || (kind === 3) !== (previous === 3);
    if (border && partStart >= 0) close(i);
    if (partStart < 0) partStart = i;
    const low = kind === 2 ? byte + 32 : byte;
    a = nextA(a, low);
    b = nextB(b, low);
    previous = kind;
  }
  close(end);
  return { parts, compound: pieces > 1 ? { a, b } : undefined };
}

/** Hash of one word after lower-casing and light stemming. */
function hashWord(bytes: Uint8Array, start: number, end: number): TermHash {
  const stemmed = stemmedEnd(bytes, start, end);
  let a = FNV_START;
  let b = SECOND_START;
  for (let i = start; i < stemmed; i++) {
    const byte = bytes[i]!;
    const low = byteClass[byte] === 2 ? byte + 32 : byte;
    a = nextA(a, low);
    b = nextB(b, low);
  }
  return { a, b };
}

/** Where the word ends once its inflection is cut off: plural, past tense, `-ing`, `-er`, `-ation` and the like. ASCII only. */
function stemmedEnd(bytes: Uint8Array, start: number, end: number): number {
  let stop = end;
  for (const ending of endings) {
    if (stop - start - ending.length < ending.keep) continue;
    if (endsWith(bytes, stop, ending.bytes)) {
      stop -= ending.length;
      break;
    }
  }
  // A final e or y goes too, and a doubled consonant is undone, so that cache/cached/caching and stop/stopped meet.
  if (stop - start > 3) {
    const last = bytes[stop - 1]! | 32;
    if (last === 0x65 || last === 0x79 || last === 0x69) stop--;
    else if (stop < end && last === (bytes[stop - 2]! | 32) && last !== 0x73 && last !== 0x6c) stop--;
  }
  return stop;
}

interface Ending {
  bytes: number[];
  length: number;
  /** Letters that must remain. */
  keep: number;
}

const endings: Ending[] = (
  [
    ['izations', 3], ['ization', 3], ['isation', 3], ['ations', 4], ['ation', 4], ['izing', 3], ['ising', 4], ['izers', 3], ['izer', 3],
    ['ized', 3], ['izes', 3], ['ize', 3], ['ators', 4], ['ator', 4], ['ated', 4], ['ates', 4], ['ating', 4], ['ate', 4], ['ings', 3], ['ing', 3],
    ['ions', 4], ['ion', 4], ['ers', 4], ['ies', 2], ['ied', 2], ['ed', 3], ['er', 4], ['es', 3], ['s', 3],
  ] as [string, number][]
).map(([text, keep]) => ({ bytes: [...Buffer.from(text)], length: text.length, keep }));

function endsWith(bytes: Uint8Array, end: number, ending: readonly number[]): boolean {
  const from = end - ending.length;
  for (let i = 0; i < ending.length; i++) if ((bytes[from + i]! | 32) !== ending[i]) return false;
  // "class", "process": a double s is no plural.
  return !(ending.length === 1 && (bytes[end - 2]! | 32) === 0x73);
}

/** The terms of one identifier given as text. */
export function termsOf(identifier: string): SplitIdentifier {
  const bytes = Buffer.from(identifier);
  return splitIdentifier(bytes, 0, bytes.length);
}

/** The compound term of a name, even when it has a single part: `filename` in a ticket may be `fileName` in code. */
export function compoundOf(name: string): TermHash {
  let a = nextA(FNV_START, COMPOUND_MARK);
  let b = nextB(SECOND_START, COMPOUND_MARK);
  for (const byte of Buffer.from(name)) {
    const kind = byteClass[byte]!;
    if (kind === 0 || kind === 4) continue;
    const low = kind === 2 ? byte + 32 : byte;
    a = nextA(a, low);
    b = nextB(b, low);
  }
  return { a, b };
}

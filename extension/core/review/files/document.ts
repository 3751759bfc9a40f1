import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { byteOrderMark, decodeBytes, encodeText, type TextEncoding } from './encodings.ts';
import { runNow, type Sliced } from './slices.ts';

export type LineEnd = '\n' | '\r\n' | '\r' | '';

/** One line with its own end; only a document's last line may have none. */
export interface Line {
  text: string;
  end: LineEnd;
}

/** A file as lines; `encodeDocument` gives exactly the bytes it was read from. */
export interface TextDocument {
  kind: 'text';
  encoding: TextEncoding;
  bom: boolean;
  lines: Line[];
}

/** A file that is only decided as a whole: `size` in bytes, `hash` SHA-256 of them. */
export interface WholeFile {
  kind: 'whole';
  why: 'binary' | 'undecodable' | 'too_large' | 'lfs_pointer';
  size: number;
  hash: string;
}

export interface DecodeOptions {
  /** What the editor or a setting says the file is; bytes that are not valid in it are recognised as without a hint. */
  encoding?: TextEncoding;
  /** More bytes than this are decided as a whole. Default 8 MiB. */
  maxBytes?: number;
  /** SHA-256 of the bytes where it is known, so that a large file is not hashed again. */
  hash?: string;
}

const bytesPerStep = 256 * 1024;
const defaultMaxBytes = 8 * 1024 * 1024;
const lfsHead = 'version https://git-lfs.github.com/spec/v1\n';

/**
 * Reads bytes as lines without loss, or says why they are only decided as a whole. A byte order mark decides the encoding; then the hint; then valid UTF-8
 * without NUL; then UTF-16 by its NULs on one side; other NULs, wherever they are, mean binary; the rest is Windows-1252, or Latin-1 where bytes
 * without a meaning in Windows-1252 occur. What does not encode to the same bytes again is `undecodable`.
 */
export function decodeDocument(bytes: Uint8Array, options: DecodeOptions = {}): TextDocument | WholeFile {
  return runNow(decodeSteps(bytes, options));
}

/** `decodeDocument` in steps. */
export function* decodeSteps(bytes: Uint8Array, options: DecodeOptions = {}): Sliced<TextDocument | WholeFile> {
  if (bytes.length > (options.maxBytes ?? defaultMaxBytes)) return yield* whole(bytes, 'too_large', options.hash);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.toString('latin1', 0, lfsHead.length) === lfsHead) return yield* whole(bytes, 'lfs_pointer', options.hash);
  const marked = markedEncoding(bytes);
  if (marked) return (yield* decodeAs(bytes, marked, true)) ?? (yield* whole(bytes, 'undecodable', options.hash));
  const nul = buffer.includes(0);
  const hinted = options.encoding && (isWide(options.encoding) || !nul) ? yield* decodeAs(bytes, options.encoding, false) : undefined;
  if (hinted) return hinted;
  if (nul) {
    const wide = wideEncoding(bytes);
    return (wide && (yield* decodeAs(bytes, wide, false))) ?? (yield* whole(bytes, 'binary', options.hash));
  }
  return (yield* decodeAs(bytes, isUtf8(bytes) ? 'utf-8' : singleByte(bytes), false)) ?? (yield* whole(bytes, 'undecodable', options.hash));
}

/** The exact bytes. Fails `unencodable` for text that the encoding cannot hold. */
export function encodeDocument(document: Pick<TextDocument, 'encoding' | 'bom' | 'lines'>): Uint8Array {
  const body = encodeText(joinLines(document.lines), document.encoding);
  return document.bom ? Buffer.concat([byteOrderMark(document.encoding), body]) : body;
}

/** Decodes in one named encoding; undefined when the bytes are not valid in it or would not come out the same. */
export function* decodeAs(bytes: Uint8Array, encoding: TextEncoding, bom: boolean): Sliced<TextDocument | undefined> {
  const body = bom ? bytes.subarray(byteOrderMark(encoding).length) : bytes;
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const lines: Line[] = [];
  for (let start = 0; start < body.length; ) {
    // An LF is the same byte in all of these and part of no other character; in UTF-16 it is not.
    const feed = isWide(encoding) ? -1 : buffer.indexOf(0x0a, start + bytesPerStep);
    const stop = feed === -1 ? body.length : feed + 1;
    const text = decodeBytes(body.subarray(start, stop), encoding);
    if (text === undefined || (isWide(encoding) && !text.isWellFormed())) return undefined;
    pushLines(text, lines);
    start = stop;
    yield;
  }
  return { kind: 'text', encoding, bom, lines };
}

/** Splits text at LF, CRLF and lone CR, each line with the end it had. Nothing after a last end is no line. */
export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  pushLines(text, lines);
  return lines;
}

/** By `split`, since a search from place to place in a text of megabytes has been seen to take a hundred times as long. */
function pushLines(text: string, lines: Line[]): void {
  const parts = text.split('\n');
  const carriages = text.includes('\r');
  const last = parts.length - 1;
  for (const [index, part] of parts.entries()) {
    if (carriages && part.includes('\r')) pushCarriages(part, index < last, lines);
    else if (index < last) lines.push({ text: part, end: '\n' });
    else if (part !== '') lines.push({ text: part, end: '' });
  }
}

/** Lines of a stretch between two LF that has CR in it; the last CR belongs to the LF after it. */
function pushCarriages(part: string, feed: boolean, lines: Line[]): void {
  const pieces = part.split('\r');
  const rest = pieces.pop() ?? '';
  for (const [index, text] of pieces.entries()) lines.push({ text, end: feed && rest === '' && index === pieces.length - 1 ? '\r\n' : '\r' });
  if (rest !== '') lines.push({ text: rest, end: feed ? '\n' : '' });
}

export function joinLines(lines: readonly Line[]): string {
  let text = '';
  for (const line of lines) text += line.text + line.end;
  return text;
}

/** Size and hash of bytes, for what is shown and decided as a whole. */
function* whole(bytes: Uint8Array, why: WholeFile['why'], hash?: string): Sliced<WholeFile> {
  return { kind: 'whole', why, size: bytes.length, hash: hash ?? (yield* hashSteps(bytes)) };
}

/** SHA-256 in steps, for files of any size. */
export function* hashSteps(bytes: Uint8Array): Sliced<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < bytes.length; start += bytesPerStep) {
    hash.update(bytes.subarray(start, start + bytesPerStep));
    yield;
  }
  return hash.digest('hex');
}

export function isSingleByte(encoding: TextEncoding): boolean {
  return encoding === 'latin-1' || encoding === 'windows-1252';
}

function isWide(encoding: TextEncoding): boolean {
  return encoding === 'utf-16le' || encoding === 'utf-16be';
}

function markedEncoding(bytes: Uint8Array): TextEncoding | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  // FF FE 00 00 opens UTF-32LE, which is not reviewed by lines.
  if (bytes[0] === 0xff && bytes[1] === 0xfe && !(bytes[2] === 0 && bytes[3] === 0)) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** Mostly Latin text in UTF-16 has a NUL in most pairs, always on the same side. */
function wideEncoding(bytes: Uint8Array): TextEncoding | undefined {
  if (bytes.length % 2 === 1) return undefined;
  let even = 0;
  let odd = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    if (bytes[index] !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const enough = Math.max(2, (bytes.length / 2) * 0.6);
  if (even === 0 && odd >= enough) return 'utf-16le';
  if (odd === 0 && even >= enough) return 'utf-16be';
  return undefined;
}

function singleByte(bytes: Uint8Array): TextEncoding {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return [0x81, 0x8d, 0x8f, 0x90, 0x9d].some((byte) => buffer.includes(byte)) ? 'latin-1' : 'windows-1252';
}

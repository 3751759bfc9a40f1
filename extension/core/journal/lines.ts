import { type FileHandle, open } from 'node:fs/promises';

/** One physical line of a file, ended by a LF byte and nothing else (U+2028 or CR are content). */
export interface Line {
  offset: number;
  /** Bytes without the LF. */
  length: number;
  /** The line's bytes; only its beginning when `whole` is false. */
  bytes: Buffer;
  whole: boolean;
  /** False for the last bytes of a file that do not end in LF. */
  ended: boolean;
}

const chunkBytes = 256 * 1024;
/** What is handed out of a line that is longer than the limit: enough for any record's head. */
const beginningBytes = 64 * 1024;

/**
 * Reads a file line by line from `from` on (a line's start), up to `to` if given. Memory is bounded by `maxLine` plus one chunk, whatever
 * the file holds: a longer line is handed out by its beginning only, and `readBytes` can fetch the rest.
 */
export async function* readLines(path: string, options: { from?: number; to?: number; maxLine: number }): AsyncGenerator<Line> {
  const file = await open(path, 'r');
  try {
    let lineStart = options.from ?? 0;
    let position = lineStart;
    let parts: Buffer[] = [];
    let kept = 0;
    const end = options.to ?? Number.POSITIVE_INFINITY;
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end - position));
      const { bytesRead } = chunk.byteLength === 0 ? { bytesRead: 0 } : await file.read(chunk, 0, chunk.byteLength, position);
      if (bytesRead === 0) break;
      let from = 0;
      for (;;) {
        const found = chunk.subarray(0, bytesRead).indexOf(0x0a, from);
        const upTo = found < 0 ? bytesRead : found;
        if (kept < options.maxLine) {
          parts.push(chunk.subarray(from, upTo));
          kept += upTo - from;
        }
        if (found < 0) break;
        yield lineOf(lineStart, position + found - lineStart, parts, options.maxLine, true);
        lineStart = position + found + 1;
        parts = [];
        kept = 0;
        from = found + 1;
      }
      position += bytesRead;
      if (kept >= options.maxLine) parts = shorten(parts);
    }
    if (position > lineStart) yield lineOf(lineStart, position - lineStart, parts, options.maxLine, false);
  } finally {
    await file.close();
  }
}

/** Exactly `length` bytes at `offset`, or fewer when the file ends before. */
export async function readBytes(path: string, offset: number, length: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    return await readAt(file, offset, length);
  } finally {
    await file.close();
  }
}

/** The same from a file that is open already. */
export async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

function lineOf(offset: number, length: number, parts: Buffer[], maxLine: number, ended: boolean): Line {
  const whole = length <= maxLine;
  const joined = parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
  return { offset, length, bytes: whole ? joined : joined.subarray(0, beginningBytes), whole, ended };
}

function shorten(parts: Buffer[]): Buffer[] {
  return [Buffer.from(Buffer.concat(parts).subarray(0, beginningBytes))];
}

import { stat } from 'node:fs/promises';
import { errorCode } from '../base/files.ts';
import { findRecordStart, type ParsedRecord, parseRecord } from './envelope.ts';
import { namesIn } from './heads.ts';
import { isSegmentName, isSessionName, type Layout } from './layout.ts';
import { type Line, readLines } from './lines.ts';
import type { Gap } from './port.ts';

/** Where a record's line stands. `length` is without the LF. */
export interface Place {
  session: string;
  segment: string;
  offset: number;
  length: number;
}

export type Scanned =
  | { kind: 'record'; place: Place; record: ParsedRecord; whole: boolean }
  | { kind: 'gap'; gap: Gap }
  /** Bytes at the end that a living writer may still be completing. */
  | { kind: 'unfinished'; gap: Gap };

/** Lines up to this are read whole; of longer ones a scan sees the head only. */
export const wholeLine = 4 * 1024 * 1024;

export async function listSessions(layout: Layout): Promise<string[]> {
  return (await namesIn(layout.journal)).filter(isSessionName);
}

/** Segments of a session in the order they were written, with their sizes in bytes. */
export async function listSegments(layout: Layout, session: string): Promise<{ name: string; size: number; changed: number; inode: number }[]> {
  const found: { name: string; size: number; changed: number; inode: number }[] = [];
  for (const name of (await namesIn(layout.session(session))).filter(isSegmentName)) {
    try {
      const file = await stat(layout.segment(session, name));
      found.push({ name, size: file.size, changed: file.mtimeMs, inode: file.ino });
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
  return found.sort((a, b) => Number.parseInt(a.name, 10) - Number.parseInt(b.name, 10));
}

/**
 * Everything in a segment from `from` (a line's start): records, and gaps for whatever is none, byte for byte. A bad stretch never hides
 * what follows it. `maxLine` decides how long a line is read whole (Infinity for verification).
 */
export async function* scanSegment(layout: Layout, session: string, segment: string, options: { from?: number; to?: number; maxLine?: number } = {}): AsyncGenerator<Scanned> {
  for await (const line of readLines(layout.segment(session, segment), { ...options, maxLine: options.maxLine ?? wholeLine })) {
    yield* classify(session, segment, line);
  }
}

function classify(session: string, segment: string, line: Line): Scanned[] {
  const at = { session, segment };
  if (line.length === 0) return [{ kind: 'gap', gap: { ...at, offset: line.offset, length: 1, why: 'an empty line' } }];
  if (!line.ended) return [{ kind: 'unfinished', gap: { ...at, offset: line.offset, length: line.length, why: whyNoRecord(line.bytes, false) } }];
  const record = recordOf(line.bytes, session, line.whole);
  if (record !== undefined) return [{ kind: 'record', place: { ...at, offset: line.offset, length: line.length }, record, whole: line.whole }];
  const start = findRecordStart(line.bytes);
  const rest = start > 0 ? recordOf(line.bytes.subarray(start), session, line.whole) : undefined;
  if (rest === undefined) return [{ kind: 'gap', gap: { ...at, offset: line.offset, length: line.length, why: whyNoRecord(line.bytes, true) } }];
  return [
    { kind: 'gap', gap: { ...at, offset: line.offset, length: start, why: whyNoRecord(line.bytes.subarray(0, start), true) } },
    { kind: 'record', place: { ...at, offset: line.offset + start, length: line.length - start }, record: rest, whole: line.whole },
  ];
}

function recordOf(bytes: Buffer, session: string, whole: boolean): ParsedRecord | undefined {
  const record = parseRecord(bytes, !whole);
  // Another session's record in this file is somebody's edit; verify must not take it for ours.
  return record?.head.session === session ? record : undefined;
}

/** A sentence for a gap. */
function whyNoRecord(bytes: Buffer, ended: boolean): string {
  if (bytes.every((byte) => byte === 0)) return 'a block of NUL bytes';
  if (!ended) return 'a record that was cut off while it was written';
  return 'bytes that are no record';
}

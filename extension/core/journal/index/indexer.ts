import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ParsedRecord } from '../envelope.ts';
import { textOf, toEvent } from '../events.ts';
import { segmentNumber, type Layout } from '../layout.ts';
import { foldListing, type ListingFacts } from '../listing.ts';
import type { AnyEvent, BlobStore, Gap } from '../port.ts';
import { listSegments, listSessions, type Place, scanSegment } from '../scan.ts';
import type { Batch, Catalog, Position } from './catalog.ts';

/** A stretch of a segment that the catalog does not have yet. */
export interface Remainder {
  session: string;
  segment: string;
  from: number;
  size: number;
  changed: number;
  inode: number;
}

// One batch is one synchronous transaction: small enough that an extension host does not stutter.
const batchRecords = 100;
const batchBytes = 512 * 1024;
const textPerEvent = 16 * 1024;

/**
 * What of the files the catalog lacks, newest first (by the file's last change, then by number). Segments that were rewritten, edited or
 * removed since they were indexed are forgotten on the way.
 */
export async function findRemainders(layout: Layout, catalog: Catalog): Promise<Remainder[]> {
  const remainders: Remainder[] = [];
  const present = new Set<string>();
  for (const session of await listSessions(layout)) {
    for (const segment of await listSegments(layout, session)) {
      present.add(`${session}/${segment.name}`);
      const known = catalog.position(session, segment.name);
      const other = known !== undefined && (known.inode !== segment.inode || segment.size < known.offset || (segment.size === known.offset && segment.changed !== known.changed));
      if (other) catalog.forget(session, segment.name);
      const from = other ? 0 : (known?.offset ?? 0);
      if (segment.size > from) remainders.push({ session, segment: segment.name, from, size: segment.size, changed: segment.changed, inode: segment.inode });
    }
  }
  for (const { session, segment } of catalog.segments()) if (!present.has(`${session}/${segment}`)) catalog.forget(session, segment);
  return remainders.sort((a, b) => b.changed - a.changed || segmentNumber(b.segment) - segmentNumber(a.segment));
}

/**
 * Indexes one remainder, in batches with a turn of the event loop between them. Gives the bytes at its end that are no complete
 * line, if any. `text` false leaves the full text out.
 */
export async function indexRemainder(layout: Layout, blobs: BlobStore, catalog: Catalog, remainder: Remainder, options: { signal?: AbortSignal; text: boolean }): Promise<Gap | undefined> {
  const { session, segment, inode, changed } = remainder;
  let unfinished: Gap | undefined;
  let batch = emptyBatch(remainder, remainder.from);
  let facts = new Map<string, ListingFacts>();
  const store = async (offset: number): Promise<boolean> => {
    const position: Position = { offset, inode, changed };
    const added = catalog.add({ ...batch, position, facts: Array.from(facts.values()) });
    batch = emptyBatch(remainder, offset);
    facts = new Map();
    await nextTurn();
    return added;
  };
  let end = remainder.from;
  let bytes = 0;
  for await (const found of scanSegment(layout, session, segment, { from: remainder.from, to: remainder.size })) {
    if (options.signal?.aborted === true) return undefined;
    if (found.kind === 'unfinished') {
      unfinished = found.gap;
      break;
    }
    if (found.kind === 'gap') {
      batch.gaps.push(found.gap);
      end = found.gap.offset + found.gap.length + (found.gap.why === 'an empty line' ? 0 : 1);
      continue;
    }
    const event = await toEvent(found.record, blobs);
    batch.entries.push({ ref: refOf(event, found.place), text: options.text ? textOf(event.body, textPerEvent) : '' });
    batch.marks.push(...marksOf(found.record));
    foldListing(facts, event);
    end = found.place.offset + found.place.length + 1;
    bytes += found.place.length;
    if (batch.entries.length >= batchRecords || bytes >= batchBytes) {
      bytes = 0;
      if (!(await store(end))) return undefined;
    }
  }
  await store(end);
  return unfinished;
}

function emptyBatch(remainder: Remainder, from: number): Batch {
  const { session, segment, inode, changed } = remainder;
  return { session, segment, from, position: { offset: from, inode, changed }, entries: [], marks: [], gaps: [], facts: [] };
}

function refOf(event: AnyEvent, place: Place): Batch['entries'][number]['ref'] {
  const { seq, ts, kind, case: ofCase, run, set } = event;
  return {
    ...place,
    seq,
    ts,
    kind,
    ...(ofCase === undefined ? {} : { case: ofCase }),
    ...(run === undefined ? {} : { run }),
    ...(set === undefined ? {} : { set }),
  };
}

function marksOf(record: ParsedRecord): Batch['marks'] {
  const { session, seq, seen } = record.head;
  return Object.entries(seen ?? {}).map(([other, head]) => ({ session, seq, other, count: head.count }));
}

import { genesis, type ParsedRecord, parseBody, recordFault } from './envelope.ts';
import { readOrders } from './erase.ts';
import { isBodyInBlob } from './events.ts';
import { listHeads, readHead, type StoredHead } from './heads.ts';
import type { Layout } from './layout.ts';
import type { BlobStore, Gap, Head } from './port.ts';
import { listSegments, listSessions, scanSegment } from './scan.ts';

export interface Problem {
  session: string;
  segment?: string;
  /** 1-based line in the segment, and its byte offset. */
  line?: number;
  offset?: number;
  seq?: number;
  why: string;
}

export interface Verification {
  ok: boolean;
  sessions: number;
  events: number;
  /** Bad places, the first of each session first. */
  problems: Problem[];
  /** Bytes that are no record but where no record is missing (a torn last line after a kill). */
  gaps: Gap[];
  /** Bodies that were erased, by the event that says so. */
  erased: { event: string; events: number }[];
  /** Erasures that a living process has not carried out in its own file yet. */
  pending: { event: string; case: string; sessions: string[] }[];
}

interface SessionCheck {
  events: number;
  problem?: Problem;
  gaps: Gap[];
  erased: Map<string, { events: number; cases: Set<string> }>;
  /** Erasures that were asked for here: event id → case. */
  erasures: Map<string, string>;
  seen: { by: string; session: string; head: Head }[];
  /** Chain hash at each count that somebody asks for. */
  hashes: Map<number, string>;
  last: { count: number; hash: string };
}

/**
 * Checks the whole record against itself: every byte of every record by its hash, the chain across records and segments, the separately
 * kept head of each session, what other sessions had seen of it, and the blobs that stand for large bodies. Names the first bad place of
 * each session. What it cannot know is in docs/journal.md: somebody who can rewrite all files consistently is not found.
 */
export async function verifyJournal(layout: Layout, blobs: BlobStore, signal?: AbortSignal): Promise<Verification> {
  const result: Verification = { ok: true, sessions: 0, events: 0, problems: [], gaps: [], erased: [], pending: [] };
  const checks = new Map<string, SessionCheck>();
  // Heads before files: a living writer moves both, and the file may only be ahead.
  const heads = new Map<string, StoredHead | undefined>();
  for (const { session } of await listHeads(layout)) heads.set(session, await readHead(layout, session));
  const sessions = new Set([...heads.keys(), ...(await listSessions(layout))]);
  for (const session of Array.from(sessions).sort()) {
    signal?.throwIfAborted();
    // A session that began just now has made its head since they were listed.
    const check = await checkSession(layout, blobs, session, heads.get(session) ?? (await readHead(layout, session)));
    checks.set(session, check);
    result.sessions += 1;
    result.events += check.events;
    result.gaps.push(...check.gaps);
    if (check.problem !== undefined) result.problems.push(check.problem);
  }
  result.problems.push(...(await seenProblems(layout, checks)));
  addErasures(result, checks);
  for (const { order, open } of await readOrders(layout)) if (open.length > 0) result.pending.push({ event: order.event, case: order.case, sessions: open });
  result.ok = result.problems.length === 0;
  return result;
}

async function checkSession(layout: Layout, blobs: BlobStore, session: string, head: StoredHead | undefined): Promise<SessionCheck> {
  const check: SessionCheck = { events: 0, gaps: [], erased: new Map(), erasures: new Map(), seen: [], hashes: new Map(), last: { count: 0, hash: genesis } };
  const segments = await listSegments(layout, session);
  for (const [index, { name }] of segments.entries()) {
    if (Number.parseInt(name, 10) !== index + 1) {
      check.problem ??= { session, segment: name, why: `segment ${index + 1} is missing before this one` };
    }
    await checkSegment(layout, blobs, session, name, check);
    if (check.problem !== undefined) return check;
  }
  check.problem ??= headProblem(session, head, segments.at(-1)?.name, check);
  return check;
}

async function checkSegment(layout: Layout, blobs: BlobStore, session: string, segment: string, check: SessionCheck): Promise<void> {
  let line = 0;
  for await (const found of scanSegment(layout, session, segment, { maxLine: Number.POSITIVE_INFINITY })) {
    line += 1;
    if (found.kind !== 'record') {
      check.gaps.push(found.gap);
      continue;
    }
    const { record, place } = found;
    const fault = recordFault(record);
    // The same record again: written once more after a failed write that had reached the disk all the same.
    if (fault === undefined && record.head.seq <= check.last.count && check.hashes.get(record.head.seq) === record.hash) continue;
    const why = fault ?? chainFault(record, check.last) ?? (await blobFault(record, blobs));
    if (why !== undefined) {
      const gap = check.gaps.at(-1);
      const near = gap?.session === session && gap.segment === segment && chainFault(record, check.last) !== undefined ? gap : undefined;
      check.problem = near === undefined ? { session, segment, line, offset: place.offset, seq: record.head.seq, why } : { session, segment, line: line - 1, offset: near.offset, seq: check.last.count + 1, why: `${near.why}, and the record that belongs here is missing` };
      return;
    }
    accept(record, session, check);
  }
}

function accept(record: ParsedRecord, session: string, check: SessionCheck): void {
  check.events += 1;
  check.last = { count: record.head.seq, hash: record.hash };
  check.hashes.set(record.head.seq, record.hash);
  if (record.erased !== undefined) {
    const known = check.erased.get(record.erased) ?? { events: 0, cases: new Set<string>() };
    known.events += 1;
    if (record.head.case !== undefined) known.cases.add(record.head.case);
    check.erased.set(record.erased, known);
  }
  if (record.head.kind === 'journal.erased' && record.body !== undefined) check.erasures.set(`${session}/${record.head.seq}`, erasedCase(parseBody(record.body)));
  for (const [other, head] of Object.entries(record.head.seen ?? {})) check.seen.push({ by: `${session}/${record.head.seq}`, session: other, head });
}

function chainFault(record: ParsedRecord, last: { count: number; hash: string }): string | undefined {
  if (record.head.seq !== last.count + 1) {
    return record.head.seq > last.count + 1 ? `records ${last.count + 1} to ${record.head.seq - 1} are missing` : `record ${record.head.seq} stands where ${last.count + 1} belongs`;
  }
  return record.head.prev === last.hash ? undefined : 'the chain is broken: this record does not follow the one before it';
}

async function blobFault(record: ParsedRecord, blobs: BlobStore): Promise<string | undefined> {
  if (record.body === undefined) return undefined;
  const value = parseBody(record.body);
  if (!isBodyInBlob(value)) return undefined;
  try {
    return (await blobs.get(value.$blob)) === undefined ? `the blob ${value.$blob} that holds this body is missing` : undefined;
  } catch {
    return `the blob ${value.$blob} that holds this body was changed`;
  }
}

function headProblem(session: string, head: StoredHead | undefined, segment: string | undefined, check: SessionCheck): Problem | undefined {
  const at = segment === undefined ? { session } : { session, segment };
  // On a full disk a process may get as far as its files and no further. What was never written proves nothing by its head; had others seen records of it, they say so.
  if (head === undefined && check.last.count === 0) return undefined;
  if (head === undefined) return { ...at, why: 'the kept head of this session is missing or cannot be read' };
  if (check.last.count < head.count) {
    const gap = check.gaps.find((candidate) => candidate.session === session && candidate.segment === segment);
    const where = gap === undefined ? {} : { offset: gap.offset };
    return { ...at, ...where, seq: check.last.count + 1, why: `the end is missing: ${head.count} records were written, ${check.last.count} are here` };
  }
  const hash = head.count === 0 ? genesis : check.hashes.get(head.count);
  return hash === head.hash ? undefined : { ...at, seq: head.count, why: 'the file was replaced: its record at the kept head has another hash' };
}

async function seenProblems(layout: Layout, checks: Map<string, SessionCheck>): Promise<Problem[]> {
  const problems: Problem[] = [];
  const told = new Set<string>();
  const present = new Set(await listSessions(layout));
  for (const check of checks.values()) {
    for (const { by, session, head } of check.seen) {
      const other = checks.get(session);
      if (told.has(session) || other?.problem !== undefined) continue;
      const why = !present.has(session) || other === undefined ? `the file of this session is missing; ${by} had seen ${head.count} records of it` : seenFault(other, head, by);
      if (why === undefined) continue;
      told.add(session);
      problems.push({ session, seq: head.count, why });
    }
  }
  return problems;
}

function seenFault(other: SessionCheck, head: Head, by: string): string | undefined {
  if (other.last.count < head.count) return `the end is missing: ${by} had seen ${head.count} records, ${other.last.count} are here`;
  return other.hashes.get(head.count) === head.hash ? undefined : `the file was replaced: ${by} had seen another record ${head.count}`;
}

function erasedCase(body: unknown): string {
  return typeof body === 'object' && body !== null && 'case' in body && typeof body.case === 'string' ? body.case : '';
}

function addErasures(result: Verification, checks: Map<string, SessionCheck>): void {
  const known = new Map(Array.from(checks.values()).flatMap((check) => Array.from(check.erasures)));
  const counts = new Map<string, number>();
  for (const [session, check] of checks) {
    for (const [event, { events, cases }] of check.erased) {
      counts.set(event, (counts.get(event) ?? 0) + events);
      const asked = known.get(event);
      // The session that asked is broken itself and was read up to there only; that is reported already.
      if (asked === undefined && checks.get(event.split('/')[0] ?? '')?.problem !== undefined) continue;
      if (asked === undefined) result.problems.push({ session, why: `${events} bodies were taken out without a record of who asked (${event} is not there)` });
      else if (Array.from(cases).some((name) => name !== asked)) result.problems.push({ session, why: `bodies were taken out in the name of ${event}, which is about another case` });
    }
  }
  for (const [event, events] of counts) result.erased.push({ event, events });
}

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensurePrivateFolder, errorCode, writeFileAtomic } from '../base/files.ts';
import { eraseRecord, parseRecord } from './envelope.ts';
import { makeOnce } from './claims.ts';
import { headBytes, namesIn, readHead } from './heads.ts';
import { isBlobHash, isCopyName, isSegmentName, isSessionName, type Layout } from './layout.ts';
import { readLines } from './lines.ts';

/**
 * An order to take the bodies of one case out, `erasures/<session>-<seq>/order.json`: made by the process that was asked, carried out per
 * session by the session's own living process, or by anyone once that is provably dead. `<session>.done` says that one is finished.
 */
export interface ErasureOrder {
  v: 1;
  /** Id of the `journal.erased` event; stands in each erased record. */
  event: string;
  case: string;
  /** Runs and sets of the case, whose events may not name the case themselves. */
  runs: string[];
  sets: string[];
  sessions: string[];
  /** Blobs that only this case refers to. */
  blobs: string[];
  /** Kept copies of the case's ticket; an order of an earlier version has none. */
  copies?: string[];
}

export interface ErasureReport {
  event: string;
  events: number;
  blobs: number;
  /** Sessions whose living process still has to do its part; it notices by itself. */
  pending: string[];
}

/** Records an order on disk before anything is taken out. */
export async function placeOrder(layout: Layout, order: ErasureOrder): Promise<void> {
  const folder = orderFolder(layout, order.event);
  await ensurePrivateFolder(folder);
  await writeFileAtomic(join(folder, 'order.json'), JSON.stringify(order));
}

/** All orders with the sessions that have not been done yet. */
export async function readOrders(layout: Layout): Promise<{ order: ErasureOrder; open: string[] }[]> {
  const orders: { order: ErasureOrder; open: string[] }[] = [];
  for (const name of await namesIn(layout.erasures)) {
    const folder = join(layout.erasures, name);
    const order = await readOrder(join(folder, 'order.json'));
    if (order === undefined) continue;
    const done = new Set((await namesIn(folder)).filter((file) => file.endsWith('.done')).map((file) => file.slice(0, -5)));
    orders.push({ order, open: order.sessions.filter((session) => isSessionName(session) && !done.has(session)) });
  }
  return orders;
}

/**
 * Takes the bodies that the orders name out of a session's segments: each segment is written anew beside and renamed, all other bytes
 * as they are. Only the session's owner, or the holder of a claim on it, may call this. `mark` is a place (of the kept head); the result
 * says where it is now, and how long the last segment is.
 */
export async function eraseInSession(layout: Layout, session: string, orders: readonly ErasureOrder[], mark: { segment: string; offset: number }): Promise<{ length: number; mark: number }> {
  const result = { length: 0, mark: mark.offset };
  for (const segment of (await namesIn(layout.session(session))).filter(isSegmentName)) {
    const rewritten = await eraseInSegment(layout, session, segment, orders, segment === mark.segment ? mark.offset : 0);
    result.length = rewritten.length;
    if (segment === mark.segment) result.mark = rewritten.mark;
  }
  for (const order of orders) await markDone(layout, order, session);
  return result;
}

/** The same for a session whose writer is dead; its kept head moves along. */
export async function eraseInDeadSession(layout: Layout, session: string, orders: readonly ErasureOrder[]): Promise<void> {
  const head = await readHead(layout, session);
  const { mark } = await eraseInSession(layout, session, orders, head ?? { segment: '', offset: 0 });
  if (head !== undefined) await writeFileAtomic(layout.head(session), headBytes({ ...head, offset: mark, generation: head.generation + 1 }));
}

/** Removes the order's blobs, the case's folder of artifacts, copies of its ticket, and set-aside bytes that name the case. */
export async function eraseFiles(layout: Layout, order: ErasureOrder): Promise<void> {
  for (const name of (await namesIn(layout.gaps)).filter((file) => file.endsWith('.bin'))) {
    const path = join(layout.gaps, name);
    if ((await readFile(path)).includes(order.case)) await rm(path, { force: true });
  }
  for (const name of order.copies ?? []) if (isCopyName(name)) await rm(join(layout.tickets, name), { force: true });
  for (const hash of order.blobs) if (isBlobHash(hash)) await rm(layout.blob(hash), { force: true });
  if (/^[\w-]+$/.test(order.case)) await rm(join(layout.cases, order.case), { recursive: true, force: true });
}

async function eraseInSegment(layout: Layout, session: string, segment: string, orders: readonly ErasureOrder[], mark: number): Promise<{ length: number; mark: number }> {
  const path = layout.segment(session, segment);
  const parts: Buffer[] = [];
  let changed = false;
  let length = 0;
  let moved = 0;
  for await (const line of readLines(path, { maxLine: Number.POSITIVE_INFINITY })) {
    const kept = remaining(line.bytes, line.ended, orders);
    changed ||= kept !== line.bytes;
    parts.push(kept, line.ended ? lineFeed : nothing);
    length += kept.byteLength + (line.ended ? 1 : 0);
    if (line.offset + line.length + 1 <= mark) moved = length;
  }
  if (changed) await writeFileAtomic(path, Buffer.concat(parts));
  return { length, mark: moved };
}

/** What stays of a line; the same object when that is all of it. Bytes that are no record go entirely if they name the case. */
function remaining(bytes: Buffer, ended: boolean, orders: readonly ErasureOrder[]): Buffer {
  const record = ended ? parseRecord(bytes) : undefined;
  if (record !== undefined) {
    const order = record.body === undefined ? undefined : orders.find((candidate) => isOf(candidate, record.head));
    return order === undefined ? bytes : eraseRecord(record, order.event);
  }
  return orders.some((order) => bytes.includes(order.case)) ? Buffer.from('erased') : bytes;
}

/** Whether a record belongs to what an order erases. The record of the erasure itself stays. */
export function isOf(order: Pick<ErasureOrder, 'case' | 'runs' | 'sets'>, head: { case?: string; run?: string; set?: string; kind: string }): boolean {
  if (head.kind === 'journal.erased') return false;
  return head.case === order.case || (head.case === undefined && ((head.run !== undefined && order.runs.includes(head.run)) || (head.set !== undefined && order.sets.includes(head.set))));
}

async function markDone(layout: Layout, order: ErasureOrder, session: string): Promise<void> {
  if (order.sessions.includes(session)) await makeOnce(join(orderFolder(layout, order.event), `${session}.done`), '');
}

const lineFeed = Buffer.from('\n');
const nothing = Buffer.alloc(0);

const orderFolder = (layout: Layout, event: string): string => join(layout.erasures, event.replace('/', '-'));

async function readOrder(path: string): Promise<ErasureOrder | undefined> {
  try {
    const value = JSON.parse(await readFile(path, 'utf8')) as Partial<ErasureOrder>;
    const { event, case: ofCase, runs, sets, sessions, blobs, copies } = value;
    if (typeof event !== 'string' || typeof ofCase !== 'string' || !Array.isArray(runs) || !Array.isArray(sets) || !Array.isArray(sessions) || !Array.isArray(blobs)) return undefined;
    return { v: 1, event, case: ofCase, runs, sets, sessions, blobs, copies: Array.isArray(copies) ? copies : [] };
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

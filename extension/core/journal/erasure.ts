import { z } from 'zod';
import { parseRecord } from './envelope.ts';
import { eraseFiles, eraseInDeadSession, type ErasureOrder, isOf, readOrders } from './erase.ts';
import { claim } from './claims.ts';
import type { EventFilter } from './port.ts';
import { isCopyName, type Layout } from './layout.ts';
import { readLines } from './lines.ts';
import { listSegments, listSessions } from './scan.ts';
import { readFile } from 'node:fs/promises';
import { namesIn } from './heads.ts';
import { join } from 'node:path';

/** What an erasure of a case would take out; nothing is changed by looking. */
export interface ErasurePlan {
  case: string;
  runs: string[];
  sets: string[];
  events: number;
  blobs: string[];
  /** Names of the kept copies of the case's ticket. */
  copies: string[];
  /** Sessions with events of the case. */
  sessions: string[];
}

type Found = { session: string; case?: string; run?: string; set?: string; kind: string };

/**
 * Works out what belongs to a case: its events, those of its runs and sets that do not name it, and the blobs that only these refer to.
 * Reads the whole record once, because a blob may be shared with any other case.
 */
export async function planErasure(layout: Layout, ofCase: string, find: (filter: EventFilter) => Promise<readonly Found[]>, signal?: AbortSignal): Promise<ErasurePlan> {
  const own = await find({ case: ofCase });
  const runs = distinct(own.map((ref) => ref.run));
  const sets = distinct(own.map((ref) => ref.set));
  const of = { case: ofCase, runs, sets };
  const kept = new Set<string>();
  for (const shard of await namesIn(layout.blobs)) for (const name of await namesIn(join(layout.blobs, shard))) kept.add(name);
  const mine = new Set<string>();
  const others = new Set<string>();
  const plan: ErasurePlan = { ...of, events: 0, blobs: [], copies: [], sessions: [] };
  const tickets = new Set<string>();
  for (const session of await listSessions(layout)) {
    let involved = false;
    for (const { name } of await listSegments(layout, session)) {
      for await (const line of readLines(layout.segment(session, name), { maxLine: Number.POSITIVE_INFINITY })) {
        signal?.throwIfAborted();
        const record = line.ended ? parseRecord(line.bytes) : undefined;
        if (record?.body === undefined) continue;
        const belongs = isOf(of, record.head);
        if (belongs) plan.events += 1;
        involved ||= belongs;
        if (belongs && record.head.kind === 'case.opened') for (const id of await ticketIn(layout, record.body)) tickets.add(id);
        if (kept.size > 0) await addHashes(layout, record.body.toString('latin1'), kept, belongs ? mine : others);
      }
    }
    if (involved) plan.sessions.push(session);
  }
  plan.blobs = Array.from(mine).filter((hash) => !others.has(hash));
  plan.copies = await copiesOf(layout, tickets);
  return plan;
}

/**
 * Carries out whatever orders concern sessions whose writer is provably dead, each under a claim, and removes the orders' files.
 * True when something was done.
 */
export async function carryOutForDead(layout: Layout, own: string, claimed: Set<string>, isDead: (session: string) => Promise<boolean>): Promise<boolean> {
  let done = false;
  for (const { order, open } of await readOrders(layout)) {
    if (open.length === 0) continue;
    for (const session of open) {
      if (session === own || !(await isDead(session))) continue;
      // A claim is kept for good: while its holder lives, nobody else rewrites that file.
      if (!claimed.has(session) && (await claim(layout.claims, 'erase', session, own, isDead)) === undefined) continue;
      claimed.add(session);
      await eraseInDeadSession(layout, session, await openOrders(layout, session));
      done = true;
    }
    await eraseFiles(layout, order);
  }
  return done;
}

/** Orders that still have to be carried out in a session. */
export async function openOrders(layout: Layout, session: string): Promise<ErasureOrder[]> {
  return (await readOrders(layout)).filter(({ open }) => open.includes(session)).map(({ order }) => order);
}

async function addHashes(layout: Layout, text: string, kept: ReadonlySet<string>, into: Set<string>): Promise<void> {
  const inBlob = /^\{"\$blob":"([0-9a-f]{64})"/.exec(text)?.[1];
  for (const [hash] of text.matchAll(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g)) if (kept.has(hash)) into.add(hash);
  if (inBlob === undefined || !kept.has(inBlob)) return;
  const body = await readFile(layout.blob(inBlob), 'latin1');
  for (const [hash] of body.matchAll(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g)) if (kept.has(hash)) into.add(hash);
}

/** Id of the ticket that a `case.opened` body holds, itself or in its blob; none when it cannot be read. */
async function ticketIn(layout: Layout, body: Buffer): Promise<string[]> {
  try {
    const text = body.toString('utf8');
    const inBlob = /^\{"\$blob":"([0-9a-f]{64})"/.exec(text)?.[1];
    return [hasTicket.parse(JSON.parse(inBlob === undefined ? text : await readFile(layout.blob(inBlob), 'utf8'))).ticket.id];
  } catch {
    return [];
  }
}

/** Names of the files under `tickets/` that are copies of these tickets, or of a list with one of them. The name tells nothing of the ticket, so it may stay in the order. */
async function copiesOf(layout: Layout, tickets: ReadonlySet<string>): Promise<string[]> {
  const names: string[] = [];
  for (const name of (await namesIn(layout.tickets)).filter(isCopyName)) {
    const copy = await readFile(join(layout.tickets, name), 'utf8').then((text) => hasIds.safeParse(JSON.parse(text)), () => undefined).catch(() => undefined);
    const ids = copy?.success === true ? [copy.data.id, ...(copy.data.items ?? []).map((item) => item.id)] : [];
    if (ids.some((id) => id !== undefined && tickets.has(id))) names.push(name);
  }
  return names;
}

const hasId = z.object({ id: z.string() });
const hasIds = z.object({ id: z.string().optional(), items: z.array(hasId).optional() });
const hasTicket = z.object({ ticket: hasId });

const distinct = (names: (string | undefined)[]): string[] => Array.from(new Set(names.filter((name) => name !== undefined)));

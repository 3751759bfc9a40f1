import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { Failure, isFailure } from '../base/failure.ts';
import { ensurePrivateFolder, writeFileAtomic } from '../base/files.ts';
import { sha256 } from '../base/hash.ts';
import { ticket as ticketShape, type Ticket, ticketSummary } from '../model/ticket.ts';
import { ticketHash } from './normalise.ts';
import type { TicketFailureReason, TicketPage } from './source.ts';

/** The last known copy of each ticket, and of the first page of each list, for when their source cannot be reached. Already masked. */
export interface TicketCopies {
  get(id: string): Promise<Ticket | undefined>;
  put(ticket: Ticket): Promise<void>;
  getList(name: string): Promise<ListCopy | undefined>;
  putList(name: string, copy: ListCopy): Promise<void>;
}

/** `at`: when it was read, as ISO time. */
const listCopy = z.object({ list: z.string(), at: z.string(), items: z.array(ticketSummary), total: z.number().int().optional() });
export type ListCopy = z.infer<typeof listCopy>;

/** Copies for the life of the process. */
export class MemoryCopies implements TicketCopies {
  private readonly kept = new Map<string, Ticket>();
  private readonly lists = new Map<string, ListCopy>();
  async get(id: string): Promise<Ticket | undefined> {
    return this.kept.get(id.toLowerCase());
  }
  async put(ticket: Ticket): Promise<void> {
    this.kept.set(ticket.id.toLowerCase(), ticket);
  }
  async getList(name: string): Promise<ListCopy | undefined> {
    return this.lists.get(name);
  }
  async putList(name: string, copy: ListCopy): Promise<void> {
    this.lists.set(name, copy);
  }
}

/** Copies as files (0600) in a folder (0700), one a ticket or list. A file that cannot be read, or that does not match its hash, counts as none. */
export class FolderCopies implements TicketCopies {
  constructor(private readonly folder: string) {}

  get(id: string): Promise<Ticket | undefined> {
    return readTicket(this.fileOf(id.toLowerCase()));
  }

  /** All copies of tickets, in no particular order. */
  async *tickets(): AsyncGenerator<Ticket> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      const ticket = name.endsWith('.json') ? await readTicket(join(this.folder, name)) : undefined;
      if (ticket !== undefined) yield ticket;
    }
  }

  put(ticket: Ticket): Promise<void> {
    return this.write(this.fileOf(ticket.id.toLowerCase()), ticket);
  }

  async getList(name: string): Promise<ListCopy | undefined> {
    try {
      const parsed = listCopy.safeParse(JSON.parse(await readFile(this.fileOf(`list\n${name}`), 'utf8')));
      return parsed.success && parsed.data.list === name ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }

  putList(name: string, copy: ListCopy): Promise<void> {
    return this.write(this.fileOf(`list\n${name}`), copy);
  }

  private async write(file: string, content: object): Promise<void> {
    await ensurePrivateFolder(this.folder);
    await writeFileAtomic(file, JSON.stringify(content));
  }

  /** The name tells nothing of what is in it; `core/journal/erasure.ts` finds by the content what an erasure takes along. */
  private fileOf(name: string): string {
    return join(this.folder, `${sha256(name).slice(0, 32)}.json`);
  }
}

async function readTicket(file: string): Promise<Ticket | undefined> {
  try {
    const parsed = ticketShape.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return parsed.success && ticketHash(parsed.data) === parsed.data.hash ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Reasons that say nothing about the ticket, only that it cannot be read now. */
const unreachable: readonly TicketFailureReason[] = ['offline', 'rate_limited', 'server_error'];

/**
 * Reads a ticket; when its source cannot be reached, answers with the last known copy, marked `stale` with reason and age, or with the
 * failure itself when there is no copy. A refusal (no access, not found) is never papered over by a copy.
 * A copy that cannot be saved is reported to `onCopyError` and does not spoil the read.
 */
export async function fetchOrCopy(
  id: string,
  read: () => Promise<Ticket>,
  services: { copies: TicketCopies; clock: Clock; onCopyError?: (error: unknown) => void },
): Promise<Ticket> {
  try {
    const ticket = await read();
    // A partial read must not replace a complete copy.
    if (!ticket.truncations.some((cut) => cut.section === 'thread' && cut.note.includes('interrupted'))) {
      await services.copies.put(ticket).catch((error: unknown) => services.onCopyError?.(error));
    }
    return ticket;
  } catch (error) {
    if (!isFailure(error, ...unreachable)) throw error;
    const copy = await services.copies.get(id);
    if (copy === undefined) throw error;
    return { ...copy, stale: { reason: error.reason, ageMs: Math.max(0, services.clock.now() - Date.parse(copy.fetchedAt)) } };
  }
}

/**
 * Reads the first page of a list; when its source cannot be reached, answers with the last known one, marked `stale`, or with the failure itself
 * when there is none. Refusals and copies that cannot be saved are as with `fetchOrCopy`.
 */
export async function listOrCopy(name: string, read: () => Promise<TicketPage>, services: { copies: TicketCopies; clock: Clock; onCopyError?: (error: unknown) => void }): Promise<TicketPage> {
  const { copies, clock } = services;
  try {
    const page = await read();
    const { items, total } = page;
    await copies.putList(name, { list: name, at: new Date(clock.now()).toISOString(), items, total }).catch((error: unknown) => services.onCopyError?.(error));
    return page;
  } catch (error) {
    if (!isFailure(error, ...unreachable)) throw error;
    const copy = await copies.getList(name);
    if (copy === undefined) throw error;
    return { items: copy.items, ...(copy.total === undefined ? {} : { total: copy.total }), stale: { reason: error.reason, ageMs: Math.max(0, clock.now() - Date.parse(copy.at)) } };
  }
}

/** A failure of this room. */
export function ticketFailure(reason: TicketFailureReason, message: string, options: { detail?: unknown; cause?: unknown } = {}): Failure<TicketFailureReason> {
  return new Failure(reason, message, options);
}

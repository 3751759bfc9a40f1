import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { Failure, isFailure } from '../base/failure.ts';
import { sha256 } from '../base/hash.ts';
import { ticket as ticketShape, type Ticket } from '../model/ticket.ts';
import { ticketHash } from './normalise.ts';
import type { TicketFailureReason } from './source.ts';

/** The last known copy of each ticket, for when its source cannot be reached. Already masked. */
export interface TicketCopies {
  get(id: string): Promise<Ticket | undefined>;
  put(ticket: Ticket): Promise<void>;
}

/** Copies for the life of the process. */
export class MemoryCopies implements TicketCopies {
  private readonly kept = new Map<string, Ticket>();
  async get(id: string): Promise<Ticket | undefined> {
    return this.kept.get(id.toLowerCase());
  }
  async put(ticket: Ticket): Promise<void> {
    this.kept.set(ticket.id.toLowerCase(), ticket);
  }
}

/** Copies as files (0600) in a folder (0700), one a ticket. A file that cannot be read, or that does not match its hash, counts as none. */
export class FolderCopies implements TicketCopies {
  constructor(private readonly folder: string) {}

  async get(id: string): Promise<Ticket | undefined> {
    try {
      const parsed = ticketShape.safeParse(JSON.parse(await readFile(this.fileOf(id), 'utf8')));
      return parsed.success && ticketHash(parsed.data) === parsed.data.hash ? parsed.data : undefined;
    } catch {
      return undefined;
    }
  }

  async put(ticket: Ticket): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = this.fileOf(ticket.id);
    const temporary = `${file}.${randomUUID()}`;
    try {
      await writeFile(temporary, JSON.stringify(ticket), { mode: 0o600, flag: 'wx' });
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  private fileOf(id: string): string {
    return join(this.folder, `${sha256(id.toLowerCase()).slice(0, 32)}.json`);
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

/** A failure of this room. */
export function ticketFailure(reason: TicketFailureReason, message: string, options: { detail?: unknown; cause?: unknown } = {}): Failure<TicketFailureReason> {
  return new Failure(reason, message, options);
}

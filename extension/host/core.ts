import type { Cases } from '../core/cases/port.ts';
import type { Journal } from '../core/journal/port.ts';
import type { Ticket } from '../core/model/ticket.ts';
import type { TicketSources } from '../core/tickets/registry.ts';
import type { TextOrigin } from '../core/tickets/sources/text.ts';

/** What is built on first use out of the heavy rooms (`extension/compose.ts`). */
export interface Core {
  readonly cases: Cases;
  readonly journal: Journal;
  readonly sources: Pick<TicketSources, 'all' | 'byId' | 'forReference'>;
  /** Throws Failure `bad_content` when the text is empty or too large. */
  ticketFromText(text: string, origin: TextOrigin, file?: string): Ticket;
  readonly records: Records;
  /** Ends runs, writes what is pending, closes. */
  close(): Promise<void>;
}

/** What people do with the journal as a whole. */
export interface Records {
  /** Walks every chain and says what it found; `ok` is false at the first broken place. */
  verify(signal: AbortSignal): Promise<VerifyReport>;
  /** One self-contained HTML page, or JSON lines, of one case; blobs masked. */
  exportCase(caseId: string, format: 'html' | 'jsonl', signal: AbortSignal): Promise<string>;
  /** What "erase" would remove, for the question before it. */
  erasable(caseId: string, signal: AbortSignal): Promise<{ events: number; blobs: number }>;
}

export interface VerifyReport {
  ok: boolean;
  events: number;
  erased: number;
  /** One line per finding, the first bad place first. */
  findings: string[];
}

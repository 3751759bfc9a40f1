import type { Cases } from '../core/cases/port.ts';
import type { Journal } from '../core/journal/port.ts';
import type { TicketSource } from '../core/tickets/source.ts';

/** What is built on first use out of the heavy rooms (`extension/compose.ts`). */
export interface Core {
  readonly cases: Cases;
  readonly journal: Journal;
  /** In the order in which they are asked whether they accept a reference. */
  readonly sources: readonly TicketSource[];
  readonly records: Records;
  /** Ends runs, writes what is pending, closes. */
  close(): Promise<void>;
}

/** What people do with the journal as a whole. */
export interface Records {
  /** Walks every chain and says what it found; `ok` is false at the first broken place. */
  verify(signal: AbortSignal): Promise<VerifyReport>;
  /** One self-contained HTML page, or JSON lines, of one case; masked blobs only. */
  exportCase(caseId: string, format: 'html' | 'jsonl', signal: AbortSignal): Promise<string>;
}

export interface VerifyReport {
  ok: boolean;
  events: number;
  erased: number;
  gaps: number;
  /** One line per finding, the first bad place first. */
  findings: string[];
}

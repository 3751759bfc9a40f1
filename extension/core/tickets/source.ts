import type { Ticket, TicketSummary } from '../model/ticket.ts';

export type TicketFailureReason =
  | 'not_found'
  | 'no_access'
  | 'sign_in_needed'
  | 'token_expired'
  | 'sso_required'
  | 'rate_limited'
  | 'offline'
  | 'bad_reference'
  | 'bad_content'
  | 'server_error';

/** A page of a list; `next` is opaque and goes back to `list`. */
export interface TicketPage {
  items: TicketSummary[];
  next?: string;
  total?: number;
  /** Set when the source could not be reached and this is the last known first page. */
  stale?: { reason: string; ageMs: number };
}

/** A saved query of a source, shown as a branch of the Tickets tree. */
export interface TicketQuery {
  id: string;
  label: string;
  query: string;
}

/**
 * One place where tickets come from; one small file each under `sources/`. Every method rejects with `Failure<TicketFailureReason>`
 * (with `detail.retryAfterMs` when rate limited) and honours the signal. Content is untrusted: a source maps to `RawTicket`,
 * `normaliseTicket` cleans, masks and hashes.
 */
export interface TicketSource {
  readonly id: string;
  readonly label: string;
  /** Whether a reference typed or pasted by a person belongs to this source (`owner/repo#12`, a URL, a path). */
  accepts(reference: string): boolean;
  fetch(reference: string, signal: AbortSignal): Promise<Ticket>;
  queries(): Promise<TicketQuery[]>;
  list(query: string, cursor: string | undefined, signal: AbortSignal): Promise<TicketPage>;
  /** Posting back; absent where the source takes nothing. Only ever called by a gate that a person approved. */
  readonly reply?: TicketReply;
}

export interface TicketReply {
  /** Posts `text` once: `marker` (an invisible id) finds an earlier post of the same approval, which is then returned, not repeated. */
  post(key: string, text: string, marker: string, signal: AbortSignal): Promise<{ url: string; remoteId: string }>;
  /** Reads a posted reply back, for confirmation. */
  read(remoteId: string, key: string, signal: AbortSignal): Promise<string>;
  setLabels(key: string, labels: readonly string[], signal: AbortSignal): Promise<string[]>;
  /** Longest text the source takes, in the unit it counts. */
  readonly limit: { length: number; unit: 'code_points' | 'utf16' | 'bytes' };
}

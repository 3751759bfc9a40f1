import type { Severity, TicketSummary } from '../../core/model/ticket.ts';
import type { TicketPage } from '../../core/tickets/source.ts';
import { ago, severityWords, wordsForUnreachable } from '../../shared/words.ts';

/** One ticket's line in the tree, as data. */
export interface TicketRow {
  label: string;
  description: string;
  tooltip: string;
  accessible: string;
  icon: string;
  color?: string;
  context: 'ticket' | 'ticket.url';
}

const icons: Record<Severity, { icon: string; color?: string }> = {
  critical: { icon: 'flame', color: 'charts.red' },
  high: { icon: 'arrow-up', color: 'charts.orange' },
  medium: { icon: 'dash' },
  low: { icon: 'arrow-down' },
  unknown: { icon: 'issues' },
};

export function ticketRow(ticket: TicketSummary, now: number): TicketRow {
  const when = ago(ticket.updatedAt ?? ticket.createdAt ?? '', now);
  const facts = [severityWords[ticket.severity], ticket.status, ...ticket.labels, when === '' ? undefined : `updated ${when}`].filter((fact) => fact !== undefined && fact !== '');
  return {
    label: ticket.title,
    description: [ticket.key, when].filter((part) => part !== '').join(' · '),
    tooltip: [ticket.title, ticket.key, ...facts].join('\n'),
    accessible: [ticket.title, ticket.key, ...facts].join(', '),
    ...icons[ticket.severity],
    context: ticket.url === undefined ? 'ticket' : 'ticket.url',
  };
}

/** What stands above a list that is not of now: its age, and why it could not be read again. */
export function staleRow(stale: { reason: string; ageMs: number }, now: number): { label: string; tooltip: string } {
  return { label: `Last known list, ${ago(new Date(now - stale.ageMs).toISOString(), now)}`, tooltip: wordsForUnreachable(stale.reason) };
}

/** What is known of one query: the pages read so far, and whether reading the next one failed. */
export interface LoadedQuery {
  items: TicketSummary[];
  next?: string;
  total?: number;
  /** The source cannot be reached: this is the list as it was. */
  stale?: { reason: string; ageMs: number };
  error?: unknown;
}

/** Adds a page; a ticket that moved to a later page meanwhile appears once, in its newest form. */
export function addPage(loaded: LoadedQuery | undefined, page: TicketPage): LoadedQuery {
  const byId = new Map((loaded?.items ?? []).map((item) => [item.id, item]));
  for (const item of page.items) byId.set(item.id, item);
  return { items: [...byId.values()], ...(page.next === undefined ? {} : { next: page.next }), ...(page.total === undefined ? {} : { total: page.total }), ...(page.stale === undefined ? {} : { stale: page.stale }) };
}

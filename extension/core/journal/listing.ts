import type { AnyEvent, CaseListing } from './port.ts';

/** Orders two facts about the same case: later `ts` wins, ties by event id. Only used where no causal order is at hand. */
export type Stamp = string;

export const stampOf = (event: { ts: string; session: string; seq: number }): Stamp => `${event.ts}|${event.session}|${String(event.seq).padStart(12, '0')}`;

/**
 * What the listing of one case is folded from. The fold is commutative, because an index is built newest segment first:
 * each fact carries the stamp of the event that stated it, and the later stamp wins.
 */
export interface ListingFacts {
  case: string;
  events: number;
  lastEventAt: string;
  opened?: { stamp: Stamp; at: string; title: string; ticketId: string };
  verdict?: { stamp: Stamp; classification: string; bugConfirmation?: string };
  override?: { stamp: Stamp; classification: string; bugConfirmation?: string };
}

/** Adds one event of a case to its facts; events without a case are ignored. */
export function foldListing(facts: Map<string, ListingFacts>, event: AnyEvent): void {
  if (event.case === undefined) return;
  const entry = facts.get(event.case) ?? { case: event.case, events: 0, lastEventAt: event.ts };
  entry.events += 1;
  if (event.ts > entry.lastEventAt) entry.lastEventAt = event.ts;
  facts.set(event.case, entry);
  if (event.body === null) return;
  const stamp = stampOf(event);
  if (event.kind === 'case.opened' && newer(stamp, entry.opened)) {
    entry.opened = { stamp, at: event.ts, title: event.body.title, ticketId: event.body.ticket.id };
  } else if (event.kind === 'verdict.submitted' && newer(stamp, entry.verdict)) {
    entry.verdict = judged(stamp, event.body.verdict);
  } else if (event.kind === 'verdict.overridden' && newer(stamp, entry.override)) {
    entry.override = judged(stamp, event.body);
  }
}

/** The listing that follows from the facts; a case whose opening is missing or erased is listed under its id. */
export function toListing(facts: ListingFacts): CaseListing {
  const effective = facts.override ?? facts.verdict;
  return {
    case: facts.case,
    title: facts.opened?.title ?? facts.case,
    ticketId: facts.opened?.ticketId ?? '',
    openedAt: facts.opened?.at ?? facts.lastEventAt,
    lastEventAt: facts.lastEventAt,
    events: facts.events,
    ...(effective === undefined ? {} : { classification: effective.classification }),
    ...(effective?.bugConfirmation === undefined ? {} : { bugConfirmation: effective.bugConfirmation }),
  };
}

/** Newest activity first; `text` is matched in title, case id and ticket id. */
export function pageOfListings(all: Iterable<ListingFacts>, options: { limit?: number; offset?: number; text?: string } = {}): CaseListing[] {
  const wanted = options.text?.toLowerCase();
  const listings = [...all]
    .map(toListing)
    .filter((listing) => wanted === undefined || `${listing.title}\n${listing.case}\n${listing.ticketId}`.toLowerCase().includes(wanted))
    .sort((a, b) => (a.lastEventAt < b.lastEventAt ? 1 : a.lastEventAt > b.lastEventAt ? -1 : a.case < b.case ? 1 : -1));
  const offset = options.offset ?? 0;
  return listings.slice(offset, options.limit === undefined ? undefined : offset + options.limit);
}

function newer(stamp: Stamp, known: { stamp: Stamp } | undefined): boolean {
  return known === undefined || stamp > known.stamp;
}

function judged(stamp: Stamp, body: { classification: string; bugConfirmation?: string | undefined }): { stamp: Stamp; classification: string; bugConfirmation?: string } {
  return { stamp, classification: body.classification, ...(body.bugConfirmation === undefined ? {} : { bugConfirmation: body.bugConfirmation }) };
}

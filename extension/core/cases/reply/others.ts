import type { Journal } from '../../journal/port.ts';
import type { Ticket } from '../../model/ticket.ts';
import { chatter, stopWords } from '../../evidence/scout/stop-words.ts';
import { wholeWords } from './names.ts';

/** Who a ticket names on its two sides. Trimmed, as they are written there. */
export interface People {
  /** Reporter, customer, session, contacts, senders from the reporter's side. */
  outside: readonly string[];
  /** Assignees and whoever answered for the team. */
  team: readonly string[];
}

/** Keys of a customer record whose values name somebody; `plan`, `country` and the like do not. */
const namingKey = /name|compan|organi[sz]ation|\borg\b|account|customer|client|tenant|contact|user|login|e-?mail|session|(?:^|[^a-z])id$/i;
/** What a company may leave out when it is spoken of. */
const legalForm = /[\s,]+(?:gmbh(?: & co\.? kg)?|ag|kg|se|ug|e\.?v\.?|inc\.?|llc|ltd\.?|limited|corp\.?|corporation|plc|s\.?a\.?s?|s\.?r\.?l\.?|s\.?p\.?a\.?|b\.?v\.?|n\.?v\.?|oy|ab|a\/s|pty(?: ltd)?)$/iu;
/** Accounts that are nobody, and names that are words of their own. All in lower case. */
const nobody = new Set(
  `admin administrator anonymous bot company customer client default dummy example fake foobar ghost guest john.doe localhost nobody none null operator owner person root sample somebody somewhere
  staff superuser sysadmin system team tester undefined unknown user username visitor webmaster support service sales help helpdesk info mail noreply no-reply office contact account accounts
  april august autumn bill chase christian crystal dean drew faith frank grace grant hope iris jade joy june lane major mark mercy miles page pearl price reed rich rose ruby sandy summer violet wade will young`.split(/\s+/),
);

export function peopleOf(ticket: Ticket): People {
  const outside = [ticket.reporter, ...Object.entries(ticket.customer).flatMap(([key, value]) => (namingKey.test(key) ? [value] : [])), ...ticket.thread.flatMap(({ direction, sender }) => (direction === 'in' ? [sender] : []))];
  const team = [...ticket.assignees, ...ticket.thread.flatMap(({ direction, sender }) => (direction === 'in' ? [] : [sender]))];
  return { outside: named(outside), team: named(team) };
}

/**
 * Names that a reply to `ticket` must not hold: those of the outside people of other tickets. The ticket's own people are let through, and so are the
 * team, words of the language, what the ticket itself says (whoever reads the reply knows it) and what is too short to tell anybody by.
 */
export function othersFor(ticket: Ticket, known: Iterable<People>): string[] {
  const own = peopleOf(ticket);
  const allowed = new Set([...own.outside, ...own.team, ...Object.values(ticket.customer)].flatMap(formsOf).map(folded));
  const others = new Map<string, string>();
  for (const { outside, team } of known) {
    for (const name of team) allowed.add(folded(name));
    for (const name of outside) for (const form of formsOf(name)) if (tellsSomebody(form)) others.set(folded(form), form);
  }
  const said = [ticket.title, ticket.description, ...ticket.thread.map(({ text }) => text)].join('\n').toLowerCase();
  return [...others].filter(([key]) => !allowed.has(key) && wholeWords(said, key).next().done === true).map(([, name]) => name);
}

/** The people of all tickets that the record knows, kept current by the journal's own notices; what was erased is forgotten. */
export class KnownPeople {
  private reading: Promise<Map<string, People>> | undefined;

  /** `copies`: tickets that were read but never became a case. They are looked at once, when a reply is first checked. */
  constructor(
    private readonly journal: Pick<Journal, 'read' | 'onEvent'>,
    private readonly copies: { tickets(): AsyncIterable<Ticket> },
  ) {
    journal.onEvent((event) => {
      if (event.kind === 'journal.erased') this.reading = undefined;
      else if ((event.kind === 'case.opened' || event.kind === 'ticket.revised') && event.body !== null) this.add(event.body.ticket);
    });
  }

  /** Names of other people than those of the ticket; see `othersFor`. */
  async othersFor(ticket: Ticket): Promise<string[]> {
    this.reading ??= this.readAll();
    const known = await this.reading;
    return othersFor(ticket, [...known].filter(([id]) => id !== ticket.id).map(([, people]) => people));
  }

  private add(ticket: Ticket): void {
    void this.reading?.then((known) => known.set(ticket.id, peopleOf(ticket)), () => undefined);
  }

  private async readAll(): Promise<Map<string, People>> {
    const known = new Map<string, People>();
    try {
      for await (const ticket of this.copies.tickets()) known.set(ticket.id, peopleOf(ticket));
      for await (const item of this.journal.read({ kinds: ['case.opened', 'ticket.revised'] })) {
        if ('gap' in item || item.body === null || !('ticket' in item.body)) continue;
        known.set(item.body.ticket.id, peopleOf(item.body.ticket));
      }
      return known;
    } catch (error) {
      this.reading = undefined;
      throw error;
    }
  }
}

function named(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.map((name) => name?.trim() ?? ''))].filter((name) => name !== '');
}

/** A name as it may be written: whole, without its @, without its legal form. */
function formsOf(name: string): string[] {
  const whole = name.trim().replace(/^@/, '');
  return [...new Set([whole, whole.replace(legalForm, '').trim()])];
}

/** At least four letters, or six letters and digits as in an id; at most a line. */
function tellsSomebody(name: string): boolean {
  const letters = name.match(/\p{L}/gu)?.length ?? 0;
  const signs = letters + (name.match(/\p{N}/gu)?.length ?? 0);
  if (name.length > 120 || name.includes('\n') || (letters < 4 && signs < 6)) return false;
  const key = folded(name);
  return !nobody.has(key) && !stopWords.has(key) && !chatter.has(key);
}

function folded(name: string): string {
  return name.toLowerCase();
}

import type { Cases } from '../../cases/port.ts';
import type { Journal } from '../../journal/port.ts';
import type { ChangeOrigin } from '../../model/change.ts';
import type { Ticket } from '../../model/ticket.ts';
import type { Root } from '../../repo/roots.ts';
import type { ReviewDesk } from '../../review/port.ts';
import type { TicketSources } from '../../tickets/registry.ts';
import type { Offer } from '../session.ts';
import { caseTools } from './cases.ts';
import { changeTools } from './changes.ts';
import { caseResources } from './resources.ts';
import { ticketTools } from './tickets.ts';

/** What Casebook's own tools work with. */
export interface OwnToolsDeps {
  cases: Pick<Cases, 'list' | 'state' | 'folder' | 'open' | 'investigate'>;
  sources: Pick<TicketSources, 'byId' | 'forReference'>;
  ticketFromText(text: string): Ticket;
  journal: Pick<Journal, 'search' | 'blobs'>;
  desk: Pick<ReviewDesk, 'propose' | 'state' | 'onChange' | 'wordsForAgent'>;
  roots: () => readonly Root[];
  /** The person has paused sharing: tickets and cases are not told either. */
  paused(): boolean;
  /** Asks the person whether an agent may have this done. Absent where nobody can be asked. */
  confirm?: (question: { title: string; detail: string }, signal: AbortSignal) => Promise<boolean>;
}

/** Casebook's own tools and resources, for any client that is no editor companion: cases, tickets, the record, and proposals of several files. */
export function ownOffer(deps: OwnToolsDeps, origin: ChangeOrigin): Offer {
  return { tools: [...caseTools(deps), ...ticketTools(deps, origin), ...changeTools(deps, origin)], resources: caseResources(deps) };
}

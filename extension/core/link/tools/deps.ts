import { Failure } from '../../base/failure.ts';
import type { Cases } from '../../cases/port.ts';
import type { Journal } from '../../journal/port.ts';
import type { EngineName } from '../../model/run.ts';
import type { Ticket } from '../../model/ticket.ts';
import type { Root } from '../../repo/roots.ts';
import type { ReviewDesk } from '../../review/port.ts';
import type { TicketSources } from '../../tickets/registry.ts';
import type { LinkFailureReason } from '../failure.ts';

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
  /** Asks the person whether an agent may have a ticket investigated: the engine to do it with, or undefined for a no. Absent where nobody can be asked. */
  agree?: (asked: { client: string; title: string }, signal: AbortSignal) => Promise<EngineName | 'auto' | undefined>;
}

/** Fails `not_shared` while the person has paused sharing. */
export function sharing({ paused }: Pick<OwnToolsDeps, 'paused'>): void {
  if (paused()) throw new Failure<LinkFailureReason>('not_shared', 'The person has paused sharing with agents.');
}

import type { ChangeOrigin } from '../../model/change.ts';
import type { Offer } from '../session.ts';
import { caseTools } from './cases.ts';
import { changeTools } from './changes.ts';
import type { OwnToolsDeps } from './deps.ts';
import { caseResources } from './resources.ts';
import { ticketTools } from './tickets.ts';

/** Casebook's own tools and resources, for any client that is no editor companion: cases, tickets, the record, and proposals of several files. */
export function ownOffer(deps: OwnToolsDeps, origin: ChangeOrigin): Offer {
  return { tools: [...caseTools(deps), ...ticketTools(deps, origin), ...changeTools(deps, origin)], resources: caseResources(deps) };
}

import type { Clock } from '../core/base/clock.ts';
import type { Ticket } from '../core/model/ticket.ts';
import type { TicketCopies } from '../core/tickets/copies.ts';
import type { Mask } from '../core/tickets/raw.ts';
import { TicketSources } from '../core/tickets/registry.ts';
import type { TicketReply } from '../core/tickets/source.ts';
import { FileSource } from '../core/tickets/sources/file.ts';
import { GitHubSource } from '../core/tickets/sources/github.ts';
import { TextSource } from '../core/tickets/sources/text.ts';
import type { CorePorts } from './ports.ts';

/** The ticket sources of this host, and what cases need of them. */
export function createTickets(ports: Pick<CorePorts, 'github' | 'cwd' | 'ticketFolders'>, deps: { mask: Mask; clock: Clock; copies: TicketCopies; keep?: (bytes: Uint8Array) => Promise<string> }) {
  const common = { mask: deps.mask, clock: deps.clock };
  const text = new TextSource(common);
  const { github } = ports;
  const sources = new TicketSources([
    new GitHubSource({
      ...common,
      copies: deps.copies,
      token: () => github.token(),
      baseUrl: github.baseUrl,
      queries: () => github.queries?.() ?? [],
      onWait: (milliseconds, why) => github.onWait?.(milliseconds, why),
    }),
    new FileSource({ ...common, cwd: ports.cwd, folders: () => ports.ticketFolders(), ...(deps.keep === undefined ? {} : { keep: deps.keep }) }),
    text,
  ]);
  return {
    sources,
    text,
    /** A pasted text has nowhere to be read again from: it is what it was. */
    refetch: async (ticket: Ticket, signal: AbortSignal): Promise<Ticket> => {
      const source = sources.byId(ticket.source);
      return source === undefined || source.id === text.id ? ticket : source.fetch(ticket.key, signal);
    },
    replyTo: (ticket: Ticket): TicketReply | undefined => sources.byId(ticket.source)?.reply,
  };
}

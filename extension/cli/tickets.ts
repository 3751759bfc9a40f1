import { createTickets } from '../compose/tickets.ts';
import { systemClock } from '../core/base/clock.ts';
import { isFailure, messageOf } from '../core/base/failure.ts';
import type { Ticket } from '../core/model/ticket.ts';
import { MemoryCopies } from '../core/tickets/copies.ts';
import type { Mask } from '../core/tickets/raw.ts';
import type { TicketSources } from '../core/tickets/registry.ts';
import type { TicketSource } from '../core/tickets/source.ts';
import type { TextOrigin } from '../core/tickets/sources/text.ts';
import { exitCode, type CliCommand, type CliContext } from './command.ts';
import { githubOf } from './open.ts';
import { forTerminal } from './terminal-text.ts';

/** Where a terminal's tickets come from. */
export interface TerminalTickets {
  sources: Pick<TicketSources, 'byId' | 'forReference'>;
  fromText: (text: string, origin: TextOrigin) => Ticket;
}

/** Reads the ticket a person names on the command line; `-` is standard input. Rejects as the sources do. */
export async function readTicket(reference: string, context: Pick<CliContext, 'readStdin' | 'signal'>, tickets: TerminalTickets): Promise<Ticket> {
  if (reference === '-') return tickets.fromText(await context.readStdin(), 'stdin');
  return namedSource(tickets.sources, reference).fetch(reference.trim(), context.signal);
}

/**
 * The source of a reference typed in a terminal. Text is read from standard input only: a bare word is a file's name, and a mistyped one
 * must not become a ticket that says nothing but that name. Throws Failure `bad_reference` as the sources do.
 */
function namedSource(sources: Pick<TicketSources, 'byId' | 'forReference'>, reference: string): TicketSource {
  const source = sources.forReference(reference);
  const file = sources.byId('file');
  return source.id === 'text' && file !== undefined ? file : source;
}

/** `casebook ticket show REF|FILE|-`: the ticket as Casebook reads it. Nothing is kept: it belongs to no workspace. */
export function ticketCommand(mask: Mask): CliCommand {
  const usage = 'casebook ticket show REF|FILE|- [--json]';
  return {
    name: 'ticket',
    summary: 'Show a ticket as Casebook reads it: owner/repo#12, an issue URL, a file, or - for standard input',
    usage,
    async run(args, context) {
      const json = args.includes('--json');
      const rest = args.filter((arg) => arg !== '--json');
      const [verb, reference] = rest;
      const unknown = rest.find((arg) => arg.startsWith('--'));
      if (verb !== 'show' || reference === undefined || rest.length > 2 || unknown !== undefined) {
        context.writeError(`Usage: ${usage}\n`);
        return exitCode.usage;
      }
      try {
        const { sources, text } = createTickets({ github: githubOf(context), cwd: context.cwd, ticketFolders: () => [] }, { mask, clock: systemClock, copies: new MemoryCopies() });
        const ticket = await readTicket(reference, context, { sources, fromText: (typed, origin) => text.fromText(typed, origin) });
        context.write(json ? `${JSON.stringify(ticket, undefined, 2)}\n` : describe(ticket));
        return exitCode.ok;
      } catch (error) {
        if (context.signal.aborted) return exitCode.interrupted;
        if (json) context.write(`${JSON.stringify({ error: isFailure(error) ? error.toJSON() : { reason: 'failed', message: messageOf(error) } })}\n`);
        context.writeError(`${messageOf(error)}\n`);
        return exitCode.failed;
      }
    },
  };
}

/** For a terminal every text goes through `forPeople`: a ticket must not move the cursor or hide a word. */
function describe(ticket: Ticket): string {
  const line = (name: string, value: string | undefined): string[] => (value === undefined || value === '' ? [] : [`${name}: ${show(value)}`]);
  const table = (name: string, values: Record<string, string>): string[] => (Object.keys(values).length === 0 ? [] : ['', name, ...Object.entries(values).map(([key, value]) => `  ${show(key)}: ${show(value).replace(/\n/g, '\n    ')}`)]);
  const list = (name: string, rows: readonly string[]): string[] => (rows.length === 0 ? [] : ['', `${name} (${rows.length})`, ...rows.map((row) => `  ${show(row)}`)]);
  return [
    show(ticket.title),
    ...(ticket.stale === undefined ? [] : [`LAST KNOWN COPY (${ticket.stale.reason}), ${Math.round(ticket.stale.ageMs / 60_000)} minutes old`]),
    ...line('Id', ticket.id),
    ...line('Url', ticket.url),
    ...line('Status', ticket.status),
    ...line('Severity', ticket.severity),
    ...line('Labels', ticket.labels.join(', ')),
    ...line('Reporter', ticket.reporter),
    ...line('Assigned to', ticket.assignees.join(', ')),
    ...line('Revision', ticket.revision),
    ...table('Where it happened', ticket.where),
    ...table('Environment', ticket.environment),
    '',
    show(ticket.description),
    ...table('Form', ticket.formData),
    ...table('Custom data', ticket.customData),
    ...table('Session and customer', ticket.customer),
    ...list('Console', ticket.console.map(({ text }) => text)),
    ...list('Network', ticket.network.map(({ method, url, status, error }) => [method, url, status, error].filter((part) => part !== undefined).join(' '))),
    ...list('Actions', ticket.actions.map(({ time, text }) => [time, text].filter((part) => part !== undefined).join(' '))),
    ...ticket.thread.flatMap((message) => ['', `${message.direction === 'out' ? '→' : '←'} ${show(message.sender)} ${message.time ?? ''}`, show(message.text)]),
    ...(ticket.attachments.length === 0 ? [] : ['', 'Attachments', ...ticket.attachments.map((item) => `  ${show(item.name)}${item.readable ? '' : ' (not readable)'}`)]),
    ...ticket.truncations.map((cut) => `Left out: ${show(cut.note)}`),
    ...findings(ticket),
    '',
  ].join('\n');
}

function findings(ticket: Ticket): string[] {
  const words = { invisible: 'invisible characters', bidi: 'direction controls', control: 'control characters', tags: 'tag characters', hiddenMarkup: 'pieces of hidden markup', masked: 'masked secrets', brokenUnicode: 'broken characters', notReadable: 'not readable' } as const;
  const found = Object.entries(words).flatMap(([key, label]) => {
    const count = ticket.findings[key as keyof typeof words];
    return count === 0 ? [] : [`${label}: ${count}`];
  });
  return found.length === 0 ? [] : ['', `Found: ${found.join(', ')}`];
}

function show(text: string): string {
  return forTerminal(text);
}

import type { Cases } from '../../core/cases/port.ts';
import type { Ticket, TicketSummary } from '../../core/model/ticket.ts';
import type { TicketSource } from '../../core/tickets/source.ts';
import type { TextOrigin } from '../../core/tickets/sources/text.ts';
import type { Core } from '../../compose/ports.ts';
import type { Asking, Choice, Picked, Prompter } from '../../host/prompter.ts';
import { ago, severityWords, verdictWords } from '../../shared/words.ts';

export type Origin = 'reference' | 'assigned' | 'search' | 'file' | 'clipboard' | 'selection' | 'paste';

export interface FlowDeps {
  core(): Promise<Pick<Core, 'sources' | 'ticketFromText'>>;
  prompter: Prompter;
  /** Text selected in the active editor and the file it is in. */
  selection(): { text: string; file: string } | undefined;
  /** Opens the GitHub sign-in; the user asked for tickets of GitHub. */
  signIn(): Promise<boolean>;
  signedIn(): Promise<boolean>;
  now(): number;
}

const TITLE = 'Investigate Ticket';
const asking = (placeholder: string, step: [number, number]): Asking => ({ title: TITLE, placeholder, step });

/** First step: where the ticket is. The selection is offered only where there is one. */
export function originChoices(hasSelection: boolean): Choice<Origin>[] {
  return [
    ...(hasSelection ? [{ label: 'Selected text', icon: 'selection', detail: 'The selection of the active editor', value: 'selection' as const }] : []),
    { label: 'GitHub issue…', icon: 'github', detail: 'owner/repo#number or an address', group: 'GitHub', value: 'reference' },
    { label: 'Assigned to me…', icon: 'account', detail: 'Open GitHub issues assigned to me', value: 'assigned' },
    { label: 'Search GitHub…', icon: 'search', detail: 'Words and qualifiers of a GitHub search', value: 'search' },
    { label: 'File…', icon: 'file', detail: 'Markdown, JSON or plain text', group: 'Text', value: 'file' },
    { label: 'Clipboard', icon: 'clippy', detail: 'The text in the clipboard', value: 'clipboard' },
    { label: 'Type or paste…', icon: 'edit', detail: 'A sentence, an error message or a stack trace', value: 'paste' },
  ];
}

/** Asks for a ticket in two steps; "back" in the second returns to the first. Undefined when the user backed out. */
export async function askForTicket(deps: FlowDeps, signal: AbortSignal): Promise<Ticket | undefined> {
  for (;;) {
    const origin = await deps.prompter.pick(originChoices(deps.selection() !== undefined), asking('Where is the ticket?', [1, 2]));
    if (origin.kind !== 'picked') return undefined;
    const ticket = await ticketFrom(origin.value, deps, signal);
    if (ticket.kind === 'picked') return ticket.value;
    if (ticket.kind === 'dismissed') return undefined;
  }
}

/** Second step: which ticket. */
async function ticketFrom(origin: Origin, deps: FlowDeps, signal: AbortSignal): Promise<Picked<Ticket>> {
  switch (origin) {
    case 'selection': {
      const selected = deps.selection();
      return selected === undefined ? { kind: 'back' } : fromText(deps, selected.text, 'selection', selected.file);
    }
    case 'clipboard':
      return fromText(deps, await deps.prompter.readClipboard(), 'clipboard');
    case 'paste': {
      const typed = await deps.prompter.input({ ...asking('What does the ticket say?', [2, 2]), validate: notEmpty });
      return typed.kind === 'picked' ? fromText(deps, typed.value, 'pasted') : typed;
    }
    case 'file': {
      const path = await deps.prompter.files(TITLE, { Tickets: ['md', 'markdown', 'json', 'txt', 'log', 'eml'], 'All files': ['*'] });
      return path === undefined ? { kind: 'back' } : fetched(deps, path, signal, 'file');
    }
    case 'reference': {
      const typed = await deps.prompter.input({ ...asking('owner/repo#number, or the address of an issue', [2, 2]), validate: notEmpty });
      return typed.kind === 'picked' ? fetched(deps, typed.value.trim(), signal) : typed;
    }
    case 'assigned':
      return (await canList(deps)) ? fromList(deps, 'is:open is:issue assignee:@me', signal) : { kind: 'back' };
    default:
      return (await canList(deps)) ? fromSearch(deps, signal) : { kind: 'back' };
  }
}

async function fromSearch(deps: FlowDeps, signal: AbortSignal): Promise<Picked<Ticket>> {
  const typed = await deps.prompter.input({ ...asking('Such as repo:owner/name is:open crash on save', [2, 3]), validate: notEmpty });
  return typed.kind === 'picked' ? fromList(deps, typed.value.trim(), signal) : typed;
}

const notEmpty = (value: string): string | undefined => (value.trim() === '' ? 'There is no text yet.' : undefined);

async function canList(deps: FlowDeps): Promise<boolean> {
  return (await deps.signedIn()) || deps.signIn();
}

async function fromText(deps: FlowDeps, text: string, origin: TextOrigin, file?: string): Promise<Picked<Ticket>> {
  return { kind: 'picked', value: (await deps.core()).ticketFromText(text, origin, file) };
}

async function fetched(deps: FlowDeps, reference: string, signal: AbortSignal, sourceId?: string): Promise<Picked<Ticket>> {
  const { sources } = await deps.core();
  const source = (sourceId === undefined ? undefined : sources.byId(sourceId)) ?? sources.forReference(reference);
  return { kind: 'picked', value: await deps.prompter.progress({ notification: 'Reading the ticket' }, (cancelled) => source.fetch(reference, AbortSignal.any([signal, cancelled]))) };
}

async function fromList(deps: FlowDeps, query: string, signal: AbortSignal): Promise<Picked<Ticket>> {
  const source = (await deps.core()).sources.byId('github');
  if (source === undefined) return { kind: 'back' };
  const picked = await deps.prompter.pick(listChoices(source, query, deps.now(), signal), asking('Which ticket?', [2, 2]));
  return picked.kind === 'picked' ? fetched(deps, picked.value, signal, source.id) : picked;
}

async function listChoices(source: TicketSource, query: string, now: number, signal: AbortSignal): Promise<Choice<string>[]> {
  const { bySeverityThenRecency } = await import('../../core/tickets/order.ts');
  const { items } = await source.list(query, undefined, signal);
  return [...items].sort(bySeverityThenRecency).map((item) => summaryChoice(item, now));
}

function summaryChoice(item: TicketSummary, now: number): Choice<string> {
  const severity = item.severity === 'unknown' ? undefined : severityWords[item.severity];
  return { label: item.title, description: item.key, detail: [severity, item.status, ago(item.updatedAt ?? item.createdAt ?? '', now)].filter((part) => part !== undefined && part !== '').join(' · '), value: item.key };
}

/** What to do with earlier cases that look alike. */
export type Similar = { kind: 'new'; reopens?: string } | { kind: 'open'; caseId: string };

/** Offers earlier cases that look alike, with their verdicts; a new case when there are none. Undefined when it was dismissed. */
export async function offerSimilar(ticket: Ticket, cases: Pick<Cases, 'similar'>, prompter: Pick<Prompter, 'pick'>): Promise<Similar | undefined> {
  const alike = await cases.similar(ticket);
  if (alike.length === 0) return { kind: 'new' };
  const choices: Choice<Similar>[] = [
    { label: 'Open a new case', icon: 'add', value: { kind: 'new' } },
    ...alike.slice(0, 5).map((one, index): Choice<Similar> => ({
      label: one.title,
      description: one.classification === undefined ? 'no verdict yet' : verdictWords({ classification: one.classification }),
      detail: one.why,
      icon: 'notebook',
      ...(index === 0 ? { group: 'Earlier cases that look alike' } : {}),
      value: { kind: 'open', caseId: one.case },
    })),
    ...alike.slice(0, 1).map((one): Choice<Similar> => ({ label: `New case that goes on from “${one.title}”`, icon: 'link', group: 'Go on from an earlier case', value: { kind: 'new', reopens: one.case } })),
  ];
  const picked = await prompter.pick(choices, { title: TITLE, placeholder: 'This looks like an earlier case' });
  return picked.kind === 'picked' ? picked.value : undefined;
}

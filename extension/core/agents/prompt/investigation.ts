import type { ScoutResult, Snapshot } from '../../model/code.ts';
import type { Ticket } from '../../model/ticket.ts';

/** Puts untrusted text between marks that it cannot close; `fenceUntrusted` of `core/base`, with the label for the mark. */
export type Fence = (text: string, label: string) => string;

export interface Investigation {
  ticket: Ticket;
  snapshot: Snapshot;
  scout: ScoutResult | undefined;
  /** The report of an earlier run of the same case, as context. */
  earlierReport?: string;
  /** What the person who started the run wants looked at. */
  guidance?: string;
  /** Selection and active file, only where the person switched that on. */
  ambient?: string;
}

/** Longest thread message, log and description that go into the prompt; what is cut says so. */
const longest = { description: 24_000, message: 8_000, log: 12_000, report: 24_000 };

/**
 * The prompt of an investigation. Whatever comes from the ticket or from the repository stands between marks; our own words stand outside.
 */
export function investigationPrompt(input: Investigation, fence: Fence): string {
  const { ticket } = input;
  return [
    'Investigate this ticket.',
    ...(input.guidance ? [`## Guidance from the person who started this\n\n${input.guidance}`] : []),
    `## Ticket\n\n${fence(ticketText(ticket), 'ticket')}`,
    ...(ticket.thread.length > 0 ? [`## Customer thread\n\nIn order of time, sender and direction in front.\n\n${fence(threadText(ticket), 'customer_thread')}`] : []),
    ...notices(ticket),
    `## Repositories\n\n${fence(repositoriesText(input.snapshot), 'repositories')}`,
    ...(input.scout ? [`## Where a search by rules would look\n\nHints, not findings.\n\n${fence(scoutText(input.scout), 'search')}`] : []),
    ...(input.earlierReport ? [`## Report of an earlier investigation\n\nIt may be wrong or out of date.\n\n${fence(cut(input.earlierReport, longest.report), 'earlier_report')}`] : []),
    ...(input.ambient ? [`## What the person has open in the editor\n\n${fence(input.ambient, 'editor')}`] : []),
  ].join('\n\n');
}

function ticketText(ticket: Ticket): string {
  const identity: Record<string, string | undefined> = {
    id: ticket.id,
    title: ticket.title,
    url: ticket.url,
    status: ticket.status,
    severity: ticket.severity === 'unknown' ? undefined : ticket.severity,
    labels: ticket.labels.join(', ') || undefined,
    reporter: ticket.reporter,
    created: ticket.createdAt,
    updated: ticket.updatedAt,
  };
  const network = ticket.network.map((one) => [one.time, one.method, one.url, one.status, one.error].filter((part) => part !== undefined).join(' '));
  const attachments = ticket.attachments.map((one) => `${one.name} (${one.mediaType ?? 'unknown type'})${one.readable ? '' : ', not readable'}${one.text ? `:\n${cut(one.text, longest.log)}` : ''}`);
  return [
    section('Identity', fields(identity)),
    section('Where it happened', fields(ticket.where)),
    section('Environment', fields(ticket.environment)),
    section('Description', cut(ticket.description, longest.description)),
    section('Form data', fields(ticket.formData)),
    section('Custom data', fields(ticket.customData)),
    section('Session / customer', fields(ticket.customer)),
    section('Console logs', logText(ticket.console)),
    section('Network activity', cut(network.join('\n'), longest.log)),
    section('Action log', logText(ticket.actions)),
    section('Attachments', attachments.join('\n\n')),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function threadText(ticket: Ticket): string {
  const directions = { in: 'from the reporter’s side', out: 'from the team', system: 'event' } as const;
  return ticket.thread.map((one) => `[${[one.time, one.sender, directions[one.direction]].filter(Boolean).join(', ')}]\n${cut(one.text, longest.message)}`).join('\n\n');
}

/** What the reader of the ticket has to know is missing, in our words. */
function notices(ticket: Ticket): string[] {
  const lines = [
    ...ticket.truncations.map((one) => `- ${one.section}: ${one.kept}${one.total === undefined ? '' : ` of ${one.total}`} kept; ${one.note}`),
    ...(ticket.findings.notReadable > 0 ? [`- Attachments that could not be read: ${ticket.findings.notReadable}`] : []),
    ...(ticket.stale ? ['- The source could not be reached; this is the last known copy.'] : []),
  ];
  return lines.length > 0 ? [`## What is missing from the ticket\n\n${lines.join('\n')}`] : [];
}

function repositoriesText(snapshot: Snapshot): string {
  return snapshot.roots
    .map((root) => {
      const state = [root.branch && `branch ${root.branch}`, root.commit && `commit ${root.commit}`, root.behind && `${root.behind} commits behind its upstream as last fetched`, root.dirtyCount > 0 && `${root.dirtyCount} files differ from the commit`];
      return `- ${root.name}: ${root.path}${state.some(Boolean) ? ` (${state.filter(Boolean).join(', ')})` : ''}`;
    })
    .join('\n');
}

function scoutText(scout: ScoutResult): string {
  const suspects = scout.suspects.slice(0, 12).map((one) => {
    const lines = one.lines.slice(0, 3).map(([from, to]) => `${from}-${to}`).join(', ');
    return `- ${one.root}/${one.file}${lines ? ` lines ${lines}` : ''}: ${one.why.slice(0, 3).map((reason) => reason.text).join('; ')}`;
  });
  const history = scout.history.slice(0, 6).map((one) => `- ${one.commit.slice(0, 10)} ${one.date.slice(0, 10)} ${one.subject} (${one.why})`);
  const related = scout.related.slice(0, 8).map((one) => `- ${one.kind} ${one.root}/${one.file}: ${one.why}`);
  return [section('Files', suspects.join('\n')), section('Changes', history.join('\n')), section('Tests and documents', related.join('\n'))].filter((text) => text !== '').join('\n\n') || 'Nothing was found.';
}

const section = (title: string, text: string): string => (text.trim() === '' ? '' : `### ${title}\n${text}`);
const fields = (values: Record<string, string | undefined>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}: ${value ?? ''}`)
    .join('\n');
const logText = (entries: Ticket['console']): string => cut(entries.map((one) => [one.time, one.level, one.text].filter(Boolean).join(' ')).join('\n'), longest.log);

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // Not in the middle of a pair of surrogates, which no request can carry.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}\n[cut here: ${text.length - end} more characters]`;
}

import { wellFormed } from '../../base/text.ts';
import type { TicketSummary, Truncation } from '../../model/ticket.ts';
import { linkedAttachments } from '../attachments.ts';
import { readIssueForm } from '../issue-form.ts';
import { severityFrom } from '../order.ts';
import type { RawTicket } from '../raw.ts';
import { keyOf, parseReference, type GitHubReference } from './reference.ts';
import type { Comment, Issue } from './shapes.ts';

const team: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

/** An issue with its thread as a raw ticket. */
export function rawFromIssue(source: string, reference: GitHubReference, issue: Issue, comments: readonly Comment[], truncations: readonly Truncation[]): RawTicket {
  const body = issue.body ?? '';
  const labels = issue.labels.filter((label) => label !== '');
  const reporter = issue.user?.login;
  return {
    source,
    key: keyOf(reference),
    title: issue.title,
    description: body,
    url: issue.html_url,
    status: issue.state_reason ? `${issue.state} (${issue.state_reason})` : issue.state,
    severity: severityFrom(labels),
    labels,
    assignees: (issue.assignees ?? []).map((person) => person.login),
    ...readIssueForm(body),
    customData: {
      kind: issue.pull_request ? 'pull request' : 'issue',
      repository: `${reference.owner}/${reference.repo}`,
      ...(issue.milestone ? { milestone: issue.milestone.title } : {}),
    },
    thread: comments.map((comment) => message(comment, reporter)),
    attachments: linkedAttachments(body),
    truncations: [...truncations],
    ...(reporter === undefined ? {} : { reporter }),
    ...(issue.created_at === undefined ? {} : { createdAt: issue.created_at }),
    ...(issue.updated_at === undefined ? {} : { updatedAt: issue.updated_at, revision: issue.updated_at }),
  };
}

function message(comment: Comment, reporter: string | undefined): NonNullable<RawTicket['thread']>[number] {
  const sender = comment.user?.login ?? 'ghost';
  const place = comment.path === undefined ? '' : `[review of ${comment.path}${comment.line ? `:${comment.line}` : ''}]\n`;
  const state = comment.state === undefined ? '' : `[review: ${comment.state.toLowerCase().replace(/_/g, ' ')}]\n`;
  const text = `${place}${state}${comment.body ?? ''}`;
  const time = timeOf(comment);
  const fromTeam = sender !== reporter && team.has(comment.author_association ?? '');
  return {
    id: comment.id,
    sender,
    direction: comment.user?.type === 'Bot' ? 'system' : fromTeam ? 'out' : 'in',
    text,
    attachments: linkedAttachments(text),
    ...(time === '' ? {} : { time }),
  };
}

function timeOf(comment: Comment): string {
  return comment.created_at ?? comment.submitted_at ?? '';
}

/** Oldest first, each once: while pages are read a new or deleted comment shifts the rest. */
export function inOrder(comments: readonly Comment[]): Comment[] {
  const once = new Map(comments.map((comment) => [comment.html_url === '' ? comment.id : comment.html_url, comment]));
  return [...once.values()].sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : Number(a.id) - Number(b.id)));
}

export function summaryOf(source: string, issue: Issue, webHost: string): TicketSummary | undefined {
  const reference = parseReference(issue.html_url, webHost);
  if (reference === undefined) return undefined;
  const labels = issue.labels.filter((label) => label !== '');
  return {
    id: `${source}:${keyOf(reference)}`,
    source,
    key: keyOf(reference),
    title: wellFormed(issue.title).text,
    url: issue.html_url,
    status: issue.state,
    severity: severityFrom(labels),
    labels,
    ...(issue.created_at === undefined ? {} : { createdAt: issue.created_at }),
    ...(issue.updated_at === undefined ? {} : { updatedAt: issue.updated_at }),
  };
}

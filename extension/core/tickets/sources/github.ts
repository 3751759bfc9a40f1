import type { Clock } from '../../base/clock.ts';
import { isFailure } from '../../base/failure.ts';
import type { Ticket, TicketSummary, Truncation } from '../../model/ticket.ts';
import { fetchOrCopy, listOrCopy, ticketFailure, type TicketCopies } from '../copies.ts';
import { GitHubClient, type GitHubClientOptions } from '../github/client.ts';
import { inOrder, rawFromIssue, summaryOf } from '../github/map.ts';
import { hostOf, keyOf, parseReference, type GitHubReference } from '../github/reference.ts';
import { GitHubReply } from '../github/reply.ts';
import { commentsShape, issueShape, issuesShape, searchShape, type Comment, type Issue } from '../github/shapes.ts';
import { normaliseTicket } from '../normalise.ts';
import type { Mask } from '../raw.ts';
import type { TicketFailureReason, TicketPage, TicketQuery, TicketReply, TicketSource } from '../source.ts';

export interface GitHubSourceOptions extends Omit<GitHubClientOptions, 'apiUrl'> {
  /** Enterprise address; absent for github.com. Read once, at construction. */
  baseUrl?: string;
  mask: Mask;
  clock: Clock;
  copies: TicketCopies;
  /** Saved searches besides "Assigned to me". */
  queries?: () => readonly TicketQuery[];
  /** Most comments that are kept, the newest; default 1000. */
  maxComments?: number;
}

/** The query of the built-in branch; every other query is a search in GitHub's own syntax. */
export const assignedToMe = 'assigned';
const perPage = 50;
const commentsPerPage = 100;

/** Issues and pull requests of github.com or an Enterprise server. */
export class GitHubSource implements TicketSource {
  readonly id = 'github';
  readonly label = 'GitHub';
  readonly reply: TicketReply;
  private readonly client: GitHubClient;
  private readonly webHost: string;

  /** Throws Failure `bad_reference` when `baseUrl` is not an http(s) address. */
  constructor(private readonly options: GitHubSourceOptions) {
    const host = hostOf(options.baseUrl);
    if (host === undefined) throw ticketFailure('bad_reference', 'The GitHub base URL is not an http(s) address');
    this.webHost = host.webHost;
    this.client = new GitHubClient({ ...options, apiUrl: host.apiUrl });
    this.reply = new GitHubReply({ client: this.client, webHost: host.webHost, clock: options.clock });
  }

  accepts(reference: string): boolean {
    return parseReference(reference, this.webHost) !== undefined;
  }

  async fetch(reference: string, signal: AbortSignal): Promise<Ticket> {
    const target = parseReference(reference, this.webHost);
    if (target === undefined) throw ticketFailure('bad_reference', `This is not an issue on ${this.webHost}`);
    return fetchOrCopy(`${this.id}:${keyOf(target)}`, () => this.read(target, signal), this.options);
  }

  async queries(): Promise<TicketQuery[]> {
    return [{ id: 'github:assigned', label: 'Assigned to me', query: assignedToMe }, ...(this.options.queries?.() ?? [])];
  }

  async list(query: string, cursor: string | undefined, signal: AbortSignal): Promise<TicketPage> {
    const page = Math.max(1, Number.parseInt(cursor ?? '1', 10) || 1);
    const read = (): Promise<TicketPage> => this.readList(query, page, signal);
    return page === 1 ? listOrCopy(`${this.id}:${this.webHost}:${query}`, read, this.options) : read();
  }

  private async readList(query: string, page: number, signal: AbortSignal): Promise<TicketPage> {
    if (query === assignedToMe) {
      if ((await this.options.token()) === undefined) throw ticketFailure('sign_in_needed', 'Sign in to GitHub to see what is assigned to you');
      const { data, hasNext } = await this.client.send({
        route: 'GET /issues',
        parameters: { filter: 'assigned', state: 'open', sort: 'updated', per_page: perPage, page },
        shape: issuesShape,
        what: 'your issues',
        signal,
      });
      return { items: this.summaries(data), ...(hasNext ? { next: String(page + 1) } : {}) };
    }
    const q = /\bis:(?:issue|pr|pull-request)\b|\btype:(?:issue|pr)\b/.test(query) ? query : `${query} is:issue`;
    const { data, hasNext } = await this.client.send({
      route: 'GET /search/issues',
      parameters: { q, sort: 'updated', order: 'desc', per_page: perPage, page },
      shape: searchShape,
      what: 'the search',
      signal,
    });
    return { items: this.summaries(data.items), total: data.total_count, ...(hasNext ? { next: String(page + 1) } : {}) };
  }

  private summaries(issues: readonly Issue[]): TicketSummary[] {
    return issues.flatMap((issue) => {
      const summary = summaryOf(this.id, issue, this.webHost);
      return summary === undefined ? [] : [{ ...summary, title: this.options.mask(summary.title).text }];
    });
  }

  private async read(target: GitHubReference, signal: AbortSignal): Promise<Ticket> {
    const issue = await this.readIssue(target, signal);
    const thread = new ThreadReader(this.client, target, issue, this.options.maxComments ?? 1000);
    const comments = await thread.read(signal);
    return normaliseTicket(rawFromIssue(this.id, target, issue, comments, thread.truncations), this.options);
  }

  private async readIssue(target: GitHubReference, signal: AbortSignal): Promise<Issue> {
    const { owner, repo, number } = target;
    try {
      const { data } = await this.client.send({
        route: 'GET /repos/{owner}/{repo}/issues/{issue_number}',
        parameters: { owner, repo, issue_number: number },
        shape: issueShape,
        what: keyOf(target),
        signal,
        within: target,
      });
      const really = parseReference(data.html_url, this.webHost);
      if (really === undefined || keyOf(really).toLowerCase() !== keyOf(target).toLowerCase()) {
        throw ticketFailure('no_access', `GitHub answered with another issue than ${keyOf(target)}`, { detail: { url: data.html_url } });
      }
      return data;
    } catch (error) {
      throw await this.client.explainMissing(target, error, signal);
    }
  }
}

/** Failures that end the reading of a thread without making what was read useless. */
const interruptions: readonly TicketFailureReason[] = ['rate_limited', 'server_error', 'offline'];

/** Reads the thread of one issue: its comments and, for a pull request, review comments and reviews, told in `truncations` where incomplete. */
class ThreadReader {
  readonly truncations: Truncation[] = [];

  constructor(
    private readonly client: GitHubClient,
    private readonly target: GitHubReference,
    private readonly issue: Issue,
    private readonly cap: number,
  ) {}

  async read(signal: AbortSignal): Promise<Comment[]> {
    const total = this.issue.comments;
    // The server counts from the oldest, and the newest are wanted: skip the pages that hold none of them.
    const firstPage = Math.floor(Math.max(0, total - this.cap) / commentsPerPage) + 1;
    const comments = await this.collect('issues/{issue_number}/comments', firstPage, total, signal);
    const reviews = this.issue.pull_request ? [...(await this.collect('pulls/{issue_number}/comments', 1, undefined, signal)), ...(await this.collect('pulls/{issue_number}/reviews', 1, undefined, signal))] : [];
    const ordered = inOrder([...comments, ...reviews.filter((review) => review.path !== undefined || (review.body ?? '') !== '' || review.state !== 'COMMENTED')]);
    const kept = ordered.slice(-this.cap);
    const all = Math.max(total + reviews.length, ordered.length);
    if (kept.length < all && this.truncations.length === 0) {
      this.truncations.push({ section: 'thread', kept: kept.length, total: all, note: `the newest ${kept.length} of ${all} comments are kept` });
    }
    return kept;
  }

  private async collect(path: string, page: number, total: number | undefined, signal: AbortSignal): Promise<Comment[]> {
    const read: Comment[] = [];
    const { owner, repo, number } = this.target;
    try {
      await this.client.pages(
        { route: `GET /repos/{owner}/{repo}/${path}`, parameters: { owner, repo, issue_number: number }, shape: commentsShape, what: `the comments of ${keyOf(this.target)}`, signal, within: this.target },
        page,
        (items) => read.push(...items),
        commentsPerPage,
      );
    } catch (error) {
      if (!isFailure(error, ...interruptions)) throw error;
      const known = total === undefined ? {} : { total };
      this.truncations.push({ section: 'thread', kept: read.length, ...known, note: `reading was interrupted (${error.reason}): ${read.length}${total === undefined ? '' : ` of ${total}`} comments read` });
    }
    return read;
  }
}

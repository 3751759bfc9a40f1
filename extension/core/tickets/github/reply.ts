import type { Clock } from '../../base/clock.ts';
import { isFailure } from '../../base/failure.ts';
import { ticketFailure } from '../copies.ts';
import type { TicketReply } from '../source.ts';
import type { GitHubClient } from './client.ts';
import { keyOf, parseReference, type GitHubReference } from './reference.ts';
import { commentsShape, commentShape, labelsShape, type Comment } from './shapes.ts';

/** GitHub's limit for a comment, in code points, less what the marker takes. */
const bodyLimit = 65_536;
const markerRoom = 96;
const markerPattern = /\n\n<!-- casebook:[\w-]{1,64} -->\s*$/;

/** Posting to GitHub issues: once per approval, found again by an invisible marker, read back for confirmation. */
export class GitHubReply implements TicketReply {
  readonly limit = { length: bodyLimit - markerRoom, unit: 'code_points' } as const;
  private readonly underWay = new Map<string, Promise<{ url: string; remoteId: string }>>();

  constructor(private readonly services: { client: GitHubClient; webHost: string; clock: Clock }) {}

  /**
   * Posts `text` under `marker`. A second call for the same marker, while the first is under way or after it seemed to fail, finds the
   * first one's comment. When the answer to a post is lost and the comment cannot be found, the failure says so (`detail.mayBePosted`).
   */
  post(key: string, text: string, marker: string, signal: AbortSignal): Promise<{ url: string; remoteId: string }> {
    const name = `${key.toLowerCase()} ${marker}`;
    const running = this.underWay.get(name);
    if (running !== undefined) return running;
    const work = this.postOnce(key, text, marker, signal).finally(() => this.underWay.delete(name));
    this.underWay.set(name, work);
    return work;
  }

  async read(remoteId: string, key: string, signal: AbortSignal): Promise<string> {
    const reference = this.reference(key);
    if (!/^\d{1,20}$/.test(remoteId)) throw ticketFailure('bad_reference', 'This is not the id of a comment');
    const { data } = await this.services.client.send({
      route: 'GET /repos/{owner}/{repo}/issues/comments/{comment_id}',
      parameters: { owner: reference.owner, repo: reference.repo, comment_id: remoteId },
      shape: commentShape,
      what: `the reply on ${key}`,
      signal,
      within: reference,
    });
    this.mustBelong(data, reference);
    return (data.body ?? '').replace(/\r\n/g, '\n').replace(markerPattern, '');
  }

  /** Replaces the labels of an issue and returns those it has afterwards. */
  async setLabels(key: string, labels: readonly string[], signal: AbortSignal): Promise<string[]> {
    const reference = this.reference(key);
    const { data } = await this.services.client.send({
      route: 'PUT /repos/{owner}/{repo}/issues/{issue_number}/labels',
      parameters: { owner: reference.owner, repo: reference.repo, issue_number: reference.number, labels: [...labels] },
      shape: labelsShape,
      what: `the labels of ${key}`,
      signal,
      within: reference,
    });
    return data;
  }

  private async postOnce(key: string, text: string, marker: string, signal: AbortSignal): Promise<{ url: string; remoteId: string }> {
    const reference = this.reference(key);
    if (!/^[\w-]{8,64}$/.test(marker)) throw ticketFailure('bad_reference', 'The marker of a reply is 8 to 64 letters, digits, _ or -');
    if (Array.from(text).length > this.limit.length) throw ticketFailure('bad_content', `The reply is longer than ${this.limit.length} characters`);
    const earlier = await this.find(reference, marker, signal);
    if (earlier !== undefined) return earlier;
    try {
      const { data } = await this.services.client.send({
        route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
        parameters: { owner: reference.owner, repo: reference.repo, issue_number: reference.number, body: `${text}\n\n${comment(marker)}` },
        shape: commentShape,
        what: `the reply on ${key}`,
        signal,
        within: reference,
      });
      return { url: data.html_url, remoteId: data.id };
    } catch (error) {
      // Refusals mean that nothing was written. After a lost answer only looking can tell.
      if (!isFailure(error, 'offline', 'server_error')) throw error;
      const done = await this.find(reference, marker, signal).catch(() => undefined);
      if (done !== undefined) return done;
      throw ticketFailure(error.reason === 'offline' ? 'offline' : 'server_error', error.message, { detail: { mayBePosted: true }, cause: error });
    }
  }

  private async find(reference: GitHubReference, marker: string, signal: AbortSignal): Promise<{ url: string; remoteId: string } | undefined> {
    let found: Comment | undefined;
    await this.services.client.pages(
      {
        route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
        parameters: { owner: reference.owner, repo: reference.repo, issue_number: reference.number },
        shape: commentsShape,
        what: `the comments of ${keyOf(reference)}`,
        signal,
        within: reference,
      },
      1,
      (page) => {
        // A quotation carries the marker too, but comes later and does not end with it.
        found ??= page.find((item) => (item.body ?? '').trimEnd().endsWith(comment(marker)));
      },
    );
    return found === undefined ? undefined : { url: found.html_url, remoteId: found.id };
  }

  private reference(key: string): GitHubReference {
    const reference = parseReference(key, this.services.webHost);
    if (reference === undefined) throw ticketFailure('bad_reference', `${key} is not an issue on ${this.services.webHost}`);
    return reference;
  }

  private mustBelong(item: Comment, reference: GitHubReference): void {
    const expected = `/repos/${reference.owner}/${reference.repo}/issues/${reference.number}`.toLowerCase();
    if (item.issue_url?.toLowerCase().endsWith(expected) !== true) throw ticketFailure('no_access', `This comment does not belong to ${keyOf(reference)}`);
  }
}

function comment(marker: string): string {
  return `<!-- casebook:${marker} -->`;
}

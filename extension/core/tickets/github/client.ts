import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { isFailure } from '../../base/failure.ts';
import { ticketFailure } from '../copies.ts';
import { httpErrorOf, isRateLimit, retryAfterOf, toFailure } from './errors.ts';
import type { GitHubReference } from './reference.ts';

export interface GitHubClientOptions {
  apiUrl: string;
  /** Asked before each request, so that a new sign-in counts at once. The token goes to `apiUrl` only. */
  token: () => Promise<string | undefined>;
  clock: Clock;
  /** Told before each back-off, for a visible countdown: milliseconds and a sentence. */
  onWait?: (milliseconds: number, why: string) => void;
  fetch?: typeof globalThis.fetch;
  /** Longest time for one answer; default 30 s. */
  timeoutMs?: number;
  /** Longest back-off that is sat through; a longer one fails as `rate_limited` with its time. Default 65 s. */
  maxWaitMs?: number;
  /** Length of the second in which back-offs are counted; tests shorten it. */
  secondMs?: number;
}

export interface GitHubRequest<Shape extends z.ZodType> {
  /** `GET /repos/{owner}/{repo}/issues/{issue_number}` and the like. */
  route: string;
  parameters: Record<string, unknown>;
  shape: Shape;
  /** Names what is read, for messages. */
  what: string;
  signal: AbortSignal;
  /** The only repository this request may touch; absent for lists, which span repositories by nature. */
  within?: GitHubReference;
}

const maxTries = 2;
const apiVersion = '2022-11-28';

/**
 * Requests to one GitHub: paced and retried by Octokit's plugins, bounded in time, checked in shape, failing with this room's reasons.
 * Redirects are not followed: a transferred issue leads into another repository, and only the ticket's own may be read.
 */
export class GitHubClient {
  private readonly octokit;
  private readonly secondMs: number;
  private readonly maxWaitMs: number;

  constructor(private readonly options: GitHubClientOptions) {
    this.secondMs = options.secondMs ?? 1000;
    this.maxWaitMs = options.maxWaitMs ?? 65_000;
    const silent = (): void => {};
    const limited = (seconds: number, tries: number, why: string): boolean => {
      if (tries >= maxTries || !this.mayWait(seconds)) return false;
      this.options.onWait?.(seconds * this.secondMs, why);
      return true;
    };
    // Stands before the retry plugin, and so sees every failed attempt that the plugin is about to repeat.
    const announce = (octokit: Octokit): void => {
      octokit.hook.error('request', (error, request) => {
        const status = httpErrorOf(error)?.status ?? 0;
        const tries = typeof request.request?.['retryCount'] === 'number' ? request.request['retryCount'] : 0;
        if (status >= 500 && tries < maxTries && request.method === 'GET' && request.request?.signal?.aborted !== true) this.options.onWait?.((tries + 1) ** 2 * this.secondMs, 'GitHub did not answer properly');
        throw error;
      });
    };
    const Configured = Octokit.plugin(announce, throttling, retry);
    this.octokit = new Configured({
      baseUrl: options.apiUrl,
      userAgent: 'casebook',
      log: { debug: silent, info: silent, warn: silent, error: silent },
      request: { redirect: 'manual', ...(options.fetch === undefined ? {} : { fetch: options.fetch }) },
      // 429 is left to `askAgain`: the plugin would ignore the time the server names.
      retry: { doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451], retries: maxTries, retryAfterBaseValue: this.secondMs },
      throttle: {
        // The plugin's queues are shared by all clients of a process under this id.
        id: randomUUID(),
        retryAfterBaseValue: this.secondMs,
        onRateLimit: (seconds, _request, _octokit, tries) => limited(seconds, tries, 'The hourly budget of GitHub requests is used up'),
        onSecondaryRateLimit: (seconds, _request, _octokit, tries) => limited(seconds, tries, 'GitHub asks for fewer requests'),
      },
    });
  }

  /** Sends one request and returns its checked data, and whether the server names a next page. Rejects with `Failure<TicketFailureReason>`, or the signal's reason. */
  async send<Shape extends z.ZodType>(request: GitHubRequest<Shape>): Promise<{ data: z.infer<Shape>; hasNext: boolean }> {
    this.guard(request);
    const { signal } = request;
    signal.throwIfAborted();
    const token = await this.options.token();
    try {
      const response = await withAbort(this.askAgain(request, token), signal);
      if (response.status >= 300) throw ticketFailure('not_found', `${request.what} was moved elsewhere; open it where it is now`, { detail: { status: response.status, location: response.headers.location } });
      const parsed = request.shape.safeParse(response.data);
      if (!parsed.success) throw ticketFailure('server_error', `The answer for ${request.what} is not what GitHub sends; a proxy may be in between`, { detail: { issues: parsed.error.issues.slice(0, 3).map((issue) => issue.path.join('.')) } });
      return { data: parsed.data, hasNext: /\brel="next"/.test(response.headers.link ?? '') };
    } catch (error) {
      signal.throwIfAborted();
      throw toFailure(error, { what: request.what, signedIn: token !== undefined, now: this.options.clock.now() });
    }
  }

  /**
   * Reads all pages from `page` on, in order. Page numbers are counted here instead of following the server's links, which name
   * repositories by a bare number that `guard` could not check; `onPage` sees each page as it arrives, so that a failure keeps the earlier ones.
   */
  async pages<Item extends z.ZodType>(request: GitHubRequest<z.ZodArray<Item>>, page: number, onPage: (items: z.infer<Item>[]) => void, perPage = 100): Promise<void> {
    for (let number = page; ; number++) {
      const { data, hasNext } = await this.send({ ...request, parameters: { ...request.parameters, per_page: perPage, page: number } });
      onPage(data);
      if (!hasNext || data.length === 0) return;
    }
  }

  /** Why an issue is missing: the repository itself is out of sight (private), or only the issue is not there. */
  async explainMissing(reference: GitHubReference, error: unknown, signal: AbortSignal): Promise<unknown> {
    if (!isFailure(error, 'not_found') || httpErrorOf(error.cause)?.status !== 404) return error;
    const { owner, repo } = reference;
    const token = await this.options.token();
    try {
      const response = await withAbort(this.ask('GET /repos/{owner}/{repo}', { owner, repo }, token, signal), signal);
      return response.status < 300 ? ticketFailure('not_found', `${owner}/${repo} has no issue ${reference.number}`, { cause: error }) : error;
    } catch (second) {
      signal.throwIfAborted();
      if (httpErrorOf(second)?.status !== 404) return error;
      const options = { detail: { status: 404 }, cause: error };
      if (token === undefined) return ticketFailure('sign_in_needed', `${owner}/${repo} is private or does not exist; sign in to GitHub to read it`, options);
      return ticketFailure('no_access', `${owner}/${repo} is private and not open to this sign-in, or does not exist`, options);
    }
  }

  /** Refuses, before anything is sent, a request that leaves the repository it was made for. */
  private guard(request: GitHubRequest<z.ZodType>): void {
    if (request.within === undefined) return;
    const { owner, repo } = request.parameters;
    const { within } = request;
    const inside = /^(?:GET|POST|PUT|PATCH) \/repos\/\{owner\}\/\{repo\}\/(?:issues|pulls)\//.test(request.route);
    if (!inside || typeof owner !== 'string' || typeof repo !== 'string' || owner.toLowerCase() !== within.owner.toLowerCase() || repo.toLowerCase() !== within.repo.toLowerCase()) {
      throw ticketFailure('no_access', `Only ${within.owner}/${within.repo} may be read for this ticket`);
    }
  }

  /** Waits out a limit that names its time but not the wording the throttling plugin looks for. */
  private async askAgain(request: GitHubRequest<z.ZodType>, token: string | undefined): ReturnType<GitHubClient['ask']> {
    for (let tries = 0; ; tries++) {
      try {
        return await this.ask(request.route, request.parameters, token, request.signal);
      } catch (error) {
        const http = httpErrorOf(error);
        const after = http?.headers === undefined ? undefined : retryAfterOf(http.headers, this.options.clock.now());
        const plugins = /\bsecondary rate\b/i.test(http?.message ?? '') || http?.headers?.['x-ratelimit-remaining'] === '0';
        if (http === undefined || after === undefined || plugins || !isRateLimit(http) || tries >= maxTries || !this.mayWait(after / 1000)) throw error;
        const milliseconds = (after / 1000) * this.secondMs;
        this.options.onWait?.(milliseconds, 'GitHub asks for fewer requests');
        await pause(milliseconds, request.signal);
      }
    }
  }

  private ask(route: string, parameters: Record<string, unknown>, token: string | undefined, signal: AbortSignal) {
    const isWrite = !route.startsWith('GET ');
    return this.octokit.request(route, {
      ...parameters,
      headers: { 'x-github-api-version': apiVersion, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      request: {
        signal,
        fetch: this.timed(),
        // A write whose answer was lost may have been done; sending it again would do it twice.
        ...(isWrite ? { retries: 0 } : {}),
      },
    });
  }

  /** The time limit holds for each attempt; a back-off between attempts does not count. */
  private timed(): typeof globalThis.fetch {
    const fetch = this.options.fetch ?? globalThis.fetch;
    return (input, init) => {
      const limit = AbortSignal.timeout(this.options.timeoutMs ?? 30_000);
      return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit });
    };
  }

  private mayWait(seconds: number): boolean {
    return seconds * 1000 <= this.maxWaitMs;
  }
}

/** Octokit's queues do not know signals; the caller is let go at once, and the queued attempt ends by the same signal when its turn comes. */
function withAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(reasonOf(signal));
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason));
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    const stop = (): void => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}

import { isFailure, messageOf, type Failure } from '../../base/failure.ts';
import { ticketFailure } from '../copies.ts';
import type { TicketFailureReason } from '../source.ts';

interface HttpError {
  status: number;
  message: string;
  headers: Record<string, string | undefined> | undefined;
}

/** Octokit's RequestError by its shape; one without a response never reached the server. */
export function httpErrorOf(error: unknown): HttpError | undefined {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined;
  const response: unknown = 'response' in error ? error.response : undefined;
  const headers: unknown = response !== null && typeof response === 'object' && 'headers' in response ? response.headers : undefined;
  return { status: error.status, message: error.message, headers: headers !== null && typeof headers === 'object' ? (headers as Record<string, string | undefined>) : undefined };
}

/** Milliseconds a server asks to wait, out of `retry-after` (seconds or a date) or the reset time of an empty budget. */
export function retryAfterOf(headers: Record<string, string | undefined>, now: number): number | undefined {
  const after = headers['retry-after'];
  if (after !== undefined) {
    const seconds = Number(after);
    const millis = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after) - now;
    return Number.isNaN(millis) ? undefined : Math.max(0, millis);
  }
  const reset = Number(headers['x-ratelimit-reset']);
  return headers['x-ratelimit-remaining'] === '0' && Number.isFinite(reset) ? Math.max(0, reset * 1000 - now) + 1000 : undefined;
}

/** Whether a refusal is about how much was asked, not about who asks. */
export function isRateLimit(error: HttpError): boolean {
  if (error.status === 429) return true;
  return error.status === 403 && (/\brate limit|\babuse detection|\bsecondary rate/i.test(error.message) || error.headers?.['retry-after'] !== undefined || error.headers?.['x-ratelimit-remaining'] === '0');
}

/**
 * Turns whatever a request ended with into this room's failure; each reason has one cause a person can act on. A 404 is told apart later
 * (`explainMissing`), since GitHub answers it for private and for absent alike.
 */
export function toFailure(error: unknown, context: { what: string; signedIn: boolean; now: number }): Failure<TicketFailureReason> {
  if (isFailure<TicketFailureReason>(error)) return error;
  const http = httpErrorOf(error);
  const { what, signedIn } = context;
  const options = { cause: error };
  if (http === undefined || http.headers === undefined) return ticketFailure('offline', `GitHub could not be reached for ${what}: ${messageOf(error)}`, options);
  if (isRateLimit(http)) {
    const retryAfterMs = retryAfterOf(http.headers, context.now);
    const which = http.headers['x-ratelimit-remaining'] === '0' ? 'The hourly budget of requests is used up' : 'GitHub asks for fewer requests (secondary limit)';
    return ticketFailure('rate_limited', `${which}; ${what} was not read`, { ...options, detail: { status: http.status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } });
  }
  const detail = { status: http.status };
  const sso = http.headers['x-github-sso'];
  if (http.status === 403 && sso !== undefined) {
    const url = /url=(\S+)/.exec(sso)?.[1];
    return ticketFailure('sso_required', `The organisation of ${what} wants this sign-in authorised for its single sign-on`, { ...options, detail: { ...detail, ...(url === undefined ? {} : { url }) } });
  }
  switch (http.status) {
    case 401:
      return signedIn ? ticketFailure('token_expired', 'GitHub no longer accepts this sign-in or token', { ...options, detail }) : ticketFailure('sign_in_needed', `Sign in to GitHub to read ${what}`, { ...options, detail });
    case 403:
    case 451:
      return signedIn ? ticketFailure('no_access', `This sign-in may not read ${what}: ${http.message}`, { ...options, detail }) : ticketFailure('sign_in_needed', `Sign in to GitHub to read ${what}`, { ...options, detail });
    case 404:
    case 410:
      return ticketFailure('not_found', `GitHub shows no ${what} to this sign-in`, { ...options, detail });
    case 400:
    case 422:
      return ticketFailure('bad_reference', `GitHub did not understand the request for ${what}: ${http.message}`, { ...options, detail });
    default:
      return ticketFailure('server_error', `GitHub answered ${http.status} for ${what}`, { ...options, detail });
  }
}

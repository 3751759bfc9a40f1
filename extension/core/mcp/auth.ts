import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Why a connection is turned away before anything it sends is read; each kind has its own HTTP status, so that a client can tell a wrong token from a wrong place. */
export type RefusalKind = 'unauthorized' | 'forbidden' | 'not_found' | 'bad_request';

/** A refusal in words for the log and the journal; never holds the token that was given, nor a URL (some clients put tokens there). */
export interface Refusal {
  kind: RefusalKind;
  why: string;
}

export const refusalStatus: Readonly<Record<RefusalKind, number>> = { unauthorized: 401, forbidden: 403, not_found: 404, bad_request: 400 };

/** 32 random bytes, in letters that fit into a header. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares secrets in constant time, also of different lengths. An empty wanted secret matches nothing. */
export function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted)) && wanted !== '';
}

export interface RequestRules {
  token: string;
  /** Lower-case name of the header that carries the token. */
  tokenHeader: string;
  /** The port listened on; the only one a Host header may name. */
  port: number;
  /** The only path there is. */
  path: string;
}

/**
 * Checks a request by its head alone. Host: a web page whose name was pointed at this machine sends its own name. Origin: only browsers send one, and no
 * agent is one. The token only in its header: what is in a URL ends up in logs. Undefined when it may go on.
 */
export function checkRequest(request: { headers: IncomingHttpHeaders; url?: string | undefined }, rules: RequestRules): Refusal | undefined {
  const { headers } = request;
  const hosts = [`127.0.0.1:${rules.port}`, `localhost:${rules.port}`];
  if (headers.host === undefined || !hosts.includes(headers.host.toLowerCase())) return { kind: 'forbidden', why: 'its Host header does not name this server' };
  if (headers.origin !== undefined) return { kind: 'forbidden', why: 'it comes from a web page (it has an Origin header)' };
  const given = headers[rules.tokenHeader];
  if (given === undefined || given === '') return { kind: 'unauthorized', why: 'it has no token' };
  if (typeof given !== 'string' || !sameSecret(given, rules.token)) return { kind: 'unauthorized', why: 'its token is not the one of this window' };
  if (request.url !== rules.path) return { kind: 'not_found', why: 'it asks for a path that is not served' };
  return undefined;
}

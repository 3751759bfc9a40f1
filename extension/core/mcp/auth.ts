import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
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

/** The token of one family's discovery file: by it, and not by the name it gives, a client is known for one of that family (Gemini CLI and Qwen Code give the same name). */
export function tokenFor(token: string, family: string): string {
  return createHmac('sha256', token).update(family).digest('base64url');
}

/** Compares secrets in constant time, also of different lengths. An empty wanted secret matches nothing. */
export function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted)) && wanted !== '';
}

export interface RequestRules {
  /** Any of them opens; `family`: whose discovery file holds it. */
  tokens: readonly { token: string; family?: string }[];
  /** Where the token may stand: a lower-case header, and the scheme before the token where the header has one. */
  credentials: readonly Credential[];
  /** What a Host header may say, in lower case. */
  hosts: readonly string[];
}

export interface Credential {
  header: string;
  scheme?: string;
}

/** A request that may go on, or why not. */
export interface Checked {
  refused?: Refusal;
  family?: string | undefined;
}

/**
 * Checks a request by its head alone. Host: a web page whose name was pointed at this machine sends its own name. Origin: only browsers send one, and no
 * agent is one. The token only in its header: what is in a URL ends up in logs.
 */
export function checkRequest({ headers }: { headers: IncomingHttpHeaders }, { hosts, credentials, tokens }: RequestRules): Checked {
  const refused = (kind: RefusalKind, why: string): Checked => ({ refused: { kind, why } });
  if (headers.host === undefined || !hosts.includes(headers.host.toLowerCase())) return refused('forbidden', 'its Host header does not name this server');
  if (headers.origin !== undefined) return refused('forbidden', 'it comes from a web page (it has an Origin header)');
  const given = credentials.map((credential) => secretIn(headers, credential)).filter((secret) => secret !== undefined);
  const [first] = given;
  if (first === undefined) return refused('unauthorized', 'it has no token');
  // Every one, so that a right token beside a wrong one opens nothing; all are compared, so that the time tells nothing.
  const fitting = tokens.filter(({ token }) => given.map((secret) => sameSecret(secret, token)).every(Boolean));
  return fitting[0] === undefined ? refused('unauthorized', 'its token is not the one of this window') : { family: fitting[0].family };
}

function secretIn(headers: IncomingHttpHeaders, { header, scheme }: Credential): string | undefined {
  const value = headers[header];
  if (typeof value !== 'string' || value === '') return undefined;
  if (scheme === undefined) return value;
  return value.slice(0, scheme.length + 1).toLowerCase() === `${scheme.toLowerCase()} ` ? value.slice(scheme.length + 1) : value;
}

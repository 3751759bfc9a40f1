import { parseDocument } from 'yaml';
import { messageOf } from '../base/failure.ts';
import { sha256 } from '../base/hash.ts';
import { ticketFailure } from './copies.ts';
import { rawFromFields } from './fields.ts';
import type { RawTicket } from './raw.ts';

/** Largest ticket text that is read, in bytes, and largest front matter, in characters. */
export const maxTicketBytes = 5 * 1024 * 1024;
const maxFrontMatter = 64 * 1024;

/**
 * Bytes of a ticket file as text: UTF-8 or UTF-16 by their mark, else UTF-8, else Windows-1252, the one-byte encoding most old help desks
 * export. Throws Failure `bad_content` for binary data and for more than `maxTicketBytes`.
 */
export function decodeTicket(bytes: Uint8Array): string {
  if (bytes.length > maxTicketBytes) throw ticketFailure('bad_content', `The ticket is larger than ${maxTicketBytes / 1024 / 1024} MB`, { detail: { bytes: bytes.length } });
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.subarray(0, 8192).includes(0)) throw ticketFailure('bad_content', 'The file holds binary data, not a ticket');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Reads a ticket out of a text: JSON (our own shape, `{id, title, body}`, or an issue as GitHub's API gives it), Markdown with YAML front
 * matter, or plain text. `format: auto` takes JSON only when the text is one JSON object with a title or a body.
 * Throws Failure `bad_content` when the text claims a format and breaks it.
 */
export function parseTicket(text: string, origin: { source: string; key: string; format: 'json' | 'markdown' | 'text' | 'auto' }): RawTicket {
  const { format } = origin;
  if (format === 'json') return fromRecord(parseJson(text), origin);
  if (format === 'auto' && /^\s*\{/.test(text)) {
    try {
      return fromRecord(parseJson(text), origin);
    } catch {
      // A pasted log may begin with a brace; then it is text.
    }
  }
  if (format !== 'text') {
    const front = /^(?:\ufeff)?---[ \t]*\r?\n([^]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text);
    if (front !== null) {
      const body = text.slice(front[0].length);
      return rawFromFields(parseFrontMatter(front[1] ?? ''), { source: origin.source, key: origin.key, title: firstLine(body), body });
    }
  }
  return rawFromFields({}, { source: origin.source, key: origin.key, title: firstLine(text), body: text });
}

/** The key of a text that has no name of its own: the same text is the same ticket. */
export function keyOfText(text: string): string {
  return sha256(text).slice(0, 16);
}

/** The first line that says something: a heading's words, or the first line that is not a fence, a rule, a greeting or markup alone. */
export function firstLine(text: string): string {
  const lines = text.slice(0, 20_000).replace(/^\ufeff/, '').replace(/<!--[^]*?(?:-->|$)/g, '').split('\n').map((line) => line.trim());
  const heading = lines.slice(0, 10).find((line) => /^#{1,3}\s+\S/.test(line));
  const meaningful = heading ?? lines.find((line) => /[\p{L}\p{N}]/u.test(line) && !/^(?:[`~]{3}|(?:hi|hello|hey|dear|hallo|bonjour|hola|ciao|guten tag|sehr geehrte\w*|liebe[rs]?|good (?:morning|day))\b[^.:?]{0,40}[,!.]?$)/i.test(line)) ?? lines.find((line) => line !== '') ?? '';
  const bare = meaningful.replace(/^(?:#{1,6}|[-*+>]|\d+[.)])\s+/, '').replace(/^\*\*(.+)\*\*$/, '$1').trim();
  return bare.length > 200 ? `${bare.slice(0, 199).replace(/[\ud800-\udbff]$/, '')}…` : bare;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw ticketFailure('bad_content', `Not valid JSON: ${messageOf(error)}`, { cause: error });
  }
}

function fromRecord(value: unknown, origin: { source: string; key: string }): RawTicket {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw ticketFailure('bad_content', 'The JSON is not one object');
  const fields = value as Record<string, unknown>;
  const known = Object.keys(fields).map((name) => name.toLowerCase());
  if (!known.some((name) => ['title', 'subject', 'summary', 'body', 'description'].includes(name))) {
    throw ticketFailure('bad_content', 'The JSON has neither a title nor a body');
  }
  const body = fields['body'] ?? fields['description'];
  const raw = rawFromFields(fields, { ...origin, title: typeof body === 'string' ? firstLine(body) : '' });
  if (raw.title.trim() === '' && (raw.description ?? '').trim() === '') throw ticketFailure('bad_content', 'The JSON has neither a title nor a body');
  return raw;
}

/** YAML as plain data: aliases are refused, since a few lines of them grow to gigabytes, and so are custom tags and duplicate keys. */
function parseFrontMatter(source: string): Record<string, unknown> {
  if (source.length > maxFrontMatter) throw ticketFailure('bad_content', `The front matter is larger than ${maxFrontMatter / 1024} KB`);
  const document = parseDocument(source, { schema: 'core', uniqueKeys: true, prettyErrors: true });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) throw ticketFailure('bad_content', `Front matter: ${problem.message}`, { cause: problem });
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw ticketFailure('bad_content', `Front matter: ${messageOf(error)}`, { cause: error });
  }
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw ticketFailure('bad_content', 'Front matter: expected keys with values');
  return value as Record<string, unknown>;
}

import { randomBytes } from 'node:crypto';
import { sha256 } from '../base/hash.ts';
import type { Actor } from '../model/actor.ts';
import type { Head } from './port.ts';

/**
 * One record is one line of JSON, its members in this order and nothing between them:
 *
 *     {"v":1,"session":…,"seq":…,"ts":…,"kind":…,[case,run,set,parent],"actor":…,[seen],[flags],"prev":…,"bodyHash":…   <- the head
 *     ,"hash":"<sha256 of the head's bytes>"
 *     ,"salt":"<32 hex>","body":…}            or, after an erasure,  ,"erased":"<id of the journal.erased event>"}
 *
 * `prev` is the previous record's `hash`, `bodyHash` is sha256(salt ":" body bytes). So the chain covers the body by its hash
 * only, and a body can be taken out later; the salt goes with it, or a short body could be guessed from its hash.
 */
export interface RecordHead {
  v: 1;
  session: string;
  seq: number;
  ts: string;
  kind: string;
  case?: string;
  run?: string;
  set?: string;
  parent?: string;
  actor: Actor;
  seen?: Record<string, Head>;
  flags?: { masked?: number; replaced?: number };
  prev: string;
  bodyHash: string;
}

export type RecordFields = Omit<RecordHead, 'v' | 'bodyHash'>;

/** `prev` of a session's first record. */
export const genesis = '0'.repeat(64);

const openBrace = Buffer.from('{"v":1,"session":"');
const saltMark = Buffer.from(',"salt":"');
const erasedMark = Buffer.from(',"erased":"');
const hashMark = ',"hash":"';
const hashPart = hashMark.length + 64 + 1;
const saltPart = saltMark.length + 32 + '","body":'.length;

/** The line of a new record, LF included, and the hashes that name it. */
export function encodeRecord(fields: RecordFields, body: unknown, salt = randomBytes(16).toString('hex')): { line: Buffer; hash: string; bodyHash: string } {
  const text = JSON.stringify(body);
  const bodyHash = hashBody(salt, Buffer.from(text));
  const head: RecordHead = {
    v: 1,
    session: fields.session,
    seq: fields.seq,
    ts: fields.ts,
    kind: fields.kind,
    ...(fields.case === undefined ? {} : { case: fields.case }),
    ...(fields.run === undefined ? {} : { run: fields.run }),
    ...(fields.set === undefined ? {} : { set: fields.set }),
    ...(fields.parent === undefined ? {} : { parent: fields.parent }),
    actor: fields.actor,
    ...(fields.seen === undefined ? {} : { seen: fields.seen }),
    ...(fields.flags === undefined ? {} : { flags: fields.flags }),
    prev: fields.prev,
    bodyHash,
  };
  const prefix = JSON.stringify(head).slice(0, -1);
  const hash = sha256(prefix);
  return { line: Buffer.from(`${prefix}${hashMark}${hash}","salt":"${salt}","body":${text}}\n`), hash, bodyHash };
}

/** The line (without LF) of the same record with its body taken out in the name of a `journal.erased` event; the chain is untouched. */
export function eraseRecord(record: ParsedRecord, erasedBy: string): Buffer {
  return Buffer.concat([record.prefix, Buffer.from(`${hashMark}${record.hash}","erased":${JSON.stringify(erasedBy)}}`)]);
}

export interface ParsedRecord {
  head: RecordHead;
  hash: string;
  /** The bytes that `hash` covers. */
  prefix: Buffer;
  salt?: string;
  /** The body's exact bytes; absent when erased, or when only the start of the line was given. */
  body?: Buffer;
  erased?: string;
}

/**
 * Takes a line (without its LF) apart; undefined when it is no record. `partial` means that only the line's beginning is at hand:
 * then the body is left out. The hashes are not checked here (see `recordFault`), so that a listing stays cheap.
 */
export function parseRecord(line: Buffer, partial = false): ParsedRecord | undefined {
  if (!line.subarray(0, openBrace.length).equals(openBrace)) return undefined;
  // Inside a JSON string a quote is always escaped, so the first of these byte sequences is the real boundary.
  const salted = line.indexOf(saltMark);
  const cut = salted >= 0 ? salted : line.indexOf(erasedMark);
  if (cut < hashPart) return undefined;
  const prefix = line.subarray(0, cut - hashPart);
  const hashText = line.toString('latin1', cut - hashPart, cut);
  if (!/^,"hash":"[0-9a-f]{64}"$/.test(hashText)) return undefined;
  const head = parseHead(prefix);
  if (head === undefined) return undefined;
  const base = { head, hash: hashText.slice(hashMark.length, -1), prefix };
  if (salted < 0) return withErased(base, line, cut);
  const bodyStart = cut + saltPart;
  const frame = line.toString('latin1', cut, bodyStart);
  if (!/^,"salt":"[0-9a-f]{32}","body":$/.test(frame)) return undefined;
  const salt = frame.slice(saltMark.length, saltMark.length + 32);
  if (partial) return { ...base, salt };
  if (line[line.length - 1] !== 0x7d || line.length <= bodyStart + 1) return undefined;
  return { ...base, salt, body: line.subarray(bodyStart, line.length - 1) };
}

function withErased(base: { head: RecordHead; hash: string; prefix: Buffer }, line: Buffer, cut: number): ParsedRecord | undefined {
  const rest = parseJson(`{${line.toString('utf8', cut + 1)}`);
  if (typeof rest !== 'object' || rest === null || !('erased' in rest) || typeof rest.erased !== 'string') return undefined;
  return { ...base, erased: rest.erased };
}

/** What is wrong with a record by itself, in words; undefined when its bytes are those that were written. */
export function recordFault(record: ParsedRecord): string | undefined {
  if (sha256(record.prefix) !== record.hash) return 'the record was changed: its hash does not cover these bytes';
  if (record.erased !== undefined) return undefined;
  if (record.salt === undefined || record.body === undefined) return 'the record has no body';
  if (hashBody(record.salt, record.body) !== record.head.bodyHash) return 'the body was changed: its hash does not match';
  return undefined;
}

/** Where a record starts inside a line that begins with other bytes (NULs, half a record); -1 when there is none. */
export function findRecordStart(line: Buffer): number {
  return line.lastIndexOf(openBrace);
}

/** The value of a body's bytes, undefined when they are no JSON. */
export function parseBody(bytes: Uint8Array): unknown {
  return parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
}

function hashBody(salt: string, body: Uint8Array): string {
  return sha256(Buffer.concat([Buffer.from(`${salt}:`), body]));
}

function parseHead(prefix: Buffer): RecordHead | undefined {
  const value = parseJson(`${prefix.toString('utf8')}}`);
  return isHead(value) ? value : undefined;
}

function isHead(value: unknown): value is RecordHead {
  if (typeof value !== 'object' || value === null) return false;
  const head = value as Partial<RecordHead>;
  return (
    typeof head.session === 'string' &&
    Number.isSafeInteger(head.seq) &&
    typeof head.ts === 'string' &&
    typeof head.kind === 'string' &&
    typeof head.prev === 'string' &&
    typeof head.bodyHash === 'string' &&
    typeof head.actor === 'object'
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

import { type EventKind, eventKinds } from './kinds/index.ts';
import { type ParsedRecord, parseBody } from './envelope.ts';
import type { AnyEvent, BlobStore, JournalEvent } from './port.ts';

/** What stands in a record instead of a body that is too large for a line: the (masked) JSON is a blob. */
export interface BodyInBlob {
  $blob: string;
  bytes: number;
}

export function isBodyInBlob(value: unknown): value is BodyInBlob {
  return typeof value === 'object' && value !== null && '$blob' in value && typeof value.$blob === 'string';
}

/**
 * The event of a record. `body` is null when it was erased, does not fit its kind's shape, or its blob is gone. An event of a kind that this
 * version does not know keeps its body as it is; a switch over the known kinds passes it by.
 */
export async function toEvent(record: ParsedRecord, blobs: BlobStore): Promise<AnyEvent> {
  const { v: _version, prev: _prev, ...head } = record.head;
  const event: Omit<JournalEvent, 'kind' | 'body'> & { kind: string; body: unknown } = { id: `${head.session}/${head.seq}`, ...head, body: await bodyOf(record, blobs) };
  // The shape was checked by the kind's schema just now; only the correlation of kind and body is beyond the type system here.
  return event as AnyEvent;
}

async function bodyOf(record: ParsedRecord, blobs: BlobStore): Promise<unknown> {
  if (record.body === undefined) return null;
  let value = parseBody(record.body);
  if (isBodyInBlob(value)) {
    const bytes = await blobs.get(value.$blob).catch(() => undefined);
    value = bytes === undefined ? undefined : parseBody(bytes);
  }
  if (value === undefined) return null;
  const shape = (eventKinds as Partial<typeof eventKinds>)[record.head.kind as EventKind];
  if (shape === undefined) return value;
  const parsed = shape.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** All text of a body for the full-text index, at most `limit` UTF-16 units. */
export function textOf(body: unknown, limit: number): string {
  const parts: string[] = [];
  let size = 0;
  const visit = (value: unknown): void => {
    if (size >= limit) return;
    if (typeof value === 'string') {
      // Hashes and ids of 64 digits only bloat the index.
      if (/^[0-9a-f]{64}$/.test(value)) return;
      parts.push(value.slice(0, limit - size));
      size += value.length;
    } else if (Array.isArray(value)) for (const item of value) visit(item);
    else if (value !== null && typeof value === 'object') for (const item of Object.values(value)) visit(item);
  };
  visit(body);
  return parts.join('\n');
}

import type { z } from 'zod';
import type { Subscribe } from '../base/emitter.ts';
import type { Actor } from '../model/actor.ts';
import type { EventBody, EventKind, eventKinds } from './kinds/index.ts';

/** How far a session's file had been seen by a writer: number of events and the chain hash of the last. */
export interface Head {
  count: number;
  hash: string;
}

/**
 * One event as read back. `body` is null when it was erased or cannot be parsed; `id` is `<session>/<seq>`.
 * Order within a session is `seq`; across sessions `seen` gives the causal order, `ts` (ISO 8601, UTC) only a hint.
 */
export interface JournalEvent<K extends EventKind = EventKind> {
  id: string;
  session: string;
  seq: number;
  ts: string;
  kind: K;
  case?: string;
  run?: string;
  set?: string;
  parent?: string;
  actor: Actor;
  seen?: Record<string, Head>;
  bodyHash: string;
  body: EventBody<K> | null;
  /** Present when writing changed the text (masked secrets, replaced half surrogates) or when a progress event could not be kept (`lost`: seen live, not on disk, seq 0). */
  flags?: { masked?: number; replaced?: number; lost?: true };
}

/** A union over all kinds, so that a switch on `kind` narrows `body`. */
export type AnyEvent = { [K in EventKind]: JournalEvent<K> }[EventKind];

/** What a caller gives to `append`; the journal adds identity, time, chain and masks. `body` may leave out what its schema defaults. */
export interface NewEvent<K extends EventKind = EventKind> {
  kind: K;
  body: z.input<(typeof eventKinds)[K]>;
  actor: Actor;
  case?: string;
  run?: string;
  set?: string;
  parent?: string;
}

/** A stretch of bytes that is no event: shown where it stands, never skipped silently. */
export interface Gap {
  session: string;
  segment: string;
  offset: number;
  length: number;
  why: string;
}

export type JournalState = { kind: 'recording' } | { kind: 'not_recording'; since: string; why: string; waiting: number } | { kind: 'closed' };

/** Where exact bytes are kept, by SHA-256. Never indexed, never masked; 0600. */
export interface BlobStore {
  put(bytes: Uint8Array): Promise<string>;
  /** Bytes, or undefined when erased or never there. Throws Failure `corrupt` if they do not hash to `hash`. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /** For many at once: what is put through it is there at once, and survives a power loss once `done` has resolved. */
  together(): BlobBatch;
}

export interface BlobBatch extends Pick<BlobStore, 'put'> {
  done(): Promise<void>;
}

export interface EventFilter {
  case?: string;
  run?: string;
  set?: string;
  kinds?: readonly EventKind[];
}

/** A case as the index knows it, newest activity first. */
export interface CaseListing {
  case: string;
  title: string;
  ticketId: string;
  openedAt: string;
  lastEventAt: string;
  events: number;
  /** Effective classification (override before verdict), if any. */
  classification?: string;
  bugConfirmation?: string;
}

export type JournalFailureReason = 'not_recording' | 'closed' | 'invalid_event' | 'corrupt' | 'not_found' | 'in_use' | 'io';

/**
 * The record, as features and use cases see it. The implementation is `openJournal` in `journal.ts`.
 * append: resolves for a decision kind only after fdatasync; for progress kinds once the event has its place in the batch (≤ 50 ms to disk).
 * While nothing can be written, decisions wait (state `not_recording` is visible) until space returns, the signal aborts or the journal closes.
 */
export interface Journal {
  /** This process's session id; the `session` of the events it writes. */
  readonly session: string;
  readonly folder: string;
  readonly blobs: BlobStore;
  readonly state: JournalState;
  readonly onState: Subscribe<JournalState>;
  /** Fires for events of this process when they have their place, and for other processes' events when they are noticed. */
  readonly onEvent: Subscribe<AnyEvent>;
  append<K extends EventKind>(event: NewEvent<K>, signal?: AbortSignal): Promise<JournalEvent<K>>;
  /** Events in causal order (own session: `seq`); reads files, uses the index when it is there. */
  read(filter: EventFilter): AsyncIterable<AnyEvent | { gap: Gap }>;
  listCases(options?: { limit?: number; offset?: number; text?: string }): Promise<CaseListing[]>;
  search(text: string, limit?: number): Promise<AnyEvent[]>;
  /** Whether the process that writes (or wrote) a session's file lives: by pid and process start time, `unknown` when neither proves it. */
  sessionState(session: string): Promise<'own' | 'alive' | 'dead' | 'unknown'>;
  /**
   * Claims what a dead session left open, so that exactly one process settles it: an O_EXCL claim file, then `ownership.taken` on disk.
   * False when the session is not provably dead or another process was first.
   */
  takeOver(of: 'case' | 'set' | 'run', id: string, from: string): Promise<boolean>;
  /** Writes everything that is pending, then closes the files. */
  close(): Promise<void>;
}

import { type Clock, systemClock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import { Failure } from '../base/failure.ts';
import { canonicalJson, sha256 } from '../base/hash.ts';
import { newId } from '../base/ids.ts';
import { decisionKinds, type EventKind } from './kinds/index.ts';
import { foldListing, type ListingFacts, pageOfListings } from './listing.ts';
import type { AnyEvent, BlobStore, EventFilter, Journal, JournalEvent, JournalFailureReason, JournalState, NewEvent } from './port.ts';
import { validateEvent } from './validate.ts';

/** A journal for tests that also lets a test look at what was written and play another process. */
export interface MemoryJournal extends Journal {
  /** Everything appended or received, in order. */
  readonly events: readonly AnyEvent[];
  /** Adds an event as if another process had written it, and fires `onEvent`. */
  receive(event: AnyEvent): void;
  /** What `sessionState` says of another session; unknown until set. */
  setSession(session: string, state: 'alive' | 'dead' | 'unknown'): void;
  /** Makes the journal unable to record (decisions wait) or able again. */
  setRecording(recording: boolean, why?: string): void;
}

/**
 * An in-memory fake of the journal: same checks of bodies, same waiting of decisions while nothing can be recorded,
 * no masking and no files. `folder` is only a name; nothing is created there.
 */
export function createMemoryJournal(options: { session?: string; folder?: string; clock?: Clock } = {}): MemoryJournal {
  return new InMemoryJournal(options.session ?? newId('ses'), options.folder ?? '/casebook-memory', options.clock ?? systemClock);
}

class InMemoryJournal implements MemoryJournal {
  readonly events: AnyEvent[] = [];
  readonly blobs: BlobStore = memoryBlobs();
  state: JournalState = { kind: 'recording' };
  private readonly stateEmitter = new Emitter<JournalState>();
  private readonly eventEmitter = new Emitter<AnyEvent>();
  readonly onState = this.stateEmitter.subscribe;
  readonly onEvent = this.eventEmitter.subscribe;
  private readonly waiting = new Set<() => void>();
  private readonly sessions = new Map<string, 'alive' | 'dead' | 'unknown'>();
  private readonly claims = new Set<string>();
  private seq = 0;

  constructor(
    readonly session: string,
    readonly folder: string,
    private readonly clock: Clock,
  ) {}

  async append<K extends EventKind>(event: NewEvent<K>, signal?: AbortSignal): Promise<JournalEvent<K>> {
    const body = validateEvent(event);
    signal?.throwIfAborted();
    if (this.state.kind === 'closed' || decisionKinds.has(event.kind)) await this.untilRecording(signal);
    const lost = this.state.kind !== 'recording';
    if (!lost) this.seq += 1;
    const seq = lost ? 0 : this.seq;
    const { kind, actor, case: ofCase, run, set, parent } = event;
    const written: JournalEvent<K> = {
      id: `${this.session}/${seq}`,
      session: this.session,
      seq,
      ts: new Date(this.clock.now()).toISOString(),
      kind,
      actor,
      ...(ofCase === undefined ? {} : { case: ofCase }),
      ...(run === undefined ? {} : { run }),
      ...(set === undefined ? {} : { set }),
      ...(parent === undefined ? {} : { parent }),
      bodyHash: sha256(canonicalJson(body)),
      body,
      ...(lost ? { flags: { lost: true as const } } : {}),
    };
    if (lost) this.eventEmitter.fire(written as AnyEvent);
    else this.receive(written as AnyEvent);
    return written;
  }

  receive(event: AnyEvent): void {
    this.events.push(event);
    this.eventEmitter.fire(event);
  }

  setRecording(recording: boolean, why = 'set by test'): void {
    if (this.state.kind === 'closed') return;
    this.change(recording ? { kind: 'recording' } : { kind: 'not_recording', since: new Date(this.clock.now()).toISOString(), why, waiting: this.waiting.size });
  }

  async *read(filter: EventFilter): AsyncIterable<AnyEvent> {
    await Promise.resolve();
    for (const event of this.events.slice()) if (matchesFilter(event, filter)) yield event;
  }

  async listCases(options?: { limit?: number; offset?: number; text?: string }) {
    const facts = new Map<string, ListingFacts>();
    for (const event of this.events) foldListing(facts, event);
    return Promise.resolve(pageOfListings(facts.values(), options));
  }

  async search(text: string, limit = 50): Promise<AnyEvent[]> {
    const wanted = text.toLowerCase();
    return Promise.resolve(this.events.filter((event) => JSON.stringify(event.body).toLowerCase().includes(wanted)).slice(0, limit));
  }

  async sessionState(session: string): Promise<'own' | 'alive' | 'dead' | 'unknown'> {
    return Promise.resolve(session === this.session ? 'own' : (this.sessions.get(session) ?? 'unknown'));
  }

  setSession(session: string, state: 'alive' | 'dead' | 'unknown'): void {
    this.sessions.set(session, state);
  }

  async takeOver(of: 'case' | 'set' | 'run', id: string, from: string): Promise<boolean> {
    const claim = `${of}/${id}/${from}`;
    if ((await this.sessionState(from)) !== 'dead' || this.claims.has(claim)) return false;
    this.claims.add(claim);
    await this.append({ kind: 'ownership.taken', actor: { kind: 'casebook', name: 'journal' }, body: { of, id, from, proof: 'set by test' }, [of]: id });
    return true;
  }

  async close(): Promise<void> {
    this.change({ kind: 'closed' });
    return Promise.resolve();
  }

  private change(state: JournalState): void {
    this.state = state;
    this.stateEmitter.fire(state);
    for (const wake of Array.from(this.waiting)) wake();
  }

  private async untilRecording(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.state.kind === 'recording') return;
      if (this.state.kind === 'closed') throw new Failure<JournalFailureReason>('closed', 'the journal is closed');
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.waiting.delete(wake);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        this.waiting.add(wake);
        signal?.addEventListener('abort', wake, { once: true });
      });
    }
  }
}

/** Whether an event belongs to what was asked for. */
export function matchesFilter(event: { case?: string; run?: string; set?: string; kind: string }, filter: EventFilter): boolean {
  return (
    (filter.case === undefined || event.case === filter.case) &&
    (filter.run === undefined || event.run === filter.run) &&
    (filter.set === undefined || event.set === filter.set) &&
    (filter.kinds === undefined || (filter.kinds as readonly string[]).includes(event.kind))
  );
}

function memoryBlobs(): BlobStore {
  const kept = new Map<string, Uint8Array>();
  const put = (bytes: Uint8Array): Promise<string> => {
    const hash = sha256(bytes);
    kept.set(hash, Uint8Array.from(bytes));
    return Promise.resolve(hash);
  };
  return {
    put,
    together: () => ({ put, done: () => Promise.resolve() }),
    async get(hash) {
      return Promise.resolve(kept.get(hash));
    },
  };
}

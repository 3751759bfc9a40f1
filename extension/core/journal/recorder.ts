import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import { Failure, isFailure, messageOf } from '../base/failure.ts';
import { errorCode } from '../base/files.ts';
import type { Logger } from '../base/logger.ts';
import { Serial } from '../base/serial.ts';
import { wellFormed } from '../base/text.ts';
import { type Actor, casebookActor } from '../model/actor.ts';
import type { BodyInBlob } from './events.ts';
import { decisionKinds, type EventBody, type EventKind } from './kinds/index.ts';
import type { AnyEvent, BlobStore, Head, JournalEvent, JournalFailureReason, JournalState, NewEvent } from './port.ts';
import type { Masker } from './redact/masker.ts';
import { type Chunk, TextStreams } from './redact/streams.ts';
import { validateEvent } from './validate.ts';
import type { SegmentWriter, UnplacedRecord } from './writer.ts';

export interface RecorderOptions {
  session: string;
  writer: SegmentWriter;
  blobs: BlobStore;
  masker: Masker;
  clock: Clock;
  logger: Logger;
  /** What other sessions' events were seen since the last call; put back when the event was not written. */
  takeSeen: () => Record<string, Head> | undefined;
  putSeenBack: (seen: Record<string, Head> | undefined) => void;
  /** Progress reaches the disk within this many milliseconds. */
  batchMs: number;
  retryMs: { first: number; most: number };
  /** Bodies whose JSON is longer go into a blob. */
  maxBodyBytes: number;
}

interface Prepared {
  event: NewEvent;
  body: unknown;
  masked: number;
  replaced: number;
}

/** A batch in memory beyond this is written at once. */
const batchBytes = 1024 * 1024;

/**
 * Turns what callers append into records: checked, masked, numbered, batched; waits and retries while nothing can be written.
 * All steps run one after the other, so that numbers, chain and `seen` are in the order of the calls.
 */
export class Recorder {
  private readonly serial = new Serial();
  private readonly stateEmitter = new Emitter<JournalState>((error) => this.options.logger.error('a state listener failed', { error: messageOf(error) }));
  private readonly eventEmitter = new Emitter<AnyEvent>((error) => this.options.logger.error('an event listener failed', { error: messageOf(error) }));
  private readonly streams: TextStreams;
  private readonly waiting = new Set<() => void>();
  private current: JournalState = { kind: 'recording' };
  private lost = 0;
  private backoff = 0;
  private flushTimer: NodeJS.Timeout | undefined;
  private retryTimer: NodeJS.Timeout | undefined;
  readonly onState = this.stateEmitter.subscribe;
  readonly onEvent = this.eventEmitter.subscribe;

  constructor(private readonly options: RecorderOptions) {
    this.streams = new TextStreams(options.masker);
  }

  get state(): JournalState {
    return this.current;
  }

  /** Fires `onEvent` for an event that another process wrote. */
  announce(event: AnyEvent): void {
    this.eventEmitter.fire(event);
  }

  async append<K extends EventKind>(given: NewEvent<K>, signal?: AbortSignal): Promise<JournalEvent<K>> {
    const body = validateEvent(given);
    const event = { ...given, actor: cleanActor(given.actor) };
    const decision = decisionKinds.has(event.kind);
    for (;;) {
      signal?.throwIfAborted();
      if (this.current.kind === 'closed') throw new Failure<JournalFailureReason>('closed', 'the journal is closed');
      if (decision && this.current.kind === 'not_recording') {
        await this.untilChange(signal);
        continue;
      }
      const written = await this.serial.run(() => this.step(event, body, decision, signal));
      // The event has the kind it was given; the type system cannot follow that through the queue.
      if (written !== undefined) return written as unknown as JournalEvent<K>;
    }
  }

  /** Writes what is pending now; does nothing while the state is not_recording. */
  flush(): Promise<void> {
    return this.serial.run(() => this.writeBatch());
  }

  /** Runs a task of the writer's owner (an erasure) between two appends. */
  exclusively<T>(task: (writer: SegmentWriter) => Promise<T>): Promise<T> {
    return this.serial.run(() => task(this.options.writer));
  }

  /** Writes what is pending and the closing record; what cannot be written any more is counted in the log, and waiting decisions are refused. */
  async close(): Promise<void> {
    if (this.current.kind === 'closed') return;
    await this.serial.run(async () => {
      clearTimeout(this.flushTimer);
      clearTimeout(this.retryTimer);
      let ended = true;
      try {
        for (const chunk of await this.streams.drain(() => true)) await this.placeChunk(chunk);
        await this.options.writer.flush();
        await this.options.writer.commit(this.recordOf({ kind: 'journal.closed', actor: casebookActor('journal'), body: {} }, 0, 0), {});
      } catch (error) {
        ended = false;
        this.options.logger.error('the journal closes without having written everything', { error: messageOf(error), lost: this.lost, bytes: this.options.writer.pendingBytes });
      }
      await this.options.writer.close(ended).catch((error: unknown) => this.options.logger.warn('closing the journal file failed', { error: messageOf(error) }));
      this.change({ kind: 'closed' });
    });
    this.stateEmitter.dispose();
    this.eventEmitter.dispose();
  }

  private async step(event: NewEvent, body: EventBody<EventKind>, decision: boolean, signal: AbortSignal | undefined): Promise<AnyEvent | undefined> {
    if (this.current.kind === 'closed') throw new Failure<JournalFailureReason>('closed', 'the journal is closed');
    signal?.throwIfAborted();
    const held = await this.streams.take(event, body);
    for (const chunk of held.before) await this.placeChunk(chunk);
    const prepared = held.own === undefined ? { event, ...(await this.mask(body)) } : fromChunk(held.own);
    if (!decision) return this.place(prepared);
    if (this.current.kind === 'not_recording') return undefined;
    const record = this.recordOf(event, prepared.masked, prepared.replaced);
    try {
      const placed = await this.options.writer.commit(record, await this.storedBody(prepared.body));
      return this.done(prepared, record, placed);
    } catch (error) {
      this.options.putSeenBack(record.seen);
      this.fail(error);
      return undefined;
    }
  }

  private async mask(body: unknown): Promise<Omit<Prepared, 'event'>> {
    const { value, masked, replaced } = await this.options.masker.value(body);
    return { body: value, masked, replaced };
  }

  private async placeChunk(chunk: Chunk): Promise<void> {
    await this.place(fromChunk(chunk));
  }

  private async place(prepared: Prepared): Promise<AnyEvent> {
    if (this.current.kind === 'not_recording') return this.lose(prepared);
    const record = this.recordOf(prepared.event, prepared.masked, prepared.replaced);
    let stored: unknown;
    try {
      stored = await this.storedBody(prepared.body);
    } catch (error) {
      this.options.putSeenBack(record.seen);
      this.fail(error);
      return this.lose(prepared);
    }
    const event = this.done(prepared, record, this.options.writer.place(record, stored));
    if (this.options.writer.pendingBytes >= batchBytes) await this.writeBatch();
    else this.flushTimer ??= setTimeout(() => void this.flush(), this.options.batchMs);
    return event;
  }

  private lose(prepared: Prepared): AnyEvent {
    this.lost += 1;
    const record = { ...this.recordOf(prepared.event, prepared.masked, prepared.replaced, false), flags: { lost: true as const } };
    return this.done(prepared, record, { seq: 0, bodyHash: '' });
  }

  private async writeBatch(): Promise<void> {
    clearTimeout(this.flushTimer);
    this.flushTimer = undefined;
    if (this.current.kind !== 'recording') return;
    try {
      await this.options.writer.flush();
    } catch (error) {
      this.fail(error);
    }
  }

  private async storedBody(body: unknown): Promise<unknown> {
    const text = JSON.stringify(body);
    if (text.length <= this.options.maxBodyBytes) return body;
    const bytes = Buffer.from(text);
    const inBlob: BodyInBlob = { $blob: await this.options.blobs.put(bytes), bytes: bytes.byteLength };
    return inBlob;
  }

  private recordOf(event: NewEvent, masked: number, replaced: number, withSeen = true): UnplacedRecord {
    const { kind, actor, case: ofCase, run, set, parent } = event;
    const seen = withSeen ? this.options.takeSeen() : undefined;
    return {
      ts: new Date(this.options.clock.now()).toISOString(),
      kind,
      ...(ofCase === undefined ? {} : { case: ofCase }),
      ...(run === undefined ? {} : { run }),
      ...(set === undefined ? {} : { set }),
      ...(parent === undefined ? {} : { parent }),
      actor,
      ...(seen === undefined ? {} : { seen }),
      ...(masked + replaced === 0 ? {} : { flags: { ...(masked === 0 ? {} : { masked }), ...(replaced === 0 ? {} : { replaced }) } }),
    };
  }

  private done(prepared: Prepared, record: Omit<UnplacedRecord, 'flags'> & { flags?: JournalEvent['flags'] }, placed: { seq: number; bodyHash: string }): AnyEvent {
    const { session } = this.options;
    const event = { id: `${session}/${placed.seq}`, session, ...record, ...placed, body: prepared.body };
    // Kind and body were checked together by `validateEvent`.
    const written = event as unknown as AnyEvent;
    this.eventEmitter.fire(written);
    return written;
  }

  private fail(error: unknown): void {
    if (this.current.kind !== 'recording') return;
    const why = errorCode(error) === 'ENOSPC' ? 'the disk is full' : messageOf(error);
    this.options.logger.error('the journal cannot record', { code: errorCode(error), error: messageOf(error) });
    this.lost = 0;
    this.backoff = this.options.retryMs.first;
    this.change({ kind: 'not_recording', since: new Date(this.options.clock.now()).toISOString(), why, waiting: this.waiting.size });
    this.retryLater();
  }

  private retryLater(): void {
    this.retryTimer = setTimeout(() => void this.serial.run(() => this.retry()), this.backoff);
    this.backoff = Math.min(this.backoff * 2, this.options.retryMs.most);
  }

  private async retry(): Promise<void> {
    if (this.current.kind !== 'not_recording') return;
    const { since, why } = this.current;
    const event: NewEvent<'journal.resumed'> = { kind: 'journal.resumed', actor: casebookActor('journal'), body: { since, why, lost: this.lost } };
    const record = this.recordOf(event, 0, 0);
    try {
      const placed = await this.options.writer.commit(record, event.body);
      this.done({ event, body: event.body, masked: 0, replaced: 0 }, record, placed);
    } catch (error) {
      this.options.putSeenBack(record.seen);
      if (!isFailure(error)) this.options.logger.debug('still cannot record', { error: messageOf(error) });
      this.retryLater();
      return;
    }
    this.change({ kind: 'recording' });
  }

  private change(state: JournalState): void {
    this.current = state;
    this.stateEmitter.fire(state);
    if (state.kind !== 'not_recording') for (const wake of Array.from(this.waiting)) wake();
  }

  private async untilChange(signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.waiting.delete(wake);
        signal?.removeEventListener('abort', wake);
        this.showWaiting();
        resolve();
      };
      this.waiting.add(wake);
      signal?.addEventListener('abort', wake, { once: true });
      this.showWaiting();
    });
  }

  private showWaiting(): void {
    if (this.current.kind !== 'not_recording') return;
    this.current = { ...this.current, waiting: this.waiting.size };
    this.stateEmitter.fire(this.current);
  }
}

function cleanActor(actor: Actor): Actor {
  return { kind: actor.kind, name: wellFormed(actor.name).text, ...(actor.via === undefined ? {} : { via: wellFormed(actor.via).text }) };
}

function fromChunk(chunk: Chunk): Prepared {
  return { event: chunk.event, body: { text: chunk.text }, masked: chunk.masked, replaced: chunk.replaced };
}

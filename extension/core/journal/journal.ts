import { join, sep } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import { Failure, messageOf } from '../base/failure.ts';
import { ensurePrivateFolder } from '../base/files.ts';
import { newId } from '../base/ids.ts';
import { type Logger, nullLogger } from '../base/logger.ts';
import { Serial } from '../base/serial.ts';
import { type Actor, casebookActor } from '../model/actor.ts';
import { FileBlobs } from './blobs.ts';
import { adoptable, moveHistory } from './adopt.ts';
import { claim } from './claims.ts';
import { type Disk, realDisk } from './disk.ts';
import { eraseFiles, eraseInSession, placeOrder, type ErasureReport } from './erase.ts';
import { carryOutForDead, type ErasurePlan, openOrders, planErasure } from './erasure.ts';
import { toEvent } from './events.ts';
import { excludeFromGit } from './exclude.ts';
import { canonicalPath, findMovedHistories, type MovedHistory, openWorkspaceFolder, type RepositoryIdentity, workspaceKey } from './home.ts';
import type { EventKind } from './kinds/index.ts';
import { layoutOf, type Layout } from './layout.ts';
import { ownIdentity } from './liveness.ts';
import { Neighbours } from './neighbours.ts';
import type { EventFilter, Journal, JournalEvent, JournalFailureReason, JournalState, NewEvent } from './port.ts';
import { type JournalReader, Reader } from './reader.ts';
import { recoverDead } from './recovery.ts';
import { Recorder } from './recorder.ts';
import { Masker, type SecretScanner } from './redact/masker.ts';
import { secretlintScanner } from './redact/secretlint.ts';
import { Sessions } from './sessions.ts';
import { SegmentWriter } from './writer.ts';

export interface OpenJournalOptions {
  /** From `resolveHome`. */
  home: string;
  /** Path of the workspace whose record this is. */
  workspace: string;
  program: string;
  version: string;
  clock?: Clock;
  logger?: Logger;
  /** The journal's folder where it is not below `home` (setting `casebook.journal.location`). */
  folder?: string;
  /** What the repository can be recognised by after a move. */
  identity?: RepositoryIdentity;
  /** A segment is closed before it would grow beyond this; default 8 MiB. */
  maxSegmentBytes?: number;
  /** Bodies whose JSON is longer go into a blob; default 1 MiB. */
  maxBodyBytes?: number;
  /** Default 50. */
  batchMs?: number;
  /** How often other processes are looked for when no file event tells; default 2000. */
  pollMs?: number;
  retryMs?: { first: number; most: number };
  disk?: Disk;
  /** Secret detection beside the own table; default secretlint. */
  scanner?: SecretScanner;
  /** False works without node:sqlite. */
  sqlite?: boolean;
}

/** The journal with what only its owner needs. */
export interface FileJournal extends Journal, JournalReader {
  /** Writes what is pending now. */
  flush(): Promise<void>;
  /** Notices other processes' events, and carries out erasures they asked for, now. */
  look(): Promise<void>;
  /** What an erasure of the case would take out. */
  erasable(caseId: string, signal?: AbortSignal): Promise<ErasurePlan>;
  /**
   * Erases bodies and blobs of a case: `journal.erased` first, then this session's and dead sessions' files; living processes do their
   * own (named in `pending`). The reason stays in the record.
   */
  erase(caseId: string, reason: string, actor: Actor): Promise<ErasureReport>;
  /** What the repository can be recognised by, where that was not known when the journal was opened. */
  recognise(identity: RepositoryIdentity | undefined): Promise<void>;
  /** Histories of this repository whose folder is gone: to be offered to the user, never adopted silently. */
  movedHistories(): Promise<MovedHistory[]>;
  /**
   * Brings such a history into this journal: `journal.adopted` is recorded, then its sessions' files are moved as they are; the next record has seen their heads.
   * Rejects with Failure `in_use` while a process still writes to it, `not_found` when it is not there any more. An interrupted call can be repeated.
   */
  adopt(history: MovedHistory, actor: Actor): Promise<{ event: string; sessions: number }>;
}

/**
 * Opens the record of a workspace for this process: its own session file, made at once. Recovery of dead sessions' ends and outstanding
 * erasures run in the background. Rejects only when the folder itself cannot be made; a full disk gives a journal that is not recording.
 */
export async function openJournal(options: OpenJournalOptions): Promise<FileJournal> {
  const clock = options.clock ?? systemClock;
  const path = await canonicalPath(options.workspace);
  const root = options.folder ?? join(options.home, 'workspaces', workspaceKey(path));
  const layout = layoutOf(root);
  const logger = (options.logger ?? nullLogger).child('journal');
  await ensurePrivateFolder(root).catch((error: unknown) => {
    throw new Failure<JournalFailureReason>('io', `The journal's folder ${root} cannot be made: ${messageOf(error)}`, { cause: error });
  });
  await openWorkspaceFolder({ folder: root, path, now: new Date(clock.now()).toISOString(), ...(options.identity === undefined ? {} : { identity: options.identity }) }).catch((error: unknown) =>
    logger.warn('workspace.json could not be written', { error: messageOf(error) }),
  );
  if (root.startsWith(path + sep)) await excludeFromGit(root).catch((error: unknown) => logger.warn('the journal could not be excluded from git', { error: messageOf(error) }));
  const journal = new OpenedJournal(layout, path, options, clock, logger);
  await journal.start();
  return journal;
}

class OpenedJournal extends Reader implements FileJournal {
  readonly session: string;
  private readonly recorder: Recorder;
  private readonly neighbours: Neighbours;
  private readonly claimed = new Set<string>();
  /** Changes to the files of other sessions, one at a time. */
  private readonly erasing = new Serial();
  private background: Promise<void> = Promise.resolve();
  private closing: Promise<void> | undefined;
  private readonly writer: SegmentWriter;
  private identity: RepositoryIdentity | undefined;

  constructor(
    layout: Layout,
    private readonly workspace: string,
    private readonly options: OpenJournalOptions,
    private readonly clock: Clock,
    logger: Logger,
  ) {
    const session = newId('ses');
    super({ layout, logger, sqlite: options.sqlite ?? true, sessions: new Sessions(layout, session), blobs: new FileBlobs(layout) });
    this.session = session;
    this.identity = options.identity;
    this.writer = new SegmentWriter({ layout, session, disk: options.disk ?? realDisk, maxSegmentBytes: options.maxSegmentBytes ?? 8 * 1024 * 1024, logger });
    this.neighbours = new Neighbours({
      layout,
      own: session,
      pollMs: options.pollMs ?? 2000,
      logger,
      onRecord: async (record) => this.recorder.announce(await toEvent(record, this.blobs)),
      onLook: () => this.carryOutErasures(),
    });
    this.recorder = new Recorder({
      session,
      writer: this.writer,
      blobs: this.blobs,
      masker: new Masker(options.scanner ?? secretlintScanner()),
      clock,
      logger,
      takeSeen: () => this.neighbours.takeUnsaid(),
      putSeenBack: (seen) => this.neighbours.putBack(seen),
      batchMs: options.batchMs ?? 50,
      retryMs: options.retryMs ?? { first: 250, most: 30_000 },
      maxBodyBytes: options.maxBodyBytes ?? 1024 * 1024,
    });
  }

  get state(): JournalState {
    return this.recorder.state;
  }
  get onState(): Journal['onState'] {
    return this.recorder.onState;
  }
  get onEvent(): Journal['onEvent'] {
    return this.recorder.onEvent;
  }

  async start(): Promise<void> {
    await this.neighbours.start();
    const body = { program: this.options.program, version: this.options.version, ...ownIdentity(), workspace: this.workspace };
    await this.recorder.append({ kind: 'journal.opened', actor: casebookActor('journal'), body });
    await this.recorder.flush();
    this.background = this.tidy().catch((error: unknown) => this.logger.warn('looking after dead sessions failed', { error: messageOf(error) }));
  }

  append<K extends EventKind>(event: NewEvent<K>, signal?: AbortSignal): Promise<JournalEvent<K>> {
    return this.recorder.append(event, signal);
  }

  flush(): Promise<void> {
    return this.recorder.flush();
  }

  look(): Promise<void> {
    return this.neighbours.look();
  }

  override async *read(filter: EventFilter): ReturnType<Reader['read']> {
    if (this.state.kind !== 'closed') await this.flush();
    yield* super.read(filter);
  }

  override async listCases(options?: { limit?: number; offset?: number; text?: string }): ReturnType<Reader['listCases']> {
    if (this.state.kind !== 'closed') await this.flush();
    return super.listCases(options);
  }

  override async search(text: string, limit?: number): ReturnType<Reader['search']> {
    if (this.state.kind !== 'closed') await this.flush();
    return super.search(text, limit);
  }

  override async verify(signal?: AbortSignal): ReturnType<Reader['verify']> {
    if (this.state.kind !== 'closed') await this.flush();
    return super.verify(signal);
  }

  async takeOver(of: 'case' | 'set' | 'run', id: string, from: string): Promise<boolean> {
    const holder = await claim(this.layout.claims, `${of}/${id}`, from, this.session, (session) => this.isDead(session));
    if (holder === undefined) return false;
    const identity = await this.sessions.identity(holder);
    const proof = `process ${identity.pid ?? '?'} (started ${identity.startTime ?? 'unknown'}) is gone, or its journal was closed`;
    await this.append({ kind: 'ownership.taken', actor: casebookActor('journal'), body: { of, id, from: holder, proof }, [of]: id });
    return true;
  }

  async erasable(caseId: string, signal?: AbortSignal): Promise<ErasurePlan> {
    await this.flush();
    return planErasure(this.layout, caseId, async (filter) => (await this.library.find(filter)).refs, signal);
  }

  async erase(caseId: string, reason: string, actor: Actor): Promise<ErasureReport> {
    const plan = await this.erasable(caseId);
    if (plan.events === 0) throw new Failure<JournalFailureReason>('not_found', `there is nothing of ${caseId} to erase`);
    const event = await this.append({ kind: 'journal.erased', actor, case: caseId, body: { case: caseId, events: plan.events, blobs: plan.blobs.length, reason } });
    await placeOrder(this.layout, { v: 1, event: event.id, case: caseId, runs: plan.runs, sets: plan.sets, sessions: plan.sessions, blobs: plan.blobs, copies: plan.copies });
    await this.carryOutErasures();
    const pending: string[] = [];
    for (const session of plan.sessions) if ((await openOrders(this.layout, session)).some((order) => order.event === event.id)) pending.push(session);
    return { event: event.id, events: plan.events, blobs: plan.blobs.length, pending };
  }

  async recognise(identity: RepositoryIdentity | undefined): Promise<void> {
    if (identity === undefined) return;
    this.identity = identity;
    await openWorkspaceFolder({ folder: this.layout.root, path: this.workspace, now: new Date(this.clock.now()).toISOString(), identity }).catch((error: unknown) => this.logger.warn('workspace.json could not be written', { error: messageOf(error) }));
  }

  async movedHistories(): Promise<MovedHistory[]> {
    return this.identity === undefined ? [] : findMovedHistories(this.options.home, this.workspace, this.identity, this.layout.root);
  }

  adopt(history: MovedHistory, actor: Actor): Promise<{ event: string; sessions: number }> {
    return this.erasing.run(async () => {
      const from = layoutOf(history.folder);
      const sessions = await adoptable(from, this.layout);
      const heads = await this.neighbours.expect(from, sessions);
      // Recorded first, as an erasure is: a move that a crash cuts short is known of, and can be finished.
      const body = { from: history.key, path: history.path, same: history.same, sessions: sessions.length };
      const event = await this.append({ kind: 'journal.adopted', actor, body });
      await moveHistory(from, this.layout, sessions);
      this.neighbours.adopted(heads);
      return { event: event.id, sessions: sessions.length };
    });
  }

  async close(): Promise<void> {
    this.closing ??= this.closeOnce();
    return this.closing;
  }

  private async closeOnce(): Promise<void> {
    this.neighbours.dispose();
    await this.background;
    await this.recorder.close();
    await this.closeReader();
  }

  /** One at a time: a look and a request would otherwise both hold this process's claim on a dead session. */
  private carryOutErasures(): Promise<void> {
    return this.erasing.run(() => this.carryOut());
  }

  private async carryOut(): Promise<void> {
    const own = await openOrders(this.layout, this.session);
    if (own.length > 0) {
      await this.recorder.exclusively((writer) => writer.rewriting(() => eraseInSession(this.layout, this.session, own, writer.head)));
      for (const order of own) await eraseFiles(this.layout, order);
    }
    const others = await carryOutForDead(this.layout, this.session, this.claimed, (session) => this.isDead(session));
    if (own.length > 0 || others) await this.library.purge();
  }

  private async tidy(): Promise<void> {
    for (const { gap, file } of await recoverDead(this.layout, (session) => this.isDead(session))) {
      const { segment, offset, length, why } = gap;
      await this.append({ kind: 'journal.recovered', actor: casebookActor('journal'), body: { segment: `${gap.session}/${segment}`, offset, length, why, file } });
    }
    await this.carryOutErasures();
  }

  private async isDead(session: string): Promise<boolean> {
    return (await this.sessions.state(session)) === 'dead';
  }
}

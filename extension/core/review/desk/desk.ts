import { Failure, isFailure } from '../../base/failure.ts';
import { newId } from '../../base/ids.ts';
import { Serial } from '../../base/serial.ts';
import type { EventKind } from '../../journal/kinds/index.ts';
import { LiveFolds } from '../../journal/live-folds.ts';
import type { AnyEvent, NewEvent } from '../../journal/port.ts';
import { type Actor, casebookActor } from '../../model/actor.ts';
import { fileKey, type ReviewComment } from '../../model/change.ts';
import { recoverWrites } from '../apply/rollback.ts';
import type { Act, Caller, DecideInput, DeskFailureReason, DeskView, FileView, Outcome, Proposal, ReviewDesk } from '../port.ts';
import { Carrier } from './carrier.ts';
import { allDecided, decisionsToRecord } from './decisions.ts';
import type { DeskDeps } from './deps.ts';
import { draftToRecord, textWithHunk } from './drafts.ts';
import { foldSet } from './fold.ts';
import { isSameProposal, type Received, receive } from './intake.ts';
import { policyFor } from './policies.ts';
import { PresentFiles } from './present.ts';
import { SetList } from './set-list.ts';
import { named, outcomeFor, Settler } from './settler.ts';
import { refName, type SetState, shownRef } from './state.ts';
import { undoable } from './undo.ts';
import { fileOf, Views } from './views.ts';
import { abandoned, type DetachReason, Waiters } from './waiters.ts';
import { toldOf, wordsForAgent } from './words.ts';

/** How many of the last settled sets are looked through for one whose answer was never heard. */
const lookBack = 20;

/** The one desk of this process, on the journal that all processes of the workspace share. */
export function createDesk(deps: DeskDeps): ReviewDesk {
  return new Desk(deps);
}

class Desk implements ReviewDesk {
  private readonly live: LiveFolds<SetState>;
  private readonly sets: SetList;
  private readonly views: Views;
  private readonly present: PresentFiles;
  private readonly carrier: Carrier;
  private readonly waiters = new Waiters();
  private readonly settler: Settler;
  private readonly stopping = new AbortController();
  /** One thing at a time for each set; proposals one at a time for all, so that two of the same never become two sets. */
  private readonly turns = new Map<string, Serial>();
  private recovering: Promise<unknown> | undefined;
  readonly onChange: ReviewDesk['onChange'];

  constructor(private readonly deps: DeskDeps) {
    const { journal, disk, roots, stateFolder, buffers } = deps;
    this.live = new LiveFolds(journal, { idOf: (event) => event.set, filter: (set) => ({ set }), fold: foldSet });
    this.onChange = this.live.onChange;
    this.sets = new SetList(journal);
    this.views = new Views(journal.blobs);
    this.present = new PresentFiles(disk, roots, buffers);
    this.carrier = new Carrier({ disk, roots, stateFolder, blobs: journal.blobs, present: this.present, ...(buffers === undefined ? {} : { buffers }) });
    this.settler = new Settler(deps, { views: this.views, present: this.present, carrier: this.carrier, waiters: this.waiters }, this.stopping.signal);
    journal.onEvent((event) => this.noticed(event));
  }

  async propose(proposal: Proposal, caller: Caller): Promise<Outcome> {
    if (caller.signal.aborted) return abandoned('');
    let received: Received | undefined;
    try {
      received = await this.receive(proposal, caller.signal);
    } catch (error) {
      if (caller.signal.aborted) return abandoned('');
      throw error;
    }
    if (received === undefined) return { set: '', outcome: 'accepted', decisions: [], final: {}, answer: { verdict: 'accept', writes: 'nobody' } };
    const entered = await this.turn('', () => this.enter(received, caller));
    return entered.outcome;
  }

  async ready(): Promise<void> {
    await this.recovered();
  }

  async add(proposal: Proposal, via: string): Promise<string | undefined> {
    await this.recovered();
    const received = await this.receive(proposal);
    if (received === undefined) return undefined;
    return this.turn('', async () => {
      const same = (await this.pendingStates()).find((state) => isSameProposal(state, received.changeSet));
      if (same !== undefined) return same.id;
      await this.record(received, { name: '', capabilities: ownCapabilities }, this.person(via));
      return received.changeSet.id;
    });
  }

  async list(options: { text?: string; settled?: number } = {}): Promise<DeskView> {
    const wanted = options.settled ?? 50;
    const words = options.text?.toLowerCase() ?? '';
    const pending = (await this.pendingStates()).filter((state) => matches(state, words));
    const settled: SetState[] = [];
    const ended = await this.sets.settled();
    let looked = 0;
    for (const set of ended) {
      if (settled.length >= wanted) break;
      looked += 1;
      const state = await this.live.state(set);
      if (state !== undefined && matches(state, words)) settled.push(state);
    }
    return { pending, settled, more: looked < ended.length };
  }

  async state(set: string): Promise<SetState> {
    const state = await this.live.state(set);
    if (state === undefined) throw new Failure<DeskFailureReason>('not_found', `There is no readable change set ${set}.`);
    // A process that is gone cannot be waiting, though it had no time to say so.
    if (state.caller.attached && state.owner !== this.deps.journal.session && (await this.deps.journal.sessionState(state.owner)) === 'dead') return { ...state, caller: { ...state.caller, attached: false } };
    return state;
  }

  async file(set: string, file: string, signal?: AbortSignal): Promise<FileView> {
    return this.views.file(await this.state(set), file, signal);
  }

  decide(set: string, decisions: readonly DecideInput[], act: Act): Promise<SetState> {
    return this.turn(set, async () => {
      const state = await this.pendingAt(set, act.revision);
      return this.decideNow(state, decisions, this.person(act.via), act.reason);
    });
  }

  decideAll(set: string, decision: 'accept' | 'reject', act: Act): Promise<SetState> {
    return this.turn(set, async () => {
      const state = await this.pendingAt(set, act.revision);
      return this.decideNow(state, state.files.map((file) => ({ file: file.key, hunk: '*', decision })), this.person(act.via), act.reason);
    });
  }

  edit(set: string, file: string, text: string | undefined, act: Act): Promise<SetState> {
    return this.turn(set, async () => this.editNow(await this.pendingAt(set, act.revision), file, text, act.via));
  }

  editHunk(set: string, file: string, hunk: string, text: string, act: Act): Promise<SetState> {
    return this.turn(set, async () => {
      const state = await this.pendingAt(set, act.revision);
      return this.editNow(state, file, await textWithHunk(fileOf(state, file), hunk, text, this.views), act.via);
    });
  }

  async comment(set: string, comment: Omit<ReviewComment, 'id'>, via: string): Promise<string> {
    const state = await this.state(set);
    if (comment.file !== undefined) fileOf(state, comment.file);
    const id = newId('note');
    await this.append(state, 'comment.made', { comment: { ...comment, id } }, this.person(via));
    return id;
  }

  async removeComment(set: string, comment: string, via: string): Promise<void> {
    const state = await this.state(set);
    if (!state.comments.some((one) => one.id === comment)) throw new Failure<DeskFailureReason>('not_found', 'There is no such comment.');
    await this.append(state, 'comment.removed', { id: comment }, this.person(via));
  }

  async markReviewed(set: string, file: string, reviewed: boolean, via: string): Promise<void> {
    const state = await this.state(set);
    const { root, path, ...rest } = fileOf(state, file);
    await this.append(state, 'file.reviewed', { root, path, hash: refName(shownRef({ root, path, ...rest })), reviewed }, this.person(via));
  }

  async lookedAt(set: string, surface: string): Promise<void> {
    await this.append(await this.state(set), 'changeset.looked_at', { surface }, this.person(surface));
  }

  finish(set: string, act: Act): Promise<SetState> {
    return this.turn(set, async () => {
      const state = await this.pendingAt(set, act.revision);
      if (!(await allDecided(state, this.views))) throw new Failure<DeskFailureReason>('undecided', 'Something is still undecided.');
      await this.append(state, 'changeset.finish_asked', { revision: state.revision, ...(act.reason === undefined ? {} : { reason: act.reason }) }, this.person(act.via));
      await this.advance(set);
      return this.state(set);
    });
  }

  decidedElsewhere(set: string, via: string): Promise<SetState> {
    return this.turn(set, async () => {
      const state = await this.pending(set);
      await this.settler.settleByDisk(state, 'decided_elsewhere', `Decided in ${via}.`);
      return this.state(set);
    });
  }

  refresh(set: string, only?: ReadonlySet<string>): Promise<SetState> {
    return this.turn(set, async () => {
      const state = await this.state(set);
      if (state.status === 'pending' && (await this.owns(state))) await this.settler.rebase(state, 'changed_on_disk', only === undefined ? {} : { only });
      return this.state(set);
    });
  }

  undo(set: string, via: string): Promise<SetState> {
    return this.restore(set, via, 'undo');
  }

  redo(set: string, via: string): Promise<SetState> {
    return this.restore(set, via, 'redo');
  }

  async undoPolicy(policy: string, via: string): ReturnType<ReviewDesk['undoPolicy']> {
    const undone: string[] = [];
    const failed: { set: string; why: string }[] = [];
    // Newest first: a later set may stand on an earlier one's files.
    for (const set of await this.sets.settled()) {
      const state = await this.live.state(set);
      if (state?.settled?.policy !== policy || state.settled.standing !== true) continue;
      try {
        await this.undo(set, via);
        undone.push(set);
      } catch (error) {
        failed.push({ set, why: error instanceof Error ? error.message : String(error) });
      }
    }
    return { undone, failed };
  }

  async wordsForAgent(set: string): Promise<string> {
    const told = toldOf(await this.state(set));
    return told === undefined ? '' : wordsForAgent(told);
  }

  async close(why: 'reload' | 'shutdown'): Promise<void> {
    // What is being settled ends first; then nobody waits any more.
    await Promise.all([...this.turns.values()].map((turn) => turn.idle()));
    for (const set of this.waiters.sets()) {
      this.waiters.settle(set, abandoned(set));
      await this.append({ id: set, origin: { client: '' } }, 'changeset.detached', { why }, casebookActor('desk')).catch((error: unknown) => this.deps.logger.warn('a caller could not be recorded as detached', error));
    }
    this.stopping.abort(new DOMException('closing', 'AbortError'));
    await this.settler.idle();
  }

  /** A proposal joins the pending set that says the same, hears the answer it had missed, or becomes a set of its own. */
  private async enter(received: Received, caller: Caller): Promise<{ outcome: Promise<Outcome> }> {
    const joined = (await this.pendingStates()).find((state) => isSameProposal(state, received.changeSet));
    const { name, capabilities } = caller;
    const actor: Actor = { kind: 'agent', name: received.changeSet.origin.client, ...(received.changeSet.origin.model === undefined ? {} : { via: received.changeSet.origin.model }) };
    if (joined !== undefined) {
      await this.owns(joined);
      const outcome = this.waiters.wait(joined.id, caller, (why) => this.gone(joined, why));
      await this.append(joined, 'changeset.joined', { caller: { name, capabilities } }, actor);
      caller.onSet?.(joined.id);
      return { outcome };
    }
    const missed = capabilities.redelivers ? await this.missed(received) : undefined;
    if (missed?.settled !== undefined) {
      await this.append(missed, 'changeset.joined', { caller: { name, capabilities }, answered: true }, actor);
      return { outcome: Promise.resolve(outcomeFor(missed.id, missed.settled)) };
    }
    const set = received.changeSet;
    // Before the event: somebody who sees it may decide at once.
    const outcome = this.waiters.wait(set.id, caller, (why) => this.gone(set, why));
    try {
      await this.record(received, { name, capabilities }, actor);
    } catch (error) {
      this.waiters.settle(set.id, abandoned(set.id));
      throw error;
    }
    caller.onSet?.(set.id);
    await this.decideByPolicy(received);
    return { outcome };
  }

  private async record(received: Received, caller: { name: string; capabilities: Caller['capabilities'] }, actor: Actor): Promise<void> {
    await this.append(received.changeSet, 'changeset.proposed', { changeSet: received.changeSet, caller, conflicts: received.conflicts }, actor);
  }

  private async decideByPolicy(received: Received): Promise<void> {
    const policy = received.conflicts.length > 0 ? undefined : policyFor(received.changeSet, this.deps.policies());
    if (policy === undefined) return;
    const { id, files } = received.changeSet;
    await this.turn(id, async () => {
      const state = await this.pending(id);
      await this.decideNow(state, files.map((file) => ({ file: fileKey(file), hunk: '*', decision: 'accept' as const })), { kind: 'policy', name: policy.name });
    }).catch((error: unknown) => this.deps.logger.warn(`the policy ${policy.name} could not be carried out; the set waits for a person`, error));
  }

  /** A settled set whose caller never heard: its wait had ended before. */
  private async missed(received: Received): Promise<SetState | undefined> {
    for (const set of (await this.sets.settled()).slice(0, lookBack)) {
      const state = await this.live.state(set);
      if (state?.settled !== undefined && !state.settled.heard && state.caller.name !== '' && isSameProposal(state, received.changeSet)) return state;
    }
    return undefined;
  }

  private async decideNow(state: SetState, inputs: readonly DecideInput[], actor: Actor, reason?: string): Promise<SetState> {
    const body = await decisionsToRecord(state, inputs, this.views);
    await this.append(state, 'hunks.decided', { revision: state.revision, ...body, ...(reason === undefined ? {} : { reason }) }, actor);
    await this.advance(state.id);
    return this.state(state.id);
  }

  private async editNow(state: SetState, key: string, text: string | undefined, via: string): Promise<SetState> {
    const body = await draftToRecord(fileOf(state, key), text, state.revision, { blobs: this.deps.journal.blobs, views: this.views });
    await this.append(state, 'file.edited', body, this.person(via));
    return this.state(state.id);
  }

  /** Settles a set once it is decided, if this process owns it (or its owner is provably gone). */
  private async advance(set: string): Promise<void> {
    const state = await this.live.state(set);
    if (state === undefined || state.status === 'settled' || !(await allDecided(state, this.views))) return;
    if (this.deps.finish() === 'ask' && !state.finishAsked) return;
    if (!(await this.owns(state))) return;
    const own = await this.live.state(set);
    if (own !== undefined && (await this.settler.settle(own))) await this.refreshNeighbours(own);
  }

  /** Sets that stand on the same files are put on what they have become. */
  private async refreshNeighbours(settled: SetState): Promise<void> {
    const keys = new Set(settled.files.flatMap((file) => [file.key, `${file.root}/${file.from ?? file.path}`]));
    for (const set of await this.sets.pending()) {
      const state = await this.live.state(set);
      if (state === undefined || state.id === settled.id || state.owner !== this.deps.journal.session || !state.files.some((file) => keys.has(file.key) || keys.has(`${file.root}/${file.from ?? file.path}`))) continue;
      void this.turn(set, async () => {
        const now = await this.live.state(set);
        if (now?.status === 'pending') await this.settler.rebase(now, 'decided_before');
      }).catch((error: unknown) => this.deps.logger.warn(`the set ${set} could not be re-based`, error));
    }
  }

  private restore(set: string, via: string, what: 'undo' | 'redo'): Promise<SetState> {
    return this.turn(set, async () => {
      await this.recovered();
      const state = await this.state(set);
      const written = undoable(state, what);
      try {
        const done = what === 'undo' ? await this.carrier.undo(written) : await this.carrier.redo(written);
        if (what === 'undo') await this.append(state, 'changeset.undone', { written: done }, this.person(via));
        else await this.append(state, 'changeset.redone', { written: done }, this.person(via));
      } catch (error) {
        if (isFailure(error, 'base_changed', 'in_the_way')) throw new Failure<DeskFailureReason>('changed_since', error.message, { detail: error.detail, cause: error });
        if (isFailure(error, 'not_found')) throw new Failure<DeskFailureReason>('nothing_to_undo', error.message, { cause: error });
        throw error;
      }
      await this.refreshNeighbours(state);
      return this.state(set);
    });
  }

  /** What others did: a decision of another window or terminal on a set of ours, or the end of one that somebody here waits for. */
  private noticed(event: AnyEvent): void {
    if (event.set === undefined || event.session === this.deps.journal.session) return;
    const set = event.set;
    if (event.kind === 'hunks.decided' || event.kind === 'changeset.finish_asked') {
      void this.turn(set, () => this.advance(set)).catch((error: unknown) => this.deps.logger.warn(`the set ${set} could not be settled`, error));
    } else if (event.kind === 'changeset.settled') {
      if (event.body !== null) this.waiters.settle(set, outcomeFor(set, { ...event.body }));
      void this.live.state(set).then((state) => state && this.refreshNeighbours(state)).catch((error: unknown) => this.deps.logger.warn('sets on the same files could not be re-based', error));
    }
  }

  private gone(set: Pick<SetState, 'id' | 'origin'>, why: DetachReason): void {
    void this.append(set, 'changeset.detached', { why }, casebookActor('desk')).catch((error: unknown) => this.deps.logger.warn('a caller could not be recorded as gone', error));
  }

  /** Whether this process settles the set; takes it over when its owner is provably dead. */
  private async owns(state: SetState): Promise<boolean> {
    const { journal } = this.deps;
    await this.recovered();
    if (state.owner === journal.session) return true;
    return (await journal.sessionState(state.owner)) === 'dead' && (await journal.takeOver('set', state.id, state.owner));
  }

  private recovered(): Promise<unknown> {
    this.recovering ??= recoverWrites(this.deps.disk, this.deps.stateFolder).then((found) => {
      if (found.length > 0) this.deps.logger.info('writes of a process that is gone were put right', { writes: found.map(({ id, state }) => ({ id, state })) });
    });
    return this.recovering;
  }

  private async pendingStates(): Promise<SetState[]> {
    const states: SetState[] = [];
    for (const set of await this.sets.pending()) {
      const state = await this.state(set).catch(() => undefined);
      if (state?.status === 'pending') states.push(state);
    }
    return states;
  }

  private async pending(set: string): Promise<SetState> {
    const state = await this.state(set);
    if (state.settled !== undefined) throw new Failure<DeskFailureReason>('settled', 'This change set has its outcome already.', { detail: { outcome: state.settled.outcome } });
    return state;
  }

  private async pendingAt(set: string, revision: number): Promise<SetState> {
    const state = await this.pending(set);
    if (state.revision !== revision) throw new Failure<DeskFailureReason>('stale_revision', 'The files have changed since you looked; look at the set again.');
    return state;
  }

  private receive(proposal: Proposal, signal?: AbortSignal): Promise<Received | undefined> {
    if (this.stopping.signal.aborted) throw new Failure<DeskFailureReason>('closed', 'The review desk is closing.');
    return receive(proposal, { blobs: this.deps.journal.blobs, present: this.present }, signal);
  }

  private turn<T>(name: string, task: () => Promise<T>): Promise<T> {
    let serial = this.turns.get(name);
    if (serial === undefined) {
      serial = new Serial();
      this.turns.set(name, serial);
    }
    return serial.run(task);
  }

  private append<K extends EventKind>(state: Pick<SetState, 'id' | 'origin'>, kind: K, body: NewEvent<K>['body'], actor: Actor): Promise<unknown> {
    return this.deps.journal.append({ kind, body, actor, ...named(state) });
  }

  private person(via: string): Actor {
    return { kind: 'person', name: this.deps.person, via };
  }
}

/** A set nobody waits for: Casebook writes, and everything can be said. */
const ownCapabilities = { writer: 'casebook', canEdit: true, canPartial: true, canEmpty: true, redelivers: false, canExplain: true } as const;

function matches(state: SetState, words: string): boolean {
  return words === '' || [state.title, state.origin.client, ...state.files.map((file) => file.key)].some((text) => text.toLowerCase().includes(words));
}


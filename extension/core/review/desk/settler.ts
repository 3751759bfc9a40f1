import { mapAtOnce } from '../../base/at-once.ts';
import { isFailure } from '../../base/failure.ts';
import type { EventKind } from '../../journal/kinds/index.ts';
import type { NewEvent } from '../../journal/port.ts';
import { type Actor, casebookActor } from '../../model/actor.ts';
import { type CallerAnswer, hunksDecided, type ReviewComment, type SettledFile } from '../../model/change.ts';
import type { WriteFailureDetail, WriteFailureReason } from '../apply/failure.ts';
import type { WriteEntry } from '../apply/plan.ts';
import type { Outcome } from '../port.ts';
import { answerTo, type Decided } from './answer.ts';
import type { Carrier } from './carrier.ts';
import { isContent } from './contents.ts';
import type { DeskDeps } from './deps.ts';
import { decidersOf } from './fold.ts';
import { filesAtOnce } from './intake.ts';
import { observe } from './observe.ts';
import { type FileOutcome, outcomesOf } from './outcomes.ts';
import type { PresentFiles } from './present.ts';
import { rebaseOnto, type RebasedFile } from './rebasing.ts';
import type { FileState, SetState, SettledState, WrittenState } from './state.ts';
import type { Views } from './views.ts';
import type { Waiters } from './waiters.ts';
import { remarks, wordsForAgent } from './words.ts';

export interface SettlerParts {
  views: Views;
  present: PresentFiles;
  carrier: Carrier;
  waiters: Waiters;
}

/**
 * Brings a decided set to its one outcome: checks the bases, writes or has the agent write, records, answers. Called for sets this process owns,
 * one call at a time for each set.
 */
export class Settler {
  /** Agents being watched after their answer. */
  private readonly observing = new Set<Promise<void>>();

  constructor(
    private readonly deps: DeskDeps,
    private readonly parts: SettlerParts,
    private readonly stopping: AbortSignal,
  ) {}

  /**
   * True when the set has its outcome now. False when what it stands on had changed: it was re-based and stays pending. Fails with a WriteFailureReason when it could
   * not be written; nothing of it is on disk then, and it stays pending as decided.
   */
  async settle(state: SetState): Promise<boolean> {
    const { views, waiters } = this.parts;
    const { outcome, files } = await outcomesOf(state, views, this.deps.journal.blobs);
    const entries = files.flatMap((file) => file.entry ?? []);
    // What is kept is not written, so nobody else would notice that it is no longer what was looked at.
    if (state.disk === 'applied' && !(state.applying && (await this.parts.carrier.isThere(entries))) && (await this.rebase(state, 'changed_on_disk'))) return false;
    const comments = state.comments.map(({ by: _by, at: _at, ...comment }): ReviewComment => comment);
    const answer = waiters.has(state.id) ? await this.answer(state, outcome, files, comments) : undefined;
    const agentWrites = answer?.writes === 'agent';
    if (agentWrites && (await this.rebase(state, 'changed_on_disk'))) return false;
    const written = agentWrites || entries.length === 0 ? undefined : await this.write(state, entries);
    if (written === 'rebased') return false;
    const by = decidersOf(state);
    await this.append(state, 'changeset.settled', { outcome, files: files.map((file) => file.settled), comments, reason: state.reason, answer, heard: waiters.has(state.id), written, policy: by.find((actor) => actor.kind === 'policy')?.name, deciders: by }, by.at(-1) ?? casebookActor('desk'));
    const heard = waiters.has(state.id);
    waiters.settle(state.id, outcomeFor(state.id, { outcome, files: files.map((file) => file.settled), ...(state.reason === undefined ? {} : { reason: state.reason }), ...(answer === undefined ? {} : { answer }) }));
    if (agentWrites) await this.afterAnswer(state, files.map((file) => file.settled), entries, heard);
    return true;
  }

  /** Puts files whose place has changed on what is there now. False when nothing had changed. `forced`: files to be put on their unsaved text; `only`: no others are looked at. */
  async rebase(state: SetState, why: 'changed_on_disk' | 'decided_before' | 'asked', { forced, only }: { forced?: ReadonlySet<string>; only?: ReadonlySet<string> } = {}): Promise<boolean> {
    const files = only === undefined ? state.files : state.files.filter(({ key }) => only.has(key));
    // Most of it is waiting for the disk, and nobody can decide meanwhile.
    const found = await mapAtOnce(files, filesAtOnce, (file) => this.rebaseOne(file, state.disk, forced?.has(file.key) === true));
    const rebased = found.filter((file) => file !== undefined);
    if (rebased.length === 0) return false;
    await this.recordRebase(state, why, rebased);
    return true;
  }

  /** Undefined where the file still is what the set stands on. */
  private async rebaseOne(file: FileState, disk: SetState['disk'], forced: boolean): Promise<RebasedFile | undefined> {
    const { views, present } = this.parts;
    const stands = disk === 'applied' ? file.path : (file.from ?? file.path);
    const link = file.base.kind !== 'file' || file.proposed.kind !== 'file' || file.from !== undefined;
    const now = await present.at({ root: file.root, path: stands }, { link });
    const expected = disk === 'applied' ? file.proposed : file.base;
    const buffer = now.buffer === undefined ? undefined : { ...now.content, kind: 'file' as const, bytes: now.buffer.bytes };
    const stays = !forced && (isContent(now.content, expected) || (buffer !== undefined && isContent(buffer, expected)));
    return stays ? undefined : rebaseOnto(buffer ?? now.content, file, disk, { blobs: this.deps.journal.blobs, views });
  }

  /** Ends a set without anybody's decision here: by what is on disk. */
  async settleByDisk(state: SetState, outcome: 'decided_elsewhere', reason: string): Promise<void> {
    const { present, waiters } = this.parts;
    const files: SettledFile[] = [];
    for (const file of state.files) files.push({ ...withoutDecisions(file), final: await this.presentRef(file, present), finalPath: file.path, decided: [] });
    await this.append(state, 'changeset.settled', { outcome, files, comments: [], reason, heard: waiters.has(state.id), deciders: [] }, casebookActor('desk'));
    waiters.settle(state.id, { set: state.id, outcome, decisions: [], final: {}, reason });
  }

  async idle(): Promise<void> {
    await Promise.allSettled(this.observing);
  }

  append<K extends EventKind>(state: Pick<SetState, 'id' | 'origin'>, kind: K, body: NewEvent<K>['body'], actor: Actor): Promise<unknown> {
    return this.deps.journal.append({ kind, body, actor, ...named(state) });
  }

  private async answer(state: SetState, outcome: Decided, files: readonly FileOutcome[], comments: readonly ReviewComment[]): Promise<CallerAnswer> {
    const answered = files.map((file) => file.answered);
    let answer = answerTo(outcome, answered, state.caller.capabilities, remarks(state.reason, comments));
    // An agent that wrote under somebody's unsaved text would lose it; the change goes into the buffer instead.
    if (answer.writes === 'agent' && (await this.anyUnsaved(state.files))) answer = { verdict: 'reject', writes: 'casebook', nextPrompt: '' };
    if (answer.nextPrompt === undefined) return answer;
    const told = { title: state.title, outcome, applied: outcome !== 'rejected', files: files.map((file) => file.told), reason: state.reason, comments };
    return { ...answer, nextPrompt: wordsForAgent(told) };
  }

  private async anyUnsaved(files: readonly FileState[]): Promise<boolean> {
    for (const file of files) if ((await this.parts.present.at({ root: file.root, path: file.from ?? file.path }, { link: file.base.kind !== 'file' })).buffer !== undefined) return true;
    return false;
  }

  private async write(state: SetState, entries: readonly WriteEntry[]): Promise<WrittenState | 'rebased'> {
    const { carrier } = this.parts;
    const files = await carrier.refsOf(entries);
    // A process that died between the write and its record had written it all.
    if (state.applying && (await carrier.isThere(entries))) return { files, folders: [], buffers: [] };
    await this.append(state, 'changeset.applying', { files }, casebookActor('desk'));
    try {
      return await carrier.write(entries);
    } catch (error) {
      await this.writeFailed(state, error);
      if (!isFailure<WriteFailureReason>(error, 'base_changed')) throw error;
      const detail = error.detail as WriteFailureDetail | undefined;
      const conflicts = new Set(detail?.conflicts?.map((conflict) => conflict.path));
      const unsaved = new Set<string>();
      for (const file of state.files) if (conflicts.has(file.key) && (await this.anyUnsaved([file]))) unsaved.add(file.key);
      if (await this.rebase(state, 'changed_on_disk', { forced: unsaved })) return 'rebased';
      throw error;
    }
  }

  private async writeFailed(state: SetState, error: unknown): Promise<void> {
    const reason = isFailure(error) ? error.reason : 'io';
    const detail = isFailure(error) ? (error.detail as Partial<WriteFailureDetail> | undefined) : undefined;
    await this.append(state, 'changeset.write_failed', { reason, message: error instanceof Error ? error.message : String(error), rolledBack: detail?.rolledBack ?? true }, casebookActor('desk'));
  }

  private async recordRebase(state: SetState, why: 'changed_on_disk' | 'decided_before' | 'asked', rebased: readonly RebasedFile[]): Promise<void> {
    const gone = rebased.filter((file) => file.gone);
    if (gone.length === state.files.length) return this.settleByDisk(state, 'decided_elsewhere', state.disk === 'applied' ? 'Nothing of it is there any more.' : 'All of it is there already.');
    const stay = rebased.filter((file) => !file.gone);
    await this.append(
      state,
      'changeset.rebased',
      {
        revision: state.revision + 1,
        why,
        files: stay.map((file) => file.change),
        carried: stay.flatMap((file) => file.carried),
        conflicts: stay.filter((file) => file.conflicts.length > 0).map((file) => ({ file: `${file.change.root}/${file.change.path}`, hunks: file.conflicts, origins: file.origins })),
        gone: gone.map(({ change: { root, path } }) => ({ root, path })),
      },
      casebookActor('desk'),
    );
  }

  /** The agent has its answer: it writes, and is watched. When its connection was lost in the last moment, nobody would: then it is written here. */
  private async afterAnswer(state: SetState, files: readonly SettledFile[], entries: readonly WriteEntry[], heard: boolean): Promise<void> {
    if (!heard) {
      if (entries.length > 0) await this.append(state, 'changeset.redone', { written: await this.parts.carrier.write(entries) }, casebookActor('desk'));
      return;
    }
    const watching = observe(files, this.parts.present, this.deps.journal.blobs, this.stopping, this.deps.observeMs)
      .then(async (observed) => void (await this.append(state, 'changeset.observed', observed, casebookActor('desk'))))
      .catch((error: unknown) => this.deps.logger.warn('what an agent wrote could not be observed', error))
      .finally(() => this.observing.delete(watching));
    this.observing.add(watching);
  }

  private async presentRef(file: FileState, present: PresentFiles): Promise<SettledFile['final']> {
    const { content } = await present.at(file, { link: file.proposed.kind !== 'file' });
    if (content.kind !== 'file') return content;
    const hash = await this.deps.journal.blobs.put(content.bytes);
    return { kind: 'file', hash, size: content.bytes.length, ...(content.mode === undefined ? {} : { mode: content.mode }) };
  }
}

/** The envelope of a set's events. */
export function named(state: Pick<SetState, 'id' | 'origin'>): { set: string; case?: string; run?: string } {
  const { case: ofCase, run } = state.origin;
  return { set: state.id, ...(ofCase === undefined ? {} : { case: ofCase }), ...(run === undefined ? {} : { run }) };
}

/** What a caller hears of a settled set. */
export function outcomeFor(set: string, settled: Pick<SettledState, 'outcome' | 'files' | 'reason' | 'answer'>): Outcome {
  const decisions = settled.files.flatMap((file) => hunksDecided(file).map(({ hunk, decision }) => ({ file: `${file.root}/${file.path}`, hunk, decision })));
  const final = Object.fromEntries(settled.files.flatMap((file) => (file.final.kind === 'file' && !(file.proposed.kind === 'file' && file.proposed.hash === file.final.hash) ? [[`${file.root}/${file.path}`, file.final.hash]] : [])));
  return { set, outcome: settled.outcome, decisions, final, ...(settled.answer === undefined ? {} : { answer: settled.answer }), ...(settled.reason === undefined ? {} : { reason: settled.reason }) };
}

function withoutDecisions({ root, path, from, base, proposed }: FileState): Pick<SettledFile, 'root' | 'path' | 'from' | 'base' | 'proposed'> {
  return { root, path, ...(from === undefined ? {} : { from }), base, proposed };
}

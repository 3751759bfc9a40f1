import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import { isFailure } from '../../core/base/failure.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import type { DeskFailureReason, FileView } from '../../core/review/port.ts';
import { hunkAt, stepFrom } from '../../host/review/hunk-at.ts';
import { shortTitle, unsavedOf } from '../../host/review/native.ts';
import type { Services } from '../../services.ts';
import { type CommandId, commands } from '../../shared/ids.ts';
import { wordsForReview } from '../../shared/words.ts';
import type { Feature } from '../start.ts';
import { counted } from './rows.ts';
import { chooseTarget, type Target, targetOf } from './target.ts';

type Verdict = 'accept' | 'reject' | 'undone';

/** Accepting and rejecting from the diff editor, the Reviews view and the palette. */
export const decideFeature: Feature<Services> = {
  name: 'review decisions',
  register(services) {
    const owned = new DisposableStore();
    const decider = new Decider(services);
    const on = (id: CommandId, run: (argument: unknown) => Promise<unknown>): void => void owned.add(services.commands.register(id, true, run, wordsForReview));
    on(commands.reviewAcceptHunk, (argument) => decider.hunk(argument, 'accept'));
    on(commands.reviewRejectHunk, (argument) => decider.hunk(argument, 'reject'));
    on(commands.reviewTakeBack, (argument) => decider.hunk(argument, 'undone'));
    on(commands.reviewAcceptFile, (argument) => decider.file(argument, 'accept'));
    on(commands.reviewRejectFile, (argument) => decider.file(argument, 'reject'));
    on(commands.reviewAcceptAll, (argument) => decider.set(argument, 'accept'));
    on(commands.reviewRejectAll, (argument) => decider.set(argument, 'reject'));
    on(commands.reviewFinish, (argument) => decider.finish(argument));
    on(commands.reviewDiscardEdits, (argument) => decider.discardEdits(argument));
    on(commands.reviewNextHunk, (argument) => step(services, argument, 'next'));
    on(commands.reviewPreviousHunk, (argument) => step(services, argument, 'previous'));
    return owned;
  },
};

/** Takes decisions to the desk. The same one given twice at once (a double click, a click and a key) is given once. */
class Decider {
  private readonly running = new Map<string, Promise<unknown>>();

  constructor(private readonly services: Services) {}

  async hunk(argument: unknown, decision: Verdict): Promise<void> {
    const target = targetOf(this.services, argument);
    if (target?.file === undefined) return this.nothingThere();
    const { set, file, via } = target;
    await this.once(`${set} ${file} ${target.hunk ?? `line ${target.editor?.selection.active.line}`} ${decision}`, async () => {
      await this.keepUnsaved(set);
      const board = await this.services.reviews.board();
      const view = await board.view(set, file);
      const hunk = target.hunk ?? hunkOf(view, target);
      if (hunk === undefined) return this.nothingThere();
      const state = await board.desk.decide(set, [{ file, hunk, decision }], { via, revision: view.revision });
      await this.after(board.note(state), target, decision);
    });
  }

  async file(argument: unknown, decision: Verdict): Promise<void> {
    const target = targetOf(this.services, argument);
    if (target?.file === undefined) return this.nothingThere();
    const { set, file, via } = target;
    await this.once(`${set} ${file} * ${decision}`, async () => {
      await this.keepUnsaved(set);
      const board = await this.services.reviews.board();
      const { revision } = await board.state(set);
      await this.after(board.note(await board.desk.decide(set, [{ file, hunk: '*', decision }], { via, revision })), target, decision);
    });
  }

  async set(argument: unknown, decision: 'accept' | 'reject'): Promise<void> {
    const title = decision === 'accept' ? vscode.l10n.t('Accept All of a Review') : vscode.l10n.t('Reject All of a Review');
    const target = await chooseTarget(this.services, argument, title, ({ pending }) => pending);
    if (target === undefined) return;
    const { set, via } = target;
    await this.once(`${set} * ${decision}`, async () => {
      await this.keepUnsaved(set);
      const board = await this.services.reviews.board();
      const seen = await board.state(set);
      if (decision === 'reject' && !(await this.confirmRejection(seen))) return;
      const state = board.note(await board.desk.decideAll(set, decision, { via, revision: seen.revision }));
      if (decision === 'accept') await this.tellConflicts(state);
      await this.after(state, target, decision);
    });
  }

  async finish(argument: unknown): Promise<void> {
    const target = await chooseTarget(this.services, argument, vscode.l10n.t('Finish a Review'), ({ pending }) => pending.filter((set) => set.files.every((file) => file.left === 0)));
    if (target === undefined) return;
    await this.once(`${target.set} finish`, async () => {
      const board = await this.services.reviews.board();
      const { revision } = await board.state(target.set);
      await this.after(board.note(await board.desk.finish(target.set, { via: target.via, revision })), target, 'accept');
    });
  }

  /** The person's edits of a file go, saved ones and unsaved ones; asked first, since they are the person's own work. */
  async discardEdits(argument: unknown): Promise<void> {
    const target = targetOf(this.services, argument);
    if (target?.file === undefined) return this.nothingThere();
    const { set, file, via } = target;
    const discard = vscode.l10n.t('Discard Edits');
    if ((await this.services.prompter.modal(vscode.l10n.t('Go back to what was proposed?'), vscode.l10n.t('Your edits of this file in the review are discarded. The journal keeps those that were saved.'), [discard])) !== discard) return;
    const board = await this.services.reviews.board();
    const { revision } = await board.state(set);
    board.note(await board.desk.edit(set, file, undefined, { via, revision }));
    // The editor keeps unsaved text against any change from outside; only it can let go of it.
    if (target.editor?.document.isDirty === true) await vscode.commands.executeCommand('workbench.action.files.revert');
  }

  /** Rejecting everything takes much back at once: what it is about is said first, and above all what is the person's own. */
  private async confirmRejection(state: SetState): Promise<boolean> {
    const open = state.files.filter((file) => file.left > 0);
    const changes = open.reduce((sum, file) => sum + file.left, 0);
    const deleted = state.disk === 'applied' ? open.filter((file) => file.base.kind === 'absent').length : 0;
    const own = open.filter((file) => file.by === 'person').map((file) => file.path);
    const detail = [
      state.disk === 'applied' ? vscode.l10n.t('The files become again as they were before.') : vscode.l10n.t('Nothing of it is written.'),
      ...(deleted > 0 ? [vscode.l10n.t('{0} will be deleted.', counted(deleted, 'new file'))] : []),
      ...(own.length > 0 ? [vscode.l10n.t('You saved in the meantime: {0}. What you typed there goes too.', own.slice(0, 5).join(', ') + (own.length > 5 ? ' …' : ''))] : []),
      vscode.l10n.t('It can be undone.'),
    ];
    const reject = vscode.l10n.t('Reject All');
    return (await this.services.prompter.modal(vscode.l10n.t('Reject {0} in {1} of “{2}”?', counted(changes, 'change'), counted(open.length, 'file'), shortTitle(state.title)), detail.join(' '), [reject])) === reject;
  }

  private async tellConflicts(state: SetState): Promise<void> {
    const conflicts = state.status === 'pending' ? state.files.reduce((sum, file) => sum + (file.conflicts.length > 0 ? file.left : 0), 0) : 0;
    if (conflicts > 0) await this.services.prompter.warn(vscode.l10n.t('{0} left: there both sides changed the same lines, so each is decided by itself.', counted(conflicts, 'conflict')), []);
  }

  private async once(key: string, act: () => Promise<void>): Promise<void> {
    const running = this.running.get(key) ?? act();
    this.running.set(key, running);
    try {
      await running;
    } catch (error) {
      // Settled a moment ago, here or elsewhere: the list and the tab show it, and there is nothing left to do.
      if (!isFailure<DeskFailureReason>(error, 'settled')) throw error;
      await (await this.services.reviews.board()).load(true);
      await this.services.prompter.inform(vscode.l10n.t('This review has its outcome already.'));
    } finally {
      this.running.delete(key);
    }
  }

  /** What is decided is what is on the screen, so unsaved edits of the set become its drafts first. */
  private async keepUnsaved(set: string): Promise<void> {
    for (const document of unsavedOf(set)) await this.services.reviews.files.keep(document);
  }

  private async after(state: SetState, target: Target, decision: Verdict): Promise<void> {
    if (state.status === 'settled' || decision === 'undone' || target.editor === undefined || target.file === undefined) return;
    const file = state.files.find((one) => one.key === target.file);
    if (file === undefined || file.left === 0) return;
    const board = await this.services.reviews.board();
    const next = stepFrom(await board.view(target.set, target.file), target.side ?? 'proposed', target.editor.selection.active.line, 'next', true);
    if (next !== undefined) (await this.services.reviews.native()).reveal(target.editor, next);
  }

  private nothingThere(): void {
    vscode.window.setStatusBarMessage(vscode.l10n.t('Casebook: there is no change under review at the cursor.'), 4000);
  }
}

function hunkOf(view: FileView, { editor, side }: Target): string | undefined {
  return hunkAt(view, side ?? 'proposed', editor?.selection.active.line ?? 0)?.id;
}

/** To the next or previous change; at the end of a file on to the next file of the set that has something undecided. */
async function step(services: Services, argument: unknown, direction: 'next' | 'previous'): Promise<void> {
  const target = targetOf(services, argument);
  if (target?.editor === undefined || target.file === undefined) return;
  const [board, native] = await Promise.all([services.reviews.board(), services.reviews.native()]);
  const line = target.editor.selection.active.line;
  const place = stepFrom(await board.view(target.set, target.file), target.side ?? 'proposed', line, direction);
  const goesRound = place === undefined || (direction === 'next' ? place.first <= line : place.first >= line);
  const state = await board.state(target.set);
  const at = state.files.findIndex((file) => file.key === target.file);
  const others = direction === 'next' ? [...state.files.slice(at + 1), ...state.files.slice(0, at)] : [...state.files.slice(0, at).reverse(), ...state.files.slice(at + 1).reverse()];
  const other = goesRound ? others.find((file) => file.left > 0) : undefined;
  if (other !== undefined) await native.open(target.set, { file: other.key });
  else if (place !== undefined) native.reveal(target.editor, place);
}

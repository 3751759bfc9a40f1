import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import { shortTitle } from '../../host/review/native.ts';
import type { Services } from '../../services.ts';
import { commands } from '../../shared/ids.ts';
import { wordsFor, wordsForReview } from '../../shared/words.ts';
import type { Feature } from '../start.ts';
import { counted } from './rows.ts';
import { chooseTarget } from './target.ts';

/** Taking back what a review wrote, and writing it again; both are checked against the disk like any write. */
export const undoFeature: Feature<Services> = {
  name: 'review undo',
  register(services) {
    const owned = new DisposableStore();
    const standing = (wanted: boolean) => ({ settled }: { settled: SetState[] }): SetState[] => settled.filter((set) => set.settled?.standing === wanted);
    owned.add(
      services.commands.register(commands.reviewUndo, true, async (argument) => {
        const target = await chooseTarget(services, argument, vscode.l10n.t('Undo a Review'), standing(true));
        if (target === undefined) return;
        const board = await services.reviews.board();
        const before = await board.state(target.set);
        const undo = vscode.l10n.t('Undo');
        const files = counted(before.settled?.written?.files.length ?? 0, 'file');
        if ((await services.prompter.modal(vscode.l10n.t('Undo “{0}”?', shortTitle(before.title)), vscode.l10n.t('{0} become again as they were before the review. Files that have changed since are not touched, and it can be redone.', files), [undo])) !== undo) return;
        const state = board.note(await board.desk.undo(target.set, target.via));
        await services.prompter.inform(vscode.l10n.t('“{0}” is undone: the files are as they were before.', shortTitle(state.title)));
      }, wordsForReview),
    );
    owned.add(
      services.commands.register(commands.reviewRedo, true, async (argument) => {
        const target = await chooseTarget(services, argument, vscode.l10n.t('Redo a Review'), standing(false));
        if (target === undefined) return;
        const board = await services.reviews.board();
        board.note(await board.desk.redo(target.set, target.via));
      }, wordsForReview),
    );
    owned.add(services.commands.register(commands.reviewUndoPolicy, true, () => undoPolicy(services)));
    return owned;
  },
};

async function undoPolicy(services: Services): Promise<void> {
  const board = await services.reviews.board();
  await board.load();
  const byPolicy = new Map<string, number>();
  for (const { settled } of board.settled()) if (settled?.policy !== undefined && settled.standing === true) byPolicy.set(settled.policy, (byPolicy.get(settled.policy) ?? 0) + 1);
  if (byPolicy.size === 0) {
    await services.prompter.inform(vscode.l10n.t('No policy has accepted anything that could be undone.'));
    return;
  }
  const choices = [...byPolicy].map(([name, count]) => ({ label: name, description: counted(count, 'change set'), value: name }));
  const picked = await services.prompter.pick(choices, { title: vscode.l10n.t('Undo What a Policy Accepted'), placeholder: vscode.l10n.t('Which policy?') });
  if (picked.kind !== 'picked') return;
  const { undone, failed } = await board.desk.undoPolicy(picked.value, 'palette');
  await board.load(true);
  const rest = failed.length === 0 ? '' : ` ${vscode.l10n.t('{0} could not be undone: {1}', counted(failed.length, 'change set'), failed[0]?.why ?? wordsFor(undefined))}`;
  await services.prompter.inform(`${vscode.l10n.t('{0} undone.', counted(undone.length, 'change set'))}${rest}`);
}

import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import { shortTitle } from '../../host/review/native.ts';
import type { Services } from '../../services.ts';
import { commands } from '../../shared/ids.ts';
import { wordsForReview } from '../../shared/words.ts';
import type { Feature } from '../start.ts';
import { originWords } from './rows.ts';
import { chooseTarget } from './target.ts';

/** Words for the agent's next prompt, where its answer could not carry them; offered once when a review is settled, and by command later. */
export const agentWordsFeature: Feature<Services> = {
  name: 'words for agents',
  register(services) {
    const owned = new DisposableStore();
    owned.add(
      services.commands.register(commands.reviewCopyForAgent, false, async (argument) => {
        const target = await chooseTarget(services, argument, vscode.l10n.t('Copy Words for the Agent'), ({ settled }) => settled);
        if (target === undefined) return;
        const words = await (await services.reviews.board()).desk.wordsForAgent(target.set);
        if (words === '') await services.prompter.inform(vscode.l10n.t('Nothing of this review is decided yet.'));
        else await copy(services, words);
      }, wordsForReview),
    );
    owned.add(
      services.onBoard((_board, core) => {
        const { board } = services.reviews.over(core.review);
        const open = new Set<string>();
        return board.onSet((set) => {
          if (set.status === 'pending') open.add(set.id);
          else if (open.delete(set.id)) void offer(services, set);
        });
      }),
    );
    return owned;
  },
};

function nextPrompt(set: SetState): string | undefined {
  const words = set.settled?.answer?.nextPrompt;
  return words === undefined || words === '' ? undefined : words;
}

async function offer(services: Services, set: SetState): Promise<void> {
  const words = nextPrompt(set);
  if (words === undefined) return;
  const action = vscode.l10n.t('Copy');
  const chosen = await services.prompter.inform(vscode.l10n.t('{0} could not be told all of what you decided about “{1}”. Copy the words for its next prompt?', originWords(set), shortTitle(set.title)), [action]);
  if (chosen === action) await copy(services, words);
}

async function copy(services: Services, words: string): Promise<void> {
  await services.prompter.writeClipboard(words);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Casebook: the words are in the clipboard.'), 4000);
}

import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import { isFailure } from '../../core/base/failure.ts';
import { shortTitle } from '../../host/review/native.ts';
import type { ShownReview } from '../../host/review/tabs.ts';
import type { Services } from '../../services.ts';
import { commands, settings } from '../../shared/ids.ts';
import type { Feature } from '../start.ts';

/** Closing a tab decides nothing, unless the setting makes it a rejection; a settled review closes its own tabs. */
export const closingFeature: Feature<Services> = {
  name: 'review tabs',
  register(services) {
    const owned = new DisposableStore();
    owned.add(services.reviews.tabs.onClosed((shown) => void closed(services, shown).catch((error: unknown) => services.log.warn('a closed review tab could not be followed', error))));
    owned.add(
      services.onBoard((_board, core) =>
        services.reviews.over(core.review).board.onSet((set) => {
          if (set.status === 'settled') services.reviews.tabs.closeAll(set.id).catch((error: unknown) => services.log.warn('the tabs of a settled review could not be closed', error));
        }),
      ),
    );
    return owned;
  },
};

async function closed(services: Services, { set, file }: ShownReview): Promise<void> {
  const board = await services.reviews.board();
  const state = await board.state(set);
  if (state.status === 'settled') return;
  const title = shortTitle(state.title);
  if (services.settings.get(settings.reviewCloseTab) === 'reject') {
    await reject(services, set, file);
    await services.prompter.inform(vscode.l10n.t('Closed: what was undecided in “{0}” is rejected.', title));
    return;
  }
  if (services.reviews.visible()) return;
  const reopen = vscode.l10n.t('Reopen');
  const choice = await services.prompter.inform(vscode.l10n.t('“{0}” is still pending; closing its tab decided nothing.', title), [reopen]);
  if (choice === reopen) await vscode.commands.executeCommand(commands.reviewOpenNative, { set, ...(file === undefined ? {} : { file }) });
}

async function reject(services: Services, set: string, file: string | undefined): Promise<void> {
  const board = await services.reviews.board();
  const { revision } = await board.state(set);
  const act = { via: 'closed tab', revision, reason: 'The tab was closed; a setting makes that a rejection.' };
  try {
    board.note(await (file === undefined ? board.desk.decideAll(set, 'reject', act) : board.desk.decide(set, [{ file, hunk: '*', decision: 'reject' }], act)));
  } catch (error) {
    if (!isFailure(error, 'settled')) throw error;
  }
}

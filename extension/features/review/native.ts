import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import { schemes } from '../../host/review/addresses.ts';
import { DecisionMarks } from '../../host/review/decision-marks.ts';
import { HunkLenses } from '../../host/review/lenses.ts';
import { DiskWatcher } from '../../host/review/watcher.ts';
import type { Services } from '../../services.ts';
import { commands, contextKeys } from '../../shared/ids.ts';
import { wordsForReview } from '../../shared/words.ts';
import type { Feature } from '../start.ts';
import { showNative } from './show.ts';
import { chooseTarget } from './target.ts';

/** The diff editor as a place to review: context keys, code lenses, marks of what is decided, and the watch over what the sets stand on. */
export const nativeReviewFeature: Feature<Services> = {
  name: 'native review',
  register(services) {
    const owned = new DisposableStore();
    const { reviews, log } = services;
    const lenses = owned.add(new HunkLenses(reviews, log));
    owned.add(vscode.languages.registerCodeLensProvider({ scheme: schemes.proposed }, lenses));
    const noteActive = (): void => services.keys.set(contextKeys.reviewActive, reviews.tabs.active() !== undefined);
    owned.add(reviews.tabs.onChange(noteActive));
    noteActive();
    owned.add(
      services.commands.register(commands.reviewOpenNative, false, async (argument) => {
        const target = await chooseTarget(services, argument, vscode.l10n.t('Review in the Diff Editor'), ({ pending, settled }) => [...pending, ...settled], true);
        if (target === undefined) return;
        const { set, file, hunk, line } = target;
        await showNative(services, set, { ...(file === undefined ? {} : { file }), ...(hunk === undefined ? {} : { hunk }), ...(line === undefined ? {} : { line }) });
      }, wordsForReview),
    );
    owned.add(
      services.onBoard((_board, core) => {
        const life = new DisposableStore();
        const { board } = reviews.over(core.review);
        life.add(new DecisionMarks(board, log));
        life.add(new DiskWatcher(board, { folders: () => services.folders() }, log));
        life.add(board.onSet((set) => lenses.changed(set.id)));
        return life;
      }),
    );
    return owned;
  },
};

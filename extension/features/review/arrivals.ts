import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import { Debounced } from '../../host/debounce.ts';
import { shortTitle } from '../../host/review/native.ts';
import type { Services } from '../../services.ts';
import { commands, settings, views } from '../../shared/ids.ts';
import type { Feature } from '../start.ts';
import { originWords } from './rows.ts';
import { showSet } from './show.ts';

/** Sets that come together are told together. */
const togetherMs = 300;

/**
 * What happens when an agent proposes something: it opens where the setting says, without taking the focus or covering what somebody works in; where nothing of
 * Casebook can be seen, one notification tells of it.
 */
export const arrivalsFeature: Feature<Services> = {
  name: 'review arrivals',
  register(services) {
    return services.onBoard((_board, core) => {
      const owned = new DisposableStore();
      const { board } = services.reviews.over(core.review);
      const told = new Set<string>();
      const fresh: SetState[] = [];
      const tell = owned.add(new Debounced(togetherMs, () => announce(services, fresh.splice(0)), (error) => services.log.warn('a new review could not be shown', error)));
      let listening = false;
      owned.add(
        board.onSet((set) => {
          const isNew = !told.has(set.id);
          told.add(set.id);
          // Only what somebody waits for announces itself; a person's own command shows what it made.
          if (!listening || !isNew || set.status !== 'pending' || !set.caller.attached) return;
          fresh.push(set);
          tell.call();
        }),
      );
      // What was pending before is in the list already and has been announced in its time.
      board.load().then(
        () => (listening = true),
        () => (listening = true),
      );
      return owned;
    });
  },
};

async function announce(services: Services, fresh: readonly SetState[]): Promise<void> {
  const waiting = fresh.filter((set) => services.reviews.current?.known(set.id)?.status === 'pending');
  const first = waiting[0];
  if (first === undefined) return;
  // One review on the screen is enough; the others are in the list, which the badge counts.
  if (services.settings.get(settings.reviewOpenIn) !== 'none' && !services.reviews.onScreen()) await showSet(services, first.id, { quietly: true });
  if (services.reviews.visible()) return;
  const review = vscode.l10n.t('Review');
  const text = waiting.length === 1 ? vscode.l10n.t('{0} proposes “{1}” and waits for your decision.', originWords(first), shortTitle(first.title)) : vscode.l10n.t('{0} proposed changes wait for your decision.', waiting.length);
  // Not awaited: a notification stays until somebody answers it, and other sets arrive meanwhile.
  void services.prompter.inform(text, [review]).then((chosen) => {
    if (chosen !== review) return undefined;
    return waiting.length === 1 ? vscode.commands.executeCommand(commands.reviewOpen, first.id) : vscode.commands.executeCommand(`${views.reviews}.focus`);
  });
}

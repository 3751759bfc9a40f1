import * as vscode from 'vscode';
import { inexpressible } from '../../core/review/desk/answer.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import type { OpenOptions } from '../../host/review/native.ts';
import type { Services } from '../../services.ts';
import { settings } from '../../shared/ids.ts';
import { originWords } from './rows.ts';

/** Opens a set where the setting says. Opened by hand with `none`, it opens in the panel; a set that the panel cannot show opens in the diff editor. */
export async function showSet(services: Services, set: string, options: OpenOptions = {}): Promise<'panel' | 'diffEditor'> {
  const { panel } = services.reviews;
  if (services.settings.get(settings.reviewOpenIn) !== 'diffEditor' && panel !== undefined) {
    await panel.show(set, options);
    return 'panel';
  }
  await showNative(services, set, options);
  return 'diffEditor';
}

/** Opens a set in the diff editor, and says before anything is decided what the waiting agent cannot be told. */
export async function showNative(services: Services, set: string, options: OpenOptions = {}): Promise<void> {
  await (await services.reviews.native()).open(set, options);
  const state = (await services.reviews.board()).known(set);
  const words = state === undefined ? undefined : limitWords(state);
  if (words !== undefined && options.quietly !== true && services.reviews.sayOnce(set)) void services.prompter.inform(words);
}

/** What a waiting caller has no way to hear, in one sentence; undefined when it can hear all of it, or nobody waits. */
export function limitWords(set: Pick<SetState, 'caller' | 'origin'>): string | undefined {
  if (!set.caller.attached) return undefined;
  const limits = inexpressible(set.caller.capabilities);
  const what = [
    limits.partial ? vscode.l10n.t('a partial acceptance') : undefined,
    limits.edited ? vscode.l10n.t('your edits') : undefined,
    limits.comments ? vscode.l10n.t('reasons and comments') : undefined,
  ].filter((one) => one !== undefined);
  if (what.length === 0) return undefined;
  return vscode.l10n.t('{0} cannot be told of {1}. Casebook does what you decide all the same, and gives you the words for its next prompt.', originWords(set), what.join(', '));
}

import * as vscode from 'vscode';
import { DisposableStore } from '../core/base/disposable.ts';
import { Failure } from '../core/base/failure.ts';
import type { Cases } from '../core/cases/port.ts';
import type { MovedOffer, Records } from '../compose/ports.ts';
import type { Prompter } from '../host/prompter.ts';
import type { Services } from '../services.ts';
import { commands } from '../shared/ids.ts';
import { ago, countOf, type HostFailureReason } from '../shared/words.ts';
import type { Feature } from './start.ts';

export interface MovedDeps {
  cases: Pick<Cases, 'list'>;
  records: Pick<Records, 'moved' | 'bringHere'>;
  prompter: Pick<Prompter, 'inform' | 'pick'>;
  /** Keys of the histories that somebody was asked about and did not want; kept beyond this window. */
  declined: { all(): readonly string[]; add(key: string): PromiseLike<void> };
}

const BRING = 'Bring Here';
const NOT_NOW = 'Not Now';
/** Where the answers are kept, for all workspaces: a history that was declined in one clone is not offered in the next. */
const memory = 'casebook.declinedHistories';

export const movedFeature: Feature<Services> = {
  name: 'moved project',
  register(services) {
    const owned = new DisposableStore();
    const log = services.log.child('moved');
    const deps = async (): Promise<MovedDeps> => {
      const { cases, records } = await services.core();
      const { globalState } = services.context;
      const all = (): readonly string[] => globalState.get<string[]>(memory, []);
      return { cases, records, prompter: services.prompter, declined: { all, add: (key) => globalState.update(memory, [...all(), key]) } };
    };
    const offer = async (): Promise<void> => {
      if (vscode.workspace.isTrusted && (await offerMoved(await deps()))) await vscode.commands.executeCommand(commands.refreshCases);
    };
    const offerQuietly = (): void => void offer().catch((error: unknown) => log.warn('a moved history could not be offered', error));
    owned.add(
      services.onBoard((_board, core) => {
        offerQuietly();
        return vscode.workspace.onDidGrantWorkspaceTrust(() => void core.recognise().then(offerQuietly, (error: unknown) => log.warn('the repository could not be looked at', error)));
      }),
    );
    owned.add(
      services.commands.register(commands.bringHistory, true, async () => {
        if (await chooseMoved(await deps(), Date.now())) await vscode.commands.executeCommand(commands.refreshCases);
      }),
    );
    return owned;
  },
};

/**
 * Offers the history of this repository from before it was moved, where the journal here is empty (or a part of it came already), once for each
 * history: whatever the answer but yes, it is not asked again. True when it was brought here.
 */
export async function offerMoved({ cases, records, prompter, declined }: MovedDeps): Promise<boolean> {
  const offers = (await records.moved()).filter((one) => !declined.all().includes(one.key));
  const offer = offers.find((one) => one.unfinished) ?? offers[0];
  if (offer === undefined || (!offer.unfinished && (await cases.list({ limit: 1 })).length > 0)) return false;
  const choice = await prompter.inform(offerSentence(offer), [BRING, NOT_NOW]);
  if (choice === BRING) await records.bringHere(offer.key, 'notification');
  else await declined.add(offer.key);
  return choice === BRING;
}

/** The same by command, whatever was answered before. Failure `no_history` when there is none. */
export async function chooseMoved({ records, prompter }: Pick<MovedDeps, 'records' | 'prompter'>, now: number): Promise<boolean> {
  const offers = await records.moved();
  if (offers.length === 0) throw new Failure<HostFailureReason>('no_history', 'no moved history of this repository');
  const picked = await prompter.pick(
    offers.map((offer) => ({ label: offer.path, description: countOf(offer.cases, 'case'), detail: `Last opened ${ago(offer.openedAt, now)}`, icon: 'history', value: offer.key })),
    { title: 'Bring History of a Moved Project Here', placeholder: 'Where was this project before?' },
  );
  if (picked.kind !== 'picked') return false;
  await records.bringHere(picked.value, 'palette');
  return true;
}

export function offerSentence(offer: MovedOffer): string {
  return offer.unfinished
    ? `Bringing the cases of ${offer.path} here was interrupted. Finish it?`
    : `${countOf(offer.cases, 'case')} of ${offer.path}: this repository was there before. Bring the history here?`;
}

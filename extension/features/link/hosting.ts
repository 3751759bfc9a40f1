import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import type { Services } from '../../services.ts';
import { commands, contextKeys, settings } from '../../shared/ids.ts';
import type { Feature } from '../start.ts';

/** Activation is over by then, and the editor has drawn itself; clients that wait after a reload look again after one and three seconds. Milliseconds. */
const startAfter = 400;

/** Starts the link when the editor has come to rest, and keeps it in line with folders, trust and settings. */
export const linkHostingFeature: Feature<Services> = {
  name: 'link',
  register(services) {
    const { link, sharing, keys } = services;
    const owned = new DisposableStore();
    const update = (): void => void link.update();
    const timer = setTimeout(update, startAfter);
    owned.add({ dispose: () => clearTimeout(timer) });
    owned.add(vscode.workspace.onDidChangeWorkspaceFolders(update));
    owned.add(vscode.workspace.onDidGrantWorkspaceTrust(update));
    owned.add(vscode.extensions.onDidChange(update));
    owned.add(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if ([settings.linkEnabled, settings.linkServedBy].some((id) => change.affectsConfiguration(id))) update();
        if ([settings.linkShareContext, settings.linkDenyGlobs, settings.linkMaskSecrets].some((id) => change.affectsConfiguration(id))) sharing.refresh();
      }),
    );
    const draw = (): void => {
      keys.set(contextKeys.linkOn, link.state.kind === 'on');
      keys.set(contextKeys.linkPaused, sharing.paused());
    };
    owned.add(sharing.onChange(() => void link.update()));
    owned.add(sharing.onChange(draw));
    owned.add(link.onChange(draw));
    owned.add(tellFailures(services));
    owned.add(link.onChange(({ kind }) => kind === 'on' && void loadReviews(services)));
    draw();
    return owned;
  },
};

/** Of one reason once, however often it is tried again. */
function tellFailures({ link, prompter }: Services): Disposable {
  const told = new Set<string>();
  return link.onChange((state) => {
    const why = state.kind === 'failed' ? [state.why] : state.kind === 'on' ? state.link.unannounced.map((one) => one.why) : [];
    const fresh = why.filter((one) => !told.has(one));
    if (fresh[0] === undefined) return;
    for (const one of fresh) told.add(one);
    const [explain, log] = [vscode.l10n.t('Why?'), vscode.l10n.t('Open Log')];
    void prompter.warn(vscode.l10n.t('Casebook: agents cannot connect to this window. {0}', fresh[0]), [explain, log]).then((chosen) => (chosen === undefined ? undefined : vscode.commands.executeCommand(chosen === explain ? commands.linkDoctor : commands.linkShowLog)));
  });
}

/** Without the sets of before, a new one would not be known for new and would not announce itself. */
async function loadReviews({ reviews, log }: Services): Promise<void> {
  try {
    await (await reviews.board()).load();
  } catch (error) {
    log.warn('reviews could not be read for the link', error);
  }
}

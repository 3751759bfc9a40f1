import * as vscode from 'vscode';
import { DisposableStore } from '../core/base/disposable.ts';
import { type LinkBrief, statusView } from '../host/status.ts';
import type { Services } from '../services.ts';
import { commands, views } from '../shared/ids.ts';
import { clientNames } from './link/rows.ts';
import { frontOf } from './link/view.ts';
import type { Feature } from './start.ts';

/** The one status bar item, drawn from one value. It appears with the core: before that there is nothing to tell. */
export const statusFeature: Feature<Services> = {
  name: 'status bar',
  register(services) {
    return services.onBoard((board, { journal }) => {
      const owned = new DisposableStore();
      const item = owned.add(vscode.window.createStatusBarItem('casebook.status', vscode.StatusBarAlignment.Left));
      item.name = 'Casebook';
      const { watched } = services.reviews;
      const watching = () => ({ since: watched.current().map(({ label }) => label), files: new Set(watched.current().flatMap(({ files }) => files)).size });
      const draw = (): void => {
        const view = statusView({ journal: journal.state.kind, cases: board.all(), link: briefOf(services), watching: watching() });
        item.text = view.text;
        item.tooltip = view.tooltip;
        item.accessibilityInformation = { label: view.accessible, role: 'button' };
        item.backgroundColor = view.warning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
        const list = view.list === 'reviews' ? { command: `${views.reviews}.focus`, title: vscode.l10n.t('Show Reviews') } : { command: `${views.cases}.focus`, title: vscode.l10n.t('Show Cases') };
        item.command = view.target === undefined ? list : { command: commands.openCase, title: vscode.l10n.t('Open Case'), arguments: [view.target] };
      };
      owned.add(board.onState(draw));
      owned.add(journal.onState(draw));
      owned.add(services.link.onChange(draw));
      owned.add(services.sharing.onChange(draw));
      owned.add(vscode.window.onDidChangeActiveTextEditor(draw));
      owned.add(watched.onChange(draw));
      draw();
      item.show();
      return owned;
    });
  },
};

function briefOf(services: Services): LinkBrief {
  const { state } = services.link;
  const { state: sharing } = frontOf(services);
  return { kind: state.kind, clients: state.kind === 'on' ? clientNames(state.link.clients) : [], paused: sharing === 'paused', denied: sharing === 'denied', ...(state.kind === 'failed' ? { message: state.why } : {}) };
}

import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../core/base/disposable.ts';
import { Debounced } from '../host/debounce.ts';
import type { GitExtension, GitRepository } from '../host/programs.ts';
import type { Services } from '../services.ts';
import type { Feature } from './start.ts';

const QUIET_MS = 800;

/** After a save, a pull or a checkout the citations of the cases whose panel is open are checked again. */
export const recheckFeature: Feature<Services> = {
  name: 'recheck',
  register(services) {
    const owned = new DisposableStore();
    const log = services.log.child('recheck');
    const work = async (): Promise<void> => {
      if (!vscode.workspace.isTrusted) return;
      const { cases } = await services.core();
      for (const caseId of services.panels.ids()) {
        // A run in progress checks what it cites itself; a closed case is history.
        const status = services.panels.state(caseId)?.status;
        if (status === 'concluded' || status === 'interrupted' || status === 'failed' || status === 'open') await cases.recheck(caseId, 'tree_changed');
      }
    };
    const recheck = owned.add(new Debounced(QUIET_MS, work, (error) => log.warn('open cases could not be checked again', error)));
    const changed = (): void => {
      if (services.panels.ids().length > 0) recheck.call();
    };
    owned.add(vscode.workspace.onDidSaveTextDocument((document) => document.uri.scheme === 'file' && changed()));
    owned.add(vscode.workspace.onDidDeleteFiles(changed));
    owned.add(vscode.workspace.onDidRenameFiles(changed));
    // Git is watched from the first opened case on: asking the built-in extension earlier would activate it with us.
    owned.add(services.onBoard(() => watchGit(changed)));
    return owned;
  },
};

/** Calls back when a repository's HEAD moves to another commit; a mere status change is no reason. */
function watchGit(changed: () => void): Disposable {
  const owned = new DisposableStore();
  const extension = vscode.extensions.getExtension('vscode.git') as GitExtension | undefined;
  if (extension === undefined) return owned;
  const watch = (repository: GitRepository): void => {
    let head = repository.state.HEAD?.commit;
    owned.add(
      repository.state.onDidChange(() => {
        const now = repository.state.HEAD?.commit;
        if (now === head) return;
        head = now;
        changed();
      }),
    );
  };
  const start = async (): Promise<void> => {
    const exports = extension.isActive ? extension.exports : await extension.activate();
    const api = exports.getAPI(1);
    for (const repository of api.repositories ?? []) watch(repository);
    const opened = api.onDidOpenRepository?.(watch);
    if (opened !== undefined) owned.add(opened);
  };
  // getAPI throws when git.enabled is off; saves are watched all the same.
  start().catch(() => {});
  return owned;
}

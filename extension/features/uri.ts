import * as vscode from 'vscode';
import { DisposableStore } from '../core/base/disposable.ts';
import type { Services } from '../services.ts';
import { caseInUri } from './uri-parse.ts';
import type { Feature } from './start.ts';

/** `vscode://casebook.casebook/case/<id>` opens a case of this workspace's journal. It never starts a run and writes nothing. */
export const uriFeature: Feature<Services> = {
  name: 'uri',
  register(services) {
    const owned = new DisposableStore();
    owned.add(
      vscode.window.registerUriHandler({
        async handleUri(uri) {
          const caseId = caseInUri(uri);
          if (caseId === undefined) {
            services.log.warn('an address was ignored: it names no case');
            return;
          }
          try {
            const { cases } = await services.core();
            // Only a case that exists gets a panel: a stranger's link must not make something appear.
            await cases.state(caseId);
            await services.panels.show(caseId);
          } catch (error) {
            services.commands.report(error, 'opening an address');
          }
        },
      }),
    );
    return owned;
  },
};

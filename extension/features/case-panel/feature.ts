import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import type { Services } from '../../services.ts';
import { panels as panelIds } from '../../shared/ids.ts';
import type { Feature } from '../start.ts';

export const casePanelFeature: Feature<Services> = {
  name: 'case panel',
  register(services) {
    const owned = new DisposableStore();
    owned.add(
      vscode.window.registerWebviewPanelSerializer(panelIds.case, {
        deserializeWebviewPanel: async (panel, stored: unknown) => services.panels.restore(panel, stored),
      }),
    );
    return owned;
  },
};

import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import type { Services } from '../../services.ts';
import { panels as panelIds } from '../../shared/ids.ts';
import type { Feature } from '../start.ts';

export const reviewPanelFeature: Feature<Services> = {
  name: 'review panel',
  register(services) {
    const owned = new DisposableStore();
    services.reviews.panel = services.reviewPanels;
    owned.add(
      vscode.window.registerWebviewPanelSerializer(panelIds.review, {
        deserializeWebviewPanel: async (panel, stored: unknown) => services.reviewPanels.restore(panel, stored),
      }),
    );
    owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => services.reviewPanels.redraw()));
    return owned;
  },
};

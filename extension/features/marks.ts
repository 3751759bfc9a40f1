import * as vscode from 'vscode';
import { DisposableStore } from '../core/base/disposable.ts';
import type { Services } from '../services.ts';
import { commands, settings } from '../shared/ids.ts';
import type { Feature } from './start.ts';

/** Cited lines are marked while a case's panel is open. The toggle holds for this window; the setting is the default. */
export const marksFeature: Feature<Services> = {
  name: 'citation marks',
  register(services) {
    const owned = new DisposableStore();
    const { marks, panels } = services;
    const show = (visible: boolean): void => {
      marks.show(visible);
      panels.redraw();
    };
    marks.show(services.settings.get(settings.citationMarks));
    owned.add(panels.onOpenCase(({ caseId, state }) => marks.set(caseId, state)));
    owned.add(services.commands.register(commands.toggleMarks, false, () => show(!marks.visible)));
    owned.add(vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(settings.citationMarks) && show(services.settings.get(settings.citationMarks))));
    return owned;
  },
};

import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import { Emitter } from '../../core/base/emitter.ts';
import type { CaseState } from '../../core/cases/state.ts';
import type { Services } from '../../services.ts';
import { contextKeys, panels as panelIds } from '../../shared/ids.ts';
import type { PanelPart } from '../../shared/protocol.ts';
import { OpenPanels } from '../panels/open-panels.ts';
import { CasePanel } from './panel.ts';

/** The open case panels, one per case. */
export class CasePanels implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changed = this.owned.add(new Emitter<{ caseId: string; state: CaseState | undefined }>());
  private readonly open: OpenPanels<CasePanel>;
  /** Fires with each new state of a case whose panel is open, and with undefined when it was closed. */
  readonly onOpenCase = this.changed.subscribe;

  constructor(services: () => Services) {
    this.open = this.owned.add(
      new OpenPanels<CasePanel>({
        viewType: panelIds.case,
        title: vscode.l10n.t('Case'),
        fill: (caseId, panel) => CasePanel.fill(caseId, panel, services(), (state) => this.changed.fire({ caseId, state })),
        onClosed: (caseId) => this.changed.fire({ caseId, state: undefined }),
        onActive: () => services().keys.set(contextKeys.caseActive, this.active !== undefined),
      }),
    );
  }

  /** Opens a case's panel, or brings it to the front. */
  async show(caseId: string, part?: PanelPart): Promise<void> {
    const shown = await this.open.show(caseId);
    if (part !== undefined) shown?.reveal(part);
  }

  restore(panel: vscode.WebviewPanel, stored: unknown): Promise<void> {
    return this.open.restore(panel, stored);
  }

  /** The case whose panel has the focus. */
  get active(): string | undefined {
    return this.open.active;
  }

  /** Cases whose panel is open. */
  ids(): string[] {
    return this.open.ids();
  }

  state(caseId: string): CaseState | undefined {
    return this.open.get(caseId)?.state;
  }

  close(caseId: string): void {
    this.open.close(caseId);
  }

  redraw(): void {
    for (const one of this.open.all()) one.redraw();
  }

  dispose(): void {
    this.owned.dispose();
  }
}

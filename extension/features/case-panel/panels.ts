import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import { Emitter } from '../../core/base/emitter.ts';
import type { CaseState } from '../../core/cases/state.ts';
import type { Services } from '../../services.ts';
import { contextKeys, panels as panelIds } from '../../shared/ids.ts';
import type { PanelPart } from '../../shared/protocol.ts';
import { CasePanel } from './panel.ts';

/** The open case panels, one per case. */
export class CasePanels implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly open = new Map<string, CasePanel>();
  private readonly changed = this.owned.add(new Emitter<{ caseId: string; state: CaseState | undefined }>());
  /** Fires with each new state of a case whose panel is open, and with undefined when it was closed. */
  readonly onOpenCase = this.changed.subscribe;

  constructor(private readonly services: () => Services) {}

  /** Opens a case's panel, or brings it to the front. */
  async show(caseId: string, part?: PanelPart): Promise<void> {
    const known = this.open.get(caseId);
    if (known !== undefined) {
      known.reveal(part);
      return;
    }
    const panel = vscode.window.createWebviewPanel(panelIds.case, vscode.l10n.t('Case'), { viewColumn: vscode.ViewColumn.Active, preserveFocus: false }, { enableScripts: true, localResourceRoots: [] });
    const made = await this.adopt(caseId, panel);
    if (part !== undefined) made?.reveal(part);
  }

  /** Takes a panel that the editor kept over a reload. */
  async restore(panel: vscode.WebviewPanel, stored: unknown): Promise<void> {
    const caseId = typeof stored === 'object' && stored !== null && 'caseId' in stored && typeof stored.caseId === 'string' ? stored.caseId : undefined;
    if (caseId === undefined || this.open.has(caseId)) panel.dispose();
    else await this.adopt(caseId, panel);
  }

  /** The case whose panel has the focus. */
  get active(): string | undefined {
    return [...this.open.values()].find((one) => one.panel.active)?.caseId;
  }

  /** Cases whose panel is open. */
  ids(): string[] {
    return [...this.open.keys()];
  }

  state(caseId: string): CaseState | undefined {
    return this.open.get(caseId)?.state;
  }

  close(caseId: string): void {
    this.open.get(caseId)?.panel.dispose();
  }

  redraw(): void {
    for (const one of this.open.values()) one.redraw();
  }

  /** The editor closes and later restores the panels themselves; only what hangs on them goes. */
  dispose(): void {
    for (const one of this.open.values()) one.dispose();
    this.open.clear();
    this.owned.dispose();
  }

  private async adopt(caseId: string, panel: vscode.WebviewPanel): Promise<CasePanel | undefined> {
    const services = this.services();
    let gone = false;
    const life = new DisposableStore();
    life.add(
      panel.onDidDispose(() => {
        gone = true;
        life.dispose();
        this.open.get(caseId)?.dispose();
        this.open.delete(caseId);
        this.noteActive();
        this.changed.fire({ caseId, state: undefined });
      }),
    );
    life.add(panel.onDidChangeViewState(() => this.noteActive()));
    const made = await CasePanel.fill(caseId, panel, services, (state) => this.changed.fire({ caseId, state }));
    // Closed while the core was loading.
    if (gone) {
      made.dispose();
      return undefined;
    }
    this.open.set(caseId, made);
    this.noteActive();
    return made;
  }

  private noteActive(): void {
    this.services().keys.set(contextKeys.caseActive, this.active !== undefined);
  }
}

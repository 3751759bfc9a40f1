import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';

/** What stands in a webview panel: one case, one change set. */
export interface OpenPanel extends Disposable {
  readonly panel: vscode.WebviewPanel;
}

export interface PanelKind<P extends OpenPanel> {
  viewType: string;
  /** Until the page knows better. */
  title: string;
  /** Fills a new or restored webview panel. */
  fill(id: string, panel: vscode.WebviewPanel): Promise<P>;
  onClosed?(id: string): void;
  /** Whether one of them has the focus may have changed. */
  onActive?(): void;
}

/** The open panels of one kind, at most one per id. */
export class OpenPanels<P extends OpenPanel> implements Disposable {
  private readonly open = new Map<string, P>();

  constructor(private readonly kind: PanelKind<P>) {}

  /** Opens the panel of an id, or brings it to the front; `quietly` beside what somebody works in, without the focus. Undefined when it was closed while it was being filled. */
  async show(id: string, quietly = false): Promise<P | undefined> {
    const known = this.open.get(id);
    if (known !== undefined) {
      known.panel.reveal(undefined, quietly);
      return known;
    }
    const panel = vscode.window.createWebviewPanel(this.kind.viewType, this.kind.title, { viewColumn: quietly ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active, preserveFocus: quietly }, { enableScripts: true, localResourceRoots: [] });
    return this.adopt(id, panel);
  }

  /** Takes a panel that the editor kept over a reload; `stored` is what its page had put aside. */
  async restore(panel: vscode.WebviewPanel, stored: unknown): Promise<void> {
    const id = typeof stored === 'object' && stored !== null && 'id' in stored && typeof stored.id === 'string' ? stored.id : undefined;
    if (id === undefined || this.open.has(id)) panel.dispose();
    else await this.adopt(id, panel);
  }

  /** The id whose panel has the focus. */
  get active(): string | undefined {
    return [...this.open].find(([, one]) => one.panel.active)?.[0];
  }

  ids(): string[] {
    return [...this.open.keys()];
  }

  get(id: string): P | undefined {
    return this.open.get(id);
  }

  all(): P[] {
    return [...this.open.values()];
  }

  close(id: string): void {
    this.open.get(id)?.panel.dispose();
  }

  /** The editor closes and later restores the panels themselves; only what hangs on them goes. */
  dispose(): void {
    for (const one of this.open.values()) one.dispose();
    this.open.clear();
  }

  private async adopt(id: string, panel: vscode.WebviewPanel): Promise<P | undefined> {
    let gone = false;
    const life = new DisposableStore();
    life.add(
      panel.onDidDispose(() => {
        gone = true;
        life.dispose();
        this.open.get(id)?.dispose();
        this.open.delete(id);
        this.kind.onActive?.();
        this.kind.onClosed?.(id);
      }),
    );
    life.add(panel.onDidChangeViewState(() => this.kind.onActive?.()));
    const made = await this.kind.fill(id, panel);
    // Closed while the core was loading.
    if (gone) {
      made.dispose();
      return undefined;
    }
    this.open.set(id, made);
    this.kind.onActive?.();
    return made;
  }
}

import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import { Emitter } from '../../core/base/emitter.ts';
import { addressOf, type ReviewAddress, schemes } from './addresses.ts';

/** What a tab shows of a review; `file` is absent where it shows the whole set. */
export interface ShownReview {
  set: string;
  file?: string;
}

/** A tab that was dragged to another group or window is closed first and opened a moment later. */
const dragMs = 400;

/** Which native review tabs are open, which one is in front, and which were closed for good. */
export class ReviewTabs implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly closedTabs = this.owned.add(new Emitter<ShownReview>());
  private readonly changed = this.owned.add(new Emitter<void>());
  /** The editor does not say what a tab with many files holds; it is known by the name that it was opened with. */
  private readonly many = new Map<string, string>();
  private readonly byUs = new Set<string>();
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();

  /** A person closed a tab and did not merely move it. */
  readonly onClosed = this.closedTabs.subscribe;
  readonly onChange = this.changed.subscribe;

  constructor() {
    this.owned.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const tab of closed) this.wentAway(tab);
        this.changed.fire();
      }),
    );
    this.owned.add(vscode.window.tabGroups.onDidChangeTabGroups(() => this.changed.fire()));
  }

  /** Notes under which name a set was opened in one tab. */
  named(label: string, set: string): void {
    this.many.set(label, set);
  }

  shownBy(tab: vscode.Tab): ShownReview | undefined {
    const uri = tab.input instanceof vscode.TabInputTextDiff ? (reviewed(tab.input.modified) ?? reviewed(tab.input.original)) : tab.input instanceof vscode.TabInputText ? reviewed(tab.input.uri) : undefined;
    if (uri !== undefined) return { set: uri.set, file: uri.file };
    const set = this.many.get(tab.label);
    return set === undefined || tab.input instanceof vscode.TabInputText || tab.input instanceof vscode.TabInputWebview ? undefined : { set };
  }

  /** Every open tab of reviews, or of one set. */
  open(set?: string): { tab: vscode.Tab; shown: ShownReview }[] {
    return vscode.window.tabGroups.all.flatMap((group) =>
      group.tabs.flatMap((tab) => {
        const shown = this.shownBy(tab);
        return shown === undefined || (set !== undefined && shown.set !== set) ? [] : [{ tab, shown }];
      }),
    );
  }

  /** The review in the tab that has the focus. */
  active(): ShownReview | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab === undefined ? undefined : this.shownBy(tab);
  }

  /** Whether a review can be seen in any group right now. */
  visible(): boolean {
    return this.open().some(({ tab }) => tab.isActive);
  }

  /** The column that already holds reviews, so that they gather in one place. */
  column(): vscode.ViewColumn | undefined {
    return this.open()[0]?.tab.group.viewColumn;
  }

  /** Closes the tabs of a set that has its outcome; a document with unsaved text stays, since the text is somebody's. */
  async closeAll(set: string): Promise<void> {
    const unsaved = new Set(vscode.workspace.textDocuments.filter((one) => one.isDirty).map((one) => addressOf(one.uri)).filter((one) => one?.set === set).map((one) => one?.file));
    const going = this.open(set).filter(({ tab, shown }) => !tab.isDirty && (shown.file === undefined ? unsaved.size === 0 : !unsaved.has(shown.file)));
    for (const { shown } of going) this.byUs.add(nameOf(shown));
    if (going.length > 0) await vscode.window.tabGroups.close(going.map(({ tab }) => tab), true);
  }

  dispose(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.owned.dispose();
  }

  private wentAway(tab: vscode.Tab): void {
    const shown = this.shownBy(tab);
    if (shown === undefined || this.byUs.delete(nameOf(shown))) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      const again = this.open(shown.set).some((other) => other.shown.file === shown.file);
      if (!again) this.closedTabs.fire(shown);
    }, dragMs);
    this.timers.add(timer);
  }
}

function reviewed(uri: vscode.Uri): ReviewAddress | undefined {
  return uri.scheme === schemes.proposed || uri.scheme === schemes.base ? addressOf(uri) : undefined;
}

const nameOf = (shown: ShownReview): string => `${shown.set} ${shown.file ?? ''}`;

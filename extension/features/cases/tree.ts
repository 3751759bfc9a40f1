import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import type { CaseListing } from '../../core/journal/port.ts';
import type { Services } from '../../services.ts';
import { commands, contextKeys, views } from '../../shared/ids.ts';
import { wordsFor } from '../../shared/words.ts';
import type { Feature } from '../start.ts';
import { caseRow } from './rows.ts';

export type CaseNode = { kind: 'case'; listing: CaseListing } | { kind: 'more' } | { kind: 'error'; message: string };

const PAGE = 50;

/** The Cases view: a page of listings at once, each completed by the case's own state as it is read. */
class CasesTree implements vscode.TreeDataProvider<CaseNode>, Disposable {
  private readonly owned = new DisposableStore();
  private readonly changed = this.owned.add(new vscode.EventEmitter<CaseNode | undefined>());
  private readonly nodes = new Map<string, CaseNode & { kind: 'case' }>();
  private readonly drawn = new Map<string, string>();
  private limit = PAGE;
  filter = '';
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly services: Services) {
    this.owned.add(
      services.onBoard((board) =>
        board.onState((state) => {
          // A running case changes many times a second; its line only when its status or verdict does.
          const drawn = JSON.stringify([state.title, state.status, state.verdict?.effective]);
          if (this.drawn.get(state.id) === drawn) return;
          this.drawn.set(state.id, drawn);
          // A case that is not listed yet (just opened, or below the page) changes the order: the list is read again.
          this.changed.fire(this.nodes.get(state.id));
        }),
      ),
    );
  }

  refresh(): void {
    this.limit = PAGE;
    this.changed.fire(undefined);
  }

  more(): void {
    this.limit += PAGE;
    this.changed.fire(undefined);
  }

  getTreeItem(node: CaseNode): vscode.TreeItem {
    if (node.kind === 'error') return errorItem(node.message);
    if (node.kind === 'more') return moreItem();
    const row = caseRow(node.listing, this.services.board?.brief(node.listing.case), Date.now());
    const item = new vscode.TreeItem(row.label);
    item.id = row.id;
    item.description = row.description;
    item.tooltip = row.tooltip;
    item.contextValue = row.context;
    item.iconPath = new vscode.ThemeIcon(row.icon, row.color === undefined ? undefined : new vscode.ThemeColor(row.color));
    item.accessibilityInformation = { label: row.accessible };
    item.command = { command: commands.openCase, title: vscode.l10n.t('Open Case'), arguments: [node] };
    return item;
  }

  async getChildren(node?: CaseNode): Promise<CaseNode[]> {
    if (node !== undefined) return [];
    if (vscode.workspace.workspaceFolders === undefined) return [];
    try {
      const { cases } = await this.services.core();
      const listings = await cases.list({ limit: this.limit + 1, ...(this.filter === '' ? {} : { text: this.filter }) });
      if (this.filter === '') this.services.keys.set(contextKeys.hasCases, listings.length > 0);
      return this.toNodes(listings);
    } catch (error) {
      this.services.log.error('cases could not be listed', error);
      return [{ kind: 'error', message: wordsFor(error) }];
    }
  }

  dispose(): void {
    this.owned.dispose();
  }

  private toNodes(listings: readonly CaseListing[]): CaseNode[] {
    this.nodes.clear();
    for (const listing of listings.slice(0, this.limit)) {
      this.nodes.set(listing.case, { kind: 'case', listing });
      const known = this.services.board?.brief(listing.case);
      if (known === undefined || known.lastEventAt < listing.lastEventAt) this.services.board?.refresh(listing.case);
    }
    const nodes: CaseNode[] = [...this.nodes.values()];
    return listings.length > this.limit ? [...nodes, { kind: 'more' }] : nodes;
  }
}

function errorItem(message: string): vscode.TreeItem {
  const item = new vscode.TreeItem(message);
  item.iconPath = new vscode.ThemeIcon('warning');
  item.tooltip = vscode.l10n.t('Select to try again');
  item.accessibilityInformation = { label: `${message} ${item.tooltip}` };
  item.command = { command: commands.refreshCases, title: vscode.l10n.t('Try Again') };
  return item;
}

function moreItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Load More'));
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: commands.refreshCases, title: vscode.l10n.t('Load More'), arguments: ['more'] };
  return item;
}

export const casesTreeFeature: Feature<Services> = {
  name: 'cases tree',
  register(services) {
    const owned = new DisposableStore();
    const tree = owned.add(new CasesTree(services));
    const view = owned.add(vscode.window.createTreeView(views.cases, { treeDataProvider: tree, showCollapseAll: false }));
    owned.add(services.commands.register(commands.refreshCases, false, (how) => (how === 'more' ? tree.more() : tree.refresh())));
    owned.add(
      services.commands.register(commands.filterCases, false, async () => {
        const asked = await services.prompter.input({ title: vscode.l10n.t('Search Cases'), placeholder: vscode.l10n.t('Words of the ticket, or nothing for all cases'), value: tree.filter });
        if (asked.kind !== 'picked') return;
        tree.filter = asked.value.trim();
        view.message = tree.filter === '' ? undefined : vscode.l10n.t('Showing cases with “{0}”', tree.filter);
        tree.refresh();
      }),
    );
    return owned;
  },
};

import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import type { TicketSummary } from '../../core/model/ticket.ts';
import type { TicketQuery, TicketSource } from '../../core/tickets/source.ts';
import type { Services } from '../../services.ts';
import { commands, settings } from '../../shared/ids.ts';
import { reasonOf, wordsForTicket } from '../../shared/words.ts';
import { TicketLoader } from './loader.ts';
import { staleRow, ticketRow } from './rows.ts';

export type TicketNode =
  | { kind: 'source'; source: TicketSource }
  | { kind: 'query'; source: TicketSource; query: TicketQuery }
  | { kind: 'ticket'; source: TicketSource; ticket: TicketSummary }
  | { kind: 'more'; source: TicketSource; query: TicketQuery; left?: number }
  | { kind: 'note'; message: string }
  | { kind: 'stale'; source: TicketSource; query: TicketQuery; stale: { reason: string; ageMs: number } }
  | { kind: 'error'; source: TicketSource; query?: TicketQuery; error: unknown };

/** The Tickets view: sources, their queries, their tickets by severity and then recency. */
export class TicketsTree implements vscode.TreeDataProvider<TicketNode>, Disposable {
  private readonly owned = new DisposableStore();
  private readonly changed = this.owned.add(new vscode.EventEmitter<TicketNode | undefined>());
  private readonly loader = new TicketLoader();
  filter = '';
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly services: Services) {}

  /** Everything, or one query, is read again. */
  refresh(node?: TicketNode): void {
    if ((node?.kind === 'error' || node?.kind === 'stale') && node.query !== undefined) {
      this.loader.forget(node.source, node.query.query);
      this.changed.fire(undefined);
      return;
    }
    this.loader.forget();
    this.changed.fire(undefined);
  }

  /** Draws again what is loaded (after the filter changed). */
  redraw(): void {
    this.changed.fire(undefined);
  }

  async more(node: TicketNode & { kind: 'more' }): Promise<void> {
    await this.loader.more(node.source, node.query.query);
    this.changed.fire(undefined);
  }

  async getChildren(node?: TicketNode): Promise<TicketNode[]> {
    if (!vscode.workspace.isTrusted || vscode.workspace.workspaceFolders === undefined) return [];
    if (node === undefined) return this.sources();
    if (node.kind === 'source') return this.queries(node.source);
    return node.kind === 'query' ? this.tickets(node.source, node.query) : [];
  }

  getTreeItem(node: TicketNode): vscode.TreeItem {
    switch (node.kind) {
      case 'source':
        return sourceItem(node.source);
      case 'query':
        return queryItem(node);
      case 'ticket':
        return ticketItem(node);
      case 'more':
        return actionItem(vscode.l10n.t('Load More'), 'ellipsis', commands.loadMoreTickets, node, node.left === undefined ? undefined : vscode.l10n.t('{0} left', node.left));
      case 'error':
        return errorItem(node);
      case 'stale':
        return staleItem(node);
      default:
        return new vscode.TreeItem(node.message);
    }
  }

  dispose(): void {
    this.loader.forget();
    this.owned.dispose();
  }

  /** A source without any query has nothing to show; with none left the view's welcome text takes over. */
  private async sources(): Promise<TicketNode[]> {
    const { sources } = await this.services.core();
    const lists = await Promise.all(sources.all().map(async (source) => ({ source, shown: await this.hasQueries(source) })));
    return lists.filter((one) => one.shown).map(({ source }) => ({ kind: 'source', source }));
  }

  private async hasQueries(source: TicketSource): Promise<boolean> {
    // What is assigned to somebody is only known of who is signed in; saved searches of public repositories work without.
    if (source.id === 'github' && (await this.services.github.token()) === undefined) return this.services.settings.get(settings.githubQueries).length > 0;
    try {
      return (await source.queries()).length > 0;
    } catch {
      return true;
    }
  }

  private async queries(source: TicketSource): Promise<TicketNode[]> {
    try {
      return (await source.queries()).map((query) => ({ kind: 'query', source, query }));
    } catch (error) {
      return [this.failed(source, error)];
    }
  }

  private async tickets(source: TicketSource, query: TicketQuery): Promise<TicketNode[]> {
    const { bySeverityThenRecency, filterTickets } = await import('../../core/tickets/order.ts');
    const loaded = await this.loader.first(source, query.query);
    const shown = filterTickets(loaded.items, this.filter).sort(bySeverityThenRecency);
    const nodes: TicketNode[] = loaded.stale === undefined ? [] : [{ kind: 'stale', source, query, stale: loaded.stale }];
    nodes.push(...shown.map((ticket): TicketNode => ({ kind: 'ticket', source, ticket })));
    if (loaded.error !== undefined) nodes.push(this.failed(source, loaded.error, query));
    else if (shown.length === 0) nodes.push({ kind: 'note', message: this.filter === '' ? vscode.l10n.t('No tickets') : vscode.l10n.t('No loaded ticket matches the filter') });
    if (loaded.next !== undefined) nodes.push({ kind: 'more', source, query, ...(loaded.total === undefined ? {} : { left: loaded.total - loaded.items.length }) });
    return nodes;
  }

  private failed(source: TicketSource, error: unknown, query?: TicketQuery): TicketNode {
    this.services.log.child('tickets').warn(`${source.id} could not be read`, error);
    return { kind: 'error', source, error, ...(query === undefined ? {} : { query }) };
  }
}

const sourceIcons: Record<string, string> = { github: 'github', files: 'files', file: 'file', text: 'note' };

function sourceItem(source: TicketSource): vscode.TreeItem {
  const item = new vscode.TreeItem(source.label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `source/${source.id}`;
  item.iconPath = new vscode.ThemeIcon(sourceIcons[source.id] ?? 'inbox');
  item.contextValue = 'source';
  return item;
}

function queryItem({ source, query }: TicketNode & { kind: 'query' }): vscode.TreeItem {
  const item = new vscode.TreeItem(query.label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `query/${source.id}/${query.id}`;
  item.iconPath = new vscode.ThemeIcon('search');
  item.tooltip = query.query;
  // The host gives saved queries their own text as id; built-in ones have names.
  item.contextValue = source.id === 'github' && query.id === query.query ? 'query.saved' : 'query';
  item.accessibilityInformation = { label: vscode.l10n.t('Query {0}', query.label) };
  return item;
}

function ticketItem(node: TicketNode & { kind: 'ticket' }): vscode.TreeItem {
  const row = ticketRow(node.ticket, Date.now());
  const item = new vscode.TreeItem(row.label);
  item.description = row.description;
  item.tooltip = row.tooltip;
  item.iconPath = new vscode.ThemeIcon(row.icon, row.color === undefined ? undefined : new vscode.ThemeColor(row.color));
  item.contextValue = row.context;
  item.accessibilityInformation = { label: row.accessible };
  return item;
}

function actionItem(label: string, icon: string, command: string, argument: TicketNode, description?: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.iconPath = new vscode.ThemeIcon(icon);
  if (description !== undefined) item.description = description;
  item.command = { command, title: label, arguments: [argument] };
  item.accessibilityInformation = { label: description === undefined ? label : `${label}, ${description}`, role: 'button' };
  return item;
}

function staleItem(node: TicketNode & { kind: 'stale' }): vscode.TreeItem {
  const { label, tooltip } = staleRow(node.stale, Date.now());
  const hint = vscode.l10n.t('Select to try again');
  const item = actionItem(label, 'history', commands.refreshTickets, node);
  item.tooltip = `${tooltip}\n${hint}`;
  item.accessibilityInformation = { label: `${label}. ${tooltip} ${hint}`, role: 'button' };
  return item;
}

function errorItem(node: TicketNode & { kind: 'error' }): vscode.TreeItem {
  const signIn = ['sign_in_needed', 'token_expired'].includes(reasonOf(node.error) ?? '');
  const hint = signIn ? vscode.l10n.t('Select to sign in') : vscode.l10n.t('Select to try again');
  const item = actionItem(wordsForTicket(node.error), 'warning', signIn ? commands.signInGitHub : commands.refreshTickets, node);
  item.tooltip = hint;
  item.accessibilityInformation = { label: `${wordsForTicket(node.error)} ${hint}`, role: 'button' };
  return item;
}

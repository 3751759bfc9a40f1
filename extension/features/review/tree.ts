import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import { Debounced } from '../../host/debounce.ts';
import { shortTitle } from '../../host/review/native.ts';
import type { Watched } from '../../host/review/watched.ts';
import type { Services } from '../../services.ts';
import { commands, contextKeys, views } from '../../shared/ids.ts';
import { wordsFor } from '../../shared/words.ts';
import type { Feature } from '../start.ts';
import { counted, fileRow, matches, type ReviewRow, setRow, type SortBy, sorted } from './rows.ts';

type Group = 'pending' | 'unreviewed' | 'watching' | 'settled';

/** Nodes of one kind carry what commands need: `set` is an id, `file` a key. */
export type ReviewNode =
  | { kind: 'group'; group: Group; count: number }
  | { kind: 'set'; set: string; state: SetState }
  | { kind: 'file'; set: string; file: string; state: SetState }
  | { kind: 'checkpoint'; checkpoint: string; label: string; count: number }
  | { kind: 'more' }
  | { kind: 'error'; message: string };

/** Key of the workspace's memory: how many sets were pending when it was last seen, so that the next start knows whether to look. */
export const pendingMemory = 'casebook.pendingReviews';
const watchingMemory = 'casebook.openCheckpoints';
const quietMs = 100;

/** The Reviews view: what waits, what nobody has looked at, what was decided. */
class ReviewsTree implements vscode.TreeDataProvider<ReviewNode>, Disposable {
  private readonly owned = new DisposableStore();
  private readonly changed = this.owned.add(new vscode.EventEmitter<ReviewNode | undefined>());
  private readonly redraw: Debounced;
  filter = '';
  sortBy: SortBy = 'age';
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly services: Services) {
    this.redraw = this.owned.add(new Debounced(quietMs, async () => this.changed.fire(undefined), (error) => services.log.warn('the Reviews view could not be drawn', error)));
  }

  draw(): void {
    this.redraw.call();
  }

  async getChildren(node?: ReviewNode): Promise<ReviewNode[]> {
    if (vscode.workspace.workspaceFolders === undefined) return [];
    try {
      const board = await this.services.reviews.board();
      await board.load();
      if (node === undefined) return this.groups();
      if (node.kind === 'set') return node.state.files.map((file) => ({ kind: 'file', set: node.set, file: file.key, state: node.state }));
      if (node.kind !== 'group') return [];
      if (node.group === 'unreviewed' || node.group === 'watching') return this.watched(node.group).map(({ checkpoint, label, files }) => ({ kind: 'checkpoint', checkpoint, label, count: files.length }));
      const sets = this.shown(node.group);
      const nodes: ReviewNode[] = sets.map((state) => ({ kind: 'set', set: state.id, state }));
      return node.group === 'settled' && board.more ? [...nodes, { kind: 'more' }] : nodes;
    } catch (error) {
      this.services.log.error('reviews could not be listed', error);
      return [{ kind: 'error', message: wordsFor(error) }];
    }
  }

  getTreeItem(node: ReviewNode): vscode.TreeItem {
    switch (node.kind) {
      case 'group':
        return groupItem(node);
      case 'set':
        return setItem(node);
      case 'file':
        return fileItem(node);
      case 'checkpoint':
        return checkpointItem(node);
      case 'more':
        return actionItem(vscode.l10n.t('Load More'), 'ellipsis', 'more');
      default:
        return actionItem(node.message, 'warning', undefined);
    }
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Groups that hold something; with none of them the view's welcome text is shown. */
  private groups(): ReviewNode[] {
    // Files, each once, though it may have changed since several checkpoints.
    const unreviewed = new Set(this.watched('unreviewed').flatMap(({ files }) => files)).size;
    const counts = { pending: this.shown('pending').length, unreviewed, watching: this.watched('watching').length, settled: this.shown('settled').length };
    return (['pending', 'unreviewed', 'watching', 'settled'] as const).filter((group) => counts[group] > 0).map((group) => ({ kind: 'group', group, count: counts[group] }));
  }

  private shown(group: 'pending' | 'settled'): SetState[] {
    const board = this.services.reviews.current;
    if (board === undefined) return [];
    const sets = group === 'pending' ? sorted(board.pending(), this.sortBy) : board.settled();
    return this.filter === '' ? sets : sets.filter((set) => matches(set, this.filter));
  }

  /** Checkpoints since which somebody else changed files, or those since which nobody did. */
  private watched(group: 'unreviewed' | 'watching'): readonly Watched[] {
    const all = this.filter === '' ? this.services.reviews.watched.current() : [];
    return all.filter(({ files }) => (group === 'unreviewed') === files.length > 0);
  }
}

const groupLooks = {
  pending: { label: 'Pending', open: true },
  unreviewed: { label: 'Not Under Review', open: true },
  watching: { label: 'Watching', open: true },
  settled: { label: 'Settled', open: false },
} as const;

function groupItem(node: ReviewNode & { kind: 'group' }): vscode.TreeItem {
  const { label, open } = groupLooks[node.group];
  const item = new vscode.TreeItem(label, open ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `group/${node.group}`;
  item.description = node.group === 'unreviewed' ? counted(node.count, 'file') : String(node.count);
  item.contextValue = 'group';
  item.accessibilityInformation = { label: `${label}, ${counted(node.count, 'entry').replace('entrys', 'entries')}` };
  return item;
}

function setItem(node: ReviewNode & { kind: 'set' }): vscode.TreeItem {
  const item = rowItem(setRow(node.state, shortTitle(node.state.title), Date.now()), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `set/${node.set}`;
  item.command = { command: commands.reviewOpen, title: vscode.l10n.t('Open Review'), arguments: [node] };
  return item;
}

function fileItem(node: ReviewNode & { kind: 'file' }): vscode.TreeItem {
  const file = node.state.files.find((one) => one.key === node.file);
  if (file === undefined) return new vscode.TreeItem(node.file);
  const item = rowItem(fileRow(file, node.state.status === 'pending'), vscode.TreeItemCollapsibleState.None);
  item.id = `file/${node.set}/${node.file}`;
  item.command = { command: commands.reviewOpen, title: vscode.l10n.t('Open Review'), arguments: [node] };
  return item;
}

function checkpointItem(node: ReviewNode & { kind: 'checkpoint' }): vscode.TreeItem {
  const item = new vscode.TreeItem(node.label);
  item.id = `checkpoint/${node.checkpoint}`;
  const changed = node.count === 0 ? vscode.l10n.t('nothing has changed') : counted(node.count, 'file');
  item.description = changed;
  item.iconPath = new vscode.ThemeIcon('eye');
  item.contextValue = 'checkpoint';
  item.tooltip = node.count === 0 ? vscode.l10n.t('What becomes different from now on shows here.') : vscode.l10n.t('Changed without anybody being asked. Select to review it.');
  item.accessibilityInformation = { label: `${node.label}, ${changed}. ${item.tooltip}` };
  item.command = { command: commands.reviewWhatChanged, title: vscode.l10n.t('Review What Changed'), arguments: [node] };
  return item;
}

function rowItem(row: ReviewRow, state: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, state);
  item.description = row.description;
  item.tooltip = row.tooltip;
  item.contextValue = row.context;
  item.iconPath = new vscode.ThemeIcon(row.icon, row.color === undefined ? undefined : new vscode.ThemeColor(row.color));
  item.accessibilityInformation = { label: row.accessible };
  return item;
}

function actionItem(label: string, icon: string, argument: string | undefined): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.iconPath = new vscode.ThemeIcon(icon);
  item.command = { command: commands.reviewRefresh, title: label, ...(argument === undefined ? {} : { arguments: [argument] }) };
  item.accessibilityInformation = { label, role: 'button' };
  return item;
}

export const reviewsTreeFeature: Feature<Services> = {
  name: 'reviews tree',
  register(services) {
    const owned = new DisposableStore();
    const tree = owned.add(new ReviewsTree(services));
    const view = owned.add(vscode.window.createTreeView<ReviewNode>(views.reviews, { treeDataProvider: tree, showCollapseAll: true }));
    services.reviews.listVisible = () => view.visible;
    owned.add(services.commands.register(commands.reviewRefresh, false, (how) => refresh(services, tree, how === 'more')));
    owned.add(services.commands.register(commands.reviewFilter, false, () => askFilter(services, tree, view)));
    owned.add(services.commands.register(commands.reviewSort, false, () => askOrder(services, tree)));
    const { watched } = services.reviews;
    owned.add(watched.onChange(() => tree.draw()));
    owned.add(view.onDidChangeVisibility(({ visible }) => visible && watched.refresh()));
    owned.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && view.visible && watched.refresh()));
    const remembered = services.context.workspaceState.get<number>(pendingMemory, 0);
    if (remembered > 0) view.badge = badgeOf(remembered);
    owned.add(
      services.onBoard((_board, core) => {
        const { board } = services.reviews.over(core.review);
        const count = (): void => {
          const pending = board.pending().length;
          view.badge = pending === 0 ? undefined : badgeOf(pending);
          services.keys.set(contextKeys.reviewPending, pending > 0);
          remember(services, pendingMemory, pending);
          tree.draw();
        };
        services.reviews.watchedBy(core.checkpoints);
        const life = new DisposableStore();
        // Other windows and terminals watch and stop watching too.
        life.add(core.journal.onEvent(({ kind }) => kind.startsWith('checkpoint.') && watched.refresh()));
        life.add(watched.onChange(() => remember(services, watchingMemory, watched.current().length)));
        life.add(board.onSet(count));
        board.load().then(count, (error: unknown) => services.log.warn('reviews could not be listed', error));
        return life;
      }),
    );
    // Sets that were pending before a reload have to be found, and what was watched goes on being watched, though nobody has opened anything of Casebook yet.
    if (remembered + services.context.workspaceState.get<number>(watchingMemory, 0) > 0) setTimeout(() => void services.core().catch((error: unknown) => services.log.error('pending reviews could not be read', error)), 0);
    return owned;
  },
};

function remember({ context: { workspaceState } }: Services, key: string, count: number): void {
  if (workspaceState.get<number>(key, 0) !== count) void workspaceState.update(key, count);
}

function badgeOf(pending: number): vscode.ViewBadge {
  return { value: pending, tooltip: vscode.l10n.t('{0} waiting for a review', counted(pending, 'change set')) };
}

async function refresh(services: Services, tree: ReviewsTree, more: boolean): Promise<void> {
  const board = await services.reviews.board();
  await (more ? board.loadMore() : board.load(true));
  services.reviews.watched.refresh();
  tree.draw();
}

async function askFilter(services: Services, tree: ReviewsTree, view: vscode.TreeView<ReviewNode>): Promise<void> {
  const asked = await services.prompter.input({ title: vscode.l10n.t('Search Reviews'), placeholder: vscode.l10n.t('Words of a title, an agent or a path; nothing shows all'), value: tree.filter });
  if (asked.kind !== 'picked') return;
  tree.filter = asked.value.trim();
  view.message = tree.filter === '' ? undefined : vscode.l10n.t('Showing reviews with “{0}”', tree.filter);
  tree.draw();
}

async function askOrder(services: Services, tree: ReviewsTree): Promise<void> {
  const picked = await services.prompter.pick<SortBy>(
    [
      { label: vscode.l10n.t('Age'), detail: vscode.l10n.t('What waits longest first'), icon: 'history', value: 'age' },
      { label: vscode.l10n.t('Origin'), detail: vscode.l10n.t('By agent, then by age'), icon: 'person', value: 'origin' },
      { label: vscode.l10n.t('Size'), detail: vscode.l10n.t('Most changed lines first'), icon: 'list-ordered', value: 'size' },
    ],
    { title: vscode.l10n.t('Sort Pending Reviews'), placeholder: vscode.l10n.t('By what?') },
  );
  if (picked.kind !== 'picked') return;
  tree.sortBy = picked.value;
  tree.draw();
}

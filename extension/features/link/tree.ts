import { basename } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import type { SharingState } from '../../core/link/shared-editor.ts';
import { Debounced } from '../../host/debounce.ts';
import { realPathOf } from '../../host/link/real-path.ts';
import type { Services } from '../../services.ts';
import { views } from '../../shared/ids.ts';
import type { Feature } from '../start.ts';
import { clientRow, type LinkRow, sharingRow, stateRow } from './rows.ts';

/** Things have been quiet for so long when the rows are drawn again. Milliseconds. */
const quietMs = 150;

/** The Link view: whether agents find this window, what they see of it, and who they are. */
export const linkTreeFeature: Feature<Services> = {
  name: 'link tree',
  register(services) {
    const owned = new DisposableStore();
    const changed = owned.add(new vscode.EventEmitter<LinkRow | undefined>());
    const tree: vscode.TreeDataProvider<LinkRow> = { onDidChangeTreeData: changed.event, getTreeItem: itemOf, getChildren: (row) => (row === undefined ? rowsOf(services) : []) };
    owned.add(vscode.window.createTreeView(views.link, { treeDataProvider: tree }));
    const draw = owned.add(new Debounced(quietMs, async () => changed.fire(undefined), (error) => services.log.warn('the link view could not be drawn', error)));
    owned.add(services.link.onChange(() => draw.call()));
    owned.add(services.sharing.onChange(() => draw.call()));
    owned.add(vscode.window.onDidChangeActiveTextEditor(() => draw.call()));
    return owned;
  },
};

function rowsOf({ link }: Services): LinkRow[] {
  const state = stateRow(link.state);
  if (state === undefined || link.link === undefined) return state === undefined ? [] : [state];
  const { sharing, file } = inFront(link.link);
  return [state, sharingRow(sharing, file), ...link.link.clients.map((client) => clientRow(client, Date.now()))];
}

/** Of the file in front; without one there is nothing that could be denied. */
function inFront(link: { sharingOf(path: string): SharingState }): { sharing: SharingState; file?: string } {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme === 'file') return { sharing: link.sharingOf(realPathOf(uri.fsPath)), file: basename(uri.fsPath) };
  return { sharing: link.sharingOf('') === 'paused' ? 'paused' : 'on' };
}

function itemOf(row: LinkRow): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label);
  item.id = row.id;
  if (row.description !== undefined) item.description = row.description;
  item.tooltip = row.tooltip ?? row.label;
  item.iconPath = new vscode.ThemeIcon(row.icon);
  item.contextValue = row.context;
  item.accessibilityInformation = { label: row.accessible };
  return item;
}

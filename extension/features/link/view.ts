import { basename } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import type { LinkClient } from '../../core/link/clients.ts';
import { Debounced } from '../../host/debounce.ts';
import type { Companion } from '../../host/link/companions.ts';
import { realPathOf } from '../../host/link/real-path.ts';
import type { Services } from '../../services.ts';
import { commands, settings, views } from '../../shared/ids.ts';
import type { Feature } from '../start.ts';
import { clientRow, type Front, type LinkRow, servedElsewhereRow, sharingRow, stateRow } from './rows.ts';

export type LinkNode = { kind: 'state' } | { kind: 'sharing' } | { kind: 'client'; client: LinkClient } | { kind: 'family'; companion: Companion };

const quietMs = 100;

/** The Link view: whether agents find this window, who is here, and what they see right now. */
class LinkTree implements vscode.TreeDataProvider<LinkNode>, Disposable {
  private readonly owned = new DisposableStore();
  private readonly changed = this.owned.add(new vscode.EventEmitter<LinkNode | undefined>());
  private readonly redraw: Debounced;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly services: Services) {
    this.redraw = this.owned.add(new Debounced(quietMs, async () => this.changed.fire(undefined), (error) => services.log.warn('the Link view could not be drawn', error)));
  }

  draw(): void {
    this.redraw.call();
  }

  /** Nothing where the link is off for a reason that the welcome text explains. */
  getChildren(node?: LinkNode): LinkNode[] {
    const { link, companions } = this.services;
    if (node !== undefined || link.state.kind === 'off') return [];
    const clients: LinkNode[] = (link.link?.clients ?? []).map((client) => ({ kind: 'client', client }));
    const elsewhere: LinkNode[] = companions.all().filter(({ family }) => !companions.serves(family)).map((companion) => ({ kind: 'family', companion }));
    return [{ kind: 'state' }, ...(link.link === undefined ? [] : [{ kind: 'sharing' } as const]), ...clients, ...elsewhere];
  }

  getTreeItem(node: LinkNode): vscode.TreeItem {
    const row = this.rowOf(node);
    const item = new vscode.TreeItem(row.label);
    item.id = node.kind === 'client' ? `client/${node.client.id}` : node.kind === 'family' ? `family/${node.companion.family}` : node.kind;
    item.description = row.description;
    item.tooltip = row.tooltip;
    item.iconPath = new vscode.ThemeIcon(row.icon);
    item.contextValue = row.context;
    item.accessibilityInformation = { label: [row.label, row.description, row.tooltip].filter((part) => part !== '').join('. ') };
    return item;
  }

  dispose(): void {
    this.owned.dispose();
  }

  private rowOf(node: LinkNode): LinkRow {
    const { services } = this;
    switch (node.kind) {
      case 'state':
        return stateRow(services.link.state);
      case 'sharing':
        return sharingRow(frontOf(services), services.settings.get(settings.linkMaskSecrets));
      case 'client':
        return clientRow(node.client, Date.now());
      default:
        return servedElsewhereRow(node.companion);
    }
  }
}

/** The file in front and whether agents see it. */
export function frontOf({ link, lastEditor, sharing }: Services): Front {
  const path = lastEditor.editor?.document.uri.fsPath;
  if (path === undefined || link.link === undefined) return { state: sharing.paused() ? 'paused' : 'on' };
  return { name: basename(path), state: link.link.sharingOf(realPathOf(path)) };
}

export const linkViewFeature: Feature<Services> = {
  name: 'link view',
  register(services) {
    const owned = new DisposableStore();
    const tree = owned.add(new LinkTree(services));
    const view = owned.add(vscode.window.createTreeView<LinkNode>(views.link, { treeDataProvider: tree }));
    const draw = (): void => {
      const count = services.link.link?.clients.length ?? 0;
      view.badge = count === 0 ? undefined : { value: count, tooltip: vscode.l10n.t('{0} connected', count) };
      tree.draw();
    };
    owned.add(services.link.onChange(draw));
    owned.add(services.sharing.onChange(draw));
    owned.add(vscode.window.onDidChangeActiveTextEditor(draw));
    owned.add(services.commands.register(commands.linkDisconnect, true, (argument) => disconnect(services, argument)));
    return owned;
  },
};

async function disconnect({ link, prompter }: Services, argument: unknown): Promise<void> {
  const clients = link.link?.clients ?? [];
  const named = isClientNode(argument) ? argument.client.id : undefined;
  const choices = clients.map((client) => ({ label: client.client, description: client.version, detail: client.cwd ?? '', value: client.id }));
  if (named === undefined && choices.length === 0) return void (await prompter.inform(vscode.l10n.t('No agent is connected.')));
  const picked = named === undefined ? await prompter.pick(choices, { title: vscode.l10n.t('Disconnect Agent'), placeholder: vscode.l10n.t('What it proposed stays under review') }) : { kind: 'picked' as const, value: named };
  if (picked.kind === 'picked') link.link?.disconnect(picked.value);
}

function isClientNode(argument: unknown): argument is LinkNode & { kind: 'client' } {
  return typeof argument === 'object' && argument !== null && 'kind' in argument && argument.kind === 'client' && 'client' in argument;
}

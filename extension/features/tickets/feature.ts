import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import type { SavedQuery } from '../../host/settings.ts';
import type { Services } from '../../services.ts';
import { commands, contextKeys, settings, views } from '../../shared/ids.ts';
import type { Feature } from '../start.ts';
import { type TicketNode, TicketsTree } from './tree.ts';

export const ticketsFeature: Feature<Services> = {
  name: 'tickets tree',
  register(services) {
    const owned = new DisposableStore();
    const tree = owned.add(new TicketsTree(services));
    const view = owned.add(vscode.window.createTreeView<TicketNode>(views.tickets, { treeDataProvider: tree, showCollapseAll: true }));
    const { commands: registry } = services;
    owned.add(registry.register(commands.refreshTickets, true, (node) => tree.refresh(asNode(node))));
    owned.add(registry.register(commands.loadMoreTickets, true, (node) => moreOf(tree, asNode(node))));
    owned.add(registry.register(commands.filterTickets, true, () => askFilter(services, tree, view)));
    owned.add(registry.register(commands.openTicketInBrowser, false, (node) => openInBrowser(asNode(node))));
    owned.add(registry.register(commands.addQuery, true, () => addQuery(services)));
    owned.add(registry.register(commands.removeQuery, true, (node) => removeQuery(services, asNode(node))));
    owned.add(registry.register(commands.signInGitHub, true, () => signIn(services, tree)));
    owned.add(vscode.authentication.onDidChangeSessions((event) => event.provider.id === services.github.provider() && void noteSignIn(services, tree)));
    owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => tree.refresh()));
    owned.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if ([settings.githubQueries, settings.githubBaseUrl, settings.ticketFolders].some((id) => event.affectsConfiguration(id))) tree.refresh();
      }),
    );
    owned.add(view.onDidChangeVisibility(({ visible }) => visible && void noteSignIn(services)));
    return owned;
  },
};

function asNode(value: unknown): TicketNode | undefined {
  return typeof value === 'object' && value !== null && 'kind' in value && 'source' in value ? (value as TicketNode) : undefined;
}

async function moreOf(tree: TicketsTree, node: TicketNode | undefined): Promise<void> {
  if (node?.kind === 'more') await tree.more(node);
}

async function askFilter(services: Services, tree: TicketsTree, view: vscode.TreeView<TicketNode>): Promise<void> {
  const asked = await services.prompter.input({ title: vscode.l10n.t('Filter Tickets'), placeholder: vscode.l10n.t('Words in key, title, status or labels; nothing shows all'), value: tree.filter });
  if (asked.kind !== 'picked') return;
  tree.filter = asked.value.trim();
  view.message = tree.filter === '' ? undefined : vscode.l10n.t('Filtered by “{0}”', tree.filter);
  tree.redraw();
}

async function openInBrowser(node: TicketNode | undefined): Promise<void> {
  if (node?.kind !== 'ticket' || node.ticket.url === undefined) return;
  const uri = vscode.Uri.parse(node.ticket.url, true);
  // The address is the source's: only web pages are opened, never a command: or file: link.
  if (uri.scheme === 'https' || uri.scheme === 'http') await vscode.env.openExternal(uri);
}

async function addQuery(services: Services): Promise<void> {
  const query = await services.prompter.input({
    title: vscode.l10n.t('Add Ticket Query'),
    placeholder: 'repo:owner/name is:open label:bug',
    step: [1, 2],
    validate: (value) => (value.trim() === '' ? vscode.l10n.t("Type a search in GitHub's words.") : undefined),
  });
  if (query.kind !== 'picked') return;
  const label = await services.prompter.input({ title: vscode.l10n.t('Add Ticket Query'), placeholder: vscode.l10n.t('Name shown in the Tickets view'), value: query.value.trim(), step: [2, 2] });
  if (label.kind === 'back') return addQuery(services);
  if (label.kind !== 'picked') return;
  const saved = { label: label.value.trim() === '' ? query.value.trim() : label.value.trim(), query: query.value.trim() };
  await saveQueries([...services.settings.get(settings.githubQueries), saved]);
}

async function removeQuery(services: Services, node: TicketNode | undefined): Promise<void> {
  if (node?.kind !== 'query') return;
  await saveQueries(services.settings.get(settings.githubQueries).filter((saved) => saved.query !== node.query.query));
}

/** Saved for the user, or for the workspace where it already has its own list: no settings file appears in the work tree by itself. */
async function saveQueries(queries: SavedQuery[]): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const inWorkspace = configuration.inspect(settings.githubQueries)?.workspaceValue !== undefined;
  await configuration.update(settings.githubQueries, queries, inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
}

async function signIn(services: Services, tree: TicketsTree): Promise<void> {
  if ((await services.github.signIn()) === undefined) return;
  await noteSignIn(services, tree);
}

async function noteSignIn(services: Services, tree?: TicketsTree): Promise<void> {
  services.keys.set(contextKeys.signedIn, (await services.github.token()) !== undefined);
  tree?.refresh();
}

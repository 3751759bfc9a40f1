import { join } from 'node:path';
import * as vscode from 'vscode';
import { isFailure } from '../../core/base/failure.ts';
import type { Mention } from '../../core/link/dialects/dialect.ts';
import { splitRootPath } from '../../core/repo/roots.ts';
import { realPathOf } from '../../host/link/real-path.ts';
import { addressOf } from '../../host/review/addresses.ts';
import type { Services } from '../../services.ts';
import { commands } from '../../shared/ids.ts';
import type { Feature } from '../start.ts';

/** "Send to Agent": points a connected agent to a file, a folder, or lines. */
export const linkSendFeature: Feature<Services> = {
  name: 'send to agent',
  register: (services) => services.commands.register(commands.linkSend, true, (argument) => send(services, argument)),
};

async function send(services: Services, argument: unknown): Promise<void> {
  const { link, prompter } = services;
  const mention = mentionOf(services, argument);
  if (mention === undefined) return void (await prompter.inform(vscode.l10n.t('Open a file, or choose one in the Explorer.')));
  const running = link.link;
  if (running === undefined || !running.canMention) return noAgent(services);
  try {
    const client = await whichClient(services);
    if (client === 'none') return;
    const told = running.mention(mention, client);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Casebook: sent to {0}', told.map((one) => one.client).join(', ')), 4000);
  } catch (error) {
    if (isFailure(error, 'not_shared')) return void (await prompter.warn(vscode.l10n.t('{0} is not shared with agents: it may hold secrets, or lies outside the workspace. Nothing was sent.', mention.path.slice(mention.path.lastIndexOf('/') + 1))));
    if (isFailure(error, 'no_client')) return noAgent(services);
    throw error;
  }
}

async function noAgent({ prompter }: Services): Promise<void> {
  const [start, why] = [vscode.l10n.t('Start an Agent'), vscode.l10n.t('Why?')];
  const chosen = await prompter.inform(vscode.l10n.t('No agent that can be pointed to a place is connected.'), [start, why]);
  if (chosen !== undefined) await vscode.commands.executeCommand(chosen === start ? commands.linkStartAgent : commands.linkDoctor);
}

/** Undefined: all of them, which is the only one where one is there. */
async function whichClient({ link, prompter }: Services): Promise<string | undefined> {
  const clients = link.link?.clients ?? [];
  if (clients.length < 2) return undefined;
  const all = { label: vscode.l10n.t('All of them'), value: undefined };
  const picked = await prompter.pick<string | undefined>([...clients.map((client) => ({ label: client.client, description: client.cwd ?? client.version, value: client.id })), all], { title: vscode.l10n.t('Send to Agent'), placeholder: vscode.l10n.t('To which one?') });
  return picked.kind === 'picked' ? picked.value : 'none';
}

/** From the Explorer the file or folder that was chosen, whole; from an editor its file, with the lines that are selected. A side of a review is its file. */
function mentionOf(services: Services, argument: unknown): Mention | undefined {
  const active = vscode.window.activeTextEditor;
  const uri = argument instanceof vscode.Uri ? argument : active?.document.uri;
  const editor = active !== undefined && active.document.uri.toString() === uri?.toString() ? active : uri === undefined ? services.lastEditor.editor : undefined;
  const of = uri ?? editor?.document.uri;
  const path = of === undefined ? undefined : pathOf(services, of);
  if (path === undefined) return undefined;
  const { selection } = editor ?? {};
  // The lines of a proposed side are not those of the file as it is.
  if (selection === undefined || selection.isEmpty || of?.scheme !== 'file') return { path };
  // The end of a whole line is the start of the next one, which is not meant.
  const last = selection.end.character === 0 && selection.end.line > selection.start.line ? selection.end.line - 1 : selection.end.line;
  return { path, lines: { first: selection.start.line, last } };
}

function pathOf(services: Services, uri: vscode.Uri): string | undefined {
  if (uri.scheme === 'file') return realPathOf(uri.fsPath);
  const place = splitRootPath(services.roots(), addressOf(uri)?.file ?? '');
  return place === undefined ? undefined : realPathOf(join(place.root.path, place.path));
}

import * as vscode from 'vscode';
import { installedAgents, terminalAgents, type TerminalAgent } from '../../host/link/agents.ts';
import type { Services } from '../../services.ts';
import { commands } from '../../shared/ids.ts';
import type { Feature } from '../start.ts';

/** Starts an agent in a terminal of this window. */
export const linkTerminalsFeature: Feature<Services> = {
  name: 'agent terminals',
  register: (services) => services.commands.register(commands.linkStartAgent, true, (argument) => start(services, argument)),
};

/** `argument` may name a program, for key bindings: `"args": "claude"`. */
async function start(services: Services, argument: unknown): Promise<void> {
  const { prompter } = services;
  const installed = installedAgents(process.env['PATH']);
  const named = installed.find(({ program }) => program === argument);
  if (installed.length === 0) return void (await prompter.inform(vscode.l10n.t('None of the agents that Casebook knows is on the search path: {0}.', terminalAgents.map(({ program }) => program).join(', '))));
  const picked = named === undefined ? await prompter.pick(installed.map((agent) => ({ label: agent.name, description: [agent.program, ...agent.args].join(' '), detail: detailOf(services, agent), icon: 'terminal', value: agent })), { title: vscode.l10n.t('Start a Coding Agent'), placeholder: vscode.l10n.t('In a terminal of this window') }) : { kind: 'picked' as const, value: named };
  if (picked.kind !== 'picked') return;
  const folder = await whichFolder(services);
  if (folder === undefined) return;
  const { name, program, args } = picked.value;
  const terminal = vscode.window.createTerminal({ name, cwd: folder, iconPath: new vscode.ThemeIcon('robot') });
  terminal.show();
  terminal.sendText([program, ...args].join(' '));
}

function detailOf({ companions }: Services, agent: TerminalAgent): string {
  const companion = companions.companion(agent.program);
  return companion === undefined || companions.serves(agent.program) ? agent.detail : vscode.l10n.t('Served by {0}, not by Casebook', companion.name);
}

/** Agents belong to the folder that they are started in. */
async function whichFolder(services: Services): Promise<string | undefined> {
  const all = services.roots();
  if (all.length < 2) return all[0]?.path;
  const picked = await services.prompter.pick(all.map(({ name, path }) => ({ label: name, description: path, value: path })), { title: vscode.l10n.t('Start a Coding Agent'), placeholder: vscode.l10n.t('In which folder?') });
  return picked.kind === 'picked' ? picked.value : undefined;
}

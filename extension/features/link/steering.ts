import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import { isFailure } from '../../core/base/failure.ts';
import type { LinkFailureReason } from '../../core/link/failure.ts';
import type { Services } from '../../services.ts';
import { commands, settings } from '../../shared/ids.ts';
import { familyNames } from '../../host/link/companions.ts';
import type { Feature } from '../start.ts';
import { placeOf } from './place.ts';
import { startAgent } from './start-agent.ts';

const toldOnce = 'casebook.link.toldAboutModes';

/** What a person does with the link: what is shared, who is pointed where, who serves an agent, and why one does not come. */
export const linkSteeringFeature: Feature<Services> = {
  name: 'link commands',
  register(services) {
    const owned = new DisposableStore();
    const { commands: registry, link, sharing, linkChannel } = services;
    owned.add(registry.register(commands.linkPause, true, () => sharing.pause(true)));
    owned.add(registry.register(commands.linkResume, true, () => resume(services)));
    owned.add(registry.register(commands.linkSend, true, (given) => send(services, given)));
    owned.add(registry.register(commands.linkDisconnect, true, (row) => disconnect(services, row)));
    owned.add(registry.register(commands.linkCopyEnvironment, true, () => copyEnvironment(services)));
    owned.add(registry.register(commands.linkShowLog, false, () => linkChannel.show()));
    owned.add(registry.register(commands.linkDoctor, true, () => explain(services)));
    owned.add(registry.register(commands.linkStartAgent, true, () => startAgent(services)));
    owned.add(registry.register(commands.linkRestart, true, () => link.restart()));
    owned.add(registry.register(commands.linkCompanions, true, () => chooseServer(services)));
    owned.add(tellAboutModes(services));
    return owned;
  },
};

async function resume({ sharing, prompter }: Services): Promise<void> {
  await sharing.pause(false);
  if (sharing.pausedBySetting) void prompter.inform(vscode.l10n.t('The setting “{0}” still pauses it.', settings.linkShareContext));
}

async function send({ link, prompter }: Services, given: unknown): Promise<void> {
  const place = await placeOf(given);
  if (place === undefined) return void prompter.inform(vscode.l10n.t('Open a file, or choose one, to point an agent to it.'));
  if (link.link === undefined) return void prompter.inform(vscode.l10n.t('Agents cannot find this window now; the Link view says why.'));
  try {
    const told = link.link.mention(place);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Sent to {0}', told.map((client) => client.client).join(', ')), 4000);
  } catch (error) {
    if (!isFailure<LinkFailureReason>(error, 'not_shared', 'no_client')) throw error;
    void prompter.inform(error.message);
  }
}

async function disconnect({ link, prompter }: Services, row: unknown): Promise<void> {
  const clients = link.link?.clients ?? [];
  const id = typeof row === 'object' && row !== null && 'id' in row ? row.id : undefined;
  if (typeof id === 'string') return void link.link?.disconnect(id);
  if (clients.length === 0) return void prompter.inform(vscode.l10n.t('No agent is connected.'));
  const picked = await prompter.pick(clients.map((client) => ({ label: client.client, description: client.version, icon: 'plug', value: client.id })), { title: vscode.l10n.t('Disconnect Agent'), placeholder: vscode.l10n.t('Which one?') });
  if (picked.kind === 'picked') link.link?.disconnect(picked.value);
}

/** For a shell that this window did not start. The token stays in the lock file, where the agent looks it up by the port. */
async function copyEnvironment({ link }: Services): Promise<void> {
  if (link.link === undefined) return;
  await vscode.env.clipboard.writeText(`export CLAUDE_CODE_SSE_PORT=${link.link.port} ENABLE_IDE_INTEGRATION=true`);
  vscode.window.setStatusBarMessage(vscode.l10n.t('The environment for an agent is in the clipboard'), 4000);
}

async function explain(services: Services): Promise<void> {
  const { link, prompter, linkChannel } = services;
  const { diagnoseLink } = await import('../../core/link/doctor.ts');
  const folders = services.roots().map((root) => root.path);
  const { state } = link;
  const why = state.kind === 'failed' ? state.why : state.kind === 'off' ? offWords[state.why] : vscode.l10n.t('The link is starting.');
  const running = link.link;
  const diagnosis = await diagnoseLink({ port: running?.port, why, unannounced: (running?.unannounced ?? []).map((one) => `${familyNames[one.family] ?? one.family}: ${one.why}`), folders, cwd: folders[0] ?? homedir(), env: process.env, home: process.env['HOME'] ?? homedir() });
  for (const { ok, text } of diagnosis.findings) linkChannel[ok ? 'info' : 'warn'](text);
  await prompter.pick(
    diagnosis.findings.map(({ ok, text }, value) => ({ label: text, icon: ok ? 'check' : 'warning', value })),
    { title: vscode.l10n.t('Why Does My Agent Not Connect?'), placeholder: diagnosis.connects ? vscode.l10n.t('“claude --ide”, started in the first folder, would connect to this window.') : vscode.l10n.t('“claude --ide”, started in the first folder, would not connect to this window.') },
  );
}

const offWords: Readonly<Record<Extract<Services['link']['state'], { kind: 'off' }>['why'], string>> = {
  setting: vscode.l10n.t('The link is switched off in the settings.'),
  not_trusted: vscode.l10n.t('In Restricted Mode no agent can connect.'),
  no_folder: vscode.l10n.t('No folder is open: agents find a window by its folders.'),
  closing: vscode.l10n.t('The link is being ended.'),
};

async function chooseServer({ companions, prompter }: Services): Promise<void> {
  const all = companions.all();
  if (all.length === 0) return void prompter.inform(vscode.l10n.t('No agent’s own extension is installed here: Casebook serves them all.'));
  const family = await prompter.pick(all.map((one) => ({ label: familyNames[one.family] ?? one.family, description: companions.serves(one.family) ? vscode.l10n.t('served by Casebook') : vscode.l10n.t('served by {0}', one.name), icon: 'plug', value: one })), { title: vscode.l10n.t('Who Serves an Agent'), placeholder: vscode.l10n.t('Which agent?') });
  if (family.kind !== 'picked') return;
  const { value: companion } = family;
  const choice = await prompter.pick<'casebook' | 'other'>([{ label: 'Casebook', icon: 'notebook', value: 'casebook' }, { label: companion.name, icon: 'extensions', value: 'other' }], { title: vscode.l10n.t('Who Serves an Agent'), placeholder: vscode.l10n.t('With two of them the agent connects to neither.') });
  if (choice.kind !== 'picked') return;
  const configuration = vscode.workspace.getConfiguration();
  await configuration.update(settings.linkServedBy, { ...configuration.get<Record<string, unknown>>(settings.linkServedBy, {}), [companion.family]: choice.value }, vscode.ConfigurationTarget.Global);
}

/** Claude Code's default mode never opens a diff in an editor; who does not know that waits for one. Told once. */
function tellAboutModes({ link, context, prompter }: Services): Disposable {
  return link.onEvent((event) => {
    if (event.kind !== 'connected' || event.client.dialect !== 'claude' || context.globalState.get<boolean>(toldOnce, false)) return;
    void context.globalState.update(toldOnce, true);
    const watch = vscode.l10n.t('Start Watching');
    void prompter
      .inform(vscode.l10n.t('Claude Code is connected. It proposes its changes here when it was started with --permission-mode manual; in its other modes it writes by itself, and “Review What Changed” shows what it wrote.'), [watch])
      .then((chosen) => (chosen === watch ? vscode.commands.executeCommand(commands.reviewStartWatching) : undefined));
  });
}

import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import type { Services } from '../../services.ts';
import { commands, settings } from '../../shared/ids.ts';
import type { Feature } from '../start.ts';

/** Pausing and resuming what agents see, and what an agent elsewhere needs to find this window. */
export const linkSharingFeature: Feature<Services> = {
  name: 'link sharing',
  register(services) {
    const owned = new DisposableStore();
    owned.add(services.commands.register(commands.linkPause, true, () => services.sharing.pause(true)));
    owned.add(services.commands.register(commands.linkResume, true, () => resume(services)));
    owned.add(services.commands.register(commands.linkCopyEnvironment, true, () => copyEnvironment(services)));
    owned.add(services.commands.register(commands.linkRestart, true, () => services.link.restart()));
    owned.add(services.commands.register(commands.linkShowLog, false, () => services.linkChannel.show()));
    return owned;
  },
};

async function resume({ sharing, prompter }: Services): Promise<void> {
  await sharing.pause(false);
  if (!sharing.pausedBySetting) return;
  const open = vscode.l10n.t('Open Settings');
  const chosen = await prompter.inform(vscode.l10n.t('Sharing stays paused: a setting says so.'), [open]);
  if (chosen === open) await vscode.commands.executeCommand('workbench.action.openSettings', settings.linkShareContext);
}

/** For an agent that is started where it does not find the window by itself. It holds the token, so it is said where it goes. */
async function copyEnvironment({ link, prompter }: Services): Promise<void> {
  const { link: running } = link;
  if (running === undefined) return void (await prompter.inform(vscode.l10n.t('The link is not running.')));
  const files = Object.entries(running.files).map(([family, file]) => `# ${family}: ${file}`);
  const lines = [...files, `export CLAUDE_CODE_SSE_PORT=${running.port}`, 'export ENABLE_IDE_INTEGRATION=true'];
  await prompter.writeClipboard(`${lines.join('\n')}\n`);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Casebook: the connection environment is in the clipboard. It is for Claude Code; opencode does not understand a port in its environment.'), 8000);
}

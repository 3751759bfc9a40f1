import * as vscode from 'vscode';
import type { Disposable } from '../core/base/disposable.ts';
import type { Logger } from '../core/base/logger.ts';
import { type CommandId, commands } from '../shared/ids.ts';
import { isQuiet, wordsFor } from '../shared/words.ts';

/** Registers commands so that each failure is said in one sentence, and none runs in a restricted workspace unless it only reads. */
export class Commands {
  constructor(private readonly log: Logger) {}

  /**
   * `needsTrust` repeats the enablement of package.json in code: a command can also come from a keybinding or another extension.
   * `words` says a failure in the terms of what the command is about.
   */
  register(id: CommandId, needsTrust: boolean, run: (argument: unknown) => unknown, words: (error: unknown) => string = wordsFor): Disposable {
    return vscode.commands.registerCommand(id, async (argument: unknown) => {
      if (needsTrust && !vscode.workspace.isTrusted) {
        await this.explainTrust();
        return undefined;
      }
      try {
        return await run(argument);
      } catch (error) {
        this.report(error, id, words);
        return undefined;
      }
    });
  }

  /** A toast of one sentence; the whole error is in the log. A cancelled action says nothing. */
  report(error: unknown, doing: string, words: (error: unknown) => string = wordsFor): void {
    if (isQuiet(error)) {
      this.log.debug(`${doing} was cancelled`);
      return;
    }
    this.log.error(`${doing} failed`, error);
    void this.offerLog(words(error));
  }

  private async offerLog(sentence: string): Promise<void> {
    const open = vscode.l10n.t('Open Log');
    if ((await vscode.window.showErrorMessage(sentence, open)) === open) await vscode.commands.executeCommand(commands.openLog);
  }

  private async explainTrust(): Promise<void> {
    const manage = vscode.l10n.t('Manage Workspace Trust');
    const choice = await vscode.window.showInformationMessage(vscode.l10n.t('In Restricted Mode Casebook only reads its journal.'), manage);
    if (choice === manage) await vscode.commands.executeCommand('workbench.trust.manage');
  }
}

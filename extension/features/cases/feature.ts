import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import type { CaseState } from '../../core/cases/state.ts';
import type { Services } from '../../services.ts';
import { type CommandId, commands, contextKeys } from '../../shared/ids.ts';
import { explainFile } from '../case-panel/panel.ts';
import { setLabels } from '../gates.ts';
import { wordsFor, wordsForTicket } from '../../shared/words.ts';
import type { Feature } from '../start.ts';
import { caseIdOf, pickCase } from './choose.ts';

/** The commands about one case: named by the tree, by the panel in front, or picked. */
export const caseCommandsFeature: Feature<Services> = {
  name: 'case commands',
  register(services) {
    const owned = new DisposableStore();
    const onCase = (id: CommandId, needsTrust: boolean, title: string, run: (caseId: string, via: string) => Promise<unknown>, words = wordsFor): void => {
      owned.add(
        services.commands.register(id, needsTrust, async (argument) => {
          const named = caseIdOf(argument);
          const caseId = named ?? (id === commands.openCase ? undefined : services.panels.active) ?? (await pickCase((await services.core()).cases, services.prompter, title, Date.now()));
          if (caseId !== undefined) await run(caseId, named === undefined ? 'palette' : 'tree');
        }, words),
      );
    };
    onCase(commands.openCase, false, vscode.l10n.t('Open Case'), (caseId) => services.panels.show(caseId));
    onCase(commands.stopRun, true, vscode.l10n.t('Stop Investigation'), (caseId, via) => services.runs.stop(caseId, via));
    onCase(commands.runAgain, true, vscode.l10n.t('Run Investigation Again'), (caseId, via) => runAgain(services, caseId, via));
    onCase(commands.setLabels, true, vscode.l10n.t('Set Labels of Ticket'), async (caseId, via) => {
      const { cases } = await services.core();
      await setLabels(await cases.state(caseId), { cases, prompter: services.prompter }, via);
    });
    onCase(commands.closeCase, true, vscode.l10n.t('Close Case'), (caseId, via) => closeCase(services, caseId, via));
    onCase(commands.refreshTicket, true, vscode.l10n.t('Read the Ticket Again'), (caseId) => refreshTicket(services, caseId), wordsForTicket);
    onCase(commands.recheckCitations, true, vscode.l10n.t('Check Citations Again'), async (caseId) => (await services.core()).cases.recheck(caseId, 'asked'));
    owned.add(services.commands.register(commands.explainFile, false, (argument) => explain(services, argument)));
    owned.add(
      services.onBoard((board) =>
        board.onState(() => {
          const running = board.all().some((one) => one.status === 'running' || one.status === 'needs_you');
          services.keys.set(contextKeys.running, running);
          if (board.all().length > 0) services.keys.set(contextKeys.hasCases, true);
        }),
      ),
    );
    return owned;
  },
};

/** A changed text becomes a revision of the case, which the panel shows; an unchanged one is said here, since nothing else would. */
async function refreshTicket(services: Services, caseId: string): Promise<void> {
  const { cases } = await services.core();
  const before = (await cases.state(caseId)).ticket.hash;
  const state = await services.prompter.progress({ notification: vscode.l10n.t('Reading the ticket') }, (signal) => cases.refreshTicket(caseId, signal));
  if (state.ticket.stale !== undefined) await services.prompter.warn(vscode.l10n.t('The source cannot be reached; this is the last known copy.'));
  else if (state.ticket.hash === before) await services.prompter.inform(vscode.l10n.t('The ticket has not changed.'));
  else await services.panels.show(caseId);
}

async function closeCase(services: Services, caseId: string, via: string): Promise<void> {
  await (await services.core()).cases.close(caseId, via);
  services.panels.close(caseId);
}

/** Going on in the engine's own session is offered only where the last run left one. */
async function runAgain(services: Services, caseId: string, via: string): Promise<void> {
  const { cases } = await services.core();
  const state = await cases.state(caseId);
  const mode = resumable(state) ? await askMode(services) : 'restart';
  if (mode === undefined) return;
  await services.panels.show(caseId, 'steps');
  await services.runs.start(caseId, mode, via);
}

function resumable(state: CaseState): boolean {
  const last = state.runs.at(-1);
  return last?.session !== undefined && last.ended !== undefined && last.ended.outcome !== 'completed';
}

async function askMode(services: Services): Promise<'restart' | 'resume' | undefined> {
  const picked = await services.prompter.pick(
    [
      { label: vscode.l10n.t('Resume'), detail: vscode.l10n.t("Goes on in the engine's own session."), icon: 'debug-continue', value: 'resume' as const },
      { label: vscode.l10n.t('Run again'), detail: vscode.l10n.t('Starts anew, with the earlier report as context.'), icon: 'debug-rerun', value: 'restart' as const },
    ],
    { title: vscode.l10n.t('Run Investigation Again'), placeholder: vscode.l10n.t('How should it go on?') },
  );
  return picked.kind === 'picked' ? picked.value : undefined;
}

async function explain(services: Services, argument: unknown): Promise<void> {
  if (typeof argument !== 'object' || argument === null || !('caseId' in argument) || !('root' in argument) || !('file' in argument)) return;
  const { caseId, root, file } = argument;
  if (typeof caseId !== 'string' || typeof root !== 'string' || typeof file !== 'string') return;
  await explainFile(services, await (await services.core()).cases.state(caseId), root, file);
}

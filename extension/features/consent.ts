import type { Cases } from '../core/cases/port.ts';
import type { EngineName } from '../core/model/run.ts';
import type { Prompter } from '../host/prompter.ts';
import { engineWords, wordsForRun } from '../shared/words.ts';

type EngineLine = Awaited<ReturnType<Cases['engines']>>[number];

/** What leaves this machine when a model investigates; stands in the question and in the journal. */
export const covers = ['ticket text', 'code that the agent reads', 'file names and git history'] as const;

const ALLOW = 'Allow for This Workspace';
const SCOUT = 'Use the Scout Alone';
const CHOOSE = 'Select Engine…';

export interface ConsentDeps {
  cases: Pick<Cases, 'engines' | 'giveConsent'>;
  prompter: Pick<Prompter, 'modal' | 'warn'>;
  /** Opens the engine selection. */
  selectEngine(): Promise<unknown>;
}

/**
 * The engine to run with: the one of the setting, once it is usable and agreed to. Asks before code or ticket text leaves the first
 * time, saying what goes where. Undefined when the user backed out: then nothing runs.
 */
export async function agreeOnEngine(wanted: EngineName | 'auto', deps: ConsentDeps, via: string, signal: AbortSignal): Promise<EngineName | 'auto' | undefined> {
  const engines = await deps.cases.engines(signal);
  const first = wanted === 'auto' ? engines.find((one) => one.status.usable && one.name !== 'replay') : engines.find((one) => one.name === wanted);
  if (first === undefined || !first.status.usable) return wanted === 'auto' ? 'auto' : offerInstead(wanted, first, deps);
  if (!first.leavesMachine || first.consented) return wanted;
  const { destination, label } = first.status;
  const choice = await deps.prompter.modal(`Send code and ticket text to ${destination}?`, consentDetail(label, destination), [ALLOW, SCOUT]);
  if (choice === SCOUT) return 'scout';
  if (choice !== ALLOW) return undefined;
  await deps.cases.giveConsent(first.name, destination, [...covers], via);
  return wanted;
}

export function consentDetail(label: string, destination: string): string {
  return [
    `${label} investigates the ticket. To do that, these go to ${destination}:`,
    covers.map((what) => `• ${what}`).join('\n'),
    'Known secrets are masked first. The answer holds for this workspace, is written to the journal, and can be taken back with “Forget Consents of This Workspace”. The scout works without sending anything.',
  ].join('\n\n');
}

async function offerInstead(wanted: EngineName, line: EngineLine | undefined, deps: ConsentDeps): Promise<EngineName | undefined> {
  const why = line === undefined || line.status.usable ? 'It is not part of this build.' : wordsForRun(line.status.reason);
  const choice = await deps.prompter.warn(`${engineWords[wanted]} cannot be used. ${why}`, [SCOUT, CHOOSE]);
  if (choice === SCOUT) return 'scout';
  if (choice === CHOOSE) await deps.selectEngine();
  return undefined;
}

import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import { type Companion, companionsOf, familyNames } from '../../host/link/companions.ts';
import type { Services } from '../../services.ts';
import { commands, settings } from '../../shared/ids.ts';
import type { Feature } from '../start.ts';

/** Key of the editor's memory: families about which a person has been asked. */
const askedKey = 'casebook.link.askedCompanions';

/** Where an agent's own extension is installed, people choose who serves the agent; until then Casebook keeps out of its way. */
export const companionsFeature: Feature<Services> = {
  name: 'companions',
  register(services) {
    const owned = new DisposableStore();
    owned.add(services.commands.register(commands.linkCompanions, true, (argument) => choose(services, argument)));
    owned.add(services.link.onChange(({ kind }) => kind === 'on' && void askOnce(services).catch((error: unknown) => services.log.warn('companions could not be asked about', error))));
    return owned;
  },
};

async function askOnce(services: Services): Promise<void> {
  const { companions, context, prompter } = services;
  const asked = context.globalState.get<string[]>(askedKey, []);
  const [first] = companions.undecided().filter(({ family }) => !asked.includes(family));
  if (first === undefined) return;
  await context.globalState.update(askedKey, [...asked, first.family]);
  const agent = familyNames[first.family] ?? first.family;
  const [other, casebook] = [first.name, 'Casebook'];
  const chosen = await prompter.inform(vscode.l10n.t('{0} is installed and serves {1} in this editor. Two servers would make it connect to neither, so Casebook keeps out of its way. Who should serve {1}?', other, agent), [other, casebook]);
  if (chosen !== undefined) await decide(services, first, chosen === casebook ? 'casebook' : 'other');
  await askOnce(services);
}

async function choose(services: Services, argument: unknown): Promise<void> {
  const { companions, prompter } = services;
  const all = companions.all();
  const named = isFamilyNode(argument) ? all.find(({ family }) => family === argument.companion.family) : undefined;
  if (all.length === 0) return void (await prompter.inform(vscode.l10n.t('No other extension that serves an agent is installed: Casebook serves all of them.')));
  const picked = named === undefined && all.length > 1 ? await prompter.pick(all.map((one) => ({ label: familyNames[one.family] ?? one.family, description: companions.serves(one.family) ? 'Casebook' : one.name, value: one })), { title: vscode.l10n.t('Choose Who Serves an Agent'), placeholder: vscode.l10n.t('Which agent?') }) : { kind: 'picked' as const, value: named ?? all[0] };
  if (picked.kind !== 'picked' || picked.value === undefined) return;
  const companion = picked.value;
  const agent = familyNames[companion.family] ?? companion.family;
  const who = await prompter.pick(
    [
      { label: companion.name, detail: vscode.l10n.t('Its changes are reviewed as that extension does it; Casebook does not see them.'), icon: 'extensions', value: 'other' as const },
      { label: 'Casebook', detail: vscode.l10n.t('Disable {0}, or at least its connection to {1}, where both would be found.', companion.name, agent), icon: 'notebook', value: 'casebook' as const },
    ],
    { title: vscode.l10n.t('Who serves {0}?', agent), placeholder: vscode.l10n.t('Now: {0}', companions.serves(companion.family) ? 'Casebook' : companion.name) },
  );
  if (who.kind === 'picked') await decide(services, companion, who.value);
}

async function decide({ settings: reader }: Services, { family }: Companion, who: 'casebook' | 'other'): Promise<void> {
  const known = Object.fromEntries(Object.entries(reader.get(settings.linkServedBy)).filter(([name]) => name in companionsOf));
  await vscode.workspace.getConfiguration().update(settings.linkServedBy, { ...known, [family]: who }, vscode.ConfigurationTarget.Global);
}

function isFamilyNode(argument: unknown): argument is { kind: 'family'; companion: Companion } {
  return typeof argument === 'object' && argument !== null && 'kind' in argument && argument.kind === 'family';
}

import * as vscode from 'vscode';
import { DisposableStore } from '../core/base/disposable.ts';
import type { Cases } from '../core/cases/port.ts';
import type { EngineName } from '../core/model/run.ts';
import type { Choice } from '../host/prompter.ts';
import { secretNames } from '../host/secrets.ts';
import type { Services } from '../services.ts';
import { commands, settings } from '../shared/ids.ts';
import { engineChoices } from './engine-choices.ts';
import type { Feature } from './start.ts';

export const engineFeature: Feature<Services> = {
  name: 'engine',
  register(services) {
    const owned = new DisposableStore();
    const { commands: registry } = services;
    owned.add(registry.register(commands.selectEngine, true, () => selectEngine(services)));
    owned.add(registry.register(commands.setApiKey, true, () => setApiKey(services)));
    owned.add(registry.register(commands.forgetConsent, true, () => forgetConsent(services)));
    owned.add(vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(settings.engine) && services.panels.redraw()));
    return owned;
  },
};

async function selectEngine(services: Services): Promise<void> {
  const current = services.settings.get(settings.engine);
  const life = new AbortController();
  try {
    const choices = services
      .core()
      .then(({ cases }): ReturnType<Cases['engines']> => cases.engines(life.signal))
      .then((engines): Choice<EngineName | 'auto'>[] => engineChoices(engines, current));
    const picked = await services.prompter.pick(choices, { title: vscode.l10n.t('Select Engine'), placeholder: vscode.l10n.t('Which engine investigates tickets?') });
    if (picked.kind !== 'picked') return;
    await saveEngine(picked.value);
    if (picked.value === 'openai-compatible') await completeEndpoint(services);
  } finally {
    life.abort();
  }
}

async function saveEngine(engine: EngineName | 'auto'): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const inWorkspace = configuration.inspect(settings.engine)?.workspaceValue !== undefined;
  await configuration.update(settings.engine, engine, inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
}

/** An endpoint needs an address and a model before it can be used; both are settings, so the user is taken there. */
async function completeEndpoint(services: Services): Promise<void> {
  if (services.settings.get(settings.openaiBaseUrl) !== '' && services.settings.get(settings.openaiModel) !== '') return;
  await vscode.commands.executeCommand('workbench.action.openSettings', 'casebook.openaiCompatible');
}

async function setApiKey(services: Services): Promise<void> {
  const known = (await services.secrets.get(secretNames.openaiKey)) !== undefined;
  const asked = await services.prompter.input({
    title: vscode.l10n.t('Set API Key'),
    placeholder: known ? vscode.l10n.t('A new key; nothing removes the saved one') : vscode.l10n.t('Key of the OpenAI-compatible endpoint'),
    secret: true,
  });
  if (asked.kind !== 'picked') return;
  if (asked.value.trim() === '') await services.secrets.delete(secretNames.openaiKey);
  else await services.secrets.set(secretNames.openaiKey, asked.value);
}

async function forgetConsent(services: Services): Promise<void> {
  await (await services.core()).cases.forgetConsents('palette');
  await services.prompter.inform(vscode.l10n.t('The consents of this workspace are forgotten; the next run asks again.'));
}

import * as vscode from 'vscode';
import { DisposableStore } from './core/base/disposable.ts';
import { Failure } from './core/base/failure.ts';
import type { Logger } from './core/base/logger.ts';
import { Commands } from './host/commands.ts';
import { ContextKeys } from './host/context-keys.ts';
import type { Core } from './host/core.ts';
import { createLogger } from './host/log.ts';
import { SettingsReader } from './host/settings.ts';

/** Everything a feature may use. Adapters are here at once; the core is loaded on its first use. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly channel: vscode.LogOutputChannel;
  readonly settings: SettingsReader;
  readonly keys: ContextKeys;
  readonly commands: Commands;
  /** Cases, journal and ticket sources, loaded once; a failed load is tried again by the next caller. */
  core(): Promise<Core>;
  /** The core when it was loaded already: reading a list of open things must not load it. */
  readonly loadedCore: Core | undefined;
  close(): Promise<void>;
}

/** The one place where host adapters are put together. Cheap: nothing of the core's rooms is loaded here. */
export function createServices(context: vscode.ExtensionContext): Services {
  const owned = new DisposableStore();
  const channel = owned.add(vscode.window.createOutputChannel('Casebook', { log: true }));
  const log = createLogger(channel);
  const settings = new SettingsReader(
    (id, scope) => vscode.workspace.getConfiguration(undefined, scope === undefined ? undefined : vscode.Uri.file(scope)).get(id),
    (id) => log.warn(`The value of ${id} cannot be used; its default is.`),
  );
  const keys = new ContextKeys((key, value) => void vscode.commands.executeCommand('setContext', key, value));
  let loading: Promise<Core> | undefined;
  let loaded: Core | undefined;

  const core = (): Promise<Core> => {
    loading ??= loadCore().then(
      (made) => (loaded = made),
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };

  return {
    context,
    log,
    channel,
    settings,
    keys,
    commands: new Commands(log),
    core,
    get loadedCore() {
      return loaded;
    },
    async close() {
      await loaded?.close();
      owned.dispose();
    },
  };
}

async function loadCore(): Promise<Core> {
  throw new Failure('closed', 'the core is not loaded');
}

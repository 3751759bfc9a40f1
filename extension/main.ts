import type * as vscode from 'vscode';
import { features } from './features/index.ts';
import { startFeatures } from './features/start.ts';
import { createServices, type Services } from './services.ts';

let services: Services | undefined;

/** Builds the services (nothing heavy is loaded yet) and starts each feature in its own try. */
export function activate(context: vscode.ExtensionContext): void {
  services = createServices(context);
  context.subscriptions.push(startFeatures(features, services));
}

/** Awaited by the editor: pending events reach the disk, runs are told, before the process goes. */
export async function deactivate(): Promise<void> {
  await services?.close();
  services = undefined;
}

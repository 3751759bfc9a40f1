import * as vscode from 'vscode';
import type { LinkClient } from '../../core/link/clients.ts';
import type { SharingState } from '../../core/link/shared-editor.ts';
import type { LinkState } from '../../host/link/window-link.ts';
import { ago } from '../../shared/words.ts';

export interface LinkRow {
  id: string;
  label: string;
  description?: string;
  tooltip?: string;
  icon: string;
  accessible: string;
  /** The view item's context value, by which menus choose. */
  context: 'link.state' | 'link.sharing' | 'link.client';
}

/** What the link is doing, as one row; undefined while it is off, which the view's welcome tells. */
export function stateRow(state: LinkState): LinkRow | undefined {
  switch (state.kind) {
    case 'on':
      return row('link.state', vscode.l10n.t('Agents can find this window'), 'radio-tower', { description: vscode.l10n.t('port {0}', state.link.port), tooltip: vscode.l10n.t('127.0.0.1, port {0}', state.link.port) });
    case 'starting':
      return row('link.state', vscode.l10n.t('Starting…'), 'loading~spin');
    case 'failed':
      return row('link.state', vscode.l10n.t('Agents cannot find this window'), 'error', { tooltip: state.why });
    default:
      return undefined;
  }
}

/** Whether agents see the file in front. */
export function sharingRow(sharing: SharingState, file: string | undefined): LinkRow {
  const [label, icon] =
    sharing === 'paused'
      ? [vscode.l10n.t('Sharing is paused'), 'debug-pause']
      : sharing === 'denied'
        ? [vscode.l10n.t('This file is not shared'), 'eye-closed']
        : [vscode.l10n.t('Selection, open files and problems are shared'), 'eye'];
  return row('link.sharing', label, icon, file === undefined ? {} : { description: file });
}

export function clientRow(client: LinkClient, now: number): LinkRow {
  const calls = client.calls === 1 ? vscode.l10n.t('1 call') : vscode.l10n.t('{0} calls', client.calls);
  const details = [
    vscode.l10n.t('connected {0}', ago(new Date(client.since).toISOString(), now)),
    vscode.l10n.t('dialect {0}', client.dialect),
    ...(client.pid === undefined ? [] : [vscode.l10n.t('process {0}', client.pid)]),
    ...(client.cwd === undefined ? [] : [client.cwd]),
  ];
  return { ...row('link.client', client.client, 'plug', { description: `${client.version} · ${calls}`, tooltip: details.join('\n') }), id: client.id };
}

function row(context: LinkRow['context'], label: string, icon: string, more: { description?: string; tooltip?: string } = {}): LinkRow {
  const accessible = [label, more.description, more.tooltip?.replaceAll('\n', ', ')].filter((part) => part !== undefined).join(', ');
  return { id: context, label, icon, accessible, context, ...more };
}

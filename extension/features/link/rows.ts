import type { LinkClient } from '../../core/link/clients.ts';
import type { SharingState } from '../../core/link/shared-editor.ts';
import { familyNames } from '../../host/link/companions.ts';
import type { LinkState } from '../../host/link/window-link.ts';
import { ago } from '../../shared/words.ts';
import { counted } from '../review/rows.ts';

/** One row of the Link view, as it is drawn and read out. */
export interface LinkRow {
  label: string;
  description: string;
  tooltip: string;
  icon: string;
  context: 'link.state' | 'link.sharing' | 'link.client' | 'link.family' | 'link.denied';
}

/** What the file in front is to agents. */
export interface Front {
  /** Its name; absent where no file was in front yet. */
  name?: string;
  state: SharingState;
}

const offWords: Record<(LinkState & { kind: 'off' })['why'], string> = {
  setting: 'switched off in the settings',
  not_trusted: 'this workspace is not trusted',
  no_folder: 'no folder is open',
  closing: 'the window is closing',
};

/** The link's state in a few words, for the view, the status bar and people who ask. */
export function stateWords(state: LinkState): { short: string; long: string } {
  switch (state.kind) {
    case 'off':
      return { short: 'off', long: `The link is off: ${offWords[state.why]}.` };
    case 'starting':
      return { short: 'starting', long: 'The link is starting.' };
    case 'failed':
      return { short: 'failed', long: `Agents cannot connect: ${state.why}` };
    default: {
      const names = clientNames(state.link.clients);
      return names.length === 0 ? { short: 'listening', long: 'Agents find this window; none is connected.' } : { short: names.join(', '), long: `Connected: ${names.join(', ')}.` };
    }
  }
}

/** Each kind of client once, with its number where there are several. */
export function clientNames(clients: readonly Pick<LinkClient, 'client'>[]): string[] {
  const counts = new Map<string, number>();
  for (const { client } of clients) counts.set(client, (counts.get(client) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count})`));
}

export function stateRow(state: LinkState): LinkRow {
  const { short, long } = stateWords(state);
  const icon = { off: 'circle-slash', starting: 'loading~spin', failed: 'error', on: 'plug' }[state.kind];
  const port = state.kind === 'on' ? `port ${state.link.port}` : '';
  const label = state.kind === 'on' ? 'Listening' : `${short[0]?.toUpperCase() ?? ''}${short.slice(1)}`;
  return { label, description: state.kind === 'on' ? port : long, tooltip: long, icon, context: 'link.state' };
}

/** What agents see right now. A file that they may not see says so, instead of looking like any other. */
export function sharingRow({ name, state }: Front, mask: boolean): LinkRow {
  const secrets = mask ? 'Secrets in it are masked.' : 'Secrets in it are not masked.';
  if (state === 'paused') return { label: 'Sharing paused', description: 'agents see nothing', tooltip: 'Agents see neither selection, open files nor problems until sharing is resumed. They can still propose changes.', icon: 'debug-pause', context: 'link.sharing' };
  if (state === 'denied') return { label: 'Not shared', description: name ?? '', tooltip: `Agents do not see ${name ?? 'this file'}: it may hold secrets, or lies outside the workspace. Other files are shared.`, icon: 'eye-closed', context: 'link.denied' };
  return { label: 'Shared', description: name ?? 'selection, open files, problems', tooltip: `Connected agents see the selection, the open files and the problems. ${secrets}`, icon: 'eye', context: 'link.sharing' };
}

export function clientRow(client: LinkClient, now: number): LinkRow {
  const details = [`Dialect: ${client.dialect}, over ${client.transport}`, client.pid === undefined ? '' : `Process: ${client.pid}`, client.cwd === undefined ? '' : `Works in: ${client.cwd}`, `Connected: ${ago(new Date(client.since).toISOString(), now)}`, counted(client.calls, 'call')];
  return { label: client.client, description: [client.version, counted(client.calls, 'call'), client.cwd === undefined ? '' : client.cwd.slice(client.cwd.lastIndexOf('/') + 1)].filter((part) => part !== '').join(' · '), tooltip: [`${client.client} ${client.version}`, ...details.filter((line) => line !== '')].join('\n'), icon: 'vm-connect', context: 'link.client' };
}

/** An agent that does not find Casebook, because its own extension serves it. */
export function servedElsewhereRow({ family, name }: { family: string; name: string }): LinkRow {
  return { label: familyNames[family] ?? family, description: `served by ${name}`, tooltip: `${name} is installed here and serves ${familyNames[family] ?? family}, so Casebook keeps out of its way. Choose who serves it.`, icon: 'extensions', context: 'link.family' };
}

import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import { Failure } from '../../core/base/failure.ts';
import type { Ticket } from '../../core/model/ticket.ts';
import type { Services } from '../../services.ts';
import { commands, contextKeys, settings, views } from '../../shared/ids.ts';
import { type HostFailureReason, wordsForTicket } from '../../shared/words.ts';
import type { TicketNode } from '../tickets/tree.ts';
import type { Feature } from '../start.ts';
import { askForTicket, type FlowDeps, offerSimilar } from './flow.ts';

export const investigateFeature: Feature<Services> = {
  name: 'investigate',
  register(services) {
    const owned = new DisposableStore();
    const life = new AbortController();
    owned.add({ dispose: () => life.abort() });
    const { commands: registry } = services;
    owned.add(
      registry.register(commands.investigate, true, async () => {
        requireFolder();
        const ticket = await askForTicket(flowDeps(services), life.signal);
        if (ticket !== undefined) await investigate(services, ticket, 'palette');
      }, wordsForTicket),
    );
    owned.add(
      registry.register(commands.investigateSelection, true, async () => {
        const selected = selection();
        if (selected === undefined) throw new Failure<HostFailureReason>('no_text', 'nothing is selected');
        await investigateText(services, selected.text, 'selection', selected.file);
      }),
    );
    owned.add(registry.register(commands.investigateClipboard, true, async () => investigateText(services, await services.prompter.readClipboard(), 'clipboard')));
    owned.add(registry.register(commands.investigateTicket, true, (node) => investigateNode(services, node, life.signal), wordsForTicket));
    return owned;
  },
};

function requireFolder(): void {
  if (vscode.workspace.workspaceFolders === undefined) throw new Failure<HostFailureReason>('no_folder', 'no folder is open');
}

function flowDeps(services: Services): FlowDeps {
  return {
    core: () => services.core(),
    prompter: services.prompter,
    selection,
    signedIn: async () => (await services.github.token()) !== undefined,
    signIn: async () => {
      const token = await services.github.signIn();
      services.keys.set(contextKeys.signedIn, token !== undefined);
      return token !== undefined;
    },
    now: () => Date.now(),
  };
}

function selection(): { text: string; file: string } | undefined {
  const editor = vscode.window.activeTextEditor;
  const text = editor?.document.getText(editor.selection) ?? '';
  return editor === undefined || text.trim() === '' ? undefined : { text, file: vscode.workspace.asRelativePath(editor.document.uri) };
}

async function investigateText(services: Services, text: string, origin: 'selection' | 'clipboard', file?: string): Promise<void> {
  requireFolder();
  if (text.trim() === '') throw new Failure<HostFailureReason>('no_text', `the ${origin} is empty`);
  const core = await services.core();
  await investigate(services, core.ticketFromText(text, origin, file), 'palette');
}

async function investigateNode(services: Services, node: unknown, signal: AbortSignal): Promise<void> {
  requireFolder();
  if (typeof node !== 'object' || node === null || !('kind' in node) || node.kind !== 'ticket') return;
  const { source, ticket } = node as TicketNode & { kind: 'ticket' };
  const whole = await services.prompter.progress({ view: views.tickets }, () => source.fetch(ticket.key, signal));
  await investigate(services, whole, 'tree');
}

/** From a ticket to a running case: earlier cases first, then the panel, then the run. */
async function investigate(services: Services, ticket: Ticket, via: string): Promise<void> {
  const { cases } = await services.core();
  const similar = await offerSimilar(ticket, cases, services.prompter);
  if (similar === undefined) return;
  if (similar.kind === 'open') {
    await services.panels.show(similar.caseId);
    return;
  }
  const caseId = await services.prompter.progress({ view: views.cases }, () =>
    cases.open(ticket, { via, ambient: services.settings.get(settings.ambientContext), ...(similar.reopens === undefined ? {} : { reopens: similar.reopens }) }),
  );
  await services.panels.show(caseId);
  await services.runs.start(caseId, 'fresh', via);
}

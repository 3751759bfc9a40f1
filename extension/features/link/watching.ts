import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import { messageOf } from '../../core/base/failure.ts';
import type { LinkClient } from '../../core/link/clients.ts';
import type { Services } from '../../services.ts';
import { commands } from '../../shared/ids.ts';
import { counted } from '../review/rows.ts';
import type { Feature } from '../start.ts';

/** Key of the editor's memory: a person was told that Claude Code usually does not ask. */
const toldKey = 'casebook.link.claudeModeTold';

/** What agents write without asking is found all the same: the files are remembered when one comes, and what differs is offered when the last one has gone. */
export const linkWatchingFeature: Feature<Services> = {
  name: 'link watching',
  register(services) {
    const owned = new DisposableStore();
    const attempt = (doing: string, work: () => Promise<void>): void => void work().catch((error: unknown) => services.log.warn(`${doing} failed`, { message: messageOf(error) }));
    owned.add(
      services.link.onEvent((event) => {
        if (event.kind === 'connected') {
          attempt('remembering the files for an agent', () => remember(services, event.client));
          if (event.client.client === 'claude-code') attempt('telling of the permission mode', () => tellMode(services));
        }
        if (event.kind === 'settled') services.reviews.watched.refresh();
        if (event.kind === 'disconnected' && (services.link.link?.clients.length ?? 0) === 0) attempt('looking for what an agent changed', () => offerReview(services, event.client));
      }),
    );
    return owned;
  },
};

/** One at a time: what was remembered for an earlier agent still tells everything since then. */
async function remember(services: Services, { client }: LinkClient): Promise<void> {
  const { checkpoints } = await services.core();
  if ((await checkpoints.open()).some(({ why }) => why === 'session')) return;
  await checkpoints.take({ why: 'session', label: vscode.l10n.t('{0} connected', client) }, new AbortController().signal);
  services.reviews.watched.refresh();
}

/** Not awaited by anybody: a notification stays until it is answered. */
async function offerReview(services: Services, { client }: LinkClient): Promise<void> {
  const { checkpoints } = await services.core();
  services.reviews.watched.refresh();
  const found = (await checkpoints.notUnderReview(new AbortController().signal)).find(({ checkpoint }) => checkpoint.why === 'session');
  if (found === undefined) return;
  const review = vscode.l10n.t('Review What Changed');
  const files = found.files.filter(({ by }) => by !== 'person').length;
  const chosen = await services.prompter.inform(vscode.l10n.t('{0} has left. {1} changed since it came.', client, counted(files, 'file')), [review]);
  if (chosen === review) await vscode.commands.executeCommand(commands.reviewWhatChanged, { checkpoint: found.checkpoint.id });
}

async function tellMode({ context, prompter }: Services): Promise<void> {
  if (context.globalState.get(toldKey, false)) return;
  await context.globalState.update(toldKey, true);
  const start = vscode.l10n.t('Start It with Review');
  const chosen = await prompter.inform(vscode.l10n.t('Claude Code usually writes without asking, and then nothing of it comes here for review. Started with --permission-mode manual it asks; what it wrote anyway is found with “Review What Changed”.'), [start]);
  if (chosen === start) await vscode.commands.executeCommand(commands.linkStartAgent, 'claude');
}

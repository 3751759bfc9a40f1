import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import type { Proposal } from '../../core/review/port.ts';
import type { Gathered, Left } from '../../core/review/sources/gathered.ts';
import type { Services } from '../../services.ts';
import { type CommandId, commands } from '../../shared/ids.ts';
import { ago, wordsForReview } from '../../shared/words.ts';
import type { Feature } from '../start.ts';
import type { DiffRequest } from './request.ts';
import { counted } from './rows.ts';
import { showSet } from './show.ts';

const via = 'palette';

/** Reviews that a person asks for: what changed since a moment, the working tree, a patch file. */
export const reviewSourcesFeature: Feature<Services> = {
  name: 'review sources',
  register(services) {
    const owned = new DisposableStore();
    const on = (id: CommandId, run: (argument: unknown) => Promise<unknown>): void => void owned.add(services.commands.register(id, true, run, wordsForReview));
    on(commands.reviewStartWatching, () => startWatching(services));
    on(commands.reviewWhatChanged, (argument) => reviewWhatChanged(services, checkpointOf(argument)));
    on(commands.reviewStopWatching, (argument) => stopWatching(services, checkpointOf(argument)));
    on(commands.reviewWorkingTree, () => reviewWorkingTree(services));
    on(commands.reviewPatch, () => reviewPatch(services));
    return owned;
  },
};

/** What differs on disk in the paths that a program named; undefined when nothing does. */
export async function workingTreeOf(services: Services, request: DiffRequest & { kind: 'paths' }): Promise<Proposal | undefined> {
  const { changes } = await services.core();
  const { proposal } = await changes.workingTree(request.base, new AbortController().signal);
  const named = (root: string, path: string): boolean => request.paths.some((one) => one.root === root && (path === one.path || path.startsWith(`${one.path}/`)));
  const files = proposal?.files.filter((file) => named(file.root, file.path) || (file.from !== undefined && named(file.root, file.from))) ?? [];
  return proposal === undefined || files.length === 0 ? undefined : { ...proposal, files };
}

async function startWatching(services: Services): Promise<void> {
  const { checkpoints } = await services.core();
  const label = vscode.l10n.t('watching began at {0}', new Date().toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }));
  await services.prompter.progress({ notification: vscode.l10n.t('Remembering the files as they are') }, (signal) => checkpoints.take({ why: 'asked', label, via }, signal));
  services.reviews.watched.refresh();
  vscode.window.setStatusBarMessage(vscode.l10n.t('Casebook: watching. “Review What Changed” shows what becomes different from now on.'), 6000);
}

function checkpointOf(argument: unknown): string | undefined {
  return typeof argument === 'object' && argument !== null && 'checkpoint' in argument && typeof argument.checkpoint === 'string' ? argument.checkpoint : undefined;
}

async function reviewWhatChanged(services: Services, named: string | undefined): Promise<void> {
  const { checkpoints } = await services.core();
  const checkpoint = named ?? (await pickCheckpoint(services, vscode.l10n.t('Review What Changed')));
  if (checkpoint === undefined) return;
  const { set, left } = await services.prompter.progress({ notification: vscode.l10n.t('Comparing with what was remembered') }, (signal) => checkpoints.review(checkpoint, via, signal));
  services.reviews.watched.refresh();
  await tellGathered(services, set, left, vscode.l10n.t('Nothing has changed since then.'));
}

/** What changed since then stays as it is; that nobody will be reminded of it is asked first. */
async function stopWatching(services: Services, named: string | undefined): Promise<void> {
  const { checkpoints } = await services.core();
  const checkpoint = named ?? (await pickCheckpoint(services, vscode.l10n.t('Stop Watching')));
  if (checkpoint === undefined) return;
  const files = services.reviews.watched.current().find((one) => one.checkpoint === checkpoint)?.files.length ?? 0;
  const stop = vscode.l10n.t('Stop Watching');
  if (files > 0 && (await services.prompter.modal(vscode.l10n.t('Stop watching without a review?'), vscode.l10n.t('{0} changed since then. They stay as they are, and Casebook does not remind of them any more.', counted(files, 'file')), [stop])) !== stop) return;
  await checkpoints.close(checkpoint, via);
  services.reviews.watched.refresh();
}

async function pickCheckpoint(services: Services, title: string): Promise<string | undefined> {
  const open = await (await services.core()).checkpoints.open();
  if (open.length === 0) {
    const start = vscode.l10n.t('Start Watching');
    if ((await services.prompter.inform(vscode.l10n.t('Nothing is being watched yet.'), [start])) === start) await startWatching(services);
    return undefined;
  }
  const [only] = open;
  if (open.length === 1) return only?.id;
  const choices = open.toReversed().map((one) => ({ label: one.label, description: ago(one.at, Date.now()), value: one.id }));
  const picked = await services.prompter.pick(choices, { title, placeholder: vscode.l10n.t('Since when?') });
  return picked.kind === 'picked' ? picked.value : undefined;
}

async function reviewWorkingTree(services: Services): Promise<void> {
  const picked = await services.prompter.pick(
    [
      { label: vscode.l10n.t('Since the last commit'), detail: vscode.l10n.t('Everything that differs from HEAD, untracked files too'), icon: 'git-commit', value: 'head' as const },
      { label: vscode.l10n.t('Since another commit, branch or tag…'), icon: 'git-branch', value: 'other' as const },
    ],
    { title: vscode.l10n.t('Review Working Tree'), placeholder: vscode.l10n.t('Compared with what?') },
  );
  if (picked.kind !== 'picked') return;
  const base = picked.value === 'head' ? undefined : await askRevision(services);
  if (picked.value === 'other' && base === undefined) return;
  const { changes } = await services.core();
  await addGathered(services, vscode.l10n.t('Looking at the working tree'), (signal) => changes.workingTree(base, signal));
}

async function askRevision(services: Services): Promise<string | undefined> {
  const asked = await services.prompter.input({ title: vscode.l10n.t('Review Working Tree'), placeholder: 'main, v1.2, HEAD~3', validate: (value) => (value.trim() === '' || value.trim().startsWith('-') ? vscode.l10n.t('Name a commit, branch or tag.') : undefined) });
  return asked.kind === 'picked' ? asked.value.trim() : undefined;
}

async function reviewPatch(services: Services): Promise<void> {
  const path = await services.prompter.files(vscode.l10n.t('Review Patch File'), { Patches: ['patch', 'diff'], 'All files': ['*'] });
  if (path === undefined) return;
  const { changes } = await services.core();
  await addGathered(services, vscode.l10n.t('Reading the patch'), async (signal) => changes.patch({ bytes: await readFile(path), name: basename(path) }, signal));
}

async function addGathered(services: Services, doing: string, gather: (signal: AbortSignal) => Promise<Gathered>): Promise<void> {
  const { proposal, left } = await services.prompter.progress({ notification: doing }, gather);
  const board = await services.reviews.board();
  const set = proposal && (await board.desk.add(proposal, via));
  await tellGathered(services, set, left, vscode.l10n.t('There is nothing to review: nothing would change.'));
}

/** What could not be taken is said first: a notice that nothing would change waits until it is closed, and would be wrong where something did not fit. */
async function tellGathered(services: Services, set: string | undefined, left: readonly Left[], nothing: string): Promise<void> {
  if (left.length > 0) tellLeft(services, left, set === undefined);
  else if (set === undefined) await services.prompter.inform(nothing);
  if (set !== undefined) await showSet(services, set);
}

/** What could not be taken into a review is named, never silently left out. */
function tellLeft(services: Services, left: readonly Left[], all: boolean): void {
  const show = vscode.l10n.t('Show');
  const [first] = left;
  const text = left.map(({ root, path, why }) => `${[root, path].filter((part) => part !== '').join('/')}: ${why}`).join('\n');
  const files = new Set(left.map(({ root, path }) => `${root}/${path}`)).size;
  const what = vscode.l10n.t('Not in the review: {0}{1}.', first === undefined ? '' : `${first.path === '' ? first.root : first.path} (${first.why})`, files > 1 ? vscode.l10n.t(', and {0} more', counted(files - 1, 'file')) : '');
  void services.prompter.warn(all ? vscode.l10n.t('There is nothing that can be reviewed. {0}', what) : what, [show]).then((chosen) => (chosen === show ? services.documents.show('not under review.txt', `${text}\n`) : undefined));
}

import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import { shortTitle } from '../../host/review/native.ts';
import type { Services } from '../../services.ts';
import { commands, settings } from '../../shared/ids.ts';
import { wordsForReview } from '../../shared/words.ts';
import { pickCase } from '../cases/choose.ts';
import type { Feature } from '../start.ts';
import { targetOf } from './target.ts';

type Format = 'markdown' | 'html' | 'trailers';

/** What was decided, for people who read it elsewhere: as text for a pull request, as a page, as lines for a commit message. */
export const reviewSummaryFeature: Feature<Services> = {
  name: 'review summary',
  register(services) {
    const owned = new DisposableStore();
    owned.add(
      services.commands.register(
        commands.reviewShowSummary,
        false,
        async (argument) => {
          const chosen = await chooseSets(services, argument);
          if (chosen === undefined) return;
          if (chosen.sets.length === 0) await services.prompter.inform(vscode.l10n.t('No review belongs to that.'));
          else await show(services, chosen.title, chosen.sets);
        },
        wordsForReview,
      ),
    );
    return owned;
  },
};

async function chooseSets(services: Services, argument: unknown): Promise<{ title: string; sets: SetState[] } | undefined> {
  const target = typeof argument === 'object' ? targetOf(services, argument) : undefined;
  if (target !== undefined) {
    const state = await (await services.reviews.board()).state(target.set);
    return { title: shortTitle(state.title), sets: [state] };
  }
  const picked = await services.prompter.pick(
    [
      { label: vscode.l10n.t('This branch'), detail: vscode.l10n.t('What its commits name, and what was settled on its files since it left its base'), icon: 'git-branch', value: 'branch' as const },
      { label: vscode.l10n.t('A case…'), detail: vscode.l10n.t('What came from its runs'), icon: 'notebook', value: 'case' as const },
    ],
    { title: vscode.l10n.t('Summary of Reviews'), placeholder: vscode.l10n.t('Of what?') },
  );
  if (picked.kind !== 'picked') return undefined;
  const { provenance, cases } = await services.core();
  const caseId = picked.value === 'case' ? await pickCase(cases, services.prompter, vscode.l10n.t('Summary of Reviews'), Date.now()) : undefined;
  if (picked.value === 'case' && caseId === undefined) return undefined;
  const sets = await services.prompter.progress({ notification: vscode.l10n.t('Reading the record') }, (signal) => provenance.setsOf(caseId === undefined ? { branch: true } : { case: caseId }, signal));
  return { title: caseId === undefined ? vscode.l10n.t('Reviews of this branch') : vscode.l10n.t('Reviews of a case'), sets };
}

async function show(services: Services, title: string, sets: readonly SetState[]): Promise<void> {
  const format = await pickFormat(services);
  if (format === undefined) return;
  if (format === 'trailers') {
    const { trailers } = await import('../../core/review/provenance/trailers.ts');
    await services.prompter.writeClipboard(trailers(sets.filter((set) => set.status === 'settled')).join('\n'));
    vscode.window.setStatusBarMessage(vscode.l10n.t('Casebook: the lines for the commit message are in the clipboard.'), 4000);
    return;
  }
  const { summary } = await import('../../core/review/provenance/summary.ts');
  const text = summary(sets, { title, format });
  if (format === 'markdown') await services.documents.show('reviews.md', text);
  else {
    const path = await services.prompter.saveAs(vscode.l10n.t('Summary of Reviews'), 'reviews.html', { HTML: ['html'] });
    if (path !== undefined) await writeFile(path, text, { mode: 0o600 });
  }
}

async function pickFormat(services: Services): Promise<Format | undefined> {
  const lines = { label: vscode.l10n.t('Commit lines'), detail: vscode.l10n.t('Casebook-Set: …, copied for the end of a commit message'), icon: 'git-commit', value: 'trailers' as Format };
  const picked = await services.prompter.pick<Format>(
    [
      { label: vscode.l10n.t('Markdown'), detail: vscode.l10n.t('For a pull request'), icon: 'markdown', value: 'markdown' },
      { label: vscode.l10n.t('HTML'), detail: vscode.l10n.t('One page that needs nothing else'), icon: 'browser', value: 'html' },
      ...(services.settings.get(settings.reviewTrailers) ? [lines] : []),
    ],
    { title: vscode.l10n.t('Summary of Reviews'), placeholder: vscode.l10n.t('In which form?') },
  );
  return picked.kind === 'picked' ? picked.value : undefined;
}

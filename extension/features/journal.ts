import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../core/base/disposable.ts';
import type { VerifyReport } from '../compose/ports.ts';
import type { Services } from '../services.ts';
import { type CommandId, commands } from '../shared/ids.ts';
import { caseIdOf, pickCase } from './cases/choose.ts';
import type { Feature } from './start.ts';

/** Reading the record works in restricted workspaces too; erasing does not. */
export const journalFeature: Feature<Services> = {
  name: 'journal',
  register(services) {
    const owned = new DisposableStore();
    const onCase = (id: CommandId, needsTrust: boolean, title: string, run: (caseId: string) => Promise<unknown>): void => {
      owned.add(
        services.commands.register(id, needsTrust, async (argument) => {
          const caseId = caseIdOf(argument) ?? services.panels.active ?? (await pickCase((await services.core()).cases, services.prompter, title, Date.now()));
          if (caseId !== undefined) await run(caseId);
        }),
      );
    };
    onCase(commands.showJournal, false, vscode.l10n.t('Show Journal of a Case'), (caseId) => showJournal(services, caseId));
    onCase(commands.exportCase, false, vscode.l10n.t('Export Case'), (caseId) => exportCase(services, caseId));
    onCase(commands.eraseCase, true, vscode.l10n.t('Erase Personal Data of a Ticket'), (caseId) => eraseCase(services, caseId));
    owned.add(services.commands.register(commands.verifyJournal, false, () => verifyJournal(services)));
    return owned;
  },
};

/** The case's report as a page of the user's browser, written into the extension's own storage, which others cannot read. */
async function showJournal(services: Services, caseId: string): Promise<void> {
  const { records } = await services.core();
  const page = await services.prompter.progress({ notification: vscode.l10n.t('Writing the report') }, (signal) => records.exportCase(caseId, 'html', signal));
  const folder = join((services.context.storageUri ?? services.context.globalStorageUri).fsPath, 'reports');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${caseId}.html`);
  await writeFile(file, page, { mode: 0o600 });
  const local = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  const opened = local && (await vscode.env.openExternal(vscode.Uri.file(file)));
  // Where the workspace is on another machine, the browser cannot reach the file; the journal's events can be read here.
  if (!opened) await services.documents.show(`journal of ${caseId}.jsonl`, await records.exportCase(caseId, 'jsonl', new AbortController().signal));
}

async function exportCase(services: Services, caseId: string): Promise<void> {
  const picked = await services.prompter.pick(
    [
      { label: vscode.l10n.t('Report'), detail: vscode.l10n.t('One self-contained HTML page'), icon: 'browser', value: 'html' as const },
      { label: vscode.l10n.t('Events'), detail: vscode.l10n.t('JSON lines, one event each'), icon: 'json', value: 'jsonl' as const },
    ],
    { title: vscode.l10n.t('Export Case'), placeholder: vscode.l10n.t('In which form?') },
  );
  if (picked.kind !== 'picked') return;
  const path = await services.prompter.saveAs(vscode.l10n.t('Export Case'), `${caseId}.${picked.value}`, picked.value === 'html' ? { HTML: ['html'] } : { 'JSON lines': ['jsonl'] });
  if (path === undefined) return;
  const { records } = await services.core();
  await writeFile(path, await services.prompter.progress({ notification: vscode.l10n.t('Exporting the case') }, (signal) => records.exportCase(caseId, picked.value, signal)), { mode: 0o600 });
  await services.prompter.inform(vscode.l10n.t('The case was exported. Secrets are masked; the text of the ticket is in it.'));
}

async function verifyJournal(services: Services): Promise<void> {
  const { records } = await services.core();
  const report = await services.prompter.progress({ notification: vscode.l10n.t('Verifying the journal') }, (signal) => records.verify(signal));
  const details = vscode.l10n.t('Show Details');
  const choice = report.ok ? await services.prompter.inform(verifySentence(report), report.findings.length > 0 ? [details] : []) : await services.prompter.warn(verifySentence(report), [details]);
  if (choice === details) await services.documents.show('journal verification.txt', [verifySentence(report), '', ...report.findings, ''].join('\n'));
}

export function verifySentence({ ok, events, erased, findings }: VerifyReport): string {
  const held = erased === 0 ? `${events} events` : `${events} events, ${erased} of them erased on request`;
  return ok ? `The journal holds: ${held}.` : `The journal does not hold: ${findings[0] ?? held}`;
}

const ERASE = 'Erase';

async function eraseCase(services: Services, caseId: string): Promise<void> {
  const { cases, records } = await services.core();
  const [state, size] = await Promise.all([cases.state(caseId), records.erasable(caseId, new AbortController().signal)]);
  const reason = await services.prompter.input({
    title: vscode.l10n.t('Erase Personal Data of a Ticket'),
    placeholder: vscode.l10n.t('Why? The reason stays in the journal, so name no person'),
    validate: (value) => (value.trim() === '' ? vscode.l10n.t('Give a reason.') : undefined),
  });
  if (reason.kind !== 'picked') return;
  const choice = await services.prompter.modal(vscode.l10n.t('Erase the personal data of “{0}”?', state.title), eraseDetail(size), [ERASE]);
  if (choice !== ERASE) return;
  services.panels.close(caseId);
  await cases.erase(caseId, reason.value.trim(), 'palette');
  services.board?.forget(caseId);
  await vscode.commands.executeCommand(commands.refreshCases);
}

/** What goes and what stays, so that nobody is surprised afterwards. */
export function eraseDetail({ events, blobs }: { events: number; blobs: number }): string {
  return [
    `These go for good: the texts of ${events} events (ticket, report, verdict, reply, questions and answers, steps of the agent), ${blobs} kept files, and the case's folder with analysis.md, analysis.json and citations.json.`,
    'These stay: that the events happened, when, by whom, and the hash of each text, so that the journal can still be verified; and the reason for erasing.',
    'This cannot be undone.',
  ].join('\n\n');
}

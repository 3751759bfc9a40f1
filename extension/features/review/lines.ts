import { isAbsolute, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import type { LineOrigin, OriginStep } from '../../core/review/provenance/line-origin.ts';
import { shortTitle } from '../../host/review/native.ts';
import type { Services } from '../../services.ts';
import { commands } from '../../shared/ids.ts';
import { ago, wordsForReview } from '../../shared/words.ts';
import type { Feature } from '../start.ts';
import { originWords } from './rows.ts';

/** Where an answer is shown: in a hover on the line that was asked about, for as long as the text is the same. */
interface Asked {
  uri: string;
  version: number;
  line: number;
  answer: vscode.MarkdownString;
}

/** "Who Decided This Line?": from a line to the set, the person, the agent and the case it came from. Asked for by command; nothing is looked up while one only reads. */
export const whoDecidedFeature: Feature<Services> = {
  name: 'who decided this line',
  register(services) {
    const owned = new DisposableStore();
    let asked: Asked | undefined;
    owned.add(
      services.commands.register(commands.reviewWhoDecidedLine, true, async () => {
        const editor = vscode.window.activeTextEditor;
        const place = editor === undefined ? undefined : placeOf(services, editor.document.uri);
        if (editor === undefined || place === undefined) {
          vscode.window.setStatusBarMessage(vscode.l10n.t('Casebook: put the cursor on a line of a file of this workspace.'), 4000);
          return;
        }
        const { document, selection } = editor;
        const line = selection.active.line;
        const { provenance } = await services.core();
        const origin = await services.prompter.progress({ notification: vscode.l10n.t('Looking through the record') }, (signal) => provenance.lineOrigin({ ...place, line: line + 1, text: document.getText() }, signal));
        asked = { uri: document.uri.toString(), version: document.version, line, answer: answerOf(origin, Date.now()) };
        await vscode.commands.executeCommand('editor.action.showHover', { focus: 'noAutoFocus' });
      }, wordsForReview),
    );
    owned.add(
      vscode.languages.registerHoverProvider(
        { scheme: 'file' },
        {
          provideHover(document, position) {
            const isIt = asked !== undefined && asked.uri === document.uri.toString() && asked.version === document.version && asked.line === position.line;
            return isIt && asked !== undefined ? new vscode.Hover(asked.answer) : undefined;
          },
        },
      ),
    );
    return owned;
  },
};

function placeOf(services: Services, uri: vscode.Uri): { root: string; path: string } | undefined {
  if (uri.scheme !== 'file') return undefined;
  for (const { root, paths } of services.folders()) {
    for (const folder of paths) {
      const inside = relative(folder, uri.fsPath);
      if (inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)) return { root, path: inside.split(sep).join('/') };
    }
  }
  return undefined;
}

/** The answer as a hover. Titles and names are an agent's: escaped, and only the command that opens a review is a link. */
function answerOf(origin: LineOrigin, now: number): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  text.isTrusted = { enabledCommands: [commands.reviewOpen] };
  text.appendMarkdown(`$(person) **${vscode.l10n.t('Who decided this line?')}**\n\n`);
  for (const sentence of sentencesOf(origin, now)) {
    text.appendText(sentence.text);
    if (sentence.set !== undefined) text.appendMarkdown(` [${vscode.l10n.t('Open Review')}](command:${commands.reviewOpen}?${encodeURIComponent(JSON.stringify([sentence.set]))})`);
    text.appendMarkdown('\n\n');
  }
  return text;
}

/** What is known of a line, one sentence a step, newest first; honest where the record ends. */
export function sentencesOf({ state, steps, commit }: LineOrigin, now: number): { text: string; set?: string }[] {
  const sentences = steps.map((step) => ({ text: stepWords(step, now), ...(step.kind === 'decided' ? { set: step.set } : {}) }));
  if (state === 'unknown' && sentences.length === 0) sentences.push({ text: vscode.l10n.t('No decision about this line is on record.') });
  if (commit !== undefined) sentences.push({ text: vscode.l10n.t('Committed by {0}, {1}: {2} ({3})', commit.author, ago(commit.at, now), commit.summary, commit.id.slice(0, 9)) });
  return sentences;
}

function stepWords(step: OriginStep, now: number): string {
  const before = step.earlier ? `${vscode.l10n.t('The line before it:')} ` : '';
  if (step.kind === 'changed_since') return before + vscode.l10n.t('Changed since a review {0}; by whom is not on record.', ago(step.at, now));
  if (step.kind === 'unreadable') return before + vscode.l10n.t('A review {0} changed this file, but its contents are no longer kept.', ago(step.at, now));
  const who = step.by.map(({ kind, name }) => (kind === 'policy' ? vscode.l10n.t('policy {0}', name) : name)).join(', ');
  const words = { accept: vscode.l10n.t('accepted by'), reject: vscode.l10n.t('kept, since a change was rejected by'), edited: vscode.l10n.t('written in the review by') };
  const from = [originWords(step), step.origin.version, step.origin.model].filter((part) => part !== undefined).join(' ');
  const of = [step.origin.case === undefined ? undefined : vscode.l10n.t('case {0}', step.origin.case), step.origin.run === undefined ? undefined : vscode.l10n.t('run {0}', step.origin.run)].filter((part) => part !== undefined);
  const sentence = `${before}${words[step.decision]} ${who}, ${ago(step.at, now)}: “${shortTitle(step.title)}” (${[from, ...of].join(', ')}).`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

import * as vscode from 'vscode';
import type { Disposable } from '../../core/base/disposable.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { FileView } from '../../core/review/port.ts';
import { commands } from '../../shared/ids.ts';
import { addressOf, type ReviewAddress } from './addresses.ts';
import { decisionOn, type HunkPlace, placesOf } from './hunk-at.ts';
import type { Reviews } from './reviews.ts';

/** Accept and Reject over each hunk. The editor shows them in diffs only where `diffEditor.codeLens` is on. */
export class HunkLenses implements vscode.CodeLensProvider, Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changes.event;

  constructor(
    private readonly reviews: Pick<Reviews, 'board'>,
    private readonly log: Logger,
  ) {}

  changed(set: string): void {
    if (vscode.workspace.textDocuments.some((document) => addressOf(document.uri)?.set === set)) this.changes.fire();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const address = addressOf(document.uri);
    // Unsaved text has moved the lines away from where the hunks are known to be.
    if (address?.side !== 'proposed' || document.isDirty) return [];
    try {
      const board = await this.reviews.board();
      if ((await board.state(address.set)).status === 'settled') return [];
      const view = await board.view(address.set, address.file);
      return placesOf(view, 'proposed').flatMap((place) => lensesAt(address, view, place));
    } catch (error) {
      this.log.warn('the changes of a document under review could not be marked', error);
      return [];
    }
  }

  dispose(): void {
    this.changes.dispose();
  }
}

function lensesAt({ set, file }: ReviewAddress, view: FileView, { hunk, first }: HunkPlace): vscode.CodeLens[] {
  const range = new vscode.Range(first, 0, first, 0);
  const lens = (title: string, command: string): vscode.CodeLens => new vscode.CodeLens(range, { title, command, arguments: [{ set, file, hunk: hunk.id }] });
  const decision = decisionOn(view, hunk);
  if (decision !== undefined) return [lens(decision === 'accept' ? vscode.l10n.t('$(check) Accepted: take back') : vscode.l10n.t('$(close) Rejected: take back'), commands.reviewTakeBack)];
  const what = hunk.kind === 'lines' && !view.conflicts.has(hunk.id) ? '' : ` (${view.conflicts.has(hunk.id) ? vscode.l10n.t('conflict') : wholeWords(hunk.kind === 'entry' ? hunk.what : 'final_newline')})`;
  return [lens(`$(check) ${vscode.l10n.t('Accept')}${what}`, commands.reviewAcceptHunk), lens(`$(close) ${vscode.l10n.t('Reject')}${what}`, commands.reviewRejectHunk)];
}

function wholeWords(what: string): string {
  const words: Record<string, string> = { create: 'new file', delete: 'deletion', rename: 'rename', mode: 'file mode', symlink: 'link', content: 'whole content', final_newline: 'end of the last line' };
  return words[what] ?? what;
}

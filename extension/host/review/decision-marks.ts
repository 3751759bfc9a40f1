import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { FileView } from '../../core/review/port.ts';
import type { Side } from './addresses.ts';
import type { ReviewBoard } from './board.ts';
import { decisionOn, placesOf } from './hunk-at.ts';
import { reviewEditor } from './native.ts';

type MarkKind = 'accept' | 'reject' | 'conflict';

/** Says behind the first line of each hunk what was decided about it, in every visible editor of a review. */
export class DecisionMarks implements Disposable {
  private readonly owned = new DisposableStore();
  private types: Record<MarkKind, vscode.TextEditorDecorationType> | undefined;

  constructor(
    private readonly board: ReviewBoard,
    private readonly log: Logger,
  ) {
    this.owned.add(board.onSet((set) => this.draw(set.id)));
    this.owned.add(vscode.window.onDidChangeVisibleTextEditors(() => this.draw()));
    this.owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        for (const editor of vscode.window.visibleTextEditors) if (editor.document === document && reviewEditor(editor) !== undefined) void this.mark(editor);
      }),
    );
    this.draw();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private draw(set?: string): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const shown = reviewEditor(editor);
      if (shown !== undefined && (set === undefined || shown.set === set)) void this.mark(editor);
    }
  }

  private async mark(editor: vscode.TextEditor): Promise<void> {
    const shown = reviewEditor(editor);
    if (shown === undefined) return;
    try {
      this.types ??= this.makeTypes();
      // Unsaved text has moved the lines away from where the hunks are known to be.
      const marks = editor.document.isDirty ? [] : marksOf(await this.board.view(shown.set, shown.file), shown.side, editor.document.lineCount);
      for (const kind of ['accept', 'reject', 'conflict'] as const) editor.setDecorations(this.types[kind], marks.filter((mark) => mark.kind === kind).map((mark) => mark.range));
    } catch (error) {
      this.log.debug('decisions could not be marked in an editor', error);
    }
  }

  private makeTypes(): Record<MarkKind, vscode.TextEditorDecorationType> {
    const make = (text: string, color: string): vscode.TextEditorDecorationType =>
      this.owned.add(vscode.window.createTextEditorDecorationType({ after: { contentText: text, color: new vscode.ThemeColor(color), margin: '0 0 0 2em', fontStyle: 'italic' }, overviewRulerColor: new vscode.ThemeColor(color), overviewRulerLane: vscode.OverviewRulerLane.Left }));
    return { accept: make(`✓ ${vscode.l10n.t('accepted')}`, 'charts.green'), reject: make(`✗ ${vscode.l10n.t('rejected')}`, 'charts.red'), conflict: make(`⚠ ${vscode.l10n.t('both sides changed this')}`, 'charts.orange') };
  }
}

function marksOf(view: FileView, side: Side, lineCount: number): { kind: MarkKind; range: vscode.Range }[] {
  return placesOf(view, side).flatMap(({ hunk, first }) => {
    const kind = decisionOn(view, hunk) ?? (view.conflicts.has(hunk.id) ? 'conflict' : undefined);
    const line = Math.min(first, lineCount - 1);
    return kind === undefined ? [] : [{ kind, range: new vscode.Range(line, Number.MAX_SAFE_INTEGER, line, Number.MAX_SAFE_INTEGER) }];
  });
}

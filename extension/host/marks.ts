import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../core/base/disposable.ts';
import type { CaseState } from '../core/cases/state.ts';
import type { CitationState } from '../core/model/code.ts';
import { type Root, rootsNow } from '../core/repo/roots.ts';
import { type Mark, planMarks } from './marks-plan.ts';

const rulerColors: Record<CitationState, string> = {
  verified: 'charts.green',
  located: 'charts.foreground',
  moved: 'charts.blue',
  stale: 'charts.yellow',
  missing: 'charts.red',
};

/** Marks the cited lines of the open cases in every visible editor. Decoration types are made when the first mark is shown. */
export class Marks implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly plans = new Map<string, Map<string, Mark[]>>();
  private types: Record<CitationState, vscode.TextEditorDecorationType> | undefined;
  private shown = true;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly roots: () => readonly Root[],
  ) {
    this.owned.add(vscode.window.onDidChangeVisibleTextEditors(() => this.draw()));
  }

  /** The marks of a case; undefined when its panel was closed. */
  set(caseId: string, state: CaseState | undefined): void {
    if (state === undefined) this.plans.delete(caseId);
    else this.plans.set(caseId, planMarks({ ...state, snapshot: { ...state.snapshot, roots: rootsNow(state.snapshot.roots, this.roots()) } }));
    this.draw();
  }

  get visible(): boolean {
    return this.shown;
  }

  show(visible: boolean): void {
    this.shown = visible;
    this.draw();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private draw(): void {
    if (this.types === undefined && (this.plans.size === 0 || !this.shown)) return;
    this.types ??= this.makeTypes();
    for (const editor of vscode.window.visibleTextEditors) {
      const marks = this.shown && editor.document.uri.scheme === 'file' ? [...this.plans.values()].flatMap((plan) => plan.get(editor.document.uri.fsPath) ?? []) : [];
      for (const [state, type] of Object.entries(this.types)) {
        editor.setDecorations(type, marks.filter((mark) => mark.state === state).map((mark) => decoration(mark, editor.document.lineCount)));
      }
    }
  }

  private makeTypes(): Record<CitationState, vscode.TextEditorDecorationType> {
    const make = (state: CitationState): vscode.TextEditorDecorationType => {
      const icon = (theme: string): vscode.Uri => vscode.Uri.joinPath(this.extension, 'media', 'gutter', `${state}-${theme}.svg`);
      return this.owned.add(
        vscode.window.createTextEditorDecorationType({
          isWholeLine: true,
          overviewRulerColor: new vscode.ThemeColor(rulerColors[state]),
          overviewRulerLane: vscode.OverviewRulerLane.Left,
          light: { gutterIconPath: icon('light'), gutterIconSize: 'contain' },
          dark: { gutterIconPath: icon('dark'), gutterIconSize: 'contain' },
        }),
      );
    };
    return { verified: make('verified'), located: make('located'), moved: make('moved'), stale: make('stale'), missing: make('missing') };
  }
}

function decoration(mark: Mark, lineCount: number): vscode.DecorationOptions {
  const last = lineCount - 1;
  // appendText escapes: a note in the hover comes from a model and must not become a link or a command.
  const hoverMessage = new vscode.MarkdownString().appendText(mark.hover);
  return { range: new vscode.Range(Math.min(mark.first, last), 0, Math.min(mark.last, last), 0), hoverMessage };
}

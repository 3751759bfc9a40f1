import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import type { CaseState } from '../core/cases/state.ts';
import { rootsNow } from '../core/repo/roots.ts';
import { type Root, resolveCitation } from './roots.ts';

/** Opens places in the user's editor. */
export interface Editor {
  /** A cited place (`<root>/<path>`), lines 1-based and inclusive; the roots are those of the case's snapshot. */
  openCitation(state: Pick<CaseState, 'snapshot'>, place: { file: string; line?: number | undefined; endLine?: number | undefined }): Promise<void>;
  /** A file by absolute path, rendered as Markdown beside the active editor when it is one. */
  openReport(path: string): Promise<void>;
  /** Any file by absolute path, in the editor that VS Code has for it; images in its image viewer. */
  openFile(path: string): Promise<void>;
  /** A page in the user's browser; anything but http(s) is refused. */
  openPage(url: string): Promise<void>;
}

export function createEditor(roots: () => readonly Root[]): Editor {
  return {
    async openCitation({ snapshot }, { file, line, endLine }) {
      const path = resolveCitation(file, rootsNow(snapshot.roots, roots()));
      const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
      const options: vscode.TextDocumentShowOptions = { preview: true, viewColumn: besidePanel(), preserveFocus: false };
      if (line !== undefined) options.selection = rangeOf(document, line, endLine);
      const editor = await vscode.window.showTextDocument(document, options);
      if (options.selection !== undefined) editor.revealRange(options.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    },
    async openReport(path) {
      await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.file(realpathSync(path)));
    },
    async openFile(path) {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path), besidePanel());
    },
    async openPage(url) {
      const uri = vscode.Uri.parse(url, true);
      if (uri.scheme === 'https' || uri.scheme === 'http') await vscode.env.openExternal(uri);
    },
  };
}

/** A citation opens in the first column where text already is, so that the panel stays visible beside it. */
function besidePanel(): vscode.ViewColumn {
  const text = vscode.window.visibleTextEditors.find((editor) => editor.viewColumn !== undefined)?.viewColumn;
  if (text !== undefined) return text;
  const panelColumn = vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview ? vscode.window.tabGroups.activeTabGroup.viewColumn : undefined;
  return panelColumn === undefined ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
}

/** Whole lines, kept inside the document: it may have become shorter since the citation was made. */
function rangeOf(document: vscode.TextDocument, line: number, endLine: number | undefined): vscode.Range {
  const first = Math.min(line - 1, document.lineCount - 1);
  const last = Math.min(Math.max(endLine ?? line, line) - 1, document.lineCount - 1);
  return new vscode.Range(first, 0, last, document.lineAt(last).range.end.character);
}

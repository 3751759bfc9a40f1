import { isAbsolute, relative } from 'node:path';
import * as vscode from 'vscode';
import type { EditorFocus } from '../compose/ports.ts';
import type { Disposable } from '../core/base/disposable.ts';
import type { Root } from './roots.ts';

/** Longest selection that is handed on. UTF-16 units. */
const longestSelection = 8000;

/**
 * Remembers the text editor somebody last worked in: by the time a run starts, the case panel has the focus and the editor says that no text
 * editor is active. A diff's or another extension's virtual document is never taken for a file.
 */
export class LastEditor implements Disposable {
  private last: vscode.TextEditor | undefined;
  private readonly listening: vscode.Disposable;

  constructor() {
    this.remember(vscode.window.activeTextEditor);
    this.listening = vscode.window.onDidChangeActiveTextEditor((editor) => this.remember(editor));
  }

  /** Its file and selection as they are now; undefined when it was closed, or its file lies in none of the roots. */
  focus(roots: readonly Root[]): EditorFocus | undefined {
    const { last } = this;
    if (last === undefined || last.document.isClosed) return undefined;
    for (const root of roots) {
      const file = relative(root.path, last.document.uri.fsPath);
      if (file === '' || file.startsWith('..') || isAbsolute(file)) continue;
      const text = last.document.getText(last.selection).slice(0, longestSelection);
      return { root: root.name, file: file.replaceAll('\\', '/'), line: last.selection.start.line + 1, endLine: last.selection.end.line + 1, text };
    }
    return undefined;
  }

  dispose(): void {
    this.listening.dispose();
  }

  private remember(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.uri.scheme === 'file') this.last = editor;
  }
}

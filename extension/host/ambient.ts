import { isAbsolute, relative } from 'node:path';
import * as vscode from 'vscode';
import type { EditorFocus } from '../compose/ports.ts';
import type { Disposable } from '../core/base/disposable.ts';
import type { Root } from './roots.ts';

/** Longest selection that is handed on. UTF-16 units. */
const longestSelection = 8000;

/**
 * Remembers the text editor somebody last worked in: by the time a run starts, the case panel has the focus and the editor says that no text
 * editor is active. A diff's or another extension's virtual document is never taken for a file; in a diff that has a file on its other side, that one is meant.
 */
export class LastEditor implements Disposable {
  private last: vscode.TextEditor | undefined;
  private readonly listening: vscode.Disposable;

  constructor() {
    this.remember(vscode.window.activeTextEditor);
    this.listening = vscode.window.onDidChangeActiveTextEditor((editor) => this.remember(editor));
  }

  /** The editor of a file that was in front last; undefined once it was closed. */
  get editor(): vscode.TextEditor | undefined {
    return this.last === undefined || this.last.document.isClosed ? undefined : this.last;
  }

  /** Its file and selection as they are now; undefined when it was closed, or its file lies in none of the roots. */
  focus(roots: readonly Root[]): EditorFocus | undefined {
    const { editor } = this;
    if (editor === undefined) return undefined;
    for (const root of roots) {
      const file = relative(root.path, editor.document.uri.fsPath);
      if (file === '' || file.startsWith('..') || isAbsolute(file)) continue;
      const text = editor.document.getText(editor.selection).slice(0, longestSelection);
      return { root: root.name, file: file.replaceAll('\\', '/'), line: editor.selection.start.line + 1, endLine: editor.selection.end.line + 1, text };
    }
    return undefined;
  }

  dispose(): void {
    this.listening.dispose();
  }

  private remember(editor: vscode.TextEditor | undefined): void {
    const file = editor === undefined || editor.document.uri.scheme === 'file' ? editor : fileBeside();
    if (file !== undefined) this.last = file;
  }
}

/** In a diff of a file with an earlier version of it, the file's own side. */
function fileBeside(): vscode.TextEditor | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (!(input instanceof vscode.TabInputTextDiff) || input.modified.scheme !== 'file') return undefined;
  return vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === input.modified.toString());
}

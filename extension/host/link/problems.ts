import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import type { Diagnostic, FileDiagnostics } from '../../core/link/editor.ts';
import { capProblems } from './problem-caps.ts';
import { realPathOf } from './real-path.ts';

/** A caller that waits longer than half a second gives up and never asks again, so an answer comes well before. Milliseconds. */
const longestWait = 350;
/** A change older than this has been looked at by every language server that will, or by none. Milliseconds. */
const recent = 3000;

const severities: Record<vscode.DiagnosticSeverity, Diagnostic['severity']> = { 0: 'Error', 1: 'Warning', 2: 'Info', 3: 'Hint' };

/** The problems of the window's files. After a change, in an editor or on disk, it waits a moment for those who check the file, and says so where they were not done. */
export class Problems implements Disposable {
  private readonly owned = new DisposableStore();
  /** By the URI's text, when a document last changed in the editor and when its problems did. Milliseconds since 1970. */
  private readonly changed = new Map<string, number>();
  private readonly checked = new Map<string, number>();

  constructor() {
    this.owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.uri.scheme === 'file' && contentChanges.length > 0) this.changed.set(document.uri.toString(), Date.now());
      }),
    );
    this.owned.add(vscode.languages.onDidChangeDiagnostics(({ uris }) => uris.forEach((uri) => this.checked.set(uri.toString(), Date.now()))));
    this.owned.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.changed.delete(uri.toString());
        this.checked.delete(uri.toString());
      }),
    );
  }

  /** Of one file (absolute, real), or of all that have any, those of open files first. */
  async of(path?: string): Promise<FileDiagnostics[]> {
    const documents = openDocuments(path);
    const unsettled = new Set(await this.settle(documents));
    const files = path === undefined ? allFiles(documents) : [{ path, list: vscode.languages.getDiagnostics(documents[0]?.uri ?? vscode.Uri.file(path)) }];
    return capProblems(files.map((file) => ({ path: file.path, diagnostics: file.list.map(problemOf), ...(unsettled.has(file.path) ? { unsettled: true } : {}) })));
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Gives the real paths of the documents whose problems may still be those of an earlier text. */
  private async settle(documents: readonly vscode.TextDocument[]): Promise<string[]> {
    const changes = await Promise.all(documents.map(async (document) => ({ document, at: await this.lastChange(document) })));
    const waiting = new Map(changes.filter(({ document, at }) => Date.now() - at < recent && (this.checked.get(document.uri.toString()) ?? 0) < at).map(({ document }) => [document.uri.toString(), document]));
    if (waiting.size === 0) return [];
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        listening.dispose();
        resolve();
      };
      const timer = setTimeout(end, longestWait);
      const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) waiting.delete(uri.toString());
        if (waiting.size === 0) end();
      });
    });
    return [...waiting.values()].map((document) => realPathOf(document.uri.fsPath));
  }

  /** In the editor, or on disk: the editor hears of an agent's write only some time after it was made. */
  private async lastChange({ uri, isDirty }: vscode.TextDocument): Promise<number> {
    const here = this.changed.get(uri.toString()) ?? 0;
    const there = isDirty ? undefined : await stat(uri.fsPath).catch(() => undefined);
    return Math.max(here, there?.mtimeMs ?? 0);
  }
}

function openDocuments(path?: string): vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'file' && (path === undefined || uri.fsPath === path || realPathOf(uri.fsPath) === path));
}

function allFiles(open: readonly vscode.TextDocument[]): { path: string; list: readonly vscode.Diagnostic[] }[] {
  const isOpen = new Set(open.map(({ uri }) => uri.toString()));
  const found = vscode.languages.getDiagnostics().filter(([uri, list]) => uri.scheme === 'file' && list.length > 0);
  return found.toSorted(([a], [b]) => Number(isOpen.has(b.toString())) - Number(isOpen.has(a.toString()))).map(([uri, list]) => ({ path: realPathOf(uri.fsPath), list }));
}

function problemOf({ message, severity, range, source, code }: vscode.Diagnostic): Diagnostic {
  const plain = typeof code === 'object' ? code.value : code;
  return { message, severity: severities[severity], start: placeOf(range.start), end: placeOf(range.end), ...(source === undefined ? {} : { source }), ...(plain === undefined ? {} : { code: String(plain) }) };
}

const placeOf = ({ line, character }: vscode.Position) => ({ line, character });

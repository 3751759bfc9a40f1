import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { Emitter } from '../../core/base/emitter.ts';
import { Failure } from '../../core/base/failure.ts';
import type { Editor, EditorChange, EditorSelection, FileDiagnostics, OpenEditor, Position } from '../../core/link/editor.ts';
import type { LinkFailureReason } from '../../core/link/failure.ts';
import type { LastEditor } from '../ambient.ts';
import { Problems } from './problems.ts';
import { realPathOf } from './real-path.ts';

/** This window, as the link sees it. Nothing but files on disk is ever named: no side of a diff, no virtual or never-saved document. */
export class WindowEditor implements Editor, Disposable {
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<EditorChange>());
  private readonly problems = this.owned.add(new Problems());
  /** Real path → when it was last in front. Milliseconds since 1970. */
  private readonly shown = new Map<string, number>();
  readonly window = true;
  readonly onDidChange = this.changes.subscribe;

  constructor(private readonly last: Pick<LastEditor, 'editor'>) {
    const editors = (): void => {
      this.noteShown();
      this.changes.fire({ kind: 'editors' });
    };
    this.owned.add(vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => textEditor === this.last.editor && this.changes.fire({ kind: 'selection' })));
    this.owned.add(vscode.window.onDidChangeActiveTextEditor(editors));
    this.owned.add(vscode.window.tabGroups.onDidChangeTabs(editors));
    this.owned.add(vscode.window.tabGroups.onDidChangeTabGroups(editors));
    this.owned.add(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const paths = uris.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => realPathOf(fsPath));
        if (paths.length > 0) this.changes.fire({ kind: 'diagnostics', paths });
      }),
    );
    this.noteShown();
  }

  async selection(): Promise<EditorSelection | undefined> {
    const { editor } = this.last;
    // A document lives on for a while after its last tab was closed.
    if (editor === undefined || !openTabs().some(({ uri }) => uri.toString() === editor.document.uri.toString())) return undefined;
    const { document, selection } = editor;
    return { path: realPathOf(document.uri.fsPath), text: document.getText(selection), start: placeOf(selection.start), end: placeOf(selection.end) };
  }

  async openEditors(): Promise<readonly OpenEditor[]> {
    const front = this.last.editor?.document.uri.toString();
    const found = new Map<string, OpenEditor>();
    for (const { uri, tab } of openTabs()) {
      const path = realPathOf(uri.fsPath);
      const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
      const earlier = found.get(path);
      found.set(path, {
        path,
        label: tab.label,
        language: document?.languageId ?? '',
        active: earlier?.active === true || uri.toString() === front,
        dirty: earlier?.dirty === true || (document?.isDirty ?? tab.isDirty),
        shownAt: this.shown.get(path) ?? 0,
      });
    }
    return [...found.values()];
  }

  diagnostics(path?: string): Promise<readonly FileDiagnostics[]> {
    return this.problems.of(path);
  }

  async openFile(path: string, { start, end, focus }: { start?: Position; end?: Position; focus: boolean }): Promise<void> {
    const uri = this.uriOf(path);
    const selection = start === undefined ? undefined : new vscode.Range(start.line, start.character, (end ?? start).line, (end ?? start).character);
    const options: vscode.TextDocumentShowOptions = { preview: true, preserveFocus: !focus, ...(selection === undefined ? {} : { selection }) };
    try {
      // The command and not showTextDocument: an image or a notebook opens in the editor that is made for it.
      await vscode.commands.executeCommand('vscode.open', uri, options);
    } catch (error) {
      throw new Failure<LinkFailureReason>('not_found', 'The editor cannot open that file.', { cause: error });
    }
  }

  async isDirty(path: string): Promise<boolean | undefined> {
    return this.documentAt(path)?.isDirty;
  }

  async save(path: string): Promise<boolean | undefined> {
    return this.documentAt(path)?.save();
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** A file that is open already, through whatever link, is not opened a second time under another name. */
  private uriOf(path: string): vscode.Uri {
    return openTabs().find(({ uri }) => realPathOf(uri.fsPath) === path)?.uri ?? vscode.Uri.file(path);
  }

  private documentAt(path: string): vscode.TextDocument | undefined {
    const open = new Set(openTabs().map(({ uri }) => uri.toString()));
    return vscode.workspace.textDocuments.find(({ uri }) => open.has(uri.toString()) && realPathOf(uri.fsPath) === path);
  }

  private noteShown(): void {
    const now = Date.now();
    for (const { uri, tab } of openTabs()) if (tab.isActive && tab.group.isActive) this.shown.set(realPathOf(uri.fsPath), now);
  }
}

/** Every tab that shows a file on disk, with the file. */
function openTabs(): { uri: vscode.Uri; tab: vscode.Tab }[] {
  return vscode.window.tabGroups.all.flatMap((group) =>
    group.tabs.flatMap((tab) => {
      const uri = fileOf(tab.input);
      return uri?.scheme === 'file' ? [{ uri, tab }] : [];
    }),
  );
}

function fileOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputNotebook) return input.uri;
  return input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff ? input.modified : undefined;
}

const placeOf = ({ line, character }: vscode.Position): Position => ({ line, character });

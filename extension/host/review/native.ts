import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { FileState, SetState } from '../../core/review/desk/state.ts';
import { addressOf, partsOf, type Side } from './addresses.ts';
import type { ReviewBoard } from './board.ts';
import { type HunkPlace, placesOf } from './hunk-at.ts';
import type { ReviewTabs } from './tabs.ts';

export interface OpenOptions {
  /** One file of the set; all of them in one tab when absent. */
  file?: string;
  /** The hunk to show first. */
  hunk?: string;
  /** A line of the proposed side to show first, from 1. */
  line?: number;
  /** Leaves the focus where it is, and opens beside what somebody works in. */
  quietly?: boolean;
}

/** Opens change sets in the editor's own diff editor. */
export class NativeReviews {
  constructor(
    private readonly board: ReviewBoard,
    private readonly tabs: ReviewTabs,
  ) {}

  async open(set: string, { file: key, hunk, line, quietly = false }: OpenOptions = {}): Promise<void> {
    const state = await this.board.state(set);
    const file = state.files.find((one) => one.key === key) ?? (state.files.length === 1 ? state.files[0] : undefined);
    if (file === undefined) return this.openAll(state);
    const options: vscode.TextDocumentShowOptions = { preview: false, preserveFocus: quietly, viewColumn: this.columnFor(state.id, file.key, quietly) };
    const place = hunk === undefined ? undefined : placesOf(await this.board.view(set, file.key), 'proposed').find((one) => one.hunk.id === hunk);
    const first = place?.first ?? (line === undefined ? undefined : line - 1);
    if (first !== undefined) options.selection = new vscode.Range(first, 0, first, 0);
    await vscode.commands.executeCommand('vscode.diff', sideUri(state.id, file.key, 'base'), sideUri(state.id, file.key, 'proposed'), fileTitle(state, file), options);
  }

  /** Brings a place of a file into sight in an editor that shows it. */
  reveal(editor: vscode.TextEditor, place: HunkPlace): void {
    const line = Math.min(place.first, editor.document.lineCount - 1);
    editor.selection = new vscode.Selection(line, 0, line, 0);
    editor.revealRange(new vscode.Range(line, 0, Math.min(place.last, editor.document.lineCount - 1), 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  private async openAll(state: SetState): Promise<void> {
    const title = setTitle(state);
    this.tabs.named(title, state.id);
    const resources = state.files.map((file) => [
      sideUri(state.id, file.key, file.proposed.kind === 'absent' ? 'base' : 'proposed'),
      file.base.kind === 'absent' ? undefined : sideUri(state.id, file.key, 'base'),
      file.proposed.kind === 'absent' ? undefined : sideUri(state.id, file.key, 'proposed'),
    ]);
    await vscode.commands.executeCommand('vscode.changes', title, resources);
  }

  /** The tab that shows it already, else the group where reviews are; a quiet one never covers what somebody works in. */
  private columnFor(set: string, file: string, quietly: boolean): vscode.ViewColumn {
    const shown = this.tabs.open(set).find((one) => one.shown.file === file)?.tab.group.viewColumn;
    if (shown !== undefined) return shown;
    const { activeTabGroup } = vscode.window.tabGroups;
    const gathered = this.tabs.column();
    if (!quietly) return gathered ?? vscode.ViewColumn.Active;
    if (gathered !== undefined && gathered !== activeTabGroup.viewColumn) return gathered;
    return activeTabGroup.tabs.length === 0 ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
  }
}

export function sideUri(set: string, file: string, side: Side): vscode.Uri {
  return vscode.Uri.from(partsOf({ set, file, side }));
}

export function fileTitle(state: SetState, file: Pick<FileState, 'path'>): string {
  return `${basename(file.path)} (${vscode.l10n.t('review: {0}', shortTitle(state.title))})`;
}

function setTitle(state: SetState): string {
  return vscode.l10n.t('Review: {0}', shortTitle(state.title));
}

const longestTitle = 60;

/** An agent's title for a tab or a toast: one line, not longer than one can read there. */
export function shortTitle(title: string): string {
  const line = title.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length > longestTitle ? `${characters.slice(0, longestTitle - 1).join('')}…` : line;
}

/** The document and side that an editor shows of a review. */
export function reviewEditor(editor: vscode.TextEditor | undefined): { editor: vscode.TextEditor; set: string; file: string; side: Side } | undefined {
  const address = addressOf(editor?.document.uri);
  return editor === undefined || address === undefined ? undefined : { editor, ...address };
}

/** Every open document of a set that holds unsaved text. */
export function unsavedOf(set: string): vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter((document) => document.isDirty && addressOf(document.uri)?.set === set);
}

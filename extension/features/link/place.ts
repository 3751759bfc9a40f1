import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Mention } from '../../core/link/dialects/dialect.ts';

/** What "Send to Agent" is about: the file or folder it was called on, else the text editor in front with its selected lines. */
export async function placeOf(given: unknown): Promise<Mention | undefined> {
  const editor = vscode.window.activeTextEditor;
  const uri = given instanceof vscode.Uri ? given : editor?.document.uri;
  if (uri?.scheme !== 'file') return undefined;
  const path = await realpath(uri.fsPath);
  const selected = editor?.document.uri.toString() === uri.toString() ? editor.selection : undefined;
  if (selected === undefined || selected.isEmpty) return { path };
  // A selection that ends before a line's first character does not mean that line.
  const last = selected.end.character === 0 ? selected.end.line - 1 : selected.end.line;
  return { path, lines: { first: selected.start.line, last: Math.max(last, selected.start.line) } };
}

import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Buffers } from '../../core/review/port.ts';
import { lineEdits } from './minimal-edits.ts';

/** The editor's open documents as the desk sees them: unsaved text is part of what a change stands on, and is edited, never overwritten. */
export function createBuffers(real: (path: string) => string = realpathSync): Buffers {
  const openAt = (path: string): vscode.TextDocument | undefined => {
    const dirty = vscode.workspace.textDocuments.filter((document) => document.isDirty && document.uri.scheme === 'file');
    // Most documents are opened by their real path; only where none is, links have to be looked through.
    return dirty.find((document) => document.uri.fsPath === path) ?? dirty.find((document) => realOf(document.uri.fsPath, real) === path);
  };
  return {
    unsaved: (path) => openAt(path)?.getText(),
    async replace(path, expected, text) {
      const document = openAt(path);
      if (document === undefined || document.getText() !== expected) return false;
      const edit = new vscode.WorkspaceEdit();
      for (const { start, end, lines } of lineEdits(expected, text)) edit.replace(document.uri, rangeOf(document, start, end), joined(document, start, end, lines));
      // The editor refuses an edit made for an older version of the text, so nothing typed meanwhile is lost.
      return vscode.workspace.applyEdit(edit);
    },
  };
}

/** From the first line's start to the start of the line after the last; at the end of the text, from the end of the line before. */
function rangeOf(document: vscode.TextDocument, start: number, end: number): vscode.Range {
  if (end < document.lineCount) return new vscode.Range(start, 0, end, 0);
  const last = document.lineAt(document.lineCount - 1).range.end;
  const from = start === 0 ? new vscode.Position(0, 0) : document.lineAt(start - 1).range.end;
  return new vscode.Range(from, last);
}

function joined(document: vscode.TextDocument, start: number, end: number, lines: readonly string[]): string {
  const ending = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  if (end < document.lineCount) return lines.map((line) => line + ending).join('');
  const text = lines.join(ending);
  return start === 0 || lines.length === 0 ? text : ending + text;
}

function realOf(path: string, real: (path: string) => string): string | undefined {
  try {
    return real(path);
  } catch {
    return undefined;
  }
}

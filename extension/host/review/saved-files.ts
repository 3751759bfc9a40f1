import * as vscode from 'vscode';
import type { Disposable } from '../../core/base/disposable.ts';

/** Most paths that are remembered; the oldest saves go first. */
const most = 5000;

/** Files that a person saved from an editor, with the time of the last save, so that their own work is told from an agent's. Absolute paths. */
export class SavedFiles implements Disposable {
  private readonly saves = new Map<string, number>();
  private readonly listening: vscode.Disposable;

  constructor(private readonly now: () => number = Date.now) {
    this.listening = vscode.workspace.onDidSaveTextDocument(({ uri }) => uri.scheme === 'file' && this.note(uri.fsPath));
  }

  /** Paths saved at or after a time (milliseconds since 1970). */
  since(time: number): string[] {
    return [...this.saves].filter(([, at]) => at >= time).map(([path]) => path);
  }

  dispose(): void {
    this.listening.dispose();
  }

  private note(path: string): void {
    this.saves.delete(path);
    this.saves.set(path, this.now());
    const oldest = this.saves.keys().next();
    if (this.saves.size > most && oldest.done !== true) this.saves.delete(oldest.value);
  }
}

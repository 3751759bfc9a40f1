import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Disposable } from '../../core/base/disposable.ts';
import type { PersonSaves } from '../../core/review/checkpoints.ts';

/** Most paths that are remembered; the oldest saves go first. */
const most = 5000;

/** Files that a person saved from an editor, with the time of the last save, so that their own work is told from an agent's. */
export class SavedFiles implements PersonSaves, Disposable {
  private readonly saves = new Map<string, number>();
  private readonly listening: vscode.Disposable;

  constructor(
    private readonly now: () => number = Date.now,
    private readonly real: (path: string) => string = realpathSync,
  ) {
    this.listening = vscode.workspace.onDidSaveTextDocument(({ uri }) => uri.scheme === 'file' && this.note(uri.fsPath));
  }

  /** Real paths of files saved at or after a time (milliseconds since 1970). Links are looked through only now: saving must cost nothing. */
  since(time: number): ReadonlySet<string> {
    return new Set([...this.saves].filter(([, at]) => at >= time).map(([path]) => this.realOf(path)));
  }

  dispose(): void {
    this.listening.dispose();
  }

  private realOf(path: string): string {
    try {
      return this.real(path);
    } catch {
      // Gone since; its own name is all that is left.
      return path;
    }
  }

  private note(path: string): void {
    this.saves.delete(path);
    this.saves.set(path, this.now());
    const oldest = this.saves.keys().next();
    if (this.saves.size > most && oldest.done !== true) this.saves.delete(oldest.value);
  }
}

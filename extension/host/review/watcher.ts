import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import { Debounced } from '../debounce.ts';
import { onFileChange } from '../file-changes.ts';
import type { ReviewBoard } from './board.ts';

const quietMs = 300;

export interface WatcherHost {
  /** Folders of the workspace as the editor names them and as they really are, by root name. */
  folders(): { root: string; paths: string[] }[];
}

/**
 * Tells the desk to look again at pending sets whose files changed, on disk or in a buffer. Files are watched only while something is pending, and one event costs
 * one look-up; only this file of the sets that hold it is looked at.
 */
export class DiskWatcher implements Disposable {
  private readonly owned = new DisposableStore();
  /** Files to look at again, by set. */
  private readonly touched = new Map<string, Set<string>>();
  private readonly look: Debounced;
  private watching: vscode.Disposable | undefined;
  private byPath: ReturnType<typeof pathsOf> = new Map();
  private planned = '';

  constructor(
    private readonly board: ReviewBoard,
    private readonly host: WatcherHost,
    log: Logger,
  ) {
    this.look = this.owned.add(new Debounced(quietMs, () => this.refresh(), (error) => log.warn('pending sets could not be compared with the disk', error)));
    this.owned.add(board.onSet(() => this.plan()));
    this.owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.note(document.uri)));
    this.owned.add(vscode.workspace.onDidCloseTextDocument((document) => this.note(document.uri)));
    this.plan();
  }

  dispose(): void {
    this.watching?.dispose();
    this.owned.dispose();
  }

  private plan(): void {
    const pending = this.board.pending();
    // Which files a set holds changes with its revision only.
    const plan = pending.map((set) => `${set.id} ${set.revision}`).join(',');
    if (plan === this.planned) return;
    this.planned = plan;
    this.byPath = pathsOf(pending, this.host.folders());
    if (this.byPath.size > 0) this.watching ??= onFileChange((uri) => this.note(uri));
    else {
      this.watching?.dispose();
      this.watching = undefined;
    }
  }

  private note(uri: vscode.Uri): void {
    if (uri.scheme !== 'file') return;
    const held = this.byPath.get(uri.fsPath);
    if (held === undefined) return;
    for (const { set, file } of held) this.touched.set(set, (this.touched.get(set) ?? new Set()).add(file));
    this.look.call();
  }

  private async refresh(): Promise<void> {
    const touched = [...this.touched];
    this.touched.clear();
    for (const [set, files] of touched) {
      if (this.board.known(set)?.status === 'pending') this.board.note(await this.board.desk.refresh(set, files));
    }
  }
}

/** Which files of pending sets stand at which absolute path, by each under which the editor may name it. */
export function pathsOf(pending: readonly SetState[], folders: readonly { root: string; paths: string[] }[]): Map<string, { set: string; file: string }[]> {
  const byRoot = new Map(folders.map(({ root, paths }) => [root, paths]));
  const found = new Map<string, { set: string; file: string }[]>();
  for (const set of pending) {
    for (const file of set.files) {
      for (const folder of byRoot.get(file.root) ?? []) {
        for (const path of [file.path, ...(file.from === undefined ? [] : [file.from])]) {
          const absolute = join(folder, path);
          found.set(absolute, [...(found.get(absolute) ?? []), { set: set.id, file: file.key }]);
        }
      }
    }
  }
  return found;
}

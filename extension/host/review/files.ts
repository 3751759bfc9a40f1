import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import { isFailure, messageOf } from '../../core/base/failure.ts';
import { refName, type SetState, shownRef } from '../../core/review/desk/state.ts';
import type { DeskFailureReason, FileView } from '../../core/review/port.ts';
import { addressOf, type ReviewAddress, schemes } from './addresses.ts';
import type { ReviewBoard } from './board.ts';
import { bytesFor, savedText } from './content-bytes.ts';

/** What the editor was last told of a document. */
interface Told {
  address: ReviewAddress;
  uri: vscode.Uri;
  name: string;
  mtime: number;
  writable: boolean;
  /** The content that the editor has read or written last. */
  seen?: string;
}

export interface ReviewFilesOptions {
  /** The board, once the core is there; awaited by documents that are restored before it. */
  board(): Promise<ReviewBoard>;
  /** Whether text of this document needs a byte order mark to be read as UTF-8. */
  needsMark(uri: vscode.Uri): boolean;
  via: string;
  now?: () => number;
}

/**
 * The two sides of a file under review as files of the editor. The base is read-only. Saving the proposed side keeps the text as the person's draft and decides
 * nothing, however the save came about; unsaved text is the editor's own to keep, over a reload too.
 */
export class ReviewFiles implements vscode.FileSystemProvider, Disposable {
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  private readonly told = new Map<string, Told>();
  /** Documents whose next save only tells the editor that its text is kept already. */
  private readonly kept = new Set<string>();
  readonly onDidChangeFile = this.changes.event;

  constructor(private readonly options: ReviewFilesOptions) {
    this.owned.add(vscode.workspace.registerFileSystemProvider(schemes.proposed, this, { isCaseSensitive: true }));
    this.owned.add(vscode.workspace.registerFileSystemProvider(schemes.base, this, { isCaseSensitive: true, isReadonly: true }));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { address, view, state } = await this.open(uri);
    const told = this.tell(uri, address, state);
    return {
      type: vscode.FileType.File,
      ctime: Date.parse(state.openedAt),
      mtime: told.mtime,
      size: bytesFor(view, address.side, this.options.needsMark(uri)).length,
      ...(told.writable ? {} : { permissions: vscode.FilePermission.Readonly }),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { address, view, state } = await this.open(uri);
    const told = this.tell(uri, address, state);
    told.seen = told.name;
    return bytesFor(view, address.side, this.options.needsMark(uri));
  }

  /** Keeps what was saved as the draft. A failure leaves the editor's document unsaved, with its text. */
  async writeFile(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
    const { address, view, state } = await this.open(uri);
    if (address.side === 'base' || state.status === 'settled') throw vscode.FileSystemError.NoPermissions(vscode.l10n.t('This review has its outcome; the text can no longer be changed.'));
    if (this.kept.delete(uri.toString())) return this.changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    const text = savedText(bytes);
    if (text === undefined) throw vscode.FileSystemError.NoPermissions(vscode.l10n.t('Only text can be kept as an edit of a proposal.'));
    await this.edit(uri, address, view, text);
  }

  /**
   * Keeps a document's unsaved text as the draft and marks it as saved, without anything that runs on save (formatters, trimming): what is decided next
   * is exactly what is on the screen.
   */
  async keep(document: vscode.TextDocument): Promise<void> {
    const address = addressOf(document.uri);
    if (address?.side !== 'proposed' || !document.isDirty) return;
    const { view } = await this.open(document.uri);
    await this.edit(document.uri, address, view, document.getText());
    const name = document.uri.toString();
    this.kept.add(name);
    try {
      await document.save();
    } finally {
      this.kept.delete(name);
    }
  }

  /** Tells the editor which of its documents changed by a new state of a set. */
  changed(state: SetState): void {
    const events: vscode.FileChangeEvent[] = [];
    for (const told of this.told.values()) {
      if (told.address.set !== state.id) continue;
      const before = { ...told };
      const now = this.tell(told.uri, told.address, state);
      if (now.name !== before.name || now.writable !== before.writable) events.push({ type: vscode.FileChangeType.Changed, uri: told.uri });
    }
    if (events.length > 0) this.changes.fire(events);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }
  readDirectory(): [string, vscode.FileType][] {
    return [];
  }
  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.owned.dispose();
    this.told.clear();
  }

  private async open(uri: vscode.Uri): Promise<{ address: ReviewAddress; view: FileView; state: SetState }> {
    const address = addressOf(uri);
    if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    try {
      const board = await this.options.board();
      const view = await board.view(address.set, address.file);
      return { address, view, state: await board.state(address.set) };
    } catch (error) {
      if (isFailure<DeskFailureReason>(error, 'not_found')) throw vscode.FileSystemError.FileNotFound(uri);
      throw vscode.FileSystemError.Unavailable(messageOf(error));
    }
  }

  /** Refuses once when the file became another since the editor read it: equal sizes hide that from the editor's own check. */
  private async edit(uri: vscode.Uri, address: ReviewAddress, view: FileView, text: string): Promise<void> {
    const board = await this.options.board();
    const told = this.tell(uri, address, await board.state(address.set));
    const changed = told.seen !== undefined && told.seen !== told.name;
    told.seen = told.name;
    if (changed) throw changedMeanwhile();
    try {
      const state = await board.desk.edit(address.set, address.file, text, { via: this.options.via, revision: view.revision });
      // Before the board tells everybody: this document needs no notice of its own text.
      const now = this.tell(uri, address, state);
      now.seen = now.name;
      board.note(state);
    } catch (error) {
      throw isFailure<DeskFailureReason>(error, 'stale_revision') ? changedMeanwhile() : vscode.FileSystemError.Unavailable(messageOf(error));
    }
  }

  /** The time of a document moves only with its content: the editor takes a newer time as a change made elsewhere. */
  private tell(uri: vscode.Uri, address: ReviewAddress, state: SetState): Told {
    const file = state.files.find((one) => one.key === address.file);
    const name = file === undefined ? '' : refName(address.side === 'base' ? file.base : shownRef(file));
    const key = uri.toString();
    const before = this.told.get(key);
    const mtime = before === undefined ? Date.parse(state.openedAt) : before.name === name ? before.mtime : Math.max(before.mtime + 1, (this.options.now ?? Date.now)());
    const told: Told = { address, uri, name, mtime, writable: address.side === 'proposed' && state.status === 'pending' && file?.kind !== 'delete' && file?.proposed.kind === 'file' };
    if (before?.seen !== undefined) told.seen = before.seen;
    this.told.set(key, told);
    return told;
  }
}

function changedMeanwhile(): vscode.FileSystemError {
  return vscode.FileSystemError.Unavailable(vscode.l10n.t('The file under review changed meanwhile. Your text is still here: compare, then save again.'));
}

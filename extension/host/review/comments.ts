import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import { addressOf, type ReviewAddress } from './addresses.ts';
import type { ReviewBoard } from './board.ts';
import { sideUri } from './native.ts';

/** Also named in the `when` clauses of the comment menus. */
const controllerId = 'casebook-review';

/** A remark of the desk as the editor shows it; menus on it get this object back. */
export interface ShownComment extends vscode.Comment {
  set: string;
  id: string;
}

/** Remarks on lines, on both sides, through the editor's own comments. They are kept in the set and sent together with the decision. */
export class ReviewComments implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly controller: vscode.CommentController;
  /** By set, and within it by the place that a thread stands at. */
  private readonly threads = new Map<string, Map<string, vscode.CommentThread>>();

  constructor(
    private readonly board: ReviewBoard,
    private readonly person: string,
    private readonly log: Logger,
  ) {
    this.controller = this.owned.add(vscode.comments.createCommentController(controllerId, 'Casebook'));
    this.controller.options = { prompt: vscode.l10n.t('Comment for the agent'), placeHolder: vscode.l10n.t('Sent with your decision') };
    this.controller.commentingRangeProvider = { provideCommentingRanges: (document) => this.ranges(document) };
    this.owned.add(board.onSet((set) => this.draw(set)));
    this.owned.add(vscode.workspace.onDidOpenTextDocument((document) => this.opened(document)));
    for (const document of vscode.workspace.textDocuments) this.opened(document);
  }

  /** Makes a remark out of what was typed into a thread; the thread is drawn again from the set's state. */
  async add({ thread, text }: vscode.CommentReply, via: string): Promise<void> {
    const address = addressOf(thread.uri);
    if (address === undefined || text.trim() === '') return;
    const comment = { file: address.file, side: address.side, text: text.trim(), ...(await this.linesOf(thread)) };
    await this.board.desk.comment(address.set, comment, via);
    // A thread of ours gets the remark with the next state; one that the editor made for the typing gives way to it.
    if (![...(this.threads.get(address.set)?.values() ?? [])].includes(thread)) thread.dispose();
    this.board.note(await this.board.desk.state(address.set));
  }

  async remove({ set, id }: ShownComment, via: string): Promise<void> {
    await this.board.desk.removeComment(set, id, via);
    this.board.note(await this.board.desk.state(set));
  }

  dispose(): void {
    for (const threads of this.threads.values()) for (const thread of threads.values()) thread.dispose();
    this.owned.dispose();
  }

  private ranges(document: vscode.TextDocument): vscode.Range[] | undefined {
    const address = addressOf(document.uri);
    if (address === undefined || this.board.known(address.set)?.status !== 'pending') return undefined;
    return [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)];
  }

  private opened(document: vscode.TextDocument): void {
    const address = addressOf(document.uri);
    if (address === undefined) return;
    this.board.state(address.set).then(
      (state) => this.draw(state),
      (error: unknown) => this.log.debug('comments of a document could not be read', error),
    );
  }

  /** Threads are made for documents that are open; each is what the set's state says, no more. */
  private draw(set: SetState): void {
    const wanted = this.placed(set);
    const shown = this.threads.get(set.id) ?? new Map<string, vscode.CommentThread>();
    this.threads.set(set.id, shown);
    for (const [place, thread] of shown) {
      if (wanted.has(place)) continue;
      thread.dispose();
      shown.delete(place);
    }
    for (const [place, { address, line, endLine, comments }] of wanted) {
      const thread = shown.get(place) ?? this.make(address, line, endLine);
      shown.set(place, thread);
      thread.comments = comments;
      thread.canReply = set.status === 'pending';
    }
  }

  private make(address: ReviewAddress, line: number, endLine: number): vscode.CommentThread {
    const thread = this.controller.createCommentThread(sideUri(address.set, address.file, address.side), new vscode.Range(line - 1, 0, endLine - 1, 0), []);
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    return thread;
  }

  private placed(set: SetState): Map<string, { address: ReviewAddress; line: number; endLine: number; comments: ShownComment[] }> {
    const open = new Set(vscode.workspace.textDocuments.map((document) => addressOf(document.uri)).filter((one) => one?.set === set.id).map((one) => one?.file));
    const places = new Map<string, { address: ReviewAddress; line: number; endLine: number; comments: ShownComment[] }>();
    for (const comment of set.comments) {
      const { file, side = 'proposed', line = 1 } = comment;
      if (file === undefined || !open.has(file)) continue;
      const endLine = comment.endLine ?? line;
      const key = `${file} ${side} ${line}-${endLine}`;
      const place = places.get(key) ?? { address: { set: set.id, file, side }, line, endLine, comments: [] };
      places.set(key, place);
      place.comments.push(this.shown(set, comment));
    }
    return places;
  }

  private shown(set: SetState, comment: SetState['comments'][number]): ShownComment {
    const mine = comment.by.name === this.person && set.status === 'pending';
    return {
      set: set.id,
      id: comment.id,
      // appendText escapes: remarks are shown as they were typed and never become links or commands.
      body: new vscode.MarkdownString().appendText(comment.text),
      mode: vscode.CommentMode.Preview,
      author: { name: comment.by.name },
      timestamp: new Date(comment.at),
      ...(mine ? { contextValue: 'own' } : {}),
    };
  }

  private async linesOf(thread: vscode.CommentThread): Promise<{ line?: number; endLine?: number; excerpt?: string }> {
    if (thread.range === undefined) return {};
    const { start, end } = thread.range;
    const document = await vscode.workspace.openTextDocument(thread.uri);
    const last = Math.min(end.line, document.lineCount - 1);
    return { line: start.line + 1, endLine: end.line + 1, excerpt: document.getText(new vscode.Range(start.line, 0, last, document.lineAt(last).text.length)) };
  }
}

import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { Checkpoints } from '../../core/review/checkpoints.ts';
import type { ReviewDesk } from '../../core/review/port.ts';
import { ReviewBoard } from './board.ts';
import { ReviewFiles } from './files.ts';
import { NativeReviews, type OpenOptions } from './native.ts';
import { ReviewTabs } from './tabs.ts';
import { WatchedList } from './watched.ts';

/** What the native surfaces call themselves in the record. */
export const viaDiffEditor = 'diff editor';
export const viaReviewsView = 'reviews view';

/** The review panel, as far as others need it. */
export interface ReviewPanelDoor {
  show(set: string, options: OpenOptions): Promise<void>;
  /** Whether one can be seen right now. */
  visible(): boolean;
}

/** The native side of the review desk: documents, tabs and, once the core is there, the board. Cheap to make; documents restored by the editor load the core. */
export class Reviews implements Disposable {
  private readonly owned = new DisposableStore();
  private made: { board: ReviewBoard; native: NativeReviews } | undefined;
  readonly tabs = this.owned.add(new ReviewTabs());
  readonly files: ReviewFiles;
  readonly watched: WatchedList;
  private checkpoints: Pick<Checkpoints, 'watched'> | undefined;
  /** Set by the panel's feature; absent, everything opens in the diff editor. */
  panel: ReviewPanelDoor | undefined;
  /** Set by the Reviews view: whether it can be seen right now. */
  listVisible = (): boolean => false;
  private readonly said = new Set<string>();

  constructor(
    private readonly desk: () => Promise<ReviewDesk>,
    private readonly log: Logger,
  ) {
    this.files = this.owned.add(new ReviewFiles({ board: () => this.board(), needsMark, via: viaDiffEditor }));
    this.watched = this.owned.add(new WatchedList(() => this.checkpoints, log));
  }

  async board(): Promise<ReviewBoard> {
    return this.over(await this.desk()).board;
  }

  async native(): Promise<NativeReviews> {
    return this.over(await this.desk()).native;
  }

  /** The board over a desk that is there already. */
  over(desk: ReviewDesk): { board: ReviewBoard; native: NativeReviews } {
    if (this.made === undefined) {
      const board = this.owned.add(new ReviewBoard(desk, this.log));
      this.owned.add(board.onSet((state) => this.files.changed(state)));
      this.made = { board, native: new NativeReviews(board, this.tabs) };
    }
    return this.made;
  }

  /** Lets the list of what is watched be read. */
  watchedBy(checkpoints: Pick<Checkpoints, 'watched'>): void {
    this.checkpoints = checkpoints;
    this.watched.refresh();
  }

  /** Whether somebody can see that something waits: the list, the panel or a diff of a review. */
  visible(): boolean {
    return this.listVisible() || this.onScreen();
  }

  /** Whether a review itself is on the screen, in the panel or the diff editor. */
  onScreen(): boolean {
    return this.tabs.visible() || (this.panel?.visible() ?? false);
  }

  /** True the first time it is asked about a set. */
  sayOnce(set: string): boolean {
    if (this.said.has(set)) return false;
    this.said.add(set);
    return true;
  }

  /** The board, if anything has asked for it yet. */
  get current(): ReviewBoard | undefined {
    return this.made?.board;
  }

  dispose(): void {
    this.owned.dispose();
  }
}

/** The editor reads files as UTF-8 unless a setting says otherwise or asks it to guess. */
function needsMark(uri: vscode.Uri): boolean {
  const files = vscode.workspace.getConfiguration('files', uri);
  return files.get<string>('encoding', 'utf8') !== 'utf8' || files.get<boolean>('autoGuessEncoding', false);
}

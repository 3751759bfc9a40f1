import { setTimeout as delay } from 'node:timers/promises';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import { Emitter, type Subscribe } from '../base/emitter.ts';
import { messageOf } from '../base/failure.ts';
import type { Logger } from '../base/logger.ts';
import type { Editor, EditorSelection, OpenEditor } from './editor.ts';

/** What agents are told of the editor without asking, as far as it is shared. */
export interface AmbientContext {
  /** In the text editor that was in front last, its text cut to `longestSelection`. */
  selection?: EditorSelection;
  /** The one that was in front last comes first. */
  editors: readonly OpenEditor[];
  /** The person trusts this workspace. */
  trusted: boolean;
}

export type AmbientNews =
  | { kind: 'context'; context: AmbientContext }
  /** Absolute and real. */
  | { kind: 'diagnostics'; paths: readonly string[] };

/** UTF-16 units of a selection; what is longer is cut and says so. */
const longestSelection = 16 * 1024;
const cutMark = '\n[… cut by Casebook]';
/** Time between two looks while things move: at most five a second. Milliseconds. */
const usualPace = 200;
/** Files of one diagnostics notification. */
const mostPaths = 100;

/**
 * Follows the editor and tells what changed, coalesced: at once after a rest, then at the pace given while it moves, and once more when it has come to rest. What is
 * the same as before is not told again. The editor is only looked at while somebody listens.
 */
export class Ambient implements Disposable {
  private readonly news: Emitter<AmbientNews>;
  private readonly following: Disposable;
  private listeners = 0;
  private last: { text: string; context: AmbientContext } | undefined;
  private stale = false;
  private readonly paths = new Set<string>();
  private looking: Promise<void> | undefined;
  private readonly stopped = new AbortController();

  constructor(
    /** As it is shared. */
    private readonly editor: Editor,
    private readonly trusted: () => boolean,
    private readonly logger: Logger,
    private readonly pace = usualPace,
  ) {
    this.news = new Emitter((error) => logger.warn('a listener of the editor’s state failed', { message: messageOf(error) }));
    this.following = editor.onDidChange((change) => {
      if (change.kind === 'diagnostics') for (const path of change.paths) this.paths.add(path);
      else this.stale = true;
      this.look();
    });
  }

  readonly onNews: Subscribe<AmbientNews> = (listener) => {
    const listening = this.news.subscribe(listener);
    this.listeners += 1;
    return toDisposable(() => {
      listening.dispose();
      this.listeners -= 1;
    });
  };

  /** What is shared has other rules now: looks again. */
  refresh(): void {
    this.stale = true;
    this.look();
  }

  /** The state right now, for a client that has just come. */
  async current(): Promise<AmbientContext> {
    const [selection, editors] = await Promise.all([this.editor.selection(), this.editor.openEditors()]);
    return { ...(selection === undefined ? {} : { selection: cut(selection) }), editors: editors.toSorted((a, b) => b.shownAt - a.shownAt), trusted: this.trusted() };
  }

  dispose(): void {
    this.stopped.abort();
    this.following.dispose();
    this.news.dispose();
  }

  private look(): void {
    if (this.listeners === 0) return this.forget();
    this.looking ??= this.follow().finally(() => (this.looking = undefined));
  }

  /** Without a listener the next one is told the state as it is then, by `current`. */
  private forget(): void {
    this.last = undefined;
    this.stale = false;
    this.paths.clear();
  }

  private async follow(): Promise<void> {
    while ((this.stale || this.paths.size > 0) && !this.stopped.signal.aborted) {
      try {
        await this.tell();
      } catch (error) {
        this.logger.warn('the editor’s state could not be read', { message: messageOf(error) });
      }
      await delay(this.pace, undefined, { signal: this.stopped.signal }).catch(() => undefined);
    }
  }

  private async tell(): Promise<void> {
    const paths = [...this.paths].slice(0, mostPaths);
    const { stale } = this;
    this.paths.clear();
    // Before the read, so that what changes during it is looked at again.
    this.stale = false;
    if (stale) {
      const context = await this.current();
      const text = JSON.stringify(context);
      if (text !== this.last?.text) {
        this.last = { text, context };
        this.news.fire({ kind: 'context', context });
      }
    }
    if (paths.length > 0) this.news.fire({ kind: 'diagnostics', paths });
  }
}

function cut(selection: EditorSelection): EditorSelection {
  return selection.text.length <= longestSelection ? selection : { ...selection, text: selection.text.slice(0, longestSelection).toWellFormed() + cutMark };
}

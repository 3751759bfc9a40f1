import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import { Emitter } from '../../core/base/emitter.ts';
import { Failure } from '../../core/base/failure.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { DeskFailureReason, FileView, ReviewDesk } from '../../core/review/port.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import { LatestReads } from '../latest-reads.ts';

/** How many settled sets are listed at first, and how many more each time. */
const page = 30;
/** Compared files that are kept; each holds its lines, so not many. */
const mostViews = 24;

/**
 * The change sets as the native surfaces draw them: the latest state of each, in memory, kept current by the desk's notices. What somebody has just done
 * through this window is shown at once, without waiting for the notice of it.
 */
export class ReviewBoard implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changed = new Emitter<SetState>();
  private readonly sets = new Map<string, SetState>();
  private readonly views = new Map<string, Promise<FileView>>();
  private readonly reads = new LatestReads((id) => this.read(id));
  private settledShown = page;
  private listed: Promise<void> | undefined;
  more = false;

  /** Fires with each new state of a set. */
  readonly onSet = this.changed.subscribe;

  constructor(
    readonly desk: ReviewDesk,
    private readonly log: Logger,
  ) {
    this.owned.add(this.changed);
    this.owned.add(desk.onChange((id) => this.reads.refresh(id)));
  }

  /** Reads the lists once; `again` reads them anew. */
  load(again = false): Promise<void> {
    if (again) this.listed = undefined;
    this.listed ??= this.list().catch((error: unknown) => {
      this.listed = undefined;
      throw error;
    });
    return this.listed;
  }

  async loadMore(): Promise<void> {
    this.settledShown += page;
    await this.load(true);
  }

  /** Oldest first. */
  pending(): SetState[] {
    return [...this.sets.values()].filter((set) => set.status === 'pending').sort((a, b) => (a.openedAt < b.openedAt ? -1 : 1));
  }

  /** Newest first. */
  settled(): SetState[] {
    const when = (set: SetState): string => set.settled?.at ?? set.lastEventAt;
    return [...this.sets.values()].filter((set) => set.status === 'settled').sort((a, b) => (when(a) > when(b) ? -1 : 1));
  }

  known(set: string): SetState | undefined {
    return this.sets.get(set);
  }

  async state(set: string): Promise<SetState> {
    return this.sets.get(set) ?? this.note(await this.desk.state(set));
  }

  /** A file of a set, compared. Rejects with Failure `not_found` when the set does not have it. */
  async view(set: string, file: string): Promise<FileView> {
    const state = await this.state(set);
    if (!state.files.some((one) => one.key === file)) throw new Failure<DeskFailureReason>('not_found', `the set has no file ${file}`);
    const key = `${set} ${file}`;
    let view = this.views.get(key);
    if (view === undefined) {
      view = this.desk.file(set, file);
      view.catch(() => this.views.delete(key));
    }
    this.views.delete(key);
    this.views.set(key, view);
    const oldest = this.views.keys().next();
    if (this.views.size > mostViews && oldest.done !== true) this.views.delete(oldest.value);
    return view;
  }

  /** Takes over a state that a call of the desk has returned. */
  note(state: SetState): SetState {
    const before = this.sets.get(state.id);
    if (before !== undefined && before.lastEventAt > state.lastEventAt) return before;
    this.sets.set(state.id, state);
    this.forgetViews(state.id);
    this.changed.fire(state);
    return state;
  }

  dispose(): void {
    this.owned.dispose();
    this.views.clear();
  }

  private async list(): Promise<void> {
    const { pending, settled, more } = await this.desk.list({ settled: this.settledShown });
    this.more = more;
    for (const state of [...pending, ...settled]) this.note(state);
  }

  private async read(id: string): Promise<void> {
    try {
      this.note(await this.desk.state(id));
    } catch (error) {
      this.log.warn(`set ${id} could not be read`, error);
    }
  }

  private forgetViews(set: string): void {
    for (const key of [...this.views.keys()]) if (key.startsWith(`${set} `)) this.views.delete(key);
  }
}

import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import { Emitter } from '../../core/base/emitter.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { Checkpoints } from '../../core/review/checkpoints.ts';
import { Debounced } from '../debounce.ts';

/** What was changed while watching and has not been looked at. */
export interface Unreviewed {
  checkpoint: string;
  label: string;
  files: number;
}

/** A look costs a pass of git over the workspace, so many reasons for one make one. */
const quietMs = 1500;

/** The checkpoints since which somebody else than the person changed files: the last answer, asked for again when there is reason to. */
export class UnreviewedList implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changed = this.owned.add(new Emitter<void>());
  private readonly stopping = new AbortController();
  private readonly look: Debounced;
  private list: Unreviewed[] = [];
  readonly onChange = this.changed.subscribe;

  /** `checkpoints` is undefined while the core is not there: then there is nothing to look at, and looking must not load it. */
  constructor(
    private readonly checkpoints: () => Pick<Checkpoints, 'notUnderReview'> | undefined,
    log: Logger,
  ) {
    this.look = this.owned.add(new Debounced(quietMs, () => this.read(), (error) => log.warn('changes that nobody has looked at could not be listed', error)));
  }

  current(): readonly Unreviewed[] {
    return this.list;
  }

  refresh(): void {
    this.look.call();
  }

  dispose(): void {
    this.stopping.abort();
    this.owned.dispose();
  }

  private async read(): Promise<void> {
    const found = (await this.checkpoints()?.notUnderReview(this.stopping.signal)) ?? [];
    this.list = found.map(({ checkpoint, files }) => ({ checkpoint: checkpoint.id, label: checkpoint.label, files: files.filter((file) => file.by !== 'person').length }));
    this.changed.fire();
  }
}

import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import { Emitter } from '../../core/base/emitter.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { Checkpoints } from '../../core/review/checkpoints.ts';
import { Debounced } from '../debounce.ts';
import { onFileChange } from '../file-changes.ts';

/** A checkpoint that is still open, with what somebody else than the person changed since then and nobody has looked at: `root/path`. */
export interface Watched {
  checkpoint: string;
  label: string;
  files: string[];
}

/** A look costs a pass of git over the workspace, so many reasons for one make one. Milliseconds. */
const quietMs = 1500;
/** Of all time at most one part in this many is spent on looking, however often files change. */
const share = 6;

/**
 * What is being watched, and what changed meanwhile: the last answer, asked for again when there is reason to. Files are watched for only while a checkpoint is open.
 */
export class WatchedList implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changed = this.owned.add(new Emitter<void>());
  private readonly stopping = new AbortController();
  private readonly look: Debounced;
  private lastLookMs = 0;
  private files: vscode.Disposable | undefined;
  private list: Watched[] = [];
  readonly onChange = this.changed.subscribe;

  /** `checkpoints` is undefined while the core is not there: then there is nothing to look at, and looking must not load it. */
  constructor(
    private readonly checkpoints: () => Pick<Checkpoints, 'watched'> | undefined,
    log: Logger,
  ) {
    this.look = this.owned.add(new Debounced(() => Math.max(quietMs, this.lastLookMs * (share - 1)), () => this.read(), (error) => log.warn('changes that nobody has looked at could not be listed', error)));
  }

  /** Oldest first. */
  current(): readonly Watched[] {
    return this.list;
  }

  refresh(): void {
    this.look.call();
  }

  dispose(): void {
    this.stopping.abort();
    this.files?.dispose();
    this.owned.dispose();
  }

  private async read(): Promise<void> {
    const began = performance.now();
    const found = (await this.checkpoints()?.watched(this.stopping.signal)) ?? [];
    this.lastLookMs = performance.now() - began;
    this.list = found.map(({ checkpoint, files }) => ({ checkpoint: checkpoint.id, label: checkpoint.label, files: files.filter((file) => file.by !== 'person').map(({ root, path }) => `${root}/${path}`) }));
    this.follow();
    this.changed.fire();
  }

  private follow(): void {
    if (this.list.length > 0) {
      this.files ??= onFileChange(({ path }) => {
        if (!path.includes('/.git/')) this.refresh();
      });
    } else {
      this.files?.dispose();
      this.files = undefined;
    }
  }
}

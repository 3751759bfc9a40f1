import type { Disposable } from '../core/base/disposable.ts';

/** Runs `work` once things have been quiet for `quietMs`; never twice at the same time, and once more when a call came during it. */
export class Debounced implements Disposable {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private working = false;
  private again = false;
  private gone = false;

  constructor(
    private readonly quietMs: number | (() => number),
    private readonly work: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  call(): void {
    if (this.gone) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), typeof this.quietMs === 'number' ? this.quietMs : this.quietMs());
  }

  dispose(): void {
    this.gone = true;
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    if (this.working) {
      this.again = true;
      return;
    }
    this.working = true;
    try {
      await this.work();
    } catch (error) {
      this.onError(error);
    } finally {
      this.working = false;
    }
    if (this.again) {
      this.again = false;
      this.call();
    }
  }
}

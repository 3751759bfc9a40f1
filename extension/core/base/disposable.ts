/** Something that holds a resource until it is told to let go. `dispose` may be called more than once. */
export interface Disposable {
  dispose(): void;
}

/** Wraps a clean-up function so that it runs once. */
export function toDisposable(cleanUp: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      cleanUp();
    },
  };
}

/** Owns other disposables. One added after disposal is disposed at once, so that a late arrival cannot leak. */
export class DisposableStore implements Disposable {
  private readonly owned = new Set<Disposable>();
  private disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.owned.add(item);
    return item;
  }

  /** Disposes everything, last added first; every item gets its turn even if an earlier one throws, then the first error is thrown. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    const errors: unknown[] = [];
    for (const item of [...this.owned].reverse()) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    this.owned.clear();
    if (errors.length > 0) throw errors[0];
  }
}

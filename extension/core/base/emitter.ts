import { type Disposable, toDisposable } from './disposable.ts';

/** Subscribes a listener; dispose the result to stop. */
export type Subscribe<T> = (listener: (value: T) => void) => Disposable;

/** A minimal typed event source. A throwing listener never keeps the others, or the one who fires, from going on. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();

  constructor(private readonly onListenerError: (error: unknown) => void = () => {}) {}

  readonly subscribe: Subscribe<T> = (listener) => {
    this.listeners.add(listener);
    return toDisposable(() => this.listeners.delete(listener));
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.onListenerError(error);
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}

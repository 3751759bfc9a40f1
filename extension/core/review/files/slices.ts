import { Failure } from '../../base/failure.ts';
import type { ReviewFailureReason } from './failure.ts';

/** Work that stops now and then, so that whoever runs it can let others in. Each step is a few thousand units, well under a millisecond each. */
export type Sliced<T> = Generator<void, T, void>;

/** Runs sliced work in one go. */
export function runNow<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/**
 * Runs sliced work without holding the event loop for longer than `sliceMs` (default 12) at a time. Fails `cancelled` when the signal aborts.
 */
export async function runInSlices<T>(work: Sliced<T>, options: { signal?: AbortSignal; sliceMs?: number } = {}): Promise<T> {
  const sliceMs = options.sliceMs ?? 12;
  for (;;) {
    if (options.signal?.aborted) throw new Failure<ReviewFailureReason>('cancelled', 'the comparison was cancelled');
    const until = performance.now() + sliceMs;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

import { reviewFile } from '../../extension/core/review/files/file-review.ts';

/** What `review.mjs` bundles and measures; all in milliseconds. */
export interface Measured {
  milliseconds: number;
  /** Longest time for which nothing else could run, by the clock and by what this process itself has worked in it (a busy machine adds to the first only). */
  longestBlock: number;
  longestWork: number;
  hunks: number;
}

/** Reviews one proposal of exact bytes, as the desk would. */
export async function measure(base: Uint8Array, proposed: Uint8Array): Promise<Measured> {
  let [longestBlock, longestWork] = [0, 0];
  let running = true;
  const work = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  let last = performance.now();
  let worked = work();
  const note = (): void => {
    const [now, cpu] = [performance.now(), work()];
    longestBlock = Math.max(longestBlock, now - last);
    longestWork = Math.max(longestWork, Math.min(cpu - worked, now - last));
    [last, worked] = [now, cpu];
  };
  const tick = (): void => {
    note();
    if (running) setImmediate(tick);
  };
  setImmediate(tick);
  const start = performance.now();
  const review = await reviewFile({ root: 'w', path: 'a.ts', base: { kind: 'file', bytes: base }, proposed: { kind: 'file', bytes: proposed } });
  const milliseconds = performance.now() - start;
  running = false;
  note();
  return { milliseconds, longestBlock, longestWork, hunks: review.hunks.length };
}

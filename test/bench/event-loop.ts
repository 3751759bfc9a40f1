/** Longest stretches in which nothing else could run, in milliseconds. */
export interface Held {
  /** By the clock; a busy machine adds to it. */
  longestBlock: number;
  /** By what this process itself has worked in it. */
  longestWork: number;
}

/** Watches the event loop during some work, from its turn on to the turn after its end. */
export async function whileWatched<T>(task: () => Promise<T>): Promise<{ result: T; milliseconds: number } & Held> {
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
  const result = await task();
  const milliseconds = performance.now() - start;
  running = false;
  note();
  return { result, milliseconds, longestBlock, longestWork };
}

/**
 * Reads things by key, a few at a time and one key never twice at once: a change that comes during a read makes one more read after it, so that
 * results come in order and the last one always. `read` must not reject.
 */
export class LatestReads {
  private readonly reading = new Map<string, { again: boolean }>();
  private readonly queue: (() => Promise<void>)[] = [];
  private active = 0;

  constructor(
    private readonly read: (key: string) => Promise<void>,
    private readonly atOnce = 4,
  ) {}

  refresh(key: string): void {
    const running = this.reading.get(key);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const job = { again: true };
    this.reading.set(key, job);
    this.queue.push(() => this.readUntilQuiet(key, job));
    this.next();
  }

  private next(): void {
    if (this.active >= this.atOnce) return;
    const job = this.queue.shift();
    if (job === undefined) return;
    this.active += 1;
    void job().then(() => {
      this.active -= 1;
      this.next();
    });
  }

  private async readUntilQuiet(key: string, job: { again: boolean }): Promise<void> {
    while (job.again) {
      job.again = false;
      await this.read(key);
    }
    this.reading.delete(key);
  }
}

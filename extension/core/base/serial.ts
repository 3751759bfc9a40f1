/** Runs asynchronous tasks one after the other, in the order they were given; a task that fails does not stop the next. */
export class Serial {
  private tail: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.tail.then(task, task);
    this.tail = result.catch(() => {});
    return result;
  }

  /** Settles when everything given so far is done. */
  async idle(): Promise<void> {
    await this.tail;
  }
}

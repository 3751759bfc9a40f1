import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../base/failure.ts';
import { NodeProcesses } from '../../base/node-processes.ts';
import { Git } from '../../repo/git.ts';
import { HeldIndexes } from '../../repo/index/held.ts';
import type { WorkerAnswer, WorkerOrder, WorkerSetup } from './messages.ts';
import { scout } from './scout.ts';

/** Entry of `dist/scout-worker.js`: searches one after the other, and keeps what it knows of the repositories in between. */
class ScoutWorker {
  private readonly indexes = new HeldIndexes();
  private gitProgram: string | undefined;
  private readonly git: Git;
  private stop = new AbortController();
  /** Watching what the last search opened, while nobody waits. */
  private settling: Promise<unknown> = Promise.resolve();
  private settled = new AbortController();

  constructor(
    private readonly port: MessagePort,
    { env }: WorkerSetup,
  ) {
    this.git = new Git({ processes: new NodeProcesses(), env, path: () => this.gitProgram });
  }

  listen(): void {
    this.port.on('message', (order: WorkerOrder) => {
      if (order.kind === 'stop') this.stop.abort(new DOMException('stopped', 'AbortError'));
      else void this.search(order);
    });
  }

  private async search(order: WorkerOrder & { kind: 'search' }): Promise<void> {
    this.stop = new AbortController();
    this.gitProgram = order.gitProgram;
    this.settled.abort();
    await this.settling;
    const answer = await this.answer(order);
    this.port.postMessage(answer, []);
    this.settled = new AbortController();
    this.settling = this.indexes.settle(this.settled.signal).catch(() => undefined);
  }

  private async answer({ input }: WorkerOrder & { kind: 'search' }): Promise<WorkerAnswer> {
    try {
      return { kind: 'result', result: await scout(input, { git: this.git, indexes: this.indexes, now: () => Date.now() }, this.stop.signal) };
    } catch (error) {
      return { kind: 'failed', message: messageOf(error) };
    }
  }
}

if (parentPort !== null) new ScoutWorker(parentPort, workerData as WorkerSetup).listen();

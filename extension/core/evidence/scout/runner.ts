import { Worker } from 'node:worker_threads';
import type { Disposable } from '../../base/disposable.ts';
import { Failure, messageOf } from '../../base/failure.ts';
import type { Logger } from '../../base/logger.ts';
import type { ScoutResult } from '../../model/code.ts';
import type { Git } from '../../repo/git.ts';
import type { WorkerAnswer, WorkerOrder, WorkerSetup } from './messages.ts';
import { type ScoutInput, type ScoutTicket, scout } from './scout.ts';

export type ScoutFailureReason = 'cancelled' | 'scout_failed';

export interface ScoutRunnerOptions {
  /** Path of `dist/scout-worker.js`. Absent: the search runs on this thread, as is fine in a terminal. */
  worker?: string | undefined;
  cacheFolder?: string | undefined;
  /** Folder of the tree-sitter grammars. */
  grammars?: string | undefined;
  /** For searches on this thread. A worker makes its own. */
  git?: Git | undefined;
  /** Path of the git program for the worker; absent: from PATH. */
  gitProgram?: () => string | undefined;
  env?: Readonly<Record<string, string | undefined>>;
  logger: Logger;
}

export interface ScoutRequest {
  ticket: ScoutTicket;
  roots: readonly { name: string; path: string }[];
  /** Default `auto`. */
  git?: 'auto' | 'off';
  limit?: number;
}

/** How long a worker that was told to stop may take before it is ended. */
const STOP_GRACE_MS = 300;

/** How long a worker without work keeps what it knows of the repository, and its memory. */
const IDLE_MS = 10 * 60_000;

/**
 * Runs the scout without holding up its caller's thread. One worker stays between searches, so that the next one on an unchanged repository need not look
 * at it again; a search that comes while it is busy gets a worker of its own.
 */
export class ScoutRunner implements Disposable {
  private readonly running = new Set<AbortController>();
  private disposed = false;
  /** The worker that stays, while it has no work. */
  private idle: { worker: Worker; leave: NodeJS.Timeout } | undefined;

  constructor(private readonly options: ScoutRunnerOptions) {}

  /** Rejects with Failure `cancelled` when aborted or disposed, `scout_failed` when the search broke. */
  async run(request: ScoutRequest, signal: AbortSignal): Promise<ScoutResult> {
    const own = new AbortController();
    const either = AbortSignal.any([signal, own.signal]);
    this.running.add(own);
    try {
      if (this.disposed) own.abort();
      either.throwIfAborted();
      const input = this.inputFor(request);
      const result = await (this.options.worker === undefined ? scout(input, { ...(this.options.git ? { git: this.options.git } : {}), now: () => Date.now() }, either) : this.inWorker(this.options.worker, input, either));
      // An answer may be under way while the word to stop is; who cancelled gets none.
      either.throwIfAborted();
      this.options.logger.debug('search ended', result.stats);
      return result;
    } catch (error) {
      if (either.aborted) throw new Failure<ScoutFailureReason>('cancelled', 'The search was cancelled', { cause: error });
      if (error instanceof Failure) throw error;
      throw new Failure<ScoutFailureReason>('scout_failed', messageOf(error), { cause: error });
    } finally {
      this.running.delete(own);
    }
  }

  dispose(): void {
    this.disposed = true;
    for (const running of this.running) running.abort();
    this.end(this.takeIdle());
  }

  private inputFor(request: ScoutRequest): ScoutInput {
    const { cacheFolder, grammars } = this.options;
    return {
      ticket: { id: request.ticket.id, title: request.ticket.title, body: request.ticket.body },
      roots: request.roots.map(({ name, path }) => ({ name, path })),
      git: request.git ?? 'auto',
      ...(cacheFolder === undefined ? {} : { cacheFolder }),
      ...(grammars === undefined ? {} : { grammars }),
      ...(request.limit === undefined ? {} : { limit: request.limit }),
    };
  }

  private async inWorker(file: string, input: ScoutInput, signal: AbortSignal): Promise<ScoutResult> {
    const gitProgram = this.options.gitProgram?.();
    const worker = this.takeIdle() ?? startWorker(file, this.options.env ?? process.env);
    let ending: NodeJS.Timeout | undefined;
    const stop = (): void => {
      tell(worker, { kind: 'stop' });
      // The search is synchronous for long stretches and may not hear the word.
      ending = setTimeout(() => void worker.terminate(), STOP_GRACE_MS);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      const answering = answerOf(worker);
      tell(worker, { kind: 'search', input, ...(gitProgram === undefined ? {} : { gitProgram }) });
      const answer = await answering;
      if (answer.kind === 'failed') throw new Failure<ScoutFailureReason>('scout_failed', answer.message);
      if (!signal.aborted) this.keep(worker);
      return answer.result;
    } finally {
      signal.removeEventListener('abort', stop);
      clearTimeout(ending);
      if (this.idle?.worker !== worker) this.end(worker);
    }
  }

  private keep(worker: Worker): void {
    if (this.disposed || this.idle !== undefined) return;
    const leave = setTimeout(() => this.end(this.takeIdle()), IDLE_MS);
    this.idle = { worker, leave };
    // Neither may keep a process alive that has nothing else to do.
    leave.unref();
    worker.unref();
    worker.once('exit', () => {
      if (this.idle?.worker === worker) this.takeIdle();
    });
  }

  private takeIdle(): Worker | undefined {
    const idle = this.idle;
    this.idle = undefined;
    clearTimeout(idle?.leave);
    idle?.worker.ref();
    return idle?.worker;
  }

  private end(worker: Worker | undefined): void {
    void worker?.terminate();
  }
}

function startWorker(file: string, env: Readonly<Record<string, string | undefined>>): Worker {
  const setup: WorkerSetup = { env: { ...env } };
  const worker = new Worker(file, { workerData: setup, name: 'casebook-scout' });
  // Whoever waits for an answer hears of an error; one that comes while nobody waits must not end this process.
  worker.on('error', () => undefined);
  return worker;
}

function tell(worker: Worker, order: WorkerOrder): void {
  worker.postMessage(order, []);
}

/** The next answer of a worker, or what ended it without one. */
function answerOf(worker: Worker): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void): void => {
      worker.off('message', answered).off('error', failed).off('exit', ended);
      settle();
    };
    const answered = (answer: WorkerAnswer): void => done(() => resolve(answer));
    const failed = (error: Error): void => done(() => reject(error));
    const ended = (code: number): void => done(() => reject(new Failure<ScoutFailureReason>('scout_failed', `the search's worker ended with ${code} before it answered`)));
    worker.on('message', answered).on('error', failed).on('exit', ended);
  });
}

import { Worker } from 'node:worker_threads';
import type { Disposable } from '../../base/disposable.ts';
import { Failure, messageOf } from '../../base/failure.ts';
import type { Logger } from '../../base/logger.ts';
import type { ScoutResult } from '../../model/code.ts';
import type { Git } from '../../repo/git.ts';
import { type WorkerAnswer, type WorkerTask, stopWord } from './messages.ts';
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

/** Runs the scout without holding up its caller's thread: each search in a worker of its own, which ends with it. */
export class ScoutRunner implements Disposable {
  private readonly running = new Set<AbortController>();
  private disposed = false;

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
    const task: WorkerTask = { input, env: { ...(this.options.env ?? process.env) }, ...(gitProgram === undefined ? {} : { gitProgram }) };
    const worker = new Worker(file, { workerData: task, name: 'casebook-scout' });
    let ending: NodeJS.Timeout | undefined;
    const stop = (): void => {
      worker.postMessage(stopWord, []);
      // The search is synchronous for long stretches and may not hear the word.
      ending = setTimeout(() => void worker.terminate(), STOP_GRACE_MS);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      const answer = await answerOf(worker);
      if (answer.kind === 'failed') throw new Failure<ScoutFailureReason>('scout_failed', answer.message);
      return answer.result;
    } finally {
      signal.removeEventListener('abort', stop);
      clearTimeout(ending);
      await worker.terminate();
    }
  }
}

/** The one answer of a worker, or what ended it without one. */
function answerOf(worker: Worker): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    worker.once('message', (answer: WorkerAnswer) => resolve(answer));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Failure<ScoutFailureReason>('scout_failed', `the search's worker ended with ${code} before it answered`)));
  });
}

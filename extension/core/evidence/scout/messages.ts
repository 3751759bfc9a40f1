import type { ScoutResult } from '../../model/code.ts';
import type { ScoutInput } from './scout.ts';

/** What the worker is started with. */
export interface WorkerSetup {
  env: Record<string, string | undefined>;
}

/** What a worker is told; it does one search at a time. */
export type WorkerOrder =
  | {
      kind: 'search';
      input: ScoutInput;
      /** Path of the git program; absent: from PATH. */
      gitProgram?: string;
    }
  /** Give up the search in good order. */
  | { kind: 'stop' };

/** One answer for each search. */
export type WorkerAnswer = { kind: 'result'; result: ScoutResult } | { kind: 'failed'; message: string };

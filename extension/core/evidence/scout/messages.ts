import type { ScoutResult } from '../../model/code.ts';
import type { ScoutInput } from './scout.ts';

/** What the worker is started with. */
export interface WorkerTask {
  input: ScoutInput;
  /** Path of the git program; absent: from PATH. */
  gitProgram?: string;
  env: Record<string, string | undefined>;
}

export type WorkerAnswer = { kind: 'result'; result: ScoutResult } | { kind: 'failed'; message: string };

/** Asks a worker to stop in good order. */
export const stopWord = 'stop';

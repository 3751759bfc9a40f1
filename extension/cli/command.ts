import { isFailure, messageOf } from '../core/base/failure.ts';
import type { Logger } from '../core/base/logger.ts';
import type { Terminal } from './terminal.ts';

/** Exit codes of every `casebook` command; documented in docs/cli.md. */
export const exitCode = { ok: 0, problems: 1, usage: 2, failed: 3, interrupted: 130 } as const;

/** What a terminal command may touch. */
export interface CliContext {
  write(text: string): void;
  writeError(text: string): void;
  readStdin(): Promise<string>;
  /** Somebody at a terminal, who can be asked. */
  terminal?: Terminal;
  cwd: string;
  env: Record<string, string | undefined>;
  signal: AbortSignal;
  logger: Logger;
}

/** One sub-command, one file under `cli/`. `args` are what follows its name. */
export interface CliCommand {
  name: string;
  summary: string;
  usage: string;
  run(args: string[], context: CliContext): Promise<number>;
}

/** A mistake in how a command was called, in words for the user. */
export class UsageError extends Error {}

/**
 * What an error of a command with several verbs means at the terminal: wrong usage, and failures (`problems`, by reason) that tell something about the user's own things,
 * become words and an exit code. Anything else, and whatever comes after an interruption, is thrown on.
 */
export function explained(error: unknown, usage: string, problems: readonly string[], context: CliContext): number {
  if (error instanceof UsageError) {
    context.writeError(`${error.message}\n\n${usage}\n`);
    return exitCode.usage;
  }
  if (context.signal.aborted || !isFailure(error, ...problems)) throw error;
  context.writeError(`${messageOf(error)}\n`);
  return exitCode.problems;
}

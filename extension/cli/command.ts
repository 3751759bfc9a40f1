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

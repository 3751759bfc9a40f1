/** Child processes as a port: always without a shell, always in a group of their own so that a stop reaches grandchildren. */
export interface Processes {
  /** Starts a program. Rejects with Failure `not_found` when there is no such program, `io` otherwise. */
  spawn(command: string, args: readonly string[], options: SpawnOptions): Promise<Child>;
}

export interface SpawnOptions {
  cwd: string;
  /** The whole environment of the child; nothing is inherited. See `childEnvironment`. */
  env: Record<string, string>;
  /** Aborting ends the whole process group: SIGTERM, then SIGKILL after `graceMs` (default 2000). */
  signal: AbortSignal;
  graceMs?: number;
  /** Written to standard input, which is then closed; absent: standard input is closed at once unless `keepStdin`. */
  stdin?: string | Uint8Array;
  keepStdin?: boolean;
}

export interface Child {
  readonly pid: number;
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  write(data: string | Uint8Array): Promise<void>;
  endInput(): void;
  /** Settles once when the process and its pipes are gone; never rejects. */
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
}

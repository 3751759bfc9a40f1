import spawn from 'cross-spawn';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Failure } from './failure.ts';
import type { Child, Processes, SpawnOptions } from './process.ts';

export type ProcessFailureReason = 'not_found' | 'no_folder' | 'cancelled' | 'io';

/** Unread output is held up to this; then the child waits until somebody reads. */
const bufferBytes = 1024 * 1024;

/**
 * Real child processes. On POSIX each leads its own process group: an abort, and also the leader's own exit, end whatever is left of the group.
 * Both output streams have to be read (or be small): a full pipe stops the child as it would in a shell.
 */
export class NodeProcesses implements Processes {
  async spawn(command: string, args: readonly string[], options: SpawnOptions): Promise<Child> {
    if (options.signal.aborted) throw new Failure<ProcessFailureReason>('cancelled', `${command} was not started: cancelled`);
    const process = spawn(command, [...args], {
      cwd: options.cwd,
      env: options.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: globalThis.process.platform !== 'win32',
      windowsHide: true,
      shell: false,
    });
    const child = new NodeChild(process, options);
    try {
      await once(process, 'spawn');
    } catch (error) {
      throw await spawnFailure(command, options.cwd, error);
    }
    child.started();
    return child;
  }
}

async function spawnFailure(command: string, cwd: string, error: unknown): Promise<Failure<ProcessFailureReason>> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // Node reports ENOENT for a missing working folder too.
  const folder = await stat(cwd).catch(() => undefined);
  if (!folder?.isDirectory()) return new Failure('no_folder', `there is no folder ${cwd}`, { cause: error });
  if (code === 'ENOENT') return new Failure('not_found', `there is no program ${command}`, { cause: error });
  return new Failure('io', `${command} could not be started: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}

class NodeChild implements Child {
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  private closed = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly stop = (): void => this.endGroup();

  constructor(
    private readonly process: ChildProcess,
    private readonly options: SpawnOptions,
  ) {
    this.stdout = readAhead(process.stdout);
    this.stderr = readAhead(process.stderr);
    this.exited = new Promise((resolve) => {
      process.once('exit', () => this.endGroup());
      process.once('close', (code, signal) => {
        this.closed = true;
        if (!this.signalGroup(0)) clearTimeout(this.timer);
        this.options.signal.removeEventListener('abort', this.stop);
        resolve({ code, signal });
      });
    });
    // A child that does not read its input closes the pipe; that shows in its exit, not here.
    process.stdin?.on('error', () => {});
    process.on('error', () => {});
  }

  get pid(): number {
    return this.process.pid ?? -1;
  }

  started(): void {
    this.options.signal.addEventListener('abort', this.stop, { once: true });
    if (this.options.signal.aborted) this.stop();
    if (this.options.stdin !== undefined) this.process.stdin?.write(this.options.stdin);
    if (!this.options.keepStdin) this.process.stdin?.end();
  }

  async write(data: string | Uint8Array): Promise<void> {
    const stdin = this.process.stdin;
    if (!stdin || stdin.destroyed || stdin.writableEnded) throw new Failure<ProcessFailureReason>('io', 'the child no longer reads its input');
    await new Promise<void>((resolve, reject) => {
      stdin.write(data, (error) => (error ? reject(new Failure<ProcessFailureReason>('io', 'the child no longer reads its input', { cause: error })) : resolve()));
    });
  }

  endInput(): void {
    this.process.stdin?.end();
  }

  /** SIGTERM to the whole group, SIGKILL when the grace is over; pipes held by a process that left the group are then closed from our side. */
  private endGroup(): void {
    if (this.closed || this.timer !== undefined) return;
    this.signalGroup('SIGTERM');
    this.timer = setTimeout(() => {
      this.signalGroup('SIGKILL');
      this.process.stdout?.destroy();
      this.process.stderr?.destroy();
    }, this.options.graceMs ?? 2000);
  }

  /** Whether there was anything to signal. */
  private signalGroup(signal: NodeJS.Signals | 0): boolean {
    if (globalThis.process.platform === 'win32') {
      if (signal === 0 || this.process.exitCode !== null) return false;
      // There are no groups on Windows; taskkill walks the tree of children.
      spawn('taskkill', ['/pid', String(this.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => this.process.kill());
      return true;
    }
    try {
      return globalThis.process.kill(-this.pid, signal);
    } catch {
      return false;
    }
  }
}

/**
 * Reads a pipe from the start, so that output is kept although nobody iterates yet (Node throws unread output away when the child exits),
 * and ends quietly when the pipe is cut.
 */
function readAhead(stream: Readable | null): AsyncIterable<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let size = 0;
  let ended = stream === null;
  let wake: () => void = () => {};
  stream?.on('data', (chunk: Uint8Array) => {
    waiting.push(chunk);
    size += chunk.length;
    if (size > bufferBytes) stream.pause();
    wake();
  });
  stream?.on('error', () => {});
  stream?.once('close', () => {
    ended = true;
    wake();
  });
  return {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const chunk = waiting.shift();
        if (chunk !== undefined) {
          size -= chunk.length;
          if (size <= bufferBytes && stream?.isPaused()) stream.resume();
          yield chunk;
        } else if (ended) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
  };
}

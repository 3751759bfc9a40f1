import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Between two looks at a screen. Milliseconds. */
const lookEvery = 100;

export interface TerminalOptions {
  cwd: string;
  env: Record<string, string | undefined>;
}

/**
 * A program in a terminal of its own, as a person would run it. It is tmux that keeps the screen: these programs draw only what differs from the frame before, so what
 * they write tells nothing by itself.
 */
export class Terminal {
  /** The screen as it was looked at last; also after the end. */
  lastScreen = '';

  private constructor(
    /** For the terminal's socket. */
    private readonly folder: string,
    private readonly options: TerminalOptions,
  ) {}

  /** `command` is a line for a shell, in an environment of nothing but `env`. */
  static async start(command: string, options: TerminalOptions): Promise<Terminal> {
    const terminal = new Terminal(await mkdtemp(join(tmpdir(), 'casebook-terminal-')), options);
    await terminal.tmux('-f', '/dev/null', 'new-session', '-d', '-x', '160', '-y', '50', '-s', 'agent', `exec ${command}`);
    // What a program said before it ended stays to be read.
    await terminal.tmux('set-option', '-g', 'remain-on-exit', 'on');
    return terminal;
  }

  async screen(): Promise<string> {
    this.lastScreen = await this.tmux('capture-pane', '-p', '-t', 'agent');
    return this.lastScreen;
  }

  /** Waits until the screen shows it; gives the screen. Rejects when the terminal is ended. */
  async shows(what: RegExp | string): Promise<string> {
    for (;;) {
      const screen = await this.screen();
      if (typeof what === 'string' ? screen.includes(what) : what.test(screen)) return screen;
      await new Promise((resolve) => setTimeout(resolve, lookEvery));
    }
  }

  async type(text: string): Promise<void> {
    await this.tmux('send-keys', '-t', 'agent', '-l', text);
  }

  /** A key by its name in tmux: Enter, Escape, Down, … */
  async press(key: string): Promise<void> {
    await this.tmux('send-keys', '-t', 'agent', key);
  }

  /** Types a line and, once it is all there, sends it. */
  async say(line: string): Promise<void> {
    await this.type(line);
    await this.shows(line);
    await this.press('Enter');
  }

  /** Presses a key while the screen shows the question: a program may show one before it listens. */
  async answer(question: RegExp, key: string): Promise<void> {
    await this.shows(question);
    while (question.test(await this.screen())) {
      await this.press(key);
      for (let look = 0; look < 20 && question.test(await this.screen()); look += 1) await new Promise((resolve) => setTimeout(resolve, lookEvery));
    }
  }

  /** Of the program that was started. */
  async pid(): Promise<number> {
    return Number((await this.tmux('display-message', '-p', '-t', 'agent', '#{pane_pid}')).trim());
  }

  /** Kills the program and all that it started, as a crash would. */
  async kill(): Promise<void> {
    const pid = await this.pid();
    for (const one of [pid, ...(await descendants(pid))]) {
      try {
        process.kill(one, 'SIGKILL');
      } catch {
        // It went with its parent.
      }
    }
  }

  /** Ends the program and its terminal; may be called twice. */
  async end(): Promise<void> {
    await this.screen().catch(() => undefined);
    await this.kill().catch(() => undefined);
    await this.tmux('kill-server').catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }

  private async tmux(...args: string[]): Promise<string> {
    return (await run('tmux', ['-S', join(this.folder, 'socket'), ...args], this.options)).stdout;
  }
}

async function descendants(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-e', '-o', 'pid=,ppid=']);
  const all = stdout.trim().split('\n').map((line) => line.trim().split(/\s+/u).map(Number));
  const below = (parent: number): number[] => all.filter(([, ppid]) => ppid === parent).flatMap(([child = 0]) => [child, ...below(child)]);
  return below(pid);
}

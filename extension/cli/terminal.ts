import { spawn } from 'node:child_process';

/** A terminal with somebody at it. Questions go to standard error, so that standard output may be a pipe. */
export interface Terminal {
  write(text: string): void;
  /** Standard output is this terminal as well. */
  showsOutput: boolean;
  /** The next key, as the text it sends; undefined once input has ended or the signal aborts. */
  key(signal: AbortSignal): Promise<string | undefined>;
  /** Hands the terminal over to a program and gives its exit code; undefined when there is no such program. */
  run(command: string, args: readonly string[]): Promise<number | undefined>;
}

/** The terminal of this process, if there is one to ask on and to answer at. */
export function processTerminal(): Terminal | undefined {
  const { stdin, stdout, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  return {
    write: (text) => void stderr.write(text),
    showsOutput: stdout.isTTY,
    key: (signal) =>
      new Promise((resolve) => {
        const end = (key: string | undefined): void => {
          stdin.off('data', onData);
          stdin.off('end', onEnd);
          signal.removeEventListener('abort', onEnd);
          stdin.setRawMode(false);
          stdin.pause();
          resolve(key);
        };
        // In raw mode Ctrl+C and Ctrl+D are letters.
        const onData = (data: Buffer): void => end(data[0] === 3 || data[0] === 4 ? undefined : data.toString('utf8'));
        const onEnd = (): void => end(undefined);
        if (signal.aborted) return resolve(undefined);
        stdin.setRawMode(true);
        stdin.on('data', onData);
        stdin.on('end', onEnd);
        signal.addEventListener('abort', onEnd, { once: true });
        stdin.resume();
      }),
    run: (command, args) =>
      new Promise((resolve) => {
        const child = spawn(command, [...args], { stdio: ['inherit', 'inherit', 'inherit'] });
        child.on('error', () => resolve(undefined));
        child.on('exit', (code) => resolve(code ?? 1));
      }),
  };
}

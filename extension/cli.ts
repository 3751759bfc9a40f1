import { cliCommands } from './cli/index.ts';
import { exitCode, type CliContext } from './cli/command.ts';
import { forTerminal } from './cli/terminal-text.ts';
import { terminalLogger } from './cli/terminal-logger.ts';
import { processTerminal } from './cli/terminal.ts';
import { isFailure, messageOf } from './core/base/failure.ts';

/** How long an interrupted command may take to end what runs. Milliseconds. */
const endingTime = 10_000;

/** The same core from a terminal. Exit codes: see `cli/command.ts` and docs/cli.md. */
async function main(): Promise<number> {
  const [name = 'help', ...args] = process.argv.slice(2);
  const interrupted = new AbortController();
  // The first Ctrl+C ends what runs in good order; the second one ends the process as it always does.
  process.once('SIGINT', () => interrupted.abort(new DOMException('interrupted', 'AbortError')));
  process.once('SIGTERM', () => interrupted.abort(new DOMException('terminated', 'AbortError')));
  // Good order has its time: what hangs in the system (a dead network drive) must not keep a terminal.
  interrupted.signal.addEventListener('abort', () => setTimeout(() => process.exit(exitCode.interrupted), endingTime).unref());
  const terminal = processTerminal();
  const context: CliContext = {
    write: (text) => void process.stdout.write(text),
    // What goes here is for people only, and messages quote paths, tickets and servers.
    writeError: (text) => void process.stderr.write(forTerminal(text)),
    readStdin,
    ...(terminal === undefined ? {} : { terminal }),
    cwd: process.cwd(),
    env: process.env,
    signal: interrupted.signal,
    logger: terminalLogger(process.env['CASEBOOK_LOG']),
  };
  if (name === 'help' || name === '--help' || name === '-h') return help(args[0], context);
  // Wherever it stands among the options; a command never gets to see it.
  const ending = args.indexOf('--');
  if (args.slice(0, ending === -1 ? undefined : ending).some((arg) => arg === '--help' || arg === '-h') && Object.hasOwn(cliCommands, name)) return help(name, context);
  if (name === '--version') {
    context.write(`${process.env['CASEBOOK_VERSION'] ?? ''}\n`);
    return exitCode.ok;
  }
  const load = Object.hasOwn(cliCommands, name) ? cliCommands[name]?.load : undefined;
  if (load === undefined) {
    context.writeError(`There is no command "${name}". "casebook help" lists them.\n`);
    return exitCode.usage;
  }
  try {
    return await (await load()).run(args, context);
  } catch (error) {
    if (interrupted.signal.aborted) return exitCode.interrupted;
    if (isParseError(error)) {
      context.writeError(`${messageOf(error)}\n"casebook help ${name}" shows the usage.\n`);
      return exitCode.usage;
    }
    context.writeError(`${messageOf(error)}\n${isFailure(error) ? '' : `${error instanceof Error ? (error.stack ?? '') : ''}\n`}`);
    return exitCode.failed;
  }
}

async function help(name: string | undefined, context: CliContext): Promise<number> {
  const entry = name !== undefined && Object.hasOwn(cliCommands, name) ? cliCommands[name] : undefined;
  if (entry !== undefined) {
    const command = await entry.load();
    context.write(`${command.summary}\n\n${command.usage}\n`);
    return exitCode.ok;
  }
  const lines = Object.entries(cliCommands).flatMap(([key, { summary }]) => (summary === undefined ? [] : [`  ${key.padEnd(12)} ${summary}`]));
  context.write(`casebook <command> [options]\n\n${lines.join('\n')}\n\n"casebook help <command>" shows its options. Exit codes: 0 done, 1 problems found, 2 wrong usage, 3 failed, 130 interrupted.\n`);
  return name === undefined ? exitCode.ok : exitCode.usage;
}

async function readStdin(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** What node:util's parseArgs throws for an unknown or malformed option. */
function isParseError(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

// A reader that closes early (`| head`) has seen enough; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitCode.ok);
});
process.exitCode = await main();

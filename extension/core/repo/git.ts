import { Failure, isFailure } from '../base/failure.ts';
import { type Finished, type Processes, childEnvironment, runToEnd } from '../base/process.ts';

export type GitFailureReason =
  | 'git_missing'
  /** The folder is in no repository. */
  | 'not_a_repository'
  /** The repository belongs to another user and git's `safe.directory` does not list it. Never worked around. */
  | 'unsafe_ownership'
  | 'no_such_object'
  /** More output than the caller allowed. */
  | 'too_large'
  | 'timed_out'
  | 'cancelled'
  | 'no_folder'
  | 'failed';

export interface GitOptions {
  processes: Processes;
  /** The environment to choose from; see `childEnvironment`. */
  env: Readonly<Record<string, string | undefined>>;
  /** Path of the program, e.g. from VS Code's git extension; else `git` from PATH. */
  path?: () => string | undefined;
  /** For each call; default 60 s. */
  timeoutMs?: number;
}

export interface GitRun {
  signal: AbortSignal;
  stdin?: string | Uint8Array;
  /** Default 64 MiB. */
  maxBytes?: number;
  /** Give what fits instead of failing with `too_large`. */
  cut?: boolean;
  /** On top of the safe environment: index file, object folder. */
  env?: Readonly<Record<string, string>>;
  /** Exit codes that are results; default only 0. */
  codes?: readonly number[];
}

export interface GitOutput {
  code: number;
  stdout: Uint8Array;
  truncated: boolean;
}

/**
 * Settings that a repository may carry and by which git would start programs, each turned off on the command line, where it wins over every file:
 * hooks, the file system monitor, signature checks, pagers, editors, credential helpers, ssh, and any transport at all.
 */
const safeSettings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  // Else writing a temporary index puts a shared index file into the user's repository.
  'core.splitIndex=false',
  'core.quotepath=off',
  'core.pager=cat',
  'core.editor=true',
  'core.sshCommand=false',
  'core.askPass=',
  'core.alternateRefsCommand=true',
  'credential.helper=',
  'log.showSignature=false',
  'gpg.program=false',
  'gpg.ssh.program=false',
  'gpg.x509.program=false',
  'protocol.allow=never',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
];

/** Commands that neither look at files of the working tree nor convert content (but for `--filters`), so no filter driver can come into play. */
const objectCommands = new Set(['cat-file', 'log', 'show', 'rev-parse', 'rev-list', 'ls-tree', 'diff-tree', 'merge-base', 'for-each-ref', 'symbolic-ref', 'config', 'version', 'write-tree', 'check-attr', 'name-rev', 'describe']);

/** Commands that understand, and by default would use, external diff programs and text conversions. */
const diffCommands = new Set(['log', 'show', 'diff', 'diff-tree', 'diff-index', 'diff-files']);

/** Commands Casebook may run. Anything that moves refs, touches the working tree or the network is not here, so that no caller can do so by a slip. */
const allowedCommands = new Set([...objectCommands, ...diffCommands, 'status', 'ls-files', 'blame', 'hash-object', 'update-index', 'check-ignore']);

/** Whether a name came out of bytes that are no UTF-8, so that it leads to no file. Such a name may exist with U+FFFD in it; then it `exists`. */
export function isUnreadableName(path: string, exists: boolean): boolean {
  return !exists && path.includes('\uFFFD');
}

/** Why a file with such a name is left out, in words. */
export const unreadableName = 'its name is not UTF-8';

/**
 * Git as Casebook calls it: reading only, nothing that the repository brings is executed (hooks, fsmonitor, filters, external diff, textconv, ssh, helpers),
 * no network, no prompt, no lock taken, no object fetched on demand. Writing happens only to an index and object folder named through `env`.
 */
export class Git {
  constructor(private readonly options: GitOptions) {}

  /** Runs one of the allowed commands in `cwd`. Fails with a `GitFailureReason`; git's own words are the message. */
  async run(cwd: string, args: readonly string[], run: GitRun): Promise<GitOutput> {
    const command = args[0] ?? '';
    if (!allowedCommands.has(command)) throw new Failure<GitFailureReason>('failed', `git ${command} is not among the commands Casebook runs`);
    const rest = args.slice(1);
    const guarded = [command, ...(diffCommands.has(command) ? ['--no-ext-diff', '--no-textconv'] : command === 'blame' ? ['--no-textconv'] : []), ...rest];
    const converts = !objectCommands.has(command) || args.includes('--filters');
    const filters = converts ? await this.filterSettings(cwd, run.signal) : [];
    const done = await this.spawn(cwd, guarded, { ...run, env: { ...settingsAsEnvironment(filters), ...run.env } });
    if (done.truncated && !run.cut) throw new Failure<GitFailureReason>('too_large', `git ${command} gave more than was asked for`);
    if (!done.truncated && !(run.codes ?? [0]).includes(done.code ?? -1)) throw gitFailure(command, done, run.signal);
    return { code: done.code ?? 0, stdout: done.stdout, truncated: done.truncated };
  }

  /** Output as UTF-8 text; bytes that are none become U+FFFD. */
  async text(cwd: string, args: readonly string[], run: GitRun): Promise<string> {
    return new TextDecoder().decode((await this.run(cwd, args, run)).stdout);
  }

  /** Output of a `-z` command: the strings between NULs. Names that are not UTF-8 can be told by `isUnreadableName`. */
  async records(cwd: string, args: readonly string[], run: GitRun): Promise<string[]> {
    const parts = (await this.text(cwd, args, run)).split('\0');
    if (parts.at(-1) === '') parts.pop();
    return parts;
  }

  /** Names of the filter drivers (`filter.<name>.*`) that any configuration file known to the repository defines. Reading them starts nothing. */
  async filterDrivers(cwd: string, signal: AbortSignal): Promise<string[]> {
    const done = await this.spawn(cwd, ['config', '--list', '--name-only', '-z'], { signal });
    if (done.code !== 0) throw gitFailure('config', done, signal);
    const names = new Set<string>();
    for (const key of new TextDecoder().decode(done.stdout).split('\0')) {
      const name = /^filter\.(.*)\.[^.]+$/su.exec(key)?.[1];
      if (name !== undefined) names.add(name);
    }
    return [...names];
  }

  /** An empty command means "no filter" to git; drivers have to be named one by one, since attributes cannot be switched off as a whole before git 2.42. */
  private async filterSettings(cwd: string, signal: AbortSignal): Promise<[string, string][]> {
    const names = await this.filterDrivers(cwd, signal);
    return names.flatMap((name): [string, string][] => [
      [`filter.${name}.clean`, ''],
      [`filter.${name}.smudge`, ''],
      [`filter.${name}.process`, ''],
      [`filter.${name}.required`, 'false'],
    ]);
  }

  private async spawn(cwd: string, args: readonly string[], run: GitRun): Promise<Finished> {
    const timeout = AbortSignal.timeout(this.options.timeoutMs ?? 60_000);
    const settings = safeSettings.flatMap((setting) => ['-c', setting]);
    try {
      const done = await runToEnd(this.options.processes, this.options.path?.() ?? 'git', ['--no-pager', '--literal-pathspecs', ...settings, ...args], {
        cwd,
        env: { ...this.environment(), ...run.env },
        signal: AbortSignal.any([run.signal, timeout]),
        graceMs: 500,
        ...(run.stdin === undefined ? {} : { stdin: run.stdin }),
        ...(run.maxBytes === undefined ? {} : { maxBytes: run.maxBytes }),
      });
      if (timeout.aborted && done.code === null && !run.signal.aborted) throw new Failure<GitFailureReason>('timed_out', `git ${args[0]} took too long`);
      return done;
    } catch (error) {
      if (isFailure(error, 'not_found')) throw new Failure<GitFailureReason>('git_missing', 'git was not found', { cause: error });
      if (isFailure(error, 'no_folder')) throw new Failure<GitFailureReason>('no_folder', error.message, { cause: error });
      if (isFailure(error, 'cancelled')) throw new Failure<GitFailureReason>('cancelled', 'git was cancelled', { cause: error });
      throw error;
    }
  }

  private environment(): Record<string, string> {
    return childEnvironment(this.options.env, {
      set: {
        GIT_OPTIONAL_LOCKS: '0',
        GIT_TERMINAL_PROMPT: '0',
        GIT_NO_LAZY_FETCH: '1',
        // Unlike `protocol.allow` this also wins over a repository's own `protocol.ext.allow`; "none" is no protocol.
        GIT_ALLOW_PROTOCOL: 'none',
        // A replacement ref would show other bytes under an object's name.
        GIT_NO_REPLACE_OBJECTS: '1',
        GIT_PAGER: 'cat',
        GIT_EDITOR: 'true',
        GIT_SSH_COMMAND: 'false',
        GIT_ASKPASS: 'true',
        SSH_ASKPASS: 'true',
        LC_ALL: 'C',
        LANGUAGE: 'C',
      },
    });
  }
}

/** Settings by environment, because a driver's name may hold `=`, which `-c` cannot express. */
function settingsAsEnvironment(settings: readonly [string, string][]): Record<string, string> {
  if (settings.length === 0) return {};
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [index, [key, value]] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return env;
}

function gitFailure(command: string, done: Finished, signal: AbortSignal): Failure<GitFailureReason> {
  if (signal.aborted) return new Failure('cancelled', `git ${command} was cancelled`);
  const words = done.stderr.trim();
  const detail = { command, code: done.code };
  if (/dubious ownership/u.test(words)) {
    return new Failure('unsafe_ownership', 'this repository belongs to another user; git reads it only after `git config --global --add safe.directory <folder>`', { detail });
  }
  if (/not a git repository/u.test(words)) return new Failure('not_a_repository', 'this folder is in no git repository', { detail });
  if (/must be run in a work tree/u.test(words)) return new Failure('not_a_repository', 'this repository has no working tree', { detail });
  if (/Not a valid object name|bad object|unknown revision|bad revision|does not exist in|exists on disk, but not in|invalid object name|no such path/iu.test(words)) {
    return new Failure('no_such_object', firstLine(words), { detail });
  }
  return new Failure('failed', firstLine(words) || `git ${command} ended with ${done.code ?? done.signal}`, { detail });
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, 400);
}

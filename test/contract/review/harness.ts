import { userInfo } from 'node:os';
import { join } from 'node:path';
import { reviewCommand } from '../../../extension/cli/review.ts';
import { openCore } from '../../../extension/cli/open.ts';
import type { CliContext } from '../../../extension/cli/command.ts';
import type { Terminal } from '../../../extension/cli/terminal.ts';
import type { Core } from '../../../extension/compose.ts';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import { repository, tempFolder } from '../../unit/repo/helpers.ts';

export const me = userInfo().username;

export interface Answer {
  code: number;
  out: string;
  error: string;
}

export interface Workspace {
  folder: string;
  home: string;
  /** One call of `casebook review …`, as a process of its own would make it. */
  review: (...args: string[]) => Promise<Answer>;
  /** The same with --json, read. */
  json: (...args: string[]) => Promise<Record<string, unknown>>;
  /** The same with somebody at a terminal who presses these keys; `shown` is what they saw. */
  at: (terminal: Partial<Terminal> & { keys: string }, env: Record<string, string>, ...args: string[]) => Promise<Answer & { shown: string }>;
  /** Another process of the same workspace, such as a window. */
  window: () => Promise<Core>;
}

export function workspace(files: Record<string, string | Uint8Array>): Workspace {
  const folder = repository(files);
  const home = tempFolder();
  const env = (more: Record<string, string>): CliContext['env'] => ({ PATH: process.env['PATH'], HOME: home, CASEBOOK_HOME: join(home, 'state'), ...more });
  const call = async (args: string[], terminal: Terminal | undefined, more: Record<string, string>): Promise<Answer> => {
    const answer = { code: 0, out: '', error: '' };
    answer.code = await reviewCommand.run(args, context(answer, env(more), terminal));
    return answer;
  };
  const context = (answer: Answer, variables: CliContext['env'], terminal?: Terminal): CliContext => ({
    write: (text) => void (answer.out += text),
    writeError: (text) => void (answer.error += text),
    readStdin: () => Promise.resolve(''),
    cwd: folder,
    env: variables,
    signal: new AbortController().signal,
    logger: nullLogger,
    ...(terminal === undefined ? {} : { terminal }),
  });
  return {
    folder,
    home,
    review: (...args) => call(args, undefined, {}),
    async json(...args) {
      const { out } = await call([...args, '--json'], undefined, {});
      return JSON.parse(out) as Record<string, unknown>;
    },
    async at({ keys, ...terminal }, variables, ...args) {
      const seen = { shown: '' };
      const left = Array.from(keys);
      const answer = await call(args, { write: (text) => void (seen.shown += text), showsOutput: false, key: async () => left.shift(), run: async () => undefined, ...terminal }, variables);
      return { ...answer, ...seen };
    },
    window: () => openCore(context({ code: 0, out: '', error: '' }, env({})), {}),
  };
}

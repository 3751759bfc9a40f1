import { readFile } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Core } from '../../compose.ts';
import { Failure, messageOf } from '../../core/base/failure.ts';
import { errorCode } from '../../core/base/files.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import { type CliContext, exitCode, UsageError } from '../command.ts';
import { lineForTerminal } from '../terminal-text.ts';
import { type Asked, notAsAsked } from './asked.ts';
import { editInEditor } from './editor.ts';
import { outcomeInWords, whatBecame } from './outcome.ts';
import { type Paint, paintFor } from './paint.ts';
import { Sitting } from './sitting.ts';

/** Options of `casebook review`, as node's parseArgs takes them. */
export const reviewOptions = {
  repo: { type: 'string', multiple: true },
  home: { type: 'string' },
  json: { type: 'boolean' },
  text: { type: 'string' },
  all: { type: 'boolean' },
  hunk: { type: 'string', multiple: true },
  reason: { type: 'string' },
  revision: { type: 'string' },
  wait: { type: 'string' },
  base: { type: 'string' },
  path: { type: 'string' },
  new: { type: 'string' },
  title: { type: 'string' },
  label: { type: 'string' },
  open: { type: 'boolean' },
  policy: { type: 'string' },
  case: { type: 'string' },
  branch: { type: 'boolean' },
  html: { type: 'boolean' },
} as const;

export interface ReviewValues {
  repo?: string[] | undefined;
  home?: string | undefined;
  json?: boolean | undefined;
  text?: string | undefined;
  all?: boolean | undefined;
  hunk?: string[] | undefined;
  reason?: string | undefined;
  revision?: string | undefined;
  wait?: string | undefined;
  base?: string | undefined;
  path?: string | undefined;
  new?: string | undefined;
  title?: string | undefined;
  label?: string | undefined;
  open?: boolean | undefined;
  policy?: string | undefined;
  case?: string | undefined;
  branch?: boolean | undefined;
  html?: boolean | undefined;
}

/** One call of `casebook review VERB …`: everything a verb needs. `rest`: what follows the verb. */
export interface ReviewCall {
  core: Core;
  context: CliContext;
  values: ReviewValues;
  rest: readonly string[];
}

export type ReviewVerb = (call: ReviewCall) => Promise<number>;

/** Refuses malformed numbers before anything is done. */
export function checkNumbers({ wait, revision }: ReviewValues): void {
  if (wait !== undefined && (wait.trim() === '' || !(Number(wait) >= 0))) throw new UsageError('--wait takes a number of seconds.');
  if (revision !== undefined && !/^\d+$/u.test(revision)) throw new UsageError('--revision takes a whole number, as "casebook review show" tells it.');
}

/** Longest wait for another process to settle a set. Seconds. */
const defaultWait = 15;

/** Prints a value as JSON, or the lines for people. */
export function answer({ context, values }: Pick<ReviewCall, 'context' | 'values'>, json: unknown, lines: readonly string[]): void {
  if (values.json === true) context.write(`${JSON.stringify(json, null, 2)}\n`);
  else for (const line of lines) context.write(`${line}\n`);
}

/** The one argument a verb takes. */
export function one(rest: readonly string[], question: string): string {
  const [first, ...more] = rest;
  if (first === undefined || more.length > 0) throw new UsageError(question);
  return first;
}

/** For verbs that take no argument (more). */
export function none(rest: readonly string[]): void {
  if (rest[0] !== undefined) throw new UsageError(`"${lineForTerminal(rest[0])}" is an argument too many.`);
}

/** The bytes of a file that was named on the command line. Fails `unreadable_file` in a sentence that names it. */
export async function namedFile({ context }: Pick<ReviewCall, 'context'>, given: string): Promise<Buffer> {
  return readFile(resolve(context.cwd, given)).catch((error: unknown) => {
    const whys: Record<string, string> = { ENOENT: 'There is no such file', ENOTDIR: 'There is no such file', EISDIR: 'That is a folder, not a file', EACCES: 'There is no permission to read this file' };
    throw new Failure('unreadable_file', `${whys[errorCode(error) ?? ''] ?? messageOf(error)}: ${lineForTerminal(given)}`, { cause: error });
  });
}

/** Waits for what becomes of a set and says it. Exit code 0 once it is settled as asked or still has undecided hunks, 1 when it is decided and not carried out, or was decided otherwise. */
export async function concluded(call: ReviewCall, set: string, asked?: Asked): Promise<number> {
  const { core, context, values } = call;
  const seconds = values.wait === undefined ? defaultWait : Number(values.wait);
  const state = await whatBecame(core.review, set, seconds * 1000, context.signal);
  answer(call, asJson(state), [outcomeInWords(state, core.journal.session)]);
  const objection = asked && notAsAsked(state, asked);
  if (objection !== undefined) {
    context.writeError(`${objection}\n`);
    return exitCode.problems;
  }
  const carriedOut = state.status === 'settled' || state.files.some((file) => file.left > 0);
  return carriedOut && state.writeFailed === undefined ? exitCode.ok : exitCode.problems;
}

/** A set as the terminal's JSON; stable names, documented in docs/cli.md. */
export function asJson(state: SetState): Record<string, unknown> {
  return {
    set: state.id,
    title: state.title,
    status: state.status,
    outcome: state.settled?.outcome,
    standing: state.settled?.standing,
    origin: state.origin,
    disk: state.disk,
    revision: state.revision,
    openedAt: state.openedAt,
    settledAt: state.settled?.at,
    writeFailed: state.writeFailed,
    files: state.files.map((file) => ({ file: file.key, from: file.from, kind: file.kind, by: file.by, counts: file.counts, left: file.left })),
  };
}

/** A file of a set as people name it: `root/path`, a path from where they are, or the end of a path that no other file has. */
export function fileKeyOf(state: SetState, given: string, { core, context }: Pick<ReviewCall, 'core' | 'context'>): string {
  const exact = state.files.find((file) => file.key === given);
  if (exact !== undefined) return exact.key;
  const place = resolve(context.cwd, given);
  for (const root of core.roots()) {
    const inside = relative(root.path, place);
    if (inside === '' || isAbsolute(inside) || inside.split(sep)[0] === '..') continue;
    const found = state.files.find((file) => file.key === `${root.name}/${inside.split(sep).join('/')}`);
    if (found !== undefined) return found.key;
  }
  const ending = state.files.filter((file) => file.key.endsWith(`/${given}`));
  if (ending.length === 1 && ending[0] !== undefined) return ending[0].key;
  throw new UsageError(ending.length === 0 ? `There is no file ${lineForTerminal(given)} in ${state.id}.` : `${lineForTerminal(given)} could be ${ending.map((file) => lineForTerminal(file.key)).join(' or ')}.`);
}

/** Colours where somebody looks at them and has not said no (https://no-color.org). */
export function paintOf({ env }: Pick<CliContext, 'env'>, looked: boolean): Paint {
  return paintFor(looked && !env['NO_COLOR'] && env['TERM'] !== 'dumb');
}

/** Goes through a set with the person at the terminal; undefined when there is none. */
export async function sitDown({ core, context }: Pick<ReviewCall, 'core' | 'context'>, set: string): Promise<SetState | undefined> {
  const { terminal } = context;
  if (terminal === undefined) return undefined;
  const state = await core.review.refresh(set);
  const deps = {
    desk: core.review,
    terminal,
    paint: paintOf(context, true),
    editText: (text: string, name: string) => editInEditor(terminal, context.env, text, name),
    signal: context.signal,
  };
  return new Sitting(deps, state).run();
}

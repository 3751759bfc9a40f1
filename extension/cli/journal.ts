import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../core/base/failure.ts';
import { createRecords, offersOf } from '../compose/records.ts';
import { NodeProcesses } from '../core/base/node-processes.ts';
import { canonicalPath, findMovedHistories, type RepositoryIdentity, resolveHome } from '../core/journal/home.ts';
import { openJournal } from '../core/journal/journal.ts';
import type { AnyEvent, Gap } from '../core/journal/port.ts';
import { type JournalReader, openJournalReader } from '../core/journal/reader.ts';
import type { Problem } from '../core/journal/verify.ts';
import { Git } from '../core/repo/git.ts';
import { repositoryIdentity } from '../core/repo/identity.ts';
import { countOf } from '../shared/words.ts';
import { type CliCommand, type CliContext, exitCode, explained, UsageError } from './command.ts';

const usage = `casebook journal list [--text WORDS] [--limit N]
casebook journal list --moved   histories of this repository from before it was moved or renamed
casebook journal adopt KEY      brings one of them here
casebook journal show CASE
casebook journal search WORDS [--limit N]
casebook journal verify
casebook journal export CASE [--format jsonl|html] [--output FILE]
casebook journal erase CASE --reason TEXT --yes
  --json            one JSON object on standard output
  --home DIR        where the journals are (default: $CASEBOOK_HOME, else the platform's state folder)
  --workspace DIR   whose journal (default: the current folder)`;

const options = {
  json: { type: 'boolean', default: false },
  home: { type: 'string' },
  workspace: { type: 'string' },
  limit: { type: 'string' },
  text: { type: 'string' },
  format: { type: 'string', default: 'jsonl' },
  output: { type: 'string' },
  reason: { type: 'string' },
  yes: { type: 'boolean', default: false },
  moved: { type: 'boolean', default: false },
} as const;

interface Call {
  context: CliContext;
  reader: JournalReader;
  home: string;
  workspace: string;
  json: boolean;
  limit: number | undefined;
  values: { text?: string | undefined; format: string; output?: string | undefined; reason?: string | undefined; yes: boolean; moved: boolean };
  rest: string[];
}

const verbs: Record<string, (call: Call) => Promise<number>> = { list, show, search, verify, export: exportCase, erase, adopt };

export const journalCommand: CliCommand = {
  name: 'journal',
  summary: 'Read, check, export or erase from the record',
  usage,
  async run(args, context) {
    try {
      return await dispatch(args, context);
    } catch (error) {
      return explained(error, usage, ['not_found'], context);
    }
  },
};

async function dispatch(args: string[], context: CliContext): Promise<number> {
  const { values, positionals } = parse(args);
  const [verb, ...rest] = positionals;
  const run = verb === undefined || !Object.hasOwn(verbs, verb) ? undefined : verbs[verb];
  if (run === undefined) throw new UsageError(verb === undefined ? 'What should be done with the journal?' : `There is no "journal ${verb}".`);
  const home = values.home === undefined ? resolveHome(context.env) : resolve(context.cwd, values.home);
  const workspace = resolve(context.cwd, values.workspace ?? '.');
  const limit = values.limit === undefined ? undefined : Number(values.limit);
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0)) throw new UsageError('--limit takes a whole number above 0.');
  const reader = await openJournalReader({ home, workspace, logger: context.logger });
  try {
    return await run({ context, reader, home, workspace, json: values.json, limit, values, rest });
  } finally {
    await reader.close();
  }
}

function parse(args: string[]): ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>> {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

async function list(call: Call): Promise<number> {
  const { context, reader, json, limit, values, rest } = call;
  none(rest);
  if (values.moved) return listMoved(call);
  await reader.whenIndexed();
  const cases = await reader.listCases({ ...(limit === undefined ? {} : { limit }), ...(values.text === undefined ? {} : { text: values.text }) });
  if (json) return answer(context, { folder: reader.folder, cases });
  if (cases.length === 0) context.write('No cases.\n');
  for (const item of cases) {
    const verdict = [item.classification, item.bugConfirmation].filter((part) => part !== undefined).join(', ');
    context.write(`${item.case}  ${item.lastEventAt}  ${clean(item.title)}${verdict === '' ? '' : `  [${verdict}]`}  (${item.events} events)\n`);
  }
  return exitCode.ok;
}

async function listMoved({ context, reader, home, workspace, json }: Call): Promise<number> {
  const identity = await identityOf(workspace, context);
  const histories = identity === undefined ? [] : await offersOf(await findMovedHistories(home, await canonicalPath(workspace), identity, reader.folder));
  if (json) return answer(context, { histories });
  if (histories.length === 0) context.write('No history of this repository under a folder that is gone.\n');
  for (const { key, path, openedAt, cases, unfinished } of histories) context.write(`${clean(key)}  ${openedAt}  ${countOf(cases, 'case')}  ${clean(path)}${unfinished ? '  (bringing it here was interrupted)' : ''}\n`);
  return exitCode.ok;
}

async function adopt({ context, reader, home, workspace, json, rest }: Call): Promise<number> {
  const key = one(rest, 'Which history? "casebook journal list --moved" shows the keys.');
  const identity = await identityOf(workspace, context);
  const journal = await openJournal({ home, workspace, folder: reader.folder, program: 'casebook-cli', version: '0', logger: context.logger, ...(identity === undefined ? {} : { identity }) });
  try {
    await createRecords(journal).bringHere(key, 'cli');
    const cases = await journal.listCases();
    if (json) return answer(context, { folder: journal.folder, cases });
    context.write(`Brought here; this journal now has ${countOf(cases.length, 'case')}.\n`);
    return exitCode.ok;
  } finally {
    await journal.close();
  }
}

async function identityOf(workspace: string, { env, signal }: CliContext): Promise<RepositoryIdentity | undefined> {
  return repositoryIdentity(new Git({ processes: new NodeProcesses(), env }), workspace, signal);
}

async function show({ context, reader, json, rest }: Call): Promise<number> {
  const id = one(rest, 'Which case? Give its id.');
  const items: (AnyEvent | { gap: Gap })[] = [];
  for await (const item of reader.read({ case: id })) {
    context.signal.throwIfAborted();
    items.push(item);
  }
  const events = items.filter((item) => !('gap' in item));
  if (events.length === 0) {
    context.writeError(`There is no case ${clean(id)} in this journal.\n`);
    return exitCode.problems;
  }
  if (json) return answer(context, { case: id, items });
  for (const item of items) context.write(`${'gap' in item ? gapLine(item.gap) : eventLine(item)}\n`);
  return exitCode.ok;
}

async function search({ context, reader, json, limit, rest }: Call): Promise<number> {
  if (rest.length === 0) throw new UsageError('Search for what?');
  await reader.whenIndexed();
  const events = await reader.search(rest.join(' '), limit ?? 50);
  if (json) return answer(context, { events });
  if (events.length === 0) context.write('Nothing found.\n');
  for (const event of events) context.write(`${event.case === undefined ? '' : `${event.case}  `}${eventLine(event)}\n`);
  return exitCode.ok;
}

async function verify({ context, reader, json, rest }: Call): Promise<number> {
  none(rest);
  const result = await reader.verify(context.signal);
  const code = result.ok ? exitCode.ok : exitCode.problems;
  if (json) {
    answer(context, { ...result, folder: reader.folder });
    return code;
  }
  for (const problem of result.problems) context.write(`BAD  ${problemLine(problem)}\n`);
  for (const gap of result.gaps) context.write(`${gapLine(gap)}\n`);
  for (const { event, events } of result.erased) context.write(`Erased: ${events} bodies, recorded by ${event}\n`);
  for (const { case: of, sessions } of result.pending) context.write(`Erasure of ${of} is waiting for the processes of ${sessions.join(', ')}\n`);
  context.write(result.ok ? `The journal holds: ${result.events} events of ${result.sessions} sessions.\n` : `The journal does not hold. First bad place: ${problemLine(result.problems[0])}\n`);
  return code;
}

async function exportCase({ context, reader, values, rest }: Call): Promise<number> {
  const id = one(rest, 'Which case? Give its id.');
  if (values.format !== 'jsonl' && values.format !== 'html') throw new UsageError('--format is jsonl or html.');
  const text = await reader.exportCase(id, values.format, context.signal);
  if (values.output === undefined) context.write(text);
  else {
    const path = resolve(context.cwd, values.output);
    await writeFile(path, text, { mode: 0o600 });
    context.writeError(`Written to ${path}\n`);
  }
  return exitCode.ok;
}

async function erase({ context, reader, home, workspace, json, values, rest }: Call): Promise<number> {
  const id = one(rest, 'Which case? Give its id.');
  if (values.reason === undefined || values.reason.trim() === '') throw new UsageError('--reason is needed; it stays in the record, so name no person in it.');
  if (!values.yes) throw new UsageError('This cannot be undone. Say --yes to do it.');
  const journal = await openJournal({ home, workspace, folder: reader.folder, program: 'casebook-cli', version: '0', logger: context.logger });
  try {
    const report = await journal.erase(id, values.reason, { kind: 'person', name: userInfo().username, via: 'cli' });
    if (json) return answer(context, report);
    context.write(`Erased ${report.events} bodies and ${report.blobs} blobs of ${id}; recorded as ${report.event}.\n`);
    if (report.pending.length > 0) context.write(`Processes that are still running do their own part: ${report.pending.join(', ')}\n`);
    return exitCode.ok;
  } finally {
    await journal.close();
  }
}

function none(rest: string[]): void {
  if (rest.length > 0) throw new UsageError(`What is "${rest.join(' ')}" for?`);
}

function one(rest: string[], question: string): string {
  const [first, ...more] = rest;
  if (first === undefined || more.length > 0) throw new UsageError(question);
  return first;
}

function answer(context: CliContext, value: object): number {
  context.write(`${JSON.stringify(value, null, 2)}\n`);
  return exitCode.ok;
}

function eventLine(event: AnyEvent): string {
  const who = event.actor.via === undefined ? event.actor.name : `${event.actor.name} (${event.actor.via})`;
  const body = event.body === null ? 'erased or unreadable' : JSON.stringify(event.body);
  return clean(`${event.ts}  ${event.id}  ${event.kind}  ${event.actor.kind} ${who}  ${body.length > 300 ? `${body.slice(0, 300)}…` : body}`);
}

const gapLine = (gap: Gap): string => `GAP  ${gap.session}/${gap.segment} bytes ${gap.offset} to ${gap.offset + gap.length}: ${gap.why}`;

function problemLine(problem: Problem | undefined): string {
  if (problem === undefined) return 'unknown';
  const { session, segment, line, offset, why } = problem;
  return `${session}${segment === undefined ? '' : `/${segment}`}${line === undefined ? '' : ` line ${line}`}${offset === undefined ? '' : ` (byte ${offset})`}: ${why}`;
}

/** A ticket's text must not steer the terminal. */
const clean = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '�');

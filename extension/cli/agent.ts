import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Core } from '../compose.ts';
import type { VerbCall } from '../core/agents/verbs/port.ts';
import type { Synonyms } from '../core/agents/verbs/resolvers.ts';
import { isFailure, messageOf } from '../core/base/failure.ts';
import { type CliCommand, type CliContext, exitCode, explained, UsageError } from './command.ts';
import { agreeTo, engineOf, engineOptions, limitOptions, limitsHelp, limitsOf } from './engine-options.ts';
import { coreOptions, openCore } from './open.ts';
import { forTerminal } from './terminal-text.ts';

const usage = `casebook agent extract --input TEXT|- --schema FILE [--synonyms FILE] [--template TEXT]… [--no-model] [options]
casebook agent ask    --prompt TEXT|- [--schema FILE] [options]
casebook agent decide --prompt TEXT|- --schema FILE  [options]

  --input     the phrase to read a value from
  --synonyms  a JSON file: phrase → the value it stands for; tried first
  --template  words with holes, such as "move {item} to {place}"; tried second
  --no-model  do not ask a model where neither tells
  --prompt    what to ask; - reads it from standard input
  --schema    a JSON Schema file (an object): the shape of the answer
  --material  a file the prompt is about; may be given several times. It is data to the model, never instructions
  --tools     read tools to grant, by commas (default: all of them)
  --repo      a folder of code; may be given several times (default: the current folder)
  --engine    auto (default), claude, openai-compatible
  --model     the model to ask for
  --consent   agree that code of this workspace goes to the chosen engine's destination; remembered
  ${limitsHelp}
  --claude    path of the Claude Code CLI (default: claude on the PATH)
  --home      where the journal lives (default: $CASEBOOK_HOME, else the platform's state folder)
  --json      the result as one JSON object on standard output

All of them only read. Exit code 0: there is a result. 1: the agent ended without one.`;

const options = { ...coreOptions, ...engineOptions, ...limitOptions, prompt: { type: 'string' }, schema: { type: 'string' }, material: { type: 'string', multiple: true }, tools: { type: 'string' }, input: { type: 'string' }, synonyms: { type: 'string' }, template: { type: 'string', multiple: true }, 'no-model': { type: 'boolean' } } as const;
const parse = (args: string[]) => parseArgs({ args, options, allowPositionals: true });
type Values = ReturnType<typeof parse>['values'];

/** `casebook agent`: an agent called for a question or a judgement, from a terminal. */
export const agentCommand: CliCommand = {
  name: 'agent',
  summary: 'Ask an agent a question, or for a judgement in a given shape',
  usage,
  async run(args, context) {
    try {
      const { values, positionals } = parse(args);
      const [verb, ...more] = positionals;
      const act = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
      if (act === undefined || more.length > 0) throw new UsageError(verb === undefined ? 'Extract, ask or decide?' : `There is no "agent ${positionals.join(' ')}".`);
      return await withCore(values, context, act);
    } catch (error) {
      if (isFailure(error, 'not_consented')) context.writeError('Add --consent to agree to that for this workspace.\n');
      return explained(error, usage, ['no_engine', 'not_consented', 'bad_schema', 'bad_arguments', 'not_found'], context);
    }
  },
};

type Act = (core: Core, values: Values & { prompt: string }, call: VerbCall, context: CliContext) => Promise<number>;

async function withCore(values: Values, context: CliContext, act: Act): Promise<number> {
  const engine = engineOf(values.engine);
  const limits = limitsOf(values);
  if (engine === undefined || limits === undefined) throw new UsageError(engine === undefined ? `There is no engine "${values.engine}".` : 'A limit is not a positive number.');
  const text = values.input ?? values.prompt;
  const prompt = text === '-' ? await context.readStdin() : text;
  if (prompt === undefined) throw new UsageError(`--${act === extract ? 'input' : 'prompt'} is missing.`);
  const core = await openCore(context, { repo: values.repo, home: values.home, model: values.model, claude: values.claude, limits });
  try {
    if (values.consent === true) await agreeTo(core, engine, ['code'], context.signal);
    const code = await act(core, { ...values, prompt }, { engine, via: 'cli', ...(values.model === undefined ? {} : { model: values.model }) }, context);
    return context.signal.aborted ? exitCode.interrupted : code;
  } finally {
    await core.close();
  }
}

const verbs: Record<string, Act> = { extract, ask, decide };

async function extract(core: Core, values: Values & { prompt: string }, call: VerbCall, context: CliContext): Promise<number> {
  if (values.schema === undefined) throw new UsageError('A value needs a shape: --schema FILE.');
  const synonyms = values.synonyms === undefined ? {} : { synonyms: (await jsonAt(values.synonyms, context)) as Synonyms };
  const templates = (values.template ?? []).map((template) => ({ template }));
  const result = await core.agents.extract({ input: values.prompt, schema: await jsonAt(values.schema, context), ...synonyms, templates, model: values['no-model'] !== true }, call, context.signal);
  return told(result, values, context, (extracted) => JSON.stringify(extracted.submitted));
}

async function ask(core: Core, values: Values & { prompt: string }, call: VerbCall, context: CliContext): Promise<number> {
  const schema = values.schema === undefined ? {} : { schema: await jsonAt(values.schema, context) };
  const result = await core.agents.ask({ prompt: values.prompt, ...schema, ...(await given(values, context)) }, call, context.signal);
  return told(result, values, context, (asked) => asked.text);
}

async function decide(core: Core, values: Values & { prompt: string }, call: VerbCall, context: CliContext): Promise<number> {
  if (values.schema === undefined) throw new UsageError('A decision needs a shape: --schema FILE.');
  const result = await core.agents.decide({ prompt: values.prompt, schema: await jsonAt(values.schema, context), ...(await given(values, context)) }, call, context.signal);
  return told(result, values, context, (decided) => `${JSON.stringify(decided.submitted, null, 2)}\n\n${decided.rationale}`);
}

async function given({ material = [], tools }: Values, context: CliContext): Promise<{ material: Record<string, string>; tools?: string[] }> {
  const pieces = await Promise.all(material.map(async (file) => [basename(file), await textAt(file, context)] as const));
  return { material: Object.fromEntries(pieces), ...(tools === undefined ? {} : { tools: tools.split(',').map((name) => name.trim()) }) };
}

async function jsonAt(file: string, context: CliContext): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await textAt(file, context)) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} is not JSON: ${messageOf(error)}`);
  }
}

async function textAt(file: string, { cwd }: CliContext): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}`);
  }
}

function told<T>(result: ({ ok: true } & T) | { ok: false; why: string; message: string }, values: Values, context: CliContext, words: (value: T) => string): number {
  if (values.json === true) context.write(`${JSON.stringify(result, null, 2)}\n`);
  else if (result.ok) context.write(`${forTerminal(words(result))}\n`);
  else context.writeError(`${forTerminal(`No result (${result.why}): ${result.message}`)}\n`);
  return result.ok ? exitCode.ok : exitCode.problems;
}

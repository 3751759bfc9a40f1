import { parseArgs } from 'node:util';
import type { Core } from '../compose.ts';
import { isFailure } from '../core/base/failure.ts';
import type { CaseFailureReason } from '../core/cases/port.ts';
import { bugConfirmation, classification, confidence } from '../core/model/verdict.ts';
import { type CliCommand, type CliContext, exitCode } from './command.ts';
import { coreOptions, openCore } from './open.ts';
import { lineForTerminal } from './terminal-text.ts';
import { caseAsJson, caseInWords } from './render.ts';

const usage = `casebook case list [--text WORDS]
casebook case show CASE
casebook case accept CASE
casebook case override CASE --classification C [--bug confirmed|suspected] --confidence high|medium|low --reason WORDS
casebook case recheck CASE
casebook case stop CASE
casebook case close CASE
  [--repo FOLDER]… [--home FOLDER] [--json]`;

const options = { ...coreOptions, text: { type: 'string' }, classification: { type: 'string' }, bug: { type: 'string' }, confidence: { type: 'string' }, reason: { type: 'string' } } as const;

type Values = ReturnType<typeof read>['values'];
const read = (args: string[]) => parseArgs({ args, options, allowPositionals: true });

/** `casebook case`: what a person can do with a case, from a terminal. */
export const caseCommand: CliCommand = {
  name: 'case',
  summary: 'List, show, accept or override cases',
  usage,
  async run(args, context) {
    const { values, positionals } = read(args);
    const [action, caseId, ...more] = positionals;
    const act = action !== undefined && Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (act === undefined || (caseId === undefined) !== (action === 'list') || more.length > 0) {
      context.writeError(`${usage}\n`);
      return exitCode.usage;
    }
    const core = await openCore(context, { repo: values.repo, home: values.home });
    try {
      return await act(core, caseId ?? '', values, context);
    } catch (error) {
      if (!isFailure<CaseFailureReason>(error, 'not_found')) throw error;
      context.writeError(`${error.message}\n`);
      return exitCode.problems;
    } finally {
      await core.close();
    }
  },
};

type Action = (core: Core, caseId: string, values: Values, context: CliContext) => Promise<number>;

const actions: Record<string, Action> = {
  async list(core, _none, values, context) {
    const cases = await core.cases.list(values.text === undefined ? {} : { text: values.text });
    if (values.json === true) context.write(`${JSON.stringify(cases, null, 2)}\n`);
    else for (const found of cases) context.write(`${found.case}  ${found.lastEventAt}  ${(found.classification ?? 'open').padEnd(15)}  ${lineForTerminal(found.title)}\n`);
    return exitCode.ok;
  },
  show,
  async accept(core, caseId, values, context) {
    await core.cases.acceptVerdict(caseId, 'cli');
    return show(core, caseId, values, context);
  },
  async override(core, caseId, values, context) {
    const chosen = { classification: classification.safeParse(values.classification).data, confidence: confidence.safeParse(values.confidence).data, bug: bugConfirmation.safeParse(values.bug).data };
    const { reason } = values;
    if (chosen.classification === undefined || chosen.confidence === undefined || reason === undefined || reason.trim() === '' || (chosen.classification === 'bug') !== (chosen.bug !== undefined)) {
      context.writeError(`An override has a classification (${classification.options.join(', ')}), with bug also --bug, a confidence and a reason.\n\n${usage}\n`);
      return exitCode.usage;
    }
    await core.cases.overrideVerdict(caseId, { classification: chosen.classification, bugConfirmation: chosen.bug, confidence: chosen.confidence, reason }, 'cli');
    return show(core, caseId, values, context);
  },
  async recheck(core, caseId, values, context) {
    await core.cases.recheck(caseId, 'asked');
    return show(core, caseId, values, context);
  },
  async stop(core, caseId) {
    await core.cases.stop(caseId, 'cli');
    return exitCode.ok;
  },
  async close(core, caseId) {
    await core.cases.close(caseId, 'cli');
    return exitCode.ok;
  },
};

async function show(core: Core, caseId: string, values: Values, context: CliContext): Promise<number> {
  const state = await core.cases.state(caseId);
  context.write(values.json === true ? `${JSON.stringify(caseAsJson(state), null, 2)}\n` : caseInWords(state));
  return exitCode.ok;
}

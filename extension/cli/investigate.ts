import { parseArgs } from 'node:util';
import { isFailure } from '../core/base/failure.ts';
import type { CaseState } from '../core/cases/state.ts';
import type { Core } from '../compose.ts';
import type { EngineName } from '../core/model/run.ts';
import { type CliCommand, type CliContext, exitCode } from './command.ts';
import { agreeTo, engineOf, engineOptions, limitOptions, limitsHelp, limitsOf } from './engine-options.ts';
import { coreOptions, openCore } from './open.ts';
import { readTicket } from './tickets.ts';
import { caseAsJson, caseInWords, similarInWords, stepInWords } from './render.ts';

const usage = `casebook investigate --ticket REFERENCE|FILE|- [--repo FOLDER]… [options]

  --ticket   owner/repo#12, an issue's URL, a Markdown, JSON or text file, or - for standard input
  --repo     a folder of code; may be given several times (default: the current folder)
  --engine   auto (default), scout, claude, openai-compatible, replay
  --run      the recorded run that replay plays again; the result is labelled and can never be posted
  --model    the model to ask for
  --consent  agree that code and ticket text of this workspace go to the chosen engine's destination; remembered
  ${limitsHelp}
  --claude   path of the Claude Code CLI (default: claude on the PATH)
  --home     where the journal lives (default: $CASEBOOK_HOME, else the platform's state folder)
  --quiet    no live steps
  --json     the result as one JSON object on standard output

Exit code 0: there is a verdict. 1: the run ended without one; what it found is kept.`;

/** `casebook investigate`: the main job from a terminal, on the same core as the extension. */
export const investigateCommand: CliCommand = {
  name: 'investigate',
  summary: 'Find out what a ticket is about',
  usage,
  async run(args, context) {
    const { values } = parseArgs({
      args,
      options: {
        ...coreOptions,
        ...engineOptions,
        ticket: { type: 'string' },
        run: { type: 'string' },
        ...limitOptions,
        quiet: { type: 'boolean' },
      },
    });
    const engine = engineOf(values.engine);
    const limits = limitsOf(values);
    if (values.ticket === undefined || engine === undefined || limits === undefined) {
      context.writeError(`${values.ticket === undefined ? '--ticket is missing' : engine === undefined ? `there is no engine "${values.engine}"` : 'a limit is not a positive number'}\n\n${usage}\n`);
      return exitCode.usage;
    }
    const core = await openCore(context, { repo: values.repo, home: values.home, model: values.model, claude: values.claude, limits });
    try {
      const ticket = await readTicket(values.ticket, context, { sources: core.sources, fromText: (text, origin) => core.ticketFromText(text, origin) });
      const quiet = values.quiet === true || values.json === true;
      const caseId = await core.cases.open(ticket, { via: 'cli' });
      const steps = quiet ? undefined : showSteps(core, caseId, context);
      // Many earlier cases take a while to compare; the run need not wait.
      const comparing = core.cases.similar(ticket).then((found) => found.filter((one) => one.case !== caseId));
      const [state, similar] = await Promise.all([investigate(core, caseId, { engine, replay: values.run, consent: values.consent === true }, context).finally(() => steps?.dispose()), comparing]);
      context.write(values.json === true ? `${JSON.stringify({ ...caseAsJson(state), similar }, null, 2)}\n` : `${caseInWords(state)}${similarInWords(similar)}`);
      if (context.signal.aborted) return exitCode.interrupted;
      return state.runs.at(-1)?.ended?.outcome === 'completed' && state.verdict !== undefined ? exitCode.ok : exitCode.problems;
    } finally {
      await core.close();
    }
  },
};

/** With `--consent` the refusal of an engine that has none becomes a recorded yes, then the run. */
async function investigate(core: Core, caseId: string, chosen: { engine: EngineName | 'auto'; replay: string | undefined; consent: boolean }, context: CliContext): Promise<CaseState> {
  const { engine, replay, consent } = chosen;
  if (consent) await agreeTo(core, engine, ['code', 'ticket text'], context.signal);
  try {
    return await core.cases.investigate(caseId, { via: 'cli', engine, replay }, context.signal);
  } catch (error) {
    if (isFailure(error, 'not_consented')) context.writeError('Add --consent to agree to that for this workspace, or use --engine scout, which sends nothing.\n');
    throw error;
  }
}

function showSteps(core: Core, caseId: string, context: CliContext): { dispose(): void } {
  let shown = 0;
  return core.cases.onChange((changed) => {
    if (changed !== caseId) return;
    void core.cases.state(caseId).then((state) => {
      const steps = state.runs.at(-1)?.steps ?? [];
      for (const step of steps.slice(shown)) context.writeError(`${stepInWords(step)}\n`);
      shown = Math.max(shown, steps.length);
    }, () => undefined);
  });
}

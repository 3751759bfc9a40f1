import type { EnginePort, RunRequest } from '../agents/engine.ts';
import { recordEngine, type RunEnd } from '../agents/runs/record-engine.ts';
import { recordedRun, type RunResult } from '../agents/runs/run.ts';
import { providerSafeSchema } from '../mcp/provider-schema.ts';
import { messageOf } from '../base/failure.ts';
import type { EventKind } from '../journal/kinds/index.ts';
import type { NewEvent } from '../journal/port.ts';
import type { Actor } from '../model/actor.ts';
import { casebookActor } from '../model/actor.ts';
import type { ScoutResult } from '../model/code.ts';
import { submission } from '../model/verdict.ts';
import type { CaseFiles } from './case-files.ts';
import type { CasesDeps } from './deps.ts';
import { InvestigationDesk } from './desk.ts';
import { investigationPrompt } from './prompt.ts';
import type { CaseState } from './state.ts';

/** The read tools an investigation grants; names as in core/agents/tools. */
export const investigationTools = ['read', 'grep', 'glob', 'list', 'git_log', 'git_show', 'git_blame', 'diagnostics', 'symbols'] as const;

export interface InvestigationInput {
  deps: CasesDeps;
  files: CaseFiles;
  state: CaseState;
  run: string;
  engine: EnginePort;
  /** Why this engine: the user's setting, or the words of the auto rule. */
  choice: string;
  mode: 'fresh' | 'restart' | 'resume';
  /** The recorded run that engine `replay` plays again. */
  replay?: string | undefined;
  /** Called with what the scout found, before the engine starts. */
  onScouted(result: ScoutResult): void;
  /** Called once a verdict and its reply draft are on record: the draft is checked before the run ends. */
  afterVerdict(): Promise<void>;
}

/**
 * One run of the main job: scout, engine, verdict, citations, end. Whatever happens in between, `run.started` gets exactly one `run.ended`,
 * and what was found until then is kept.
 */
export class Investigation {
  private readonly append: <K extends EventKind>(kind: K, body: NewEvent<K>['body'], actor?: Actor) => Promise<unknown>;

  constructor(private readonly input: InvestigationInput) {
    const { deps, state, run } = input;
    this.append = (kind, body, actor = casebookActor('investigate')) => deps.journal.append({ kind, body, actor, case: state.id, run });
  }

  async run(signal: AbortSignal): Promise<void> {
    const { deps, run, engine, choice, state, mode } = this.input;
    const resumes = mode === 'fresh' ? undefined : state.runs.at(-1)?.id;
    const plan = { run, case: state.id, verb: 'investigate', engine, choice, effect: 'read', tools: investigationTools, system: deps.system, prompt: state.ticket.hash, resumes, by: 'investigate' } as const;
    await recordedRun(deps, plan, (running, stop) => this.work(running, stop), signal);
  }

  private async work(signal: AbortSignal, stop: AbortController): Promise<RunResult> {
    const { deps, files, state, engine, run } = this.input;
    await files.writeReport(state.report?.markdown ?? firstReport(state));
    const watched = await deps.evidence.watchTree({ label: `the investigation of ${state.ticket.id}`, case: state.id, run }, signal);
    const scout = await this.scout(signal);
    signal.throwIfAborted();
    if (scout !== undefined) this.input.onScouted(scout);
    const agent: Actor = { kind: engine.name === 'scout' ? 'casebook' : 'agent', name: engine.name, via: deps.model(engine.name) };
    const desk = new InvestigationDesk({ deps, files, caseId: state.id, run, agent, snapshot: state.snapshot, submitSchema: providerSafeSchema(submission), onExhausted: () => stop.abort(new DOMException('no valid submission', 'AbortError')) });
    const ambient = state.ambient ? deps.ambient?.() : undefined;
    // The record says what was shared, not its text.
    if (ambient !== undefined) await this.append('run.noted', { level: 'info', text: `Shared from the editor: ${ambient.shared}` });
    const request = this.request(desk, scout, ambient?.text);
    const ended = await recordEngine(engine, request, deps, agent, signal);
    await this.reportTreeChanges(watched);
    return this.conclude(desk, ended);
  }

  private request(desk: InvestigationDesk, scout: ScoutResult | undefined, ambient: string | undefined): RunRequest {
    const { deps, state, run, engine, mode } = this.input;
    const earlier = state.runs.at(-1);
    const resumes = mode === 'resume' && engine.capabilities.resume && earlier?.engine === engine.name ? earlier.session : undefined;
    const prompt =
      resumes === undefined
        ? investigationPrompt({ ticket: state.ticket, scout, snapshot: state.snapshot, earlierReport: mode === 'fresh' ? undefined : state.report?.markdown, ambient })
        : 'The earlier run was cut off. Go on from where you were, refresh the report and submit the verdict.';
    return { run, case: state.id, verb: 'investigate', system: deps.system, prompt, folders: deps.evidence.roots(), effect: 'read', tools: investigationTools, model: deps.model(engine.name), limits: deps.limits(), desk, resume: this.input.replay ?? resumes };
  }

  /** The scout's failure is not the run's: an agent can still look for itself. */
  private async scout(signal: AbortSignal): Promise<ScoutResult | undefined> {
    const { deps, state } = this.input;
    const actor = casebookActor('scout');
    await this.append('scout.started', { roots: deps.evidence.roots().map((root) => root.name) }, actor);
    try {
      const result = await deps.evidence.scout(state.ticket, signal);
      await this.append('scout.ended', { outcome: 'completed', result }, actor);
      return result;
    } catch (error) {
      await this.append('scout.ended', { outcome: signal.aborted ? 'cancelled' : 'failed', message: messageOf(error) }, actor);
      return undefined;
    }
  }

  private async reportTreeChanges(watched: Awaited<ReturnType<CasesDeps['evidence']['watchTree']>>): Promise<void> {
    // Not under the run's signal: after a stop it matters just as much what was touched.
    const changed = await watched.end(AbortSignal.timeout(60_000)).catch(() => undefined);
    if (changed !== undefined && changed.files.length > 0) await this.append('tree.changed', changed);
  }

  /** Checks the report's citations beside the verdict's, writes the files a last time, and says how the run really ended. */
  private async conclude(desk: InvestigationDesk, end: RunEnd): Promise<RunResult> {
    const { deps, files, state } = this.input;
    if (desk.latestReport === undefined && end.text.trim() !== '') await desk.report(end.text);
    const reported = desk.latestReport === undefined ? [] : deps.evidence.extract(desk.latestReport).map((claim) => ({ ...claim, origin: 'report' as const }));
    // The report repeats what the verdict cites; said once, with the verdict's quote, is enough.
    const further = reported.filter((claim) => !desk.checked.some((citation) => citation.file === claim.file && citation.line === claim.line));
    const citations = [...desk.checked, ...(await deps.evidence.check(further, state.snapshot, AbortSignal.timeout(60_000)))];
    if (citations.length > 0) {
      await this.append('citations.checked', { citations, cause: 'report' });
      await files.writeCitations(citations);
    }
    const { usage } = end;
    if (desk.verdict !== undefined) {
      if (desk.latestReport !== undefined) await this.append('report.written', { markdown: desk.latestReport, partial: false });
      await this.input.afterVerdict();
      return { outcome: 'completed', usage };
    }
    if (desk.latestReport !== undefined) await files.writeReport(`> Partial: the run ended before a verdict.\n\n${desk.latestReport}`);
    if (desk.exhausted) return { outcome: 'failed', reason: 'invalid_result', message: 'The agent could not submit a valid verdict.', usage };
    if (end.ended.outcome !== 'completed') return { outcome: end.ended.outcome, reason: end.ended.reason, message: end.ended.message, usage };
    return desk.latestReport === undefined
      ? { outcome: 'failed', reason: 'empty_result', message: 'The agent ended without a report and without a verdict.', usage }
      : { outcome: 'failed', reason: 'invalid_result', message: 'The agent ended without submitting a verdict; its report is kept as partial.', usage };
  }
}

function firstReport(state: CaseState): string {
  return `# ${state.title}\n\n## Symptom\n\n${state.ticket.title}\n\n## Investigation\n\nUnder way.\n`;
}

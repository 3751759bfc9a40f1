import { messageOf } from '../../base/failure.ts';
import type { Logger } from '../../base/logger.ts';
import type { EventKind } from '../../journal/kinds/index.ts';
import type { Journal, NewEvent } from '../../journal/port.ts';
import { type Actor, casebookActor } from '../../model/actor.ts';
import type { Effect, EngineName, RunLimits, RunOutcome, RunReason, Usage, VerbName } from '../../model/run.ts';
import type { EnginePort } from '../engine.ts';
import { promptHash } from '../prompt/layers.ts';

/** What a run of any verb needs of its surroundings. */
export interface RunDeps {
  journal: Journal;
  logger: Logger;
  limits(): RunLimits;
  model(engine: EngineName): string | undefined;
  mask: (text: string) => { text: string; count: number };
  /** Aborts when this process closes: runs end as interrupted, to be taken up again. */
  shutdown: AbortSignal;
}

/** A run as it is put on record before anything happens. */
export interface RunPlan {
  run: string;
  case?: string;
  verb: VerbName;
  engine: EnginePort;
  /** Why this engine: the user's setting, or the words of the auto rule. */
  choice: string;
  effect: Effect;
  /** Tools beside those of the desk. */
  tools: readonly string[];
  /** Prompt layers, outermost first. */
  system: readonly string[];
  /** What identifies the prompt for the record: the prompt itself, or the hash of what it is made of. */
  prompt: string;
  resumes?: string | undefined;
  /** Who says that it began and ended. */
  by: string;
}

export interface RunResult {
  outcome: RunOutcome;
  reason?: RunReason | undefined;
  message?: string | undefined;
  usage?: Usage | undefined;
}

/** The desk's own tools, there for every run. */
const deskTools = ['report', 'submit', 'ask_user'] as const;

/**
 * One run of a verb: `run.started`, the work, and exactly one `run.ended`, whatever happens in between. `work` gets a signal that aborts with the caller's, with a
 * stop that a person asks for in any process, with the end of this process, and with `stop`, by which the work can end itself. Rejects only when nothing can be recorded.
 */
export async function recordedRun(deps: RunDeps, plan: RunPlan, work: (signal: AbortSignal, stop: AbortController) => Promise<RunResult>, signal: AbortSignal): Promise<RunResult> {
  const { journal, shutdown, logger } = deps;
  const append = <K extends EventKind>(kind: K, body: NewEvent<K>['body'], actor: Actor = casebookActor(plan.by)): Promise<unknown> =>
    journal.append({ kind, body, actor, run: plan.run, ...(plan.case === undefined ? {} : { case: plan.case }) });
  const stop = new AbortController();
  const listening = abortOnStop(journal, plan.run, stop);
  const running = AbortSignal.any([signal, stop.signal, shutdown]);
  await append('run.started', startedBody(deps, plan));
  let result: RunResult = { outcome: 'failed', reason: 'crashed' };
  try {
    result = await work(running, stop);
  } catch (error) {
    logger.error('a run failed', { verb: plan.verb, message: messageOf(error) });
    result = running.aborted ? { outcome: 'cancelled', reason: 'user_stopped' } : { outcome: 'failed', reason: 'crashed', message: messageOf(error) };
  } finally {
    listening.dispose();
    if (shutdown.aborted && result.outcome === 'cancelled') result = { ...result, outcome: 'interrupted', reason: 'host_gone' };
    await append('run.ended', result);
  }
  return result;
}

function startedBody(deps: RunDeps, { verb, engine, choice, effect, tools, system, prompt, resumes }: RunPlan): NewEvent<'run.started'>['body'] {
  return {
    verb,
    engine: engine.name,
    model: deps.model(engine.name),
    choice,
    effect,
    tools: { allowed: [...tools, ...deskTools], denied: [] },
    enforced: Object.entries(engine.capabilities).flatMap(([name, value]) => (value && name !== 'leavesMachine' ? [name] : [])),
    limits: deps.limits(),
    promptHash: promptHash(system, prompt),
    resumes,
    replay: engine.name === 'replay',
  };
}

/** Aborts `controller` when a person asks for a stop of this run, here or in another process. Dispose to stop listening. */
function abortOnStop(journal: Journal, run: string, controller: AbortController): { dispose(): void } {
  return journal.onEvent((event) => {
    if (event.kind === 'run.stop_asked' && event.run === run) controller.abort(new DOMException('stopped by a person', 'AbortError'));
  });
}

import type { AnyEvent } from '../journal/port.ts';
import type { EventBody } from '../journal/kinds/index.ts';
import { zeroUsage } from '../model/run.ts';
import type { RunState, StepState } from './state.ts';

/** A run as its `run.started` describes it. */
export function newRun(id: string, owner: string, ts: string, body: EventBody<'run.started'>): RunState {
  const { engine, model, choice, limits, enforced, replay, resumes } = body;
  return {
    id,
    owner,
    engine,
    choice,
    startedAt: ts,
    lastEventAt: ts,
    steps: [],
    usage: zeroUsage,
    limits,
    enforced,
    replay,
    model,
    resumes,
  };
}

/** One of a run's own events onto its state: steps, usage, end. The first end counts. */
export function applyToRun(run: RunState, event: AnyEvent): RunState {
  if (event.body === null || event.kind === 'run.started') return run;
  const touched: RunState = { ...run, lastEventAt: event.ts > run.lastEventAt ? event.ts : run.lastEventAt };
  switch (event.kind) {
    case 'run.ended': {
      if (run.ended !== undefined) return run;
      const { outcome, reason, message, usage } = event.body;
      const ended = { outcome, at: event.ts, reason, message };
      const steps = run.steps.map((step): StepState => (step.state === 'running' ? { ...step, state: 'failed' } : step));
      return { ...touched, steps, ended, usage: usage ?? run.usage };
    }
    case 'run.used':
      return { ...touched, usage: event.body.usage };
    case 'run.noted': {
      const { session } = event.body;
      return { ...touched, steps: withStep(touched, event), session };
    }
    case 'tool.returned': {
      const { call, ok, head } = event.body;
      return { ...touched, steps: change(touched.steps, call, (step) => ({ ...step, state: ok ? 'done' : 'failed', detail: head })) };
    }
    case 'scout.ended': {
      const { outcome, result, message } = event.body;
      const title = result === undefined ? (message ?? 'The scout found nothing') : `The scout ranked ${result.suspects.length} files from ${result.clues.length} clues`;
      return { ...touched, steps: change(touched.steps, 'scout', (step) => ({ ...step, title, state: outcome === 'completed' ? 'done' : 'failed' })) };
    }
    case 'question.answered':
      return { ...touched, steps: change(touched.steps, event.body.id, (step) => ({ ...step, state: 'done' })) };
    default:
      return { ...touched, steps: withStep(touched, event) };
  }
}

function change(steps: StepState[], id: string, how: (step: StepState) => StepState): StepState[] {
  const at = steps.findLastIndex((step) => step.id === id);
  const found = steps[at];
  return found === undefined ? steps : steps.with(at, how(found));
}

function withStep({ steps, engine }: RunState, event: AnyEvent): StepState[] {
  const last = steps.at(-1);
  if (event.kind === 'run.texted' && event.body !== null && last?.kind === 'text') return steps.with(-1, { ...last, detail: `${last.detail ?? ''}${event.body.text}` });
  if (event.kind === 'run.thought' && event.body !== null && last?.kind === 'thinking') return steps.with(-1, { ...last, detail: `${last.detail ?? ''}${event.body.text}` });
  const step = stepOf(event, engine);
  return step === undefined ? steps : [...steps, step];
}

function stepOf(event: AnyEvent, engine: RunState['engine']): StepState | undefined {
  if (event.body === null) return undefined;
  const base = { id: event.id, at: event.ts };
  switch (event.kind) {
    case 'run.texted':
      return { ...base, kind: 'text', title: engine === 'scout' ? 'The scout says' : 'The agent writes', detail: event.body.text, state: 'done' };
    case 'run.thought':
      return { ...base, kind: 'thinking', title: 'The agent thinks', detail: event.body.text, state: 'done' };
    case 'tool.called':
      return { ...base, id: event.body.call, kind: 'tool', title: event.body.summary, state: 'running' };
    case 'tool.denied':
      return { ...base, kind: 'denied', title: `${event.body.tool}: refused`, detail: event.body.why, state: 'denied' };
    case 'run.noted':
      return { ...base, kind: 'note', title: event.body.text, state: event.body.level === 'warn' ? 'failed' : 'done' };
    case 'run.stop_asked':
      return { ...base, kind: 'note', title: 'Stop was asked for', state: 'done' };
    case 'report.written':
      return { ...base, kind: 'report', title: event.body.partial ? 'Report refreshed (partial)' : 'Report refreshed', state: 'done' };
    case 'question.asked':
      return { ...base, id: event.body.id, kind: 'question', title: event.body.questions[0]?.question ?? 'A question', state: 'running' };
    case 'verdict.refused':
      return { ...base, kind: 'refusal', title: `Submission ${event.body.attempt} sent back`, detail: event.body.problems.map((problem) => `${problem.path}: ${problem.message}`).join('\n'), state: 'failed' };
    case 'verdict.submitted':
      return { ...base, kind: 'verdict', title: `Verdict: ${event.body.verdict.classification.replaceAll('_', ' ')}`, state: 'done' };
    case 'scout.started':
      return { ...base, id: 'scout', kind: 'scout', title: 'The scout searches the code', state: 'running' };
    default:
      return undefined;
  }
}

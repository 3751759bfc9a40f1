import type { EventBody } from '../../../journal/kinds/index.ts';
import type { AnyEvent } from '../../../journal/port.ts';
import type { Citation } from '../../../model/code.ts';
import type { Submission, Verdict } from '../../../model/verdict.ts';
import { DeskSession } from '../../desk-session.ts';
import { type EnginePort, type EngineStatus, ownCode, type RunEvent, type RunRequest } from '../../engine.ts';
import { RunGuard } from '../../limits.ts';
import { type Ended, type RunStep, failed, withOneEnd } from '../../run-events.ts';

/** The events of the recorded run that a request plays again, in order; those of other runs are ignored. */
export type Recording = (request: RunRequest, signal: AbortSignal) => AsyncIterable<AnyEvent>;

/**
 * Plays a recorded run again: its steps, its report and its result, asking nobody. Every replay says so in its first event, and the run is
 * recorded with `replay: true`; what comes out of it can never be posted.
 */
export class ReplayEngine implements EnginePort {
  readonly name = 'replay';
  readonly capabilities = ownCode;

  constructor(private readonly recording: Recording) {}

  async probe(): Promise<EngineStatus> {
    return { usable: true, label: 'Replay of a recorded run', destination: 'this machine' };
  }

  start(request: RunRequest, signal: AbortSignal): AsyncIterable<RunEvent> {
    const guard = new RunGuard(request.limits, signal);
    return withOneEnd(guard, this.run(request, guard));
  }

  private async *run(request: RunRequest, guard: RunGuard): AsyncGenerator<RunStep, Ended> {
    const session = new DeskSession(request.desk, guard);
    let started = false;
    let recorded: Ended | undefined;
    let submitted: EventBody<'verdict.submitted'> | undefined;
    for await (const event of this.recording(request, guard.signal)) {
      guard.signal.throwIfAborted();
      if (event.kind === 'run.started') {
        started = true;
        yield { type: 'note', level: 'info', text: `Replay of run ${event.run ?? ''} by ${event.body?.engine ?? 'an unknown engine'}, recorded ${event.ts}. No model is asked.` };
      }
      if (event.kind === 'report.written' && event.body) await request.desk.report(event.body.markdown);
      if (event.kind === 'verdict.submitted' && event.body) submitted = event.body;
      // The quotes stand with the checked citations, which follow their verdict in the record.
      if (event.kind === 'citations.checked' && event.body?.cause === 'verdict' && submitted) {
        await session.submit(withQuotes(submitted.verdict, event.body.citations), submitted.recovered);
        submitted = undefined;
      }
      const step = stepOf(event);
      if (step?.type === 'ended') recorded = step;
      else if (step) yield step;
    }
    if (submitted) await session.submit(submitted.verdict, submitted.recovered);
    if (!started) return failed('empty_result', 'There is no such recording');
    return recorded ?? { type: 'ended', outcome: 'interrupted', message: 'The recording has no end' };
  }
}

/** A recorded verdict as it was submitted: its evidence with the quotes of its citations, which are in the same order. */
function withQuotes(verdict: Verdict, citations: readonly Citation[]): Submission {
  return { ...verdict, evidence: verdict.evidence.map((item, index) => ({ ...item, endLine: citations[index]?.endLine, quote: citations[index]?.quote })) };
}

/** The run event that a recorded one stands for; undefined for what is not a step, or was erased. */
export function stepOf(event: AnyEvent): RunEvent | undefined {
  if (event.body === null) return undefined;
  switch (event.kind) {
    case 'run.texted':
      return { type: 'text', text: event.body.text };
    case 'run.thought':
      return { type: 'thinking', text: event.body.text };
    case 'tool.called':
      return { type: 'tool_call', call: event.body.call, tool: event.body.tool, summary: event.body.summary, ...(event.body.input === undefined ? {} : { input: event.body.input }) };
    case 'tool.returned':
      return { type: 'tool_result', call: event.body.call, ok: event.body.ok, output: event.body.head };
    case 'tool.denied':
      return { type: 'tool_denied', call: event.body.call, tool: event.body.tool, why: event.body.why };
    case 'run.used':
      return { type: 'usage', usage: event.body.usage };
    case 'run.noted':
      return { type: 'note', level: event.body.level, text: event.body.text };
    case 'run.ended':
      return { type: 'ended', outcome: event.body.outcome, ...(event.body.reason ? { reason: event.body.reason } : {}), ...(event.body.message ? { message: event.body.message } : {}) };
    default:
      return undefined;
  }
}

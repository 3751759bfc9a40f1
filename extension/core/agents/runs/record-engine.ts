import { messageOf } from '../../base/failure.ts';
import type { EventKind } from '../../journal/kinds/index.ts';
import type { NewEvent } from '../../journal/port.ts';
import type { Actor } from '../../model/actor.ts';
import type { Usage } from '../../model/run.ts';
import type { EnginePort, RunEvent, RunRequest } from '../engine.ts';
import type { RunDeps } from './run.ts';

/** How much of a tool's output stands in the event itself; the rest is one click away in a blob. UTF-16 units. */
const headLength = 2000;

/** The end of a run and what it had used by then. */
export interface RunEnd {
  ended: Extract<RunEvent, { type: 'ended' }>;
  usage: Usage | undefined;
  /** All text the agent wrote, for a report that was printed instead of reported. */
  text: string;
  /** Its last message. */
  lastText: string;
}

/**
 * Runs an engine and writes each of its events into the journal as it comes. Never rejects: an engine that throws or
 * finishes without an end is a run that failed, and the record says so.
 */
export async function recordEngine(engine: EnginePort, request: RunRequest, deps: Pick<RunDeps, 'journal' | 'mask' | 'logger'>, agent: Actor, signal: AbortSignal): Promise<RunEnd> {
  const end: RunEnd = { ended: { type: 'ended', outcome: 'failed', reason: 'protocol', message: 'The engine finished without saying how.' }, usage: undefined, text: '', lastText: '' };
  let goesOn = false;
  try {
    for await (const event of engine.start(request, signal)) {
      if (event.type === 'ended') end.ended = event;
      else if (event.type === 'usage') end.usage = event.usage;
      else if (event.type === 'text') {
        end.text += event.text;
        end.lastText = goesOn ? end.lastText + event.text : event.text;
      }
      goesOn = event.type === 'text';
      await recordEvent(event, request, deps, agent);
    }
  } catch (error) {
    deps.logger.error('engine threw', { engine: engine.name, message: messageOf(error) });
    end.ended = { type: 'ended', outcome: signal.aborted ? 'cancelled' : 'failed', reason: 'crashed', message: messageOf(error) };
  }
  return end;
}

async function recordEvent(event: RunEvent, request: RunRequest, deps: Pick<RunDeps, 'journal' | 'mask'>, agent: Actor): Promise<void> {
  const append = <K extends EventKind>(kind: K, body: NewEvent<K>['body']) =>
    deps.journal.append({ kind, body, actor: agent, run: request.run, ...(request.case === undefined ? {} : { case: request.case }) });
  switch (event.type) {
    case 'text':
      await append('run.texted', { text: event.text });
      return;
    case 'thinking':
      await append('run.thought', { text: event.text });
      return;
    case 'tool_call':
      await append('tool.called', { call: event.call, tool: event.tool, summary: event.summary, input: event.input });
      return;
    case 'tool_result': {
      const masked = deps.mask(event.output).text;
      const blob = masked.length > headLength ? await deps.journal.blobs.put(new TextEncoder().encode(masked)) : undefined;
      await append('tool.returned', { call: event.call, ok: event.ok, bytes: Buffer.byteLength(event.output), head: masked.slice(0, headLength), blob });
      return;
    }
    case 'tool_denied':
      await append('tool.denied', { call: event.call, tool: event.tool, why: event.why });
      return;
    case 'usage':
      await append('run.used', { usage: event.usage });
      return;
    case 'note':
      await append('run.noted', { level: event.level, text: event.text, session: event.session });
      return;
    case 'permission_asked':
      await append('permission.asked', { id: event.id, action: event.action, effect: event.effect });
      return;
    // The desk records questions where they are answered, and the investigation records the end once everything is in.
    case 'question_asked':
    case 'ended':
  }
}

import { isFailure, messageOf } from '../base/failure.ts';
import type { DeskTool, ToolAnswer } from '../mcp/tool.ts';
import type { Usage } from '../model/run.ts';
import { Aborted, itemsOrAborted, orAborted, pause } from './abortable.ts';
import { fitConversation } from './conversation.ts';
import type { DeskSession } from './desk-session.ts';
import type { RunRequest } from './engine.ts';
import type { LanguageModel, ModelCall, ModelMessage, ModelPart } from './language-model.ts';
import type { RunGuard } from './limits.ts';
import { recoverPrintedJson } from './recover.ts';
import { type Ended, type RunStep, completed, failed, summarise } from './run-events.ts';

export interface ToolLoop {
  model: LanguageModel;
  request: RunRequest;
  session: DeskSession;
  /** Granted read tools; the desk's own come from the session. */
  readTools: readonly DeskTool[];
  guard: RunGuard;
  /** The model's service names prices. */
  priced: boolean;
}

/** Longest tool output that goes into the conversation, in characters; the record keeps what the tool gave. */
const longestOutput = 60_000;
/** A service that is busy or out of reach is asked this often in all for one turn. */
const attemptsPerTurn = 3;
/** How often a model that stops without a result is reminded. */
const reminders = 2;

/**
 * The one loop in which Casebook itself runs an agent over a model that can call tools: send, run the calls, send again, until the result is
 * taken, a limit is reached or the model has nothing more to say. Throws `Aborted` after a stop or a limit, and
 * what the model throws; `withOneEnd` makes the one `ended` of it.
 */
export async function* runToolLoop(loop: ToolLoop): AsyncGenerator<RunStep, Ended> {
  const { guard, session, request } = loop;
  const tools = session.tools(loop.readTools);
  const messages: ModelMessage[] = [...request.system.map((text) => ({ role: 'system' as const, text })), { role: 'user', text: request.prompt }];
  const note = loop.priced ? undefined : guard.unknownCost();
  if (note) yield { type: 'note', level: 'warn', text: note };
  let reminded = 0;
  while (guard.mayTakeTurn()) {
    const turn = new Turn();
    yield* takeTurn(loop, tools, messages, turn);
    messages.push({ role: 'assistant', text: turn.text, calls: turn.calls });
    if (turn.finish === 'refusal') return failed('refused', 'The model refused to go on');
    if (turn.calls.length > 0) {
      yield* runCalls(loop, tools, turn.calls, messages);
    } else if (turn.finish === 'length' && reminded < reminders) {
      reminded++;
      messages.push({ role: 'user', text: 'Your answer was cut off at its length limit. Go on from there, and hand in the result with the submit tool.' });
    } else {
      const answer = yield* recover(loop, turn.text);
      if (!session.accepted && !session.givenUp) {
        if (request.verb === 'converse') return completed;
        if (reminded++ >= reminders) return emptyEnd(session);
        messages.push({ role: 'user', text: answer ? answer.text : 'You stopped without a result. Hand it in now by calling the submit tool; printing it does not count.' });
      }
    }
    if (session.accepted) return completed;
    if (session.givenUp) return failed('invalid_result', 'The result was refused for the last time');
  }
  throw new Aborted();
}

export function emptyEnd(session: DeskSession): Ended {
  return session.submissions > 0
    ? failed('invalid_result', 'The agent stopped before its result was in order')
    : failed('empty_result', 'The agent stopped without a result');
}

/** What one turn brought. */
class Turn {
  text = '';
  calls: ModelCall[] = [];
  finish: Extract<ModelPart, { type: 'finish' }>['reason'] = 'stop';
  reported: Omit<Extract<ModelPart, { type: 'usage' }>, 'type'> | undefined;
  /** Text that was not yielded yet. */
  unsaid = '';
  get begun(): boolean {
    return this.text !== '' || this.calls.length > 0;
  }
}

async function* takeTurn(loop: ToolLoop, tools: readonly DeskTool[], messages: ModelMessage[], turn: Turn): AsyncGenerator<RunStep> {
  const { model, guard } = loop;
  const sent = await fitConversation(messages, model);
  for (let attempt = 1; ; attempt++) {
    try {
      yield* listen(itemsOrAborted(model.send(sent.messages, tools, guard.signal), guard.signal), turn);
      break;
    } catch (error) {
      if (guard.signal.aborted) throw error;
      const retry = retryDelay(error, attempt, turn);
      if (retry === undefined) throw error;
      yield { type: 'note', level: 'warn', text: `The model's service did not answer (${messageOf(error)}); asking again` };
      await pause(retry, guard.signal);
    }
  }
  yield { type: 'usage', usage: await count(loop, sent.tokens, turn) };
  if (guard.signal.aborted) throw new Aborted();
}

async function* listen(parts: AsyncIterable<ModelPart>, turn: Turn): AsyncGenerator<RunStep> {
  for await (const part of parts) {
    if (part.type === 'text') {
      turn.text += part.text;
      turn.unsaid += part.text;
      // Whole lines, so that the record is not one entry per token.
      if (turn.unsaid.length > 600 && part.text.includes('\n')) yield* say(turn);
    } else if (part.type === 'thinking') yield { type: 'thinking', text: part.text };
    else if (part.type === 'toolCall') turn.calls.push({ id: part.id, name: part.name, input: part.input });
    else if (part.type === 'usage') turn.reported = part;
    else turn.finish = part.reason;
  }
  yield* say(turn);
}

function* say(turn: Turn): Generator<RunStep> {
  if (turn.unsaid.trim() !== '') yield { type: 'text', text: turn.unsaid };
  turn.unsaid = '';
}

/** Milliseconds to wait before asking again, or undefined when that would not help or the model already began to answer. */
function retryDelay(error: unknown, attempt: number, turn: Turn): number | undefined {
  if (turn.begun || attempt >= attemptsPerTurn || !isFailure(error, 'network', 'rate_limited')) return undefined;
  const { retryAfterMs: named, silentMs } = (error.detail ?? {}) as { retryAfterMs?: unknown; silentMs?: unknown };
  // Who was silent for so long has been waited for already.
  if (silentMs !== undefined) return undefined;
  return typeof named === 'number' ? Math.min(named, 30_000) : 250 * 2 ** attempt;
}

async function count(loop: ToolLoop, sentTokens: number, turn: Turn): Promise<Usage> {
  // A service that names prices and then leaves one out has spent all the same.
  if (loop.priced && turn.reported?.usd === undefined) loop.guard.unknownCost();
  if (turn.reported) return loop.guard.add({ ...turn.reported, turns: 1 });
  const outputTokens = Math.ceil((turn.text.length + JSON.stringify(turn.calls).length) / 4);
  return loop.guard.add({ inputTokens: sentTokens, outputTokens, turns: 1 });
}

async function* runCalls(loop: ToolLoop, tools: readonly DeskTool[], calls: readonly ModelCall[], messages: ModelMessage[]): AsyncGenerator<RunStep> {
  const results: { id: string; name: string; ok: boolean; text: string }[] = [];
  for (const call of calls) {
    const tool = tools.find((one) => one.name === call.name);
    yield { type: 'tool_call', call: call.id, tool: call.name, summary: summarise(call.name, call.input), input: call.input };
    const answer = tool ? await runCall(tool, call, loop.guard.signal) : denied(call.name, tools);
    if (tool) yield { type: 'tool_result', call: call.id, ok: answer.ok, output: answer.text };
    else yield { type: 'tool_denied', call: call.id, tool: call.name, why: answer.text };
    results.push({ id: call.id, name: call.name, ok: answer.ok, text: cut(answer.text) });
    if (loop.session.accepted || loop.session.givenUp) break;
  }
  messages.push({ role: 'tool', results });
}

async function runCall(tool: DeskTool, call: ModelCall, signal: AbortSignal): Promise<ToolAnswer> {
  if (typeof call.input === 'string') return { ok: false, text: `The arguments of ${tool.name} are not valid JSON. Call it again with a JSON object.` };
  try {
    return await orAborted(tool.call(call.input, signal), signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return { ok: false, text: `The tool failed: ${messageOf(error)}` };
  }
}

const denied = (name: string, tools: readonly DeskTool[]): ToolAnswer => ({ ok: false, text: `There is no tool "${name}" in this run. There are: ${tools.map((tool) => tool.name).join(', ')}` });

const cut = (text: string): string => (text.length <= longestOutput ? text : `${text.slice(0, longestOutput)}\n[cut here: ${text.length - longestOutput} more characters; ask for a smaller part]`);

/** A result that was printed counts, flagged as recovered, if it is in order. */
async function* recover(loop: ToolLoop, text: string): AsyncGenerator<RunStep, ToolAnswer | undefined> {
  const required = loop.request.desk.submitSchema['required'];
  const printed = recoverPrintedJson(text, Array.isArray(required) && required.length > 0 ? [String(required[0])] : []);
  if (!printed || loop.request.verb === 'converse') return undefined;
  yield { type: 'note', level: 'warn', text: 'The model printed its result instead of handing it in; it was taken from the text' };
  return loop.session.submit(printed, true);
}

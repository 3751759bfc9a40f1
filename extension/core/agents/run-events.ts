import { isFailure, messageOf } from '../base/failure.ts';
import { type RunReason, runReason } from '../model/run.ts';
import type { RunEvent } from './engine.ts';
import { type RunGuard, endOfStopped } from './limits.ts';

export type Ended = Extract<RunEvent, { type: 'ended' }>;

/** What happens before the end. */
export type RunStep = Exclude<RunEvent, { type: 'ended' }>;

/**
 * Keeps an engine's promise for it: the steps of `body`, then exactly one `ended`, last: the one that `body` returns, or the one that its throw
 * stands for. A throw after a stop or a limit is that stop; a Failure keeps its reason if it is a run's; any other is `crashed`. Disposes the guard.
 */
export async function* withOneEnd(guard: RunGuard, body: AsyncGenerator<RunStep, Ended>): AsyncGenerator<RunEvent, void> {
  let ended: Ended;
  try {
    ended = yield* body;
  } catch (error) {
    ended = { type: 'ended', ...(endOfStopped(guard) ?? { outcome: 'failed' as const, reason: reasonOf(error), message: messageOf(error) }) };
  } finally {
    guard.dispose();
  }
  yield ended;
}

export const completed: Ended = { type: 'ended', outcome: 'completed' };

export function failed(reason: RunReason, message: string): Ended {
  return { type: 'ended', outcome: 'failed', reason, message };
}

function reasonOf(error: unknown): RunReason {
  const known = isFailure(error) ? runReason.safeParse(error.reason) : undefined;
  return known?.success ? known.data : 'crashed';
}

/** One line that tells a person what a tool call is about; never more than 160 characters. */
export function summarise(tool: string, input: unknown): string {
  const fields = input !== null && typeof input === 'object' ? (input as Record<string, unknown>) : {};
  const telling = ['file_path', 'path', 'pattern', 'query', 'glob', 'commit', 'file', 'name', 'symbol'].map((key) => fields[key]).filter((value) => typeof value === 'string' && value !== '');
  const classification = fields['classification'];
  const text = tool === 'submit' && typeof classification === 'string' ? `submit ${classification}` : telling.length > 0 ? `${tool} ${telling.slice(0, 2).join(' in ')}` : tool;
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

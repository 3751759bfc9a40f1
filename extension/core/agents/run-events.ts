import { isFailure, messageOf } from '../base/failure.ts';
import { type RunReason, runReason } from '../model/run.ts';
import type { RunEvent } from './engine.ts';
import { type RunGuard, endOfStopped } from './limits.ts';

export type Ended = Extract<RunEvent, { type: 'ended' }>;

/**
 * Keeps an engine's promise for it: everything `body` yields, then exactly one `ended`, last, whatever `body` did (returned without one,
 * threw, yielded on). A throw after a stop or a limit is that stop; a Failure keeps its reason if it is a run's; any other is `crashed`.
 * Disposes the guard.
 */
export async function* withOneEnd(guard: RunGuard, body: AsyncIterable<RunEvent>): AsyncGenerator<RunEvent> {
  let ended: Ended | undefined;
  try {
    for await (const event of body) {
      if (event.type === 'ended') ended ??= event;
      else if (!ended) yield event;
    }
  } catch (error) {
    ended ??= { type: 'ended', ...(endOfStopped(guard) ?? { outcome: 'failed' as const, reason: reasonOf(error), message: messageOf(error) }) };
  } finally {
    guard.dispose();
  }
  yield ended ?? { type: 'ended', ...(endOfStopped(guard) ?? { outcome: 'failed', reason: 'crashed', message: 'The engine ended without saying why' }) };
}

function reasonOf(error: unknown): RunReason {
  const known = isFailure(error) ? runReason.safeParse(error.reason) : undefined;
  return known?.success ? known.data : 'crashed';
}

/** One line that tells a person what a tool call is about; never more than 160 characters. */
export function summarise(tool: string, input: unknown): string {
  const fields = input !== null && typeof input === 'object' ? (input as Record<string, unknown>) : {};
  const telling = ['file_path', 'path', 'pattern', 'query', 'glob', 'commit', 'file', 'name', 'symbol'].map((key) => fields[key]).filter((value) => typeof value === 'string' && value !== '');
  const text = tool === 'submit' ? `submit ${String(fields['classification'] ?? '')}`.trim() : telling.length > 0 ? `${tool} ${telling.slice(0, 2).join(' in ')}` : tool;
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

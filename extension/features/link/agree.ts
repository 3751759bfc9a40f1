import type { EngineName } from '../../core/model/run.ts';
import type { Prompter } from '../../host/prompter.ts';

const YES = 'Investigate';

/**
 * Asks whether an agent may have a ticket investigated, without taking the keyboard: what was agreed on is the engine to do it with, asked for by `engine`.
 * Undefined when the person says no, closes the question, or the agent no longer waits.
 */
export async function agreeToAgent({ client, title }: { client: string; title: string }, prompter: Pick<Prompter, 'inform'>, engine: (via: string) => Promise<EngineName | 'auto' | undefined>, signal: AbortSignal): Promise<EngineName | 'auto' | undefined> {
  const answer = await Promise.race([prompter.inform(`${client} asks to investigate “${title}”.`, [YES, 'No']), aborted(signal)]);
  return answer === YES && !signal.aborted ? engine(`link:${client}`) : undefined;
}

const aborted = (signal: AbortSignal): Promise<undefined> => new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));

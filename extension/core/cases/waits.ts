import type { Journal } from '../journal/port.ts';
import type { Answer } from '../model/verdict.ts';

/**
 * Waits until somebody, in any window or terminal, answers a question in the record. Settles exactly once: with the first answer,
 * or undefined when the signal aborts first.
 */
export function waitForAnswer(journal: Journal, id: string, signal: AbortSignal): Promise<Answer[] | undefined> {
  return new Promise((resolve) => {
    const settle = (answers: Answer[] | undefined) => {
      subscription.dispose();
      signal.removeEventListener('abort', onAbort);
      resolve(answers);
    };
    const onAbort = () => settle(undefined);
    const subscription = journal.onEvent((event) => {
      if (event.kind === 'question.answered' && event.body?.id === id) settle(event.body.answers);
    });
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

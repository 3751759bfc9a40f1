import type { CallerAnswer, CallerCapabilities } from '../../model/change.ts';

/** A settled file as far as an answer depends on it. */
export interface AnsweredFile {
  key: string;
  /** Something was left out of the proposal. */
  partial: boolean;
  /** Something is there that was not proposed. */
  edited: boolean;
  /** The final content is an empty file. */
  empty: boolean;
  /** Hash of the final content where it differs from the proposal and is a file. */
  final?: string;
}

export type Decided = 'accepted' | 'partly_accepted' | 'rejected';

/** What a caller cannot be told of a decision, for the person to see before deciding. */
export interface Inexpressible {
  partial: boolean;
  edited: boolean;
  comments: boolean;
}

/** What of a review a caller has no way to hear: it becomes a rejection to the agent, a write of our own, and words for the agent's next prompt. */
export function inexpressible(capabilities: CallerCapabilities): Inexpressible {
  const finalText = capabilities.canEdit;
  return { partial: !capabilities.canPartial && !finalText, edited: !finalText, comments: !capabilities.canExplain };
}

/**
 * The answer that a waiting caller gets, within its capabilities, and who writes. An agent that writes itself and cannot be told of a partial or edited
 * acceptance hears a rejection, and Casebook writes what was decided. `words`: the reason and comments.
 */
export function answerTo(outcome: Decided, files: readonly AnsweredFile[], capabilities: CallerCapabilities, words: string | undefined): CallerAnswer {
  const said = words === undefined || words === '' ? {} : capabilities.canExplain ? { words } : { nextPrompt: words };
  if (outcome === 'rejected') return { verdict: 'reject', writes: 'nobody', ...said };
  const changed = files.filter((file) => file.partial || file.edited);
  const writes = capabilities.writer;
  if (changed.length === 0) return { verdict: 'accept', writes, ...said };
  const limits = inexpressible(capabilities);
  const sayable = changed.every((file) => !(file.edited && limits.edited) && !(file.partial && limits.partial) && !(file.empty && !capabilities.canEmpty) && file.final !== undefined);
  if (sayable) return { verdict: 'accept', writes, edited: Object.fromEntries(changed.map((file) => [file.key, file.final ?? ''])), ...said };
  return { verdict: 'reject', writes: 'casebook', ...said, nextPrompt: words ?? '' };
}

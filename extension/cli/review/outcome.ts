import { countDecided, type HunkVerdict } from '../../core/model/change.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import type { ReviewDesk } from '../../core/review/port.ts';
import { lineForTerminal } from '../terminal-text.ts';

/** Hunks of a set that nobody has decided, as last counted. */
export function leftIn(state: SetState): number {
  return state.status === 'settled' ? 0 : state.files.reduce((sum, file) => sum + file.left, 0);
}

/**
 * The set once it has its outcome, or as it is after `ms` milliseconds. A set of another process is settled there; this waits for it as long as everything is decided
 * (a re-base may open it again, a write may fail).
 */
export async function whatBecame(desk: Pick<ReviewDesk, 'state' | 'onChange'>, set: string, ms: number, signal: AbortSignal): Promise<SetState> {
  const late = new AbortController();
  // Not AbortSignal.timeout, which keeps no process: while another one settles the set, nothing else keeps this one.
  const timer = setTimeout(() => late.abort(), ms);
  const enough = AbortSignal.any([signal, late.signal]);
  try {
    for (;;) {
      const changed = nextChange(desk, set, enough);
      const state = await desk.state(set);
      if (state.status === 'settled' || leftIn(state) > 0 || state.writeFailed !== undefined || enough.aborted) {
        changed.dispose();
        return state;
      }
      await changed.happened;
    }
  } finally {
    clearTimeout(timer);
  }
}

function nextChange(desk: Pick<ReviewDesk, 'onChange'>, set: string, signal: AbortSignal): { happened: Promise<void>; dispose(): void } {
  let dispose = (): void => undefined;
  const happened = new Promise<void>((resolve) => {
    const subscription = desk.onChange((id) => {
      if (id === set) dispose();
    });
    dispose = () => {
      subscription.dispose();
      signal.removeEventListener('abort', dispose);
      resolve();
    };
    signal.addEventListener('abort', dispose, { once: true });
    if (signal.aborted) dispose();
  });
  return { happened, dispose: () => dispose() };
}

/** What has become of a set, in a sentence. */
export function outcomeInWords(state: SetState, own: string): string {
  if (state.settled !== undefined) {
    const { outcome, files, standing, reason } = state.settled;
    const count = (decision: HunkVerdict): number => files.reduce((sum, file) => sum + countDecided(file, decision), 0);
    const counts = `${count('accept')} accepted, ${count('edited')} edited, ${count('reject')} rejected`;
    return `${state.id}: ${outcome.replaceAll('_', ' ')}${standing === false ? ', undone' : ''} (hunks: ${counts})${reason === undefined ? '' : ` ${lineForTerminal(reason)}`}`;
  }
  if (state.writeFailed !== undefined) return `${state.id}: decided, but it could not be written: ${lineForTerminal(state.writeFailed.message)} Nothing of it is on disk.`;
  const left = leftIn(state);
  if (left > 0) return `${state.id}: pending, ${left} ${left === 1 ? 'hunk' : 'hunks'} undecided`;
  if (state.owner !== own) return `${state.id}: decided; the decision is on record, and the window or terminal it belongs to (${state.owner}) has not settled it yet`;
  return `${state.id}: decided, not finished; "casebook review finish ${state.id}" does it`;
}

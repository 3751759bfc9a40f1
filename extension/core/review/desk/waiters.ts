import type { Caller, Outcome } from '../port.ts';

/** Why a caller waits no more: it went away, or this process (or the link in it) reloads or ends. */
export const detachReasons = ['gone', 'reload', 'shutdown'] as const;
export type DetachReason = (typeof detachReasons)[number];

interface Waiter {
  settle(outcome: Outcome): void;
}

/**
 * Callers that wait for a set, by set. Each wait ends exactly once: with the set's outcome, or with `abandoned` when its caller is gone or
 * this process closes.
 */
export class Waiters {
  private readonly waiting = new Map<string, Set<Waiter>>();

  /** Waits for a set's outcome. `gone` is called when the caller leaves and nobody else waits, with what its signal says of why. */
  wait(set: string, caller: Pick<Caller, 'signal'>, gone: (why: DetachReason) => void): Promise<Outcome> {
    return new Promise((resolve) => {
      const here = this.waiting.get(set) ?? new Set();
      this.waiting.set(set, here);
      const waiter: Waiter = {
        settle: (outcome) => {
          here.delete(waiter);
          if (here.size === 0) this.waiting.delete(set);
          caller.signal.removeEventListener('abort', left);
          resolve(outcome);
        },
      };
      const left = (): void => {
        waiter.settle(abandoned(set));
        if (!this.has(set)) gone(reasonOf(caller.signal));
      };
      here.add(waiter);
      caller.signal.addEventListener('abort', left, { once: true });
      if (caller.signal.aborted) left();
    });
  }

  has(set: string): boolean {
    return this.waiting.has(set);
  }

  sets(): string[] {
    return [...this.waiting.keys()];
  }

  settle(set: string, outcome: Outcome): void {
    for (const waiter of [...(this.waiting.get(set) ?? [])]) waiter.settle(outcome);
  }
}

export function abandoned(set: string): Outcome {
  return { set, outcome: 'abandoned', decisions: [], final: {} };
}

function reasonOf({ reason }: AbortSignal): DetachReason {
  return detachReasons.find((known) => reason instanceof DOMException && reason.name === known) ?? 'gone';
}

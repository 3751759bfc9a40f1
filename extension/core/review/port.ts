import type { CallerCapabilities, ChangeSet, HunkDecision, SetOutcome } from '../model/change.ts';

/**
 * ReviewPort: the one door through which every change of every agent comes to a person.
 * `propose` settles exactly once. A caller's wait is not the set's life: aborting the signal detaches the caller
 * (it gets `abandoned`), while the set stays pending on the desk. An identical proposal of the same origin joins the pending one.
 */
export interface ReviewPort {
  propose(changeSet: ChangeSet, caller: Caller): Promise<Outcome>;
}

export interface Caller {
  name: string;
  capabilities: CallerCapabilities;
  /** Aborts when the caller is gone. */
  signal: AbortSignal;
}

export interface Outcome {
  set: string;
  outcome: SetOutcome;
  decisions: HunkDecision[];
  /** Final bytes by `root/path`, as blob hashes, where they differ from the proposal. */
  final: Record<string, string>;
  reason?: string;
}

import type { z } from 'zod';
import { caseKinds } from './case.ts';
import { journalKinds } from './journal.ts';
import { linkKinds } from './link.ts';
import { reviewKinds } from './review.ts';
import { runKinds } from './run.ts';

/**
 * The registry of event kinds: past-tense `noun.verb`, each with the zod schema of its body. An event of an unknown kind
 * (a newer Casebook's) is kept, counted and shown as such, never dropped.
 */
export const eventKinds = { ...journalKinds, ...caseKinds, ...runKinds, ...reviewKinds, ...linkKinds };

export type EventKind = keyof typeof eventKinds;
export type EventBody<K extends EventKind> = z.infer<(typeof eventKinds)[K]>;

/** Kinds by which a person or a policy takes responsibility: acknowledged only once they are on disk. */
export const decisionKinds: ReadonlySet<EventKind> = new Set<EventKind>([
  'case.opened',
  'verdict.submitted',
  'result.submitted',
  'verdict.accepted',
  'verdict.overridden',
  'finding.overridden',
  'question.answered',
  'permission.answered',
  'consent.given',
  'consent.withdrawn',
  'gate.opened',
  'gate.decided',
  'gate.carried_out',
  'hunks.decided',
  'changeset.proposed',
  'changeset.settled',
  'changeset.rebased',
  'changeset.applying',
  'changeset.finish_asked',
  'changeset.undone',
  'changeset.redone',
  'file.edited',
  'comment.made',
  'comment.removed',
  'checkpoint.taken',
  'checkpoint.closed',
  'journal.erased',
  'journal.adopted',
  'ownership.taken',
  'run.started',
  'run.stop_asked',
  'run.ended',
]);

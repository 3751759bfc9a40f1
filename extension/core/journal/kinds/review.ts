import { z } from 'zod';
import { actor } from '../../model/actor.ts';
import { callerAnswer, callerCapabilities, changeSet, contentRef, fileChange, hunkDecision, reviewComment, setOutcome, settledFile } from '../../model/change.ts';
import { snapshot } from '../../model/code.ts';

const caller = z.object({ name: z.string(), capabilities: callerCapabilities });
/** Hunks where the present and the proposal both changed the same lines. */
const conflict = z.object({
  file: z.string(),
  hunks: z.array(z.string()),
  /** By hunk: the lines that the proposal was made on, where they are few. */
  origins: z.record(z.string(), z.array(z.string())).default({}),
});
const atFile = z.object({ root: z.string(), path: z.string() });

/** What was on disk before and after a write of ours: enough to undo it (bytes are blobs). `folders`: made by it, absolute. */
const written = z.object({
  files: z.array(z.object({ root: z.string(), path: z.string(), from: z.string().optional(), before: contentRef, after: contentRef })),
  folders: z.array(z.string()),
  /** Files changed in an open buffer with unsaved text instead of on disk. */
  buffers: z.array(z.string()).default([]),
});

/** The review desk's events. The envelope's `set` names the set; its `case` and `run` are those of the origin. */
export const reviewKinds = {
  'changeset.proposed': z.object({ changeSet, caller, conflicts: z.array(conflict).default([]) }),
  /** The same proposal came again after a dropped connection and waits for the same outcome; `answered`: it had been settled unheard, and got that answer. */
  'changeset.joined': z.object({ caller, answered: z.boolean().default(false) }),
  'changeset.detached': z.object({ why: z.enum(['reload', 'shutdown', 'gone']) }),
  /**
   * Files of the set as they are from now on, because what they stand on changed. `revision` counts from 1; decisions taken on an earlier revision of these files are
   * void except `carried`.
   */
  'changeset.rebased': z.object({
    revision: z.number().int(),
    why: z.enum(['decided_before', 'changed_on_disk', 'asked']),
    files: z.array(fileChange.extend({ draft: contentRef.optional() })),
    carried: z.array(hunkDecision),
    conflicts: z.array(conflict),
    /** Files that no longer differ from what is there: nothing is left to decide. */
    gone: z.array(atFile).default([]),
  }),
  /** The person's version of the proposed side of a file; nothing is decided by it. Without `draft`: back to the proposal. `carried`: decisions on hunks that are still there. */
  'file.edited': atFile.extend({ revision: z.number().int(), draft: contentRef.optional(), counts: fileChange.shape.counts, patch: z.string().optional(), carried: z.array(hunkDecision) }),
  /** A person has looked at the file as it was proposed under that hash (or takes the mark off). */
  'file.reviewed': atFile.extend({ hash: z.string(), reviewed: z.boolean() }),
  'comment.made': z.object({ comment: reviewComment }),
  'comment.removed': z.object({ id: z.string() }),
  /** `left`: hunks still undecided by file, as the decider's process saw it. `undone`: a decision taken back while the set is pending. */
  'hunks.decided': z.object({ revision: z.number().int(), decisions: z.array(hunkDecision.extend({ decision: hunkDecision.shape.decision.or(z.literal('undone')) })), left: z.record(z.string(), z.number().int()), reason: z.string().optional() }),
  /** Everything is decided and a person wants it settled, where that is a step of its own. */
  'changeset.finish_asked': z.object({ revision: z.number().int(), reason: z.string().optional() }),
  /** Everything is decided and the write begins. Without a settled event after it, the disk tells whether it was done. */
  'changeset.applying': z.object({ files: written.shape.files }),
  /** Nothing of the set is on disk; it stays pending as it was decided. `rolledBack` is false when a later start has to finish putting back. */
  'changeset.write_failed': z.object({ reason: z.string(), message: z.string(), rolledBack: z.boolean() }),
  /** One event that holds the whole decision. `actor` is who decided last; each hunk names its own. */
  'changeset.settled': z.object({
    outcome: setOutcome,
    files: z.array(settledFile),
    comments: z.array(reviewComment),
    reason: z.string().optional(),
    answer: callerAnswer.optional(),
    /** False when nobody was waiting any more. */
    heard: z.boolean(),
    written: written.optional(),
    /** The policy by which it was decided, when it was. */
    policy: z.string().optional(),
    deciders: z.array(actor),
  }),
  /** Where the agent writes: what was found on disk afterwards, by `root/path`. */
  'changeset.observed': z.object({ result: z.enum(['matches', 'differs', 'not_seen']), actual: z.record(z.string(), contentRef).optional() }),
  'changeset.undone': z.object({ written }),
  'changeset.redone': z.object({ written }),
  /** A view-only surface showed the set: nothing was decided by it. */
  'changeset.looked_at': z.object({ surface: z.string() }),
  /** The state of the workspace from which changes that nobody asks about are told. */
  'checkpoint.taken': z.object({ checkpoint: z.string(), snapshot, why: z.enum(['asked', 'run', 'session']), label: z.string() }),
  /** Watching ended; `set`: the review of what had changed, if there was anything. */
  'checkpoint.closed': z.object({ checkpoint: z.string(), set: z.string().optional() }),
};

import { z } from 'zod';

/** Shapes of the review desk's contract. The desk itself arrives with its own issue; callers may already be written against these. */

export const fileChange = z.object({
  kind: z.enum(['modify', 'create', 'delete', 'rename', 'mode', 'symlink', 'binary', 'notebook']),
  root: z.string(),
  path: z.string(),
  /** rename: the path before. */
  from: z.string().optional(),
  /** SHA-256 of the exact base and proposed bytes, kept as blobs; absent for create and delete respectively. */
  base: z.string().optional(),
  proposed: z.string().optional(),
  mode: z.number().int().optional(),
});

export const changeSet = z.object({
  id: z.string(),
  title: z.string(),
  origin: z.object({ client: z.string(), version: z.string().optional(), session: z.string().optional(), call: z.string().optional(), case: z.string().optional(), run: z.string().optional() }),
  files: z.array(fileChange).min(1),
});

/** What a caller can do and express; measured per client (docs/link.md, once the link exists). */
export const callerCapabilities = z.object({
  /** Who writes an accepted change to disk. */
  writer: z.enum(['casebook', 'agent']),
  canEdit: z.boolean(),
  canPartial: z.boolean(),
  canEmpty: z.boolean(),
  redelivers: z.boolean(),
});

export const hunkDecision = z.object({
  hunk: z.string(),
  decision: z.enum(['accept', 'reject', 'edited']),
  comment: z.string().optional(),
});

export const setOutcome = z.enum(['accepted', 'partly_accepted', 'rejected', 'abandoned', 'decided_elsewhere', 'superseded', 'expired', 'failed']);

export type FileChange = z.infer<typeof fileChange>;
export type ChangeSet = z.infer<typeof changeSet>;
export type CallerCapabilities = z.infer<typeof callerCapabilities>;
export type HunkDecision = z.infer<typeof hunkDecision>;
export type SetOutcome = z.infer<typeof setOutcome>;

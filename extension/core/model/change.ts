import { z } from 'zod';
import { type Actor, actor } from './actor.ts';

/** Shapes of the review desk: what is proposed, what is decided, and what became of it. */

/**
 * What stands under a path at one moment, without the bytes: they are a blob, named by their SHA-256. `mode`: permission bits, where they are known.
 */
export const contentRef = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('file'), hash: z.string(), size: z.number().int(), mode: z.number().int().optional() }),
  z.object({ kind: z.literal('link'), target: z.string() }),
]);

export const fileChange = z.object({
  kind: z.enum(['modify', 'create', 'delete', 'rename', 'mode', 'symlink', 'binary', 'notebook']),
  root: z.string(),
  /** From the root, with forward slashes; after the change. */
  path: z.string(),
  /** rename: the path before. */
  from: z.string().optional(),
  base: contentRef,
  proposed: contentRef,
  /** How single-byte text is to be read, where the editor knows better than a guess. */
  encoding: z.string().optional(),
  /** For lists, so that no file has to be compared before it is looked at. `added` and `removed` are lines. */
  counts: z.object({ hunks: z.number().int(), added: z.number().int(), removed: z.number().int() }),
  /** The proposal was merged with what others had changed meanwhile: it is no longer the caller's own text. */
  merged: z.boolean().optional(),
  /** Who made the change, where several hands were at work; absent: the set's origin. `person`: saved from an editor by the user meanwhile. */
  by: z.enum(['origin', 'person', 'unknown']).optional(),
});

/** Where a set comes from. `client` is an agent's name, or `working-tree`, `checkpoint`, `patch`. */
export const changeOrigin = z.object({
  client: z.string(),
  version: z.string().optional(),
  session: z.string().optional(),
  call: z.string().optional(),
  case: z.string().optional(),
  run: z.string().optional(),
  model: z.string().optional(),
  /** Working tree, checkpoint: what it was compared with (a revision, a checkpoint's id). */
  against: z.string().optional(),
});

export const changeSet = z.object({
  id: z.string(),
  title: z.string(),
  /** The agent's own words on what it wants to do; untrusted text. */
  explanation: z.string().optional(),
  origin: changeOrigin,
  /** `proposed`: nothing is on disk yet, accepting writes. `applied`: it is there already; accepting keeps it, rejecting restores the base. */
  disk: z.enum(['proposed', 'applied']),
  files: z.array(fileChange).min(1),
});

/** What a caller can do and express; measured per client (docs/link.md, once the link exists). */
export const callerCapabilities = z.object({
  /** Who writes an accepted change to disk. */
  writer: z.enum(['casebook', 'agent']),
  /** A text other than the proposed one can be given back. */
  canEdit: z.boolean(),
  /** Part of the hunks can be taken. */
  canPartial: z.boolean(),
  /** An accepted file may be empty. */
  canEmpty: z.boolean(),
  /** A call that got no answer is sent again after a reconnect. */
  redelivers: z.boolean(),
  /** A reason or comments reach the agent with a rejection. */
  canExplain: z.boolean().default(false),
});

export const hunkVerdict = z.enum(['accept', 'reject', 'edited']);

/** What was decided about one hunk. `hunk` is its id (see core/review/files/hunks.ts), that of a part, or `*` for all of the file's that were undecided. */
export const hunkDecision = z.object({
  file: z.string(),
  hunk: z.string(),
  decision: hunkVerdict,
});

/** A remark on lines of one side; `line` and `endLine` from 1. Without lines it is about the file, without a file about the set. */
export const reviewComment = z.object({
  id: z.string(),
  file: z.string().optional(),
  side: z.enum(['base', 'proposed']).optional(),
  line: z.number().int().optional(),
  endLine: z.number().int().optional(),
  /** The text of the lines when the remark was made. */
  excerpt: z.string().optional(),
  text: z.string(),
});

export const setOutcome = z.enum(['accepted', 'partly_accepted', 'rejected', 'abandoned', 'decided_elsewhere', 'superseded', 'expired', 'failed']);

/** What became of one file of a settled set, by hashes; `final` differs from `proposed` where something was rejected or edited. */
export const settledFile = z.object({
  root: z.string(),
  path: z.string(),
  from: z.string().optional(),
  base: contentRef,
  proposed: contentRef,
  final: contentRef,
  /** Where the final content stands: `path`, or `from` when a rename was rejected. */
  finalPath: z.string(),
  /** Ids of the hunks by what was decided and by whom; grouped, since a set may have tens of thousands. */
  decided: z.array(z.object({ decision: hunkVerdict, by: actor, hunks: z.array(z.string()) })),
  /** What the person changed in the proposal, as a unified diff; masked like all text of events. */
  personsPatch: z.string().optional(),
});

/** The exact answer a caller got. `verdict` is all that some clients understand; see core/review/desk/answer.ts. */
export const callerAnswer = z.object({
  verdict: z.enum(['accept', 'reject']),
  /** Who writes: the agent after this answer, Casebook before it, or nobody. */
  writes: z.enum(['agent', 'casebook', 'nobody']),
  /** Accepted content by `root/path` where it is not what was proposed; blob hashes. */
  edited: z.record(z.string(), z.string()).optional(),
  /** Reason and comments, as they were sent. */
  words: z.string().optional(),
  /** What this caller could not be told, for its next prompt. */
  nextPrompt: z.string().optional(),
});

export type ContentRef = z.infer<typeof contentRef>;
export type FileChange = z.infer<typeof fileChange>;
export type ChangeOrigin = z.infer<typeof changeOrigin>;
export type ChangeSet = z.infer<typeof changeSet>;
export type CallerCapabilities = z.infer<typeof callerCapabilities>;
export type HunkVerdict = z.infer<typeof hunkVerdict>;
export type HunkDecision = z.infer<typeof hunkDecision>;
export type ReviewComment = z.infer<typeof reviewComment>;
export type SetOutcome = z.infer<typeof setOutcome>;
export type SettledFile = z.infer<typeof settledFile>;
export type CallerAnswer = z.infer<typeof callerAnswer>;

/** What was decided of each hunk, one by one. */
export function hunksDecided(file: Pick<SettledFile, 'decided'>): { hunk: string; decision: HunkVerdict; by: Actor }[] {
  return file.decided.flatMap(({ decision, by, hunks }) => hunks.map((hunk) => ({ hunk, decision, by })));
}

/** How many hunks were decided in a way. */
export function countDecided(file: Pick<SettledFile, 'decided'>, decision: HunkVerdict): number {
  return file.decided.reduce((sum, group) => sum + (group.decision === decision ? group.hunks.length : 0), 0);
}

/** The key of a file within a set: `root/path`. */
export const fileKey = (file: { root: string; path: string }): string => `${file.root}/${file.path}`;

import { z } from 'zod';

/** One root folder as it was when a snapshot was taken. */
export const snapshotRoot = z.object({
  /** Short unique name of the root; the first path segment of a citation. */
  name: z.string(),
  /** Real absolute path. */
  path: z.string(),
  kind: z.enum(['git', 'plain']),
  /** git: the tree object of tracked, dirty and untracked files, made with a temporary index. */
  tree: z.string().optional(),
  /** plain: SHA-256 over the sorted list of path, size and content hash. */
  listing: z.string().optional(),
  commit: z.string().optional(),
  branch: z.string().optional(),
  upstream: z.string().optional(),
  /** As last fetched; no fetch is made. */
  behind: z.number().int().optional(),
  ahead: z.number().int().optional(),
  lastFetch: z.string().optional(),
  /** Paths that differ from HEAD, untracked ones too; at most 200 listed. */
  dirty: z.array(z.string()).default([]),
  dirtyCount: z.number().int().default(0),
  remote: z.string().optional(),
  /** Submodules and repositories inside the root: not part of its tree. */
  nested: z.array(z.object({ path: z.string(), kind: z.enum(['submodule', 'repository']) })).optional(),
  /** Files left out of the snapshot, for their size or kind; at most 50 listed, one sentence each. */
  omitted: z.array(z.string()).optional(),
});

/** The exact state of the code looked at. */
export const snapshot = z.object({ takenAt: z.string(), roots: z.array(snapshotRoot) });

export const citationState = z.enum(['verified', 'located', 'moved', 'stale', 'missing']);

/** A pointer to code with its check state. Lines are 1-based and inclusive. */
export const citation = z.object({
  /** Root-prefixed path, `<root>/<path from root>`, with forward slashes. */
  file: z.string(),
  line: z.number().int().positive().optional(),
  endLine: z.number().int().positive().optional(),
  /** The exact text the author claims to have seen there. */
  quote: z.string().optional(),
  note: z.string().optional(),
  /** Where it was cited: `verdict`, `report` or `scout`. */
  origin: z.enum(['verdict', 'report', 'scout']),
  state: citationState,
  /** What is really there, when the quote is not. */
  actual: z.string().optional(),
  /** moved: the line where the quote was found instead. */
  movedTo: z.number().int().positive().optional(),
  /** Hash of the cited file's bytes in the snapshot, when it exists. */
  blob: z.string().optional(),
  /** A sentence saying why the state is what it is. */
  why: z.string().optional(),
});

/** One reason why the scout ranked a file; `signal` names a row of the weights table. */
export const scoutReason = z.object({ signal: z.string(), weight: z.number(), text: z.string() });

export const suspect = z.object({
  root: z.string(),
  /** Path from the root, forward slashes. */
  file: z.string(),
  score: z.number(),
  lines: z.array(z.tuple([z.number().int(), z.number().int()])),
  symbols: z.array(z.string()).default([]),
  why: z.array(scoutReason),
});

export const clue = z.object({
  kind: z.enum(['frame', 'error', 'path', 'identifier', 'quoted', 'version', 'url', 'date', 'commit', 'ticket']),
  text: z.string(),
  file: z.string().optional(),
  line: z.number().int().optional(),
});

export const historyHit = z.object({ root: z.string(), commit: z.string(), date: z.string(), author: z.string(), subject: z.string(), files: z.array(z.string()), why: z.string() });

export const scoutResult = z.object({
  clues: z.array(clue),
  suspects: z.array(suspect),
  history: z.array(historyHit),
  /** Tests and documents that mention the same names. */
  related: z.array(z.object({ root: z.string(), file: z.string(), kind: z.enum(['test', 'doc']), why: z.string() })),
  /** Counters that tests and the bench read: `files`, `filesRead`, `filesIndexed`, `milliseconds`. */
  stats: z.record(z.string(), z.number()),
  /** Set when a stack frame of the ticket lands on an existing line of the repository. */
  pinned: z.object({ root: z.string(), file: z.string(), line: z.number().int() }).optional(),
});

export type SnapshotRoot = z.infer<typeof snapshotRoot>;
export type Snapshot = z.infer<typeof snapshot>;
export type CitationState = z.infer<typeof citationState>;
export type Citation = z.infer<typeof citation>;
export type Suspect = z.infer<typeof suspect>;
export type ScoutReason = z.infer<typeof scoutReason>;
export type Clue = z.infer<typeof clue>;
export type HistoryHit = z.infer<typeof historyHit>;
export type ScoutResult = z.infer<typeof scoutResult>;

import type { Subscribe } from '../base/emitter.ts';
import type { CallerAnswer, CallerCapabilities, ChangeOrigin, HunkDecision, ReviewComment, SetOutcome } from '../model/change.ts';
import type { Content, FileReview, ProposedContent } from './files/file-review.ts';
import type { Warning } from './files/warnings.ts';
import type { FileState, SetState } from './desk/state.ts';

export type { DeskFailureReason } from './failure.ts';

/**
 * ReviewPort: the one door through which every change of every agent comes to a person.
 * `propose` settles exactly once. A caller's wait is not the set's life: aborting the signal detaches the caller
 * (it gets `abandoned`), while the set stays pending on the desk. An identical proposal of the same client joins the pending one.
 */
export interface ReviewPort {
  propose(proposal: Proposal, caller: Caller): Promise<Outcome>;
}

export interface ProposedFile {
  root: string;
  path: string;
  /** A rename: the path before. */
  from?: string;
  /** What the caller made its change on; without it, what is on disk when the proposal comes. */
  base?: Content;
  proposed: ProposedContent;
  encoding?: string;
  by?: 'origin' | 'person' | 'unknown';
}

export interface Proposal {
  title: string;
  explanation?: string;
  origin: ChangeOrigin;
  disk: 'proposed' | 'applied';
  files: readonly ProposedFile[];
}

export interface Caller {
  name: string;
  capabilities: CallerCapabilities;
  /** Aborts when the caller is gone; a DOMException named by `detachReasons` as reason says why, else it is `gone`. */
  signal: AbortSignal;
  /** Told once the set has its id, before anybody decides. */
  onSet?(set: string): void;
}

export interface Outcome {
  set: string;
  outcome: SetOutcome;
  decisions: HunkDecision[];
  /** Final bytes by `root/path`, as blob hashes, where they differ from the proposal. */
  final: Record<string, string>;
  /** What the caller may say to its agent, within its capabilities. Absent when nobody decided. */
  answer?: CallerAnswer;
  reason?: string;
}

/** One file of a set as a surface shows it: `review` is from the base to what is shown (the person's draft, else the proposal). */
export interface FileView {
  set: string;
  revision: number;
  file: FileState;
  review: FileReview;
  /** The agent's own proposal; differs from `review.proposed` where there is a draft. */
  proposed: Content;
  /** By hunk or part; decisions on all of the file are spelled out. */
  decisions: ReadonlyMap<string, 'accept' | 'reject'>;
  /** Hunks that hold the person's text. */
  edited: ReadonlySet<string>;
  conflicts: ReadonlySet<string>;
  /** Of conflicts, by hunk: the lines that the proposal was made on, where they are known. */
  origins: ReadonlyMap<string, readonly string[]>;
  warnings: Warning[];
}

export interface DecideInput {
  /** `root/path`. */
  file: string;
  /** A hunk's id, a part's, or `*` for all that is undecided in the file (accepting leaves conflicts open). */
  hunk: string;
  decision: 'accept' | 'reject' | 'undone';
}

/** A person's act: which surface it came from and which revision of the set they saw. */
export interface Act {
  via: string;
  revision: number;
  reason?: string;
}

export type DeskView = { pending: SetState[]; settled: SetState[]; more: boolean };

/**
 * The desk as its surfaces use it. Every call resolves once its event is on disk. Reads are folds of the journal, so all windows and terminals see the same;
 * the process that owns a set settles it, whoever decided. Rejects with Failure of DeskFailureReason.
 */
export interface ReviewDesk extends ReviewPort {
  /** Puts right what processes left that died in the middle of a write. Whoever looks at the files to make a set of them waits for it. */
  ready(): Promise<void>;
  /** A set nobody waits for (working tree, checkpoint, patch). Undefined when nothing would change. */
  add(proposal: Proposal, via: string): Promise<string | undefined>;
  /** Pending sets, oldest first, and settled ones, newest first. `text` looks in titles, paths and clients. */
  list(options?: { text?: string; settled?: number }): Promise<DeskView>;
  state(set: string): Promise<SetState>;
  file(set: string, file: string, signal?: AbortSignal): Promise<FileView>;
  /** When nothing is left undecided the set is settled, unless finishing is a person's own step by setting. */
  decide(set: string, decisions: readonly DecideInput[], act: Act): Promise<SetState>;
  /** Accepts or rejects whatever is undecided in the whole set. Conflicts are rejected by it, but never accepted: each is a decision of its own. */
  decideAll(set: string, decision: 'accept' | 'reject', act: Act): Promise<SetState>;
  /** Keeps the person's text for the proposed side of a file; undefined goes back to the proposal. Decides nothing. */
  edit(set: string, file: string, text: string | undefined, act: Act): Promise<SetState>;
  /** Puts a person's lines in place of what a hunk proposes. Decides nothing. */
  editHunk(set: string, file: string, hunk: string, text: string, act: Act): Promise<SetState>;
  comment(set: string, comment: Omit<ReviewComment, 'id'>, via: string): Promise<string>;
  removeComment(set: string, comment: string, via: string): Promise<void>;
  markReviewed(set: string, file: string, reviewed: boolean, via: string): Promise<void>;
  lookedAt(set: string, surface: string): Promise<void>;
  /** Settles a set whose hunks are all decided: writes, answers, records. */
  finish(set: string, act: Act): Promise<SetState>;
  /** The caller's own surface (an agent's terminal) decided; what is on disk tells how. */
  decidedElsewhere(set: string, via: string): Promise<SetState>;
  /** Looks whether what the set stands on is still there, and re-bases it where not. `only`: keys of the files to look at, all by default. */
  refresh(set: string, only?: ReadonlySet<string>): Promise<SetState>;
  /** Takes what was written back, or writes it again; checked against the disk like any write. */
  undo(set: string, via: string): Promise<SetState>;
  redo(set: string, via: string): Promise<SetState>;
  /** Every set that a policy settled and that can be undone. */
  undoPolicy(policy: string, via: string): Promise<{ undone: string[]; failed: { set: string; why: string }[] }>;
  /** Fires with a set's id after each event that changes its state, at most every 50 ms per set. */
  readonly onChange: Subscribe<string>;
  /** The review in words, for the agent's next prompt; empty while nothing is decided. */
  wordsForAgent(set: string): Promise<string>;
  /** Detaches every caller (they are answered `abandoned`); sets stay pending. */
  close(why: 'reload' | 'shutdown'): Promise<void>;
}

/** Files with unsaved text in an editor. A change to one is made in its buffer, not under it. Absolute real paths. */
export interface Buffers {
  /** The unsaved text; undefined where the file is not open or has nothing unsaved. */
  unsaved(path: string): string | undefined;
  /** Replaces the text by an edit of the changed lines, if it still is `expected`; false otherwise. Saves nothing. */
  replace(path: string, expected: string, text: string): Promise<boolean>;
}

import type { Citation, ScoutResult, Snapshot } from '../model/code.ts';
import type { EngineName, RunLimits, RunOutcome, RunReason, Usage } from '../model/run.ts';
import type { Ticket } from '../model/ticket.ts';
import type { Answer, Classification, Confidence, Question, ReplyFinding, Verdict } from '../model/verdict.ts';

/**
 * What a case is right now: a pure reduction of its events (`fold.ts`), sent whole to the panel and printed by the terminal.
 * `status` is derived: running while a run has no end, needs_you while a question is open.
 */
export interface CaseState {
  id: string;
  title: string;
  folder: string;
  openedAt: string;
  closedAt?: string;
  lastEventAt: string;
  status: 'open' | 'running' | 'needs_you' | 'concluded' | 'failed' | 'interrupted' | 'closed';
  ticket: Ticket;
  /** Set when the source's text changed after the case was opened. */
  revisions: { hash: string; revision: string; at: string }[];
  snapshot: Snapshot;
  scout?: { outcome: RunOutcome; result?: ScoutResult; message?: string };
  runs: RunState[];
  report?: { markdown: string; partial: boolean; at: string };
  verdict?: VerdictState;
  citations: Citation[];
  reply?: ReplyState;
  questions: QuestionState[];
  gates: GateState[];
  /** What became other in the tree while the last run went on. `checkpoint`: from which it can be reviewed; `by` person: saved by the user meanwhile. */
  treeChanges: { root: string; path: string; change: 'added' | 'modified' | 'deleted'; by?: 'origin' | 'person'; checkpoint?: string }[];
  /** Ambient context (selection, active file) was shared with the agent. */
  ambient: boolean;
}

export interface VerdictState {
  event: string;
  verdict: Verdict;
  at: string;
  engine: EngineName;
  recovered: boolean;
  /** From a replayed or demo run: never postable. */
  replay: boolean;
  decision?: { kind: 'accepted' | 'overridden'; by: string; at: string; reason?: string; classification?: Classification; bugConfirmation?: 'confirmed' | 'suspected'; confidence?: Confidence };
  downgraded?: string;
  /** A later run's verdict; it does not replace one that a person has accepted or overridden until they accept it. */
  later?: { event: string; verdict: Verdict; at: string; engine: EngineName };
  /** What counts: the override where there is one. */
  effective: { classification: Classification; bugConfirmation?: 'confirmed' | 'suspected'; confidence: Confidence };
  /** Whether the citations carry a `confirmed`; the sentence says what is missing otherwise. */
  proof: { holds: boolean; why: string };
}

export interface ReplyState {
  text: string;
  edited: boolean;
  findings: ReplyFinding[];
  overridden: Record<string, string>;
  /** Why it cannot be posted now; empty when it can. */
  blockers: string[];
  posted?: { url: string; at: string };
}

export interface QuestionState {
  id: string;
  run?: string;
  at: string;
  questions: Question[];
  answers?: Answer[];
  /** The run that asked ended without an answer: nobody waits for one any more. */
  closed?: boolean;
}

export interface GateState {
  id: string;
  action: 'post_reply' | 'set_labels';
  target: string;
  payload: string;
  payloadHash: string;
  decision?: 'approved' | 'refused';
  outcome?: 'confirmed' | 'failed' | 'unknown';
  url?: string;
  message?: string;
}

export interface RunState {
  id: string;
  engine: EngineName;
  model?: string;
  choice: string;
  startedAt: string;
  lastEventAt: string;
  steps: StepState[];
  usage: Usage;
  limits: RunLimits;
  enforced: string[];
  replay: boolean;
  resumes?: string;
  /** The journal session of the process that runs it; when that is provably dead, so is the run. */
  owner: string;
  /** The engine's own session id, when it can be resumed. */
  session?: string;
  ended?: { outcome: RunOutcome; reason?: RunReason; message?: string; at: string };
}

/** One line of the live steps. */
export interface StepState {
  id: string;
  at: string;
  kind: 'text' | 'thinking' | 'tool' | 'denied' | 'note' | 'report' | 'question' | 'refusal' | 'verdict' | 'scout';
  title: string;
  detail?: string;
  state: 'running' | 'done' | 'failed' | 'denied';
}

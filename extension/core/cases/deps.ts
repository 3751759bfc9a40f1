import type { EnginePort } from '../agents/engine.ts';
import type { ScoutMaterial } from '../agents/engines/scout/engine.ts';
import type { RunDeps } from '../agents/runs/run.ts';
import type { Clock } from '../base/clock.ts';
import type { Actor } from '../model/actor.ts';
import type { Citation, ScoutResult, Snapshot } from '../model/code.ts';
import type { Ticket } from '../model/ticket.ts';
import type { ReplyFinding } from '../model/verdict.ts';
import type { TicketReply } from '../tickets/source.ts';
import type { CaseState } from './state.ts';
import type { Claim } from './submission.ts';

/** A file of the user's tree that changed while an agent ran. */
export type TreeChange = Omit<CaseState['treeChanges'][number], 'checkpoint'>;

/** What became other since a watch began; `checkpoint`: from which it can be reviewed. */
export interface TreeChanges {
  files: TreeChange[];
  checkpoint?: string;
}

/** What an investigation needs of the rooms below, so that its own tests need neither git nor a file system. */
export interface CodeEvidence {
  roots(): readonly { name: string; path: string }[];
  takeSnapshot(signal: AbortSignal): Promise<Snapshot>;
  check(claims: readonly Claim[], snapshot: Snapshot, signal: AbortSignal): Promise<Citation[]>;
  /** The text of one line of the snapshot, without its line end. */
  lineAt(file: string, line: number, snapshot: Snapshot, signal: AbortSignal): Promise<string | undefined>;
  extract(markdown: string): Omit<Claim, 'origin'>[];
  scout(ticket: Ticket, signal: AbortSignal): Promise<ScoutResult>;
  /** Starts watching the user's tree for a run; `end`, called once, says what differs then. */
  watchTree(of: { label: string; case: string; run: string }, signal: AbortSignal): Promise<{ end(signal: AbortSignal): Promise<TreeChanges> }>;
}

export interface CasesDeps extends RunDeps {
  evidence: CodeEvidence;
  /** Builds the engines the user has, in the order in which `auto` tries them. `material` gives the scout engine what the scout found for a run. */
  engines(material: ScoutMaterial): readonly EnginePort[];
  clock: Clock;
  /** Account name of the person at this machine. */
  person: string;
  /** Folder under which each case keeps its files. */
  casesFolder: string;
  /** Prompt layers, outermost first, byte-stable between investigations. */
  system: readonly string[];
  /** Somebody can answer questions while a run goes on. */
  attended: boolean;
  checkReply(text: string, state: CaseState): Promise<ReplyFinding[]>;
  sideEffects(text: string): string[];
  /** What the person has in front of them, as text for a prompt, for a case with ambient context on; undefined when there is nothing to share. */
  ambient?(): { text: string; shared: string } | undefined;
  /** Reads a ticket again from where it came; rejects with `Failure<TicketFailureReason>`. */
  refetch(ticket: Ticket, signal: AbortSignal): Promise<Ticket>;
  erase(caseId: string, reason: string, actor: Actor): Promise<void>;
  replyTo(ticket: Ticket): TicketReply | undefined;
}

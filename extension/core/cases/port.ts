import type { Subscribe } from '../base/emitter.ts';
import type { EngineStatus } from '../agents/engine.ts';
import type { EngineName } from '../model/run.ts';
import type { Ticket } from '../model/ticket.ts';
import type { Answer, Classification, Confidence } from '../model/verdict.ts';
import type { CaseListing } from '../journal/port.ts';
import type { CaseState } from './state.ts';

export type CaseFailureReason = 'not_found' | 'not_owner' | 'already_running' | 'no_verdict' | 'blocked' | 'no_engine' | 'not_consented' | 'no_reply_target' | 'stale_payload' | 'closed';

/** What a person (through the panel, the palette or the terminal) can do with cases. `via` names the surface for the record. */
export interface Cases {
  /** A ticket becomes a case: snapshot taken, `case.opened` on disk when this resolves. */
  open(ticket: Ticket, options: { via: string; ambient?: boolean; reopens?: string }): Promise<string>;
  /**
   * Runs the scout, then the engine, until there is a verdict or an honest end; resolves with the final state.
   * `resume` goes on in the engine's own session where it can; `restart` gives the earlier report as context. With engine `replay`, `replay` is the id of the recorded run.
   */
  investigate(caseId: string, options: { via: string; engine: EngineName | 'auto'; mode?: 'fresh' | 'restart' | 'resume'; replay?: string }, signal: AbortSignal): Promise<CaseState>;
  /** Resolves when no run of this process is under way. */
  settled(): Promise<void>;
  /** Asks the run's owner to stop; resolves when the request is on disk. The panel says stopped only after the run's end is seen. */
  stop(caseId: string, via: string): Promise<void>;
  /** Every engine with whether it can be used now and why not, in the order in which `auto` tries them. */
  engines(signal: AbortSignal): Promise<{ name: EngineName; status: EngineStatus; leavesMachine: boolean; consented: boolean }[]>;
  /** Before code or ticket text first leaves for a destination a person must say yes, once per workspace; `investigate` fails with `not_consented` otherwise. */
  giveConsent(engine: EngineName, destination: string, covers: string[], via: string): Promise<void>;
  forgetConsents(via: string): Promise<void>;
  /** Reads the ticket again from its source: a changed body becomes a new revision of the case, shown and journaled. */
  refreshTicket(caseId: string, signal: AbortSignal): Promise<CaseState>;
  state(caseId: string): Promise<CaseState>;
  list(options?: { limit?: number; offset?: number; text?: string }): Promise<CaseListing[]>;
  /** Fires with the case's id after each event that changes its state, at most every 50 ms per case. */
  readonly onChange: Subscribe<string>;
  /** Earlier cases that look alike: same message, files or symbols, best first. */
  similar(ticket: Ticket): Promise<{ case: string; title: string; classification?: string; why: string }[]>;
  answer(caseId: string, questionId: string, answers: Answer[], via: string): Promise<void>;
  acceptVerdict(caseId: string, via: string): Promise<void>;
  overrideVerdict(caseId: string, override: { classification: Classification; bugConfirmation?: 'confirmed' | 'suspected'; confidence: Confidence; reason: string }, via: string): Promise<void>;
  editReply(caseId: string, text: string, via: string): Promise<void>;
  overrideFinding(caseId: string, rule: string, reason: string, via: string): Promise<void>;
  /** Opens a gate with the exact payload; nothing is sent. */
  openGate(caseId: string, action: 'post_reply' | 'set_labels', payload: string, via: string): Promise<{ gate: string; target: string; payload: string; payloadHash: string; sideEffects: string[] }>;
  /** Approves (and then carries out, and confirms by reading back) or refuses. The hash must be that of the payload shown. */
  decideGate(caseId: string, gate: string, decision: 'approved' | 'refused', payloadHash: string, via: string): Promise<void>;
  recheck(caseId: string, cause: 'tree_changed' | 'asked'): Promise<CaseState>;
  close(caseId: string, via: string): Promise<void>;
  erase(caseId: string, reason: string, via: string): Promise<void>;
  /** Folder with analysis.md, analysis.json, citations.json of a case. */
  folder(caseId: string): string;
}

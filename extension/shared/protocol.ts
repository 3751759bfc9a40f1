import type { CaseState } from '../core/cases/state.ts';
import type { Answer, Classification, Confidence } from '../core/model/verdict.ts';
import type { FromPage, PanelReply } from './panel-messages.ts';

/** Messages between the extension and the case panel; both sides import this file, nothing else crosses. */
export type ToPanel =
  | { type: 'case'; state: CaseState; settings: PanelSettings }
  | { type: 'empty'; why: string }
  | PanelReply
  /** Moves focus and scroll to a part, after a command such as "Show Verdict". */
  | { type: 'reveal'; part: PanelPart };

export interface PanelSettings {
  cursorMarks: boolean;
  canPost: boolean;
  engineLabel: string;
  journal: 'recording' | 'not_recording';
}

export type PanelPart = 'verdict' | 'steps' | 'evidence' | 'report' | 'reply' | 'questions';

export interface PanelRequests {
  openCitation: { file: string; line?: number; endLine?: number };
  explainFile: { root: string; file: string };
  stopRun: { run: string };
  runAgain: { mode: 'restart' | 'resume'; };
  answer: { question: string; answers: Answer[] };
  acceptVerdict: Record<string, never>;
  overrideVerdict: { classification: Classification; bugConfirmation?: 'confirmed' | 'suspected'; confidence: Confidence; reason: string };
  editReply: { text: string };
  overrideFinding: { rule: string; reason: string };
  postReply: Record<string, never>;
  copyReply: Record<string, never>;
  recheckCitations: Record<string, never>;
  openReport: Record<string, never>;
  openTicket: Record<string, never>;
  /** An image that came with the ticket, by the hash of its bytes. */
  openAttachment: { blob: string };
  toggleMarks: Record<string, never>;
  /** Opens the review of what the run left changed in the tree. */
  reviewChanges: Record<string, never>;
  showJournal: Record<string, never>;
}

export type PanelRequestName = keyof PanelRequests;
export type FromPanel = FromPage<PanelRequests>;

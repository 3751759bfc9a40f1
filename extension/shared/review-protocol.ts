import type { SetState } from '../core/review/desk/state.ts';
import type { ReviewComment } from '../core/model/change.ts';
import type { Citation } from '../core/model/code.ts';
import type { Warning } from '../core/review/files/warning.ts';
import type { FromPage, PanelReply } from './panel-messages.ts';

/**
 * Messages between the extension and the review panel. A snapshot holds the whole set without any content of files; what is looked at of a file
 * is asked for in slices, so that no message grows with the size of a file.
 */
export type ToReview =
  | { type: 'set'; state: SetState; settings: ReviewSettings; citations: Citation[] }
  | { type: 'empty'; why: string }
  | PanelReply
  /** Goes to a file, or to a hunk in it, after a command of the editor. */
  | { type: 'reveal'; file: string; hunk?: string };

export interface ReviewSettings {
  layout: 'unified' | 'split';
  hideWhitespace: boolean;
  /** Whether a set with nothing left to decide settles by itself. */
  finish: 'whenDecided' | 'ask';
  /** False in a restricted workspace: looking only. */
  canDecide: boolean;
  recording: boolean;
}

/** The lines that one slice holds at most; longer asks are answered with the first of them. */
export const linesPerSlice = 200;
/** Characters of a line that are sent; the rest is only counted. */
export const charactersPerLine = 1000;
/** Hunks of one file that the panel draws; the file can still be decided as a whole, or in the diff editor. */
export const hunksPerFile = 5000;

/** A part of a hunk that is decided by itself: one line. Line numbers from 0, half-open, on both sides. */
export interface PartView {
  id: string;
  baseStart: number;
  baseEnd: number;
  proposedStart: number;
  proposedEnd: number;
  decision?: 'accept' | 'reject';
}

export interface HunkView extends PartView {
  kind: 'lines' | 'final_newline' | 'create' | 'delete' | 'rename' | 'mode' | 'symlink' | 'content';
  /** Final newline: whether the proposal adds it. */
  adds?: boolean;
  /** Holds the person's own text. */
  edited?: boolean;
  conflict?: boolean;
  /** Of a conflict: the lines that the proposal was made on, where they are known. */
  origin?: string[];
  /** Changes blanks, blank lines or line ends only. */
  whitespace?: boolean;
  /** Set where the hunk was decided in parts. */
  parts?: PartView[];
}

/** What is on one side of a file that is not shown by lines. */
export interface SideFacts {
  kind: 'absent' | 'file' | 'link';
  size?: number;
  hash?: string;
  mode?: number;
  target?: string;
}

/** One file as the panel draws it: where its hunks are, not what they say. */
export interface FileBody {
  file: string;
  revision: number;
  /** Names exactly the content that is shown: base, and draft or proposal. */
  content: string;
  /** Numbers of lines on both sides; `why` where lines cannot be shown. */
  lines: { base: number; proposed: number } | undefined;
  why?: string;
  encoding?: string;
  base: SideFacts;
  proposed: SideFacts;
  hunks: HunkView[];
  /** All there are; `hunks` may hold fewer. */
  hunkCount: number;
  warnings: Warning[];
}

export interface LineView {
  /** Invisible characters are spelled out. */
  text: string;
  end: '' | 'LF' | 'CRLF' | 'CR';
  /** Characters in all, where `text` was cut. */
  length?: number;
}

export interface LinesSlice {
  from: number;
  lines: LineView[];
}

export interface SearchHit {
  file: string;
  side: 'base' | 'proposed';
  /** From 1. */
  line: number;
  text: string;
}

/** The host asks for a confirmation before it accepts these; the request is to be sent again with `confirmed`. */
export interface NeedsConfirmation {
  confirm: { file: string; warnings: Warning[] }[];
}

export interface ReviewRequests {
  file: { file: string };
  lines: { file: string; content: string; side: 'base' | 'proposed'; from: number; to: number };
  /** A hunk in single lines, for a decision on some of them. */
  parts: { file: string; hunk: string };
  /** The exact text of what a hunk proposes, for editing. */
  hunkText: { file: string; hunk: string };
  search: { text: string };
  decide: { file: string; hunks: string[]; decision: 'accept' | 'reject' | 'undone'; revision: number; confirmed: boolean };
  decideAll: { decision: 'accept' | 'reject'; revision: number; confirmed: boolean; reason?: string };
  finish: { revision: number; reason?: string };
  /** Without `text`: back to what the agent proposed. */
  edit: { file: string; text?: string; revision: number };
  editHunk: { file: string; hunk: string; text: string; revision: number };
  comment: Omit<ReviewComment, 'id'>;
  removeComment: { id: string };
  markReviewed: { file: string; reviewed: boolean };
  refresh: Record<string, never>;
  undo: Record<string, never>;
  redo: Record<string, never>;
  copyForAgent: Record<string, never>;
  openNative: { file?: string; line?: number };
  openCitation: { file: string; line?: number; endLine?: number };
  openCase: Record<string, never>;
  setLayout: { layout: ReviewSettings['layout'] };
  setHideWhitespace: { hidden: boolean };
}

export interface ReviewAnswers {
  file: FileBody;
  lines: LinesSlice;
  parts: { parts: PartView[] } | { tooLarge: true };
  hunkText: { text: string } | { tooLarge: true };
  search: { hits: SearchHit[]; more: boolean };
  decide: NeedsConfirmation | undefined;
  decideAll: NeedsConfirmation | undefined;
}

export type ReviewRequestName = keyof ReviewRequests;
export type FromReview = FromPage<ReviewRequests>;

import type { CaseFailureReason } from '../core/cases/port.ts';
import type { CaseState } from '../core/cases/state.ts';
import type { JournalFailureReason } from '../core/journal/port.ts';
import type { CitationState } from '../core/model/code.ts';
import type { EngineName, RunReason } from '../core/model/run.ts';
import type { Severity } from '../core/model/ticket.ts';
import type { CheckpointFailureReason, DeskFailureReason, SourceFailureReason } from '../core/review/failure.ts';
import type { Warning } from '../core/review/files/warning.ts';
import type { Classification } from '../core/model/verdict.ts';
import type { TicketFailureReason } from '../core/tickets/source.ts';

/** What a user reads for each reason: one sentence that says what is so and, where there is one, the next step. */
const ticketWords: Record<TicketFailureReason, string> = {
  not_found: 'There is no such ticket, or this account may not see it.',
  no_access: 'This account may not read that ticket.',
  sign_in_needed: 'Sign in to the ticket source first.',
  token_expired: 'The sign-in has expired; sign in again.',
  sso_required: 'The organization asks for single sign-on: authorize the token, then try again.',
  rate_limited: 'The ticket source asks to wait before the next request.',
  offline: 'The ticket source cannot be reached, and there is no earlier copy.',
  bad_reference: 'That is no ticket reference that a source here understands.',
  bad_content: 'The ticket could not be read: its content is not in a known form.',
  server_error: 'The ticket source answered with an error; try again later.',
};

const caseWords: Record<CaseFailureReason, string> = {
  not_found: 'There is no such case in this journal.',
  not_owner: 'Another window or terminal is working on this case.',
  already_running: 'An investigation of this case is already running.',
  no_verdict: 'There is no verdict yet.',
  blocked: 'The reply cannot be sent yet: its findings are open.',
  no_engine: 'No engine can be used; the scout works without one.',
  not_consented: 'Nothing was sent: this workspace has not agreed to that destination.',
  no_reply_target: 'The source of this ticket takes no replies.',
  stale_payload: 'The text has changed since it was shown; look at it again before it is sent.',
  closed: 'This case is closed.',
};

const journalWords: Record<JournalFailureReason, string> = {
  not_recording: 'The journal cannot be written right now, so nothing is decided.',
  closed: 'The journal is closed; reload the window.',
  invalid_event: 'An entry was refused by the journal.',
  corrupt: 'A part of the journal is damaged; run Casebook: Verify Journal.',
  not_found: 'The journal holds no such entry.',
  in_use: 'Another window or terminal still writes to that history; close it first.',
  io: 'The journal could not be read or written.',
};

/** Of the desk and what feeds it. `not_found` and `closed` are said where it is known what is meant. */
const reviewWords: Record<Exclude<DeskFailureReason | SourceFailureReason | CheckpointFailureReason, 'not_found' | 'closed'>, string> = {
  settled: 'This review has its outcome already.',
  stale_revision: 'The files have changed since you looked; look at the review again.',
  undecided: 'Something in this review is still undecided.',
  nothing_to_undo: 'There is nothing to take back: Casebook wrote nothing for this review, or its kept contents are gone.',
  changed_since: 'The files are no longer as the review left them, so nothing was changed.',
  bad_proposal: 'The change names files that no review may touch, or none at all.',
  no_such_revision: 'No folder here has that revision.',
  bad_patch: 'No change can be read out of that patch.',
};

export const runWords: Record<RunReason, string> = {
  no_model: 'No language model is available.',
  not_installed: 'The program is not installed, or not on the path.',
  not_signed_in: 'The engine is not signed in.',
  not_consented: 'This workspace has not agreed to that destination.',
  refused: 'The model refused to go on.',
  rate_limited: 'The engine asks to wait before the next request.',
  network: 'The engine cannot be reached.',
  protocol: 'The engine answered in a way that Casebook does not understand.',
  crashed: 'The engine stopped unexpectedly.',
  invalid_result: 'The engine gave no valid verdict.',
  empty_result: 'The engine ended without a result.',
  limit_time: 'The run reached its time limit.',
  limit_turns: 'The run reached its limit of turns.',
  limit_tokens: 'The run reached its token limit.',
  limit_money: 'The money limit was reached, or nobody knows the cost.',
  user_stopped: 'Stopped by a person.',
  host_gone: 'The window or program that ran it is gone.',
  tree_changed: 'Files of the workspace changed during the run.',
};

/** Reasons of the host's own: what an adapter can refuse. */
const hostWords = {
  no_folder: 'Open the folder whose code the tickets are about.',
  no_text: 'There is no text to investigate.',
  outside_roots: 'That path is not inside a folder of this workspace.',
  file_gone: 'That file is not in the workspace any more.',
  bad_message: 'The panel sent something that is not understood.',
  no_history: 'There is no history of this repository under a folder that is gone.',
  not_trusted: 'In Restricted Mode Casebook only reads its journal.',
} as const;
export type HostFailureReason = keyof typeof hostWords;

/** Later tables win where two rooms use one reason; those say the same thing to a user. */
const words: Record<string, string> = { ...runWords, ...reviewWords, ...journalWords, ...ticketWords, ...caseWords, ...hostWords };

/** Words for why a run ended or an engine cannot be used. */
export function wordsForRun(reason: RunReason): string {
  return runWords[reason];
}

/** Words that fit a ticket source, where `not_found` means a ticket and not a case. */
export function wordsForTicket(error: unknown): string {
  const reason = reasonOf(error);
  const sentence = Object.entries(ticketWords).find(([key]) => key === reason)?.[1];
  return sentence === undefined ? wordsFor(error) : withWait(sentence, error);
}

/** Words that fit the review desk, where `not_found` means a change set and not a case. */
export function wordsForReview(error: unknown): string {
  const reason = reasonOf(error);
  if (reason === 'not_found') return 'There is no such review in this journal, or its contents were erased.';
  if (reason === 'changed_since') return changedSince(error);
  return reason === 'closed' ? 'The review desk is closing; try again after the window has reloaded.' : wordsFor(error);
}

/** Names what has changed, where the failure tells it. */
function changedSince(error: unknown): string {
  const detail = typeof error === 'object' && error !== null && 'detail' in error ? error.detail : undefined;
  const conflicts: unknown[] = typeof detail === 'object' && detail !== null && 'conflicts' in detail && Array.isArray(detail.conflicts) ? detail.conflicts : [];
  const paths = conflicts.flatMap((one) => (typeof one === 'object' && one !== null && 'path' in one && typeof one.path === 'string' ? [one.path] : []));
  if (paths[0] === undefined) return words.changed_since ?? '';
  return `${paths[0]}${paths.length > 1 ? ` and ${paths.length - 1} more` : ''} ${paths.length > 1 ? 'are' : 'is'} no longer as the review left ${paths.length > 1 ? 'them' : 'it'}, so nothing was changed.`;
}

/** Why the last known copy is shown instead, in the words of a ticket source's reason. */
export function wordsForUnreachable(reason: string): string {
  return reason === 'rate_limited' ? ticketWords.rate_limited : reason === 'server_error' ? ticketWords.server_error : 'The ticket source cannot be reached.';
}

/** One sentence for a toast, out of anything thrown; an error nobody planned for says no more than that, the log has the rest. */
export function wordsFor(error: unknown): string {
  const reason = reasonOf(error);
  const sentence = reason === undefined ? undefined : words[reason];
  return sentence === undefined ? 'Something went wrong in Casebook.' : withWait(sentence, error);
}

/** Whether the user ended it, so that nobody needs to be told. */
export function isQuiet(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled' || error.name === 'CancellationError');
}

/**
 * The reason of a Failure. By shape and not by class: this file is bundled into the webview too, where failures arrive
 * without their class.
 */
export function reasonOf(error: unknown): string | undefined {
  return error instanceof Error && error.name === 'Failure' && 'reason' in error && typeof error.reason === 'string' ? error.reason : undefined;
}

function withWait(sentence: string, error: unknown): string {
  const detail = error instanceof Error && 'detail' in error ? error.detail : undefined;
  const wait = typeof detail === 'object' && detail !== null && 'retryAfterMs' in detail && typeof detail.retryAfterMs === 'number' ? detail.retryAfterMs : undefined;
  if (wait === undefined || wait <= 0) return sentence;
  const seconds = Math.ceil(wait / 1000);
  return `${sentence} ${seconds < 90 ? `${seconds} seconds left.` : `${Math.ceil(seconds / 60)} minutes left.`}`;
}

export const classificationWords: Record<Classification, string> = {
  answerable: 'Answerable',
  bug: 'Bug',
  feature_request: 'Feature request',
  needs_more_info: 'Needs more information',
  inconclusive: 'Inconclusive',
};

/** A verdict in two words, such as `Confirmed bug`. Takes strings, since a journal may hold a newer Casebook's. */
export function verdictWords(value: { classification: string; bugConfirmation?: string | undefined }): string {
  const name = Object.entries(classificationWords).find(([key]) => key === value.classification)?.[1] ?? value.classification;
  if (value.bugConfirmation === 'confirmed') return 'Confirmed bug';
  if (value.bugConfirmation === 'suspected') return 'Suspected bug';
  return name;
}

export const statusWords: Record<CaseState['status'], string> = {
  open: 'Open',
  running: 'Investigating',
  needs_you: 'Waiting for your answer',
  concluded: 'Concluded',
  failed: 'Failed',
  interrupted: 'Interrupted',
  closed: 'Closed',
};

export const severityWords: Record<Severity, string> = { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low', unknown: 'Unknown severity' };

export const citationWords: Record<CitationState, string> = {
  verified: 'Verified: the quote was found at this place.',
  located: 'Located: the place exists; no quote was given.',
  moved: 'Moved: the quote stands at another line.',
  stale: 'Stale: verified in the snapshot, different now.',
  missing: 'Missing: there is no such place or quote.',
};

export const engineWords: Record<EngineName, string> = {
  scout: 'Scout (no model)',
  'vscode-lm': 'Language model of the editor',
  claude: 'Claude Code',
  codex: 'Codex',
  acp: 'ACP agent',
  'openai-compatible': 'OpenAI-compatible endpoint',
  replay: 'Replay of a recorded run',
};

/** `1 case`, `3 cases`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Age in words, such as `3 minutes ago`; an empty string for a time that cannot be read. */
export function ago(iso: string, now: number): string {
  const then = Date.parse(iso);
  if (Number.isNaN(then)) return '';
  const seconds = Math.round((then - now) / 1000);
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ['year', 31_536_000],
    ['month', 2_592_000],
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ];
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  if (unit === 'second') return 'just now';
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
}

/** One sentence for a sign that a proposal was cut short or damaged. */
export function warningWords(warning: Warning): string {
  switch (warning.kind) {
    case 'drops_lines':
      return `The proposal has ${countOf(warning.to, 'line')} where there were ${countOf(warning.from, 'line')}: ${Math.round(warning.share * 100)} % fewer.`;
    case 'placeholder':
      return `Line ${warning.line} stands for text that was left out: “${warning.text}”`;
    case 'cut_off':
      return `The end looks cut off at line ${warning.line}: “${warning.text}”${warning.unclosed > 0 ? ` (${countOf(warning.unclosed, 'bracket')} left open)` : ''}`;
    default:
      return `Characters were lost in ${countOf(warning.lines.length, 'line')}, first in line ${warning.lines[0] ?? 0}.`;
  }
}

import type { CallerCapabilities, ReviewComment } from '../../extension/core/model/change.ts';
import type { FileState, SetState } from '../../extension/core/review/desk/state.ts';
import type { FileBody, HunkView } from '../../extension/shared/review-protocol.ts';

/** Pure derivations of a set's state for the panel; no DOM, so that they are tested without one. */

/** What became of a file so far. `mixed`: everything is decided, not all one way. */
export type FileStatus = 'undecided' | 'accepted' | 'rejected' | 'mixed';

export function fileStatus(file: Pick<FileState, 'left' | 'decisions' | 'rest' | 'counts'>): FileStatus {
  if (file.left > 0) return 'undecided';
  // A decision on all the rest of a set is noted on every file, also where nothing was left for it.
  const single = Object.keys(file.decisions).filter((id) => !id.includes('.')).length;
  const rest = file.rest === undefined || single >= file.counts.hunks ? [] : [file.rest];
  const verdicts = new Set([...Object.values(file.decisions), ...rest].map(({ decision }) => decision));
  if (verdicts.size > 1) return 'mixed';
  return verdicts.has('reject') ? 'rejected' : 'accepted';
}

export interface Totals {
  files: number;
  added: number;
  removed: number;
  /** Hunks still undecided. */
  left: number;
  hunks: number;
  reviewed: number;
}

export function totalsOf(files: readonly FileState[]): Totals {
  const totals: Totals = { files: files.length, added: 0, removed: 0, left: 0, hunks: 0, reviewed: 0 };
  for (const file of files) {
    totals.added += file.counts.added;
    totals.removed += file.counts.removed;
    totals.hunks += file.counts.hunks;
    totals.left += file.left;
    if (file.reviewed) totals.reviewed += 1;
  }
  return totals;
}

export type FileFilter = 'all' | 'undecided' | 'unreviewed' | 'commented' | 'conflicts';

/** Files whose path holds every word of `text`, in any case, and that the filter lets through. */
export function filesShown(state: Pick<SetState, 'files' | 'comments'>, filter: FileFilter, text: string): FileState[] {
  const words = text.toLowerCase().split(/\s+/u).filter((word) => word !== '');
  const commented = new Set(state.comments.map((comment) => comment.file));
  const passes: Record<FileFilter, (file: FileState) => boolean> = {
    all: () => true,
    undecided: (file) => file.left > 0,
    unreviewed: (file) => !file.reviewed,
    commented: (file) => commented.has(file.key),
    conflicts: (file) => file.conflicts.length > 0,
  };
  return state.files.filter((file) => passes[filter](file) && words.every((word) => `${file.key} ${file.from ?? ''}`.toLowerCase().includes(word)));
}

/** What a person should know of the caller before deciding; see words.caller for the sentences. */
export type CallerNote = 'nobody_waits' | 'gone' | 'writes_itself' | 'no_part' | 'no_edit' | 'no_empty' | 'no_words' | 'applied';

export function callerNotes(state: Pick<SetState, 'caller' | 'disk' | 'status'>): CallerNote[] {
  const { caller, disk } = state;
  const notes: CallerNote[] = disk === 'applied' ? ['applied'] : [];
  if (caller.name === '') return disk === 'applied' ? notes : ['nobody_waits'];
  if (!caller.attached && state.status === 'pending') return [...notes, 'gone'];
  const can: CallerCapabilities = caller.capabilities;
  if (can.writer === 'agent') notes.push('writes_itself');
  if (!can.canPartial) notes.push('no_part');
  if (!can.canEdit) notes.push('no_edit');
  if (!can.canEmpty) notes.push('no_empty');
  if (!can.canExplain) notes.push('no_words');
  return notes;
}

/** A hunk's own state, with what was decided of its parts. */
export function hunkStatus(hunk: HunkView): { decision?: 'accept' | 'reject'; decided: number; parts: number } {
  const parts = hunk.parts ?? [];
  const decided = parts.filter((part) => part.decision !== undefined).length;
  return { ...(hunk.decision === undefined ? {} : { decision: hunk.decision }), decided, parts: parts.length };
}

/** Whether anything of a hunk is still to be decided. */
export function isOpen(hunk: HunkView): boolean {
  const { decision, decided, parts } = hunkStatus(hunk);
  return decision === undefined && (parts === 0 || decided < parts);
}

/** Whether a person can put text of their own in a hunk's place here. */
export function isEditable(hunk: HunkView): boolean {
  return hunk.kind === 'lines' || hunk.kind === 'create';
}

/** Conflicts that accepting everything, of a file or of the set, has left open. */
export function conflictsLeft(state: Pick<SetState, 'files' | 'status'>): number {
  if (state.status === 'settled') return 0;
  return state.files.reduce((sum, file) => sum + (file.rest?.decision === 'accept' ? file.left : 0), 0);
}

/** Ids to name when a hunk is decided as it stands: itself, or what is left of its parts. */
export function idsToDecide(hunk: HunkView): string[] {
  return hunk.parts === undefined ? [hunk.id] : hunk.parts.filter((part) => part.decision === undefined).map((part) => part.id);
}

/** Ids whose decision is taken back with a hunk's. */
export function idsToUndo(hunk: HunkView): string[] {
  return hunk.parts === undefined ? [hunk.id] : hunk.parts.filter((part) => part.decision !== undefined).map((part) => part.id);
}

/** Names the form and decisions of a file, so that its body is asked for again when one of them changes. */
export function signatureOf(state: Pick<SetState, 'revision' | 'status'>, file: FileState): string {
  return JSON.stringify([state.revision, state.status, file.base, file.draft ?? file.proposed, file.left, file.rest?.decision, file.conflicts, Object.entries(file.decisions).map(([id, { decision }]) => [id, decision])]);
}

/** What rejecting costs; see words.reject. */
export interface Rejection {
  changes: number;
  files: number;
  /** New files that are on disk and would be deleted. */
  deleted: string[];
  /** Files that a person has saved since the agent wrote them. */
  saved: string[];
}

/** What rejecting everything undecided in these files of a set would do. */
export function rejectionOf(state: Pick<SetState, 'disk'>, among: readonly FileState[]): Rejection {
  const files = among.filter((file) => file.left > 0);
  const onDisk = state.disk === 'applied' ? files : [];
  return {
    changes: files.reduce((sum, file) => sum + file.left, 0),
    files: files.length,
    deleted: onDisk.filter((file) => file.kind === 'create').map((file) => file.key),
    saved: onDisk.filter((file) => file.by === 'person').map((file) => file.key),
  };
}

/** Names exactly what is shown of a file, for what a person has confirmed of it. */
export function shownName(file: FileState): string {
  return JSON.stringify([file.key, file.base, file.draft ?? file.proposed]);
}

/** What to say to a screen reader when `next` follows `before`; undefined when nothing that matters changed. */
export type ReviewAnnouncement = { kind: 'conflicts'; left: number } | { kind: 'settled'; outcome: NonNullable<SetState['settled']>['outcome'] } | { kind: 'rebased' } | { kind: 'standing'; standing: boolean } | { kind: 'detached' } | { kind: 'left'; left: number };

export function announcementOf(before: SetState | undefined, next: SetState): ReviewAnnouncement | undefined {
  if (before === undefined || before.id !== next.id) return undefined;
  if (before.settled === undefined && next.settled !== undefined) return { kind: 'settled', outcome: next.settled.outcome };
  if (before.settled?.standing !== next.settled?.standing && next.settled?.standing !== undefined) return { kind: 'standing', standing: next.settled.standing };
  if (before.revision !== next.revision) return { kind: 'rebased' };
  if (before.caller.attached && !next.caller.attached && next.status === 'pending') return { kind: 'detached' };
  const conflicts = conflictsLeft(next);
  if (conflicts > 0 && conflicts !== conflictsLeft(before)) return { kind: 'conflicts', left: conflicts };
  const left = totalsOf(next.files).left;
  return left === totalsOf(before.files).left ? undefined : { kind: 'left', left };
}

/** Comments that stand in the list of a file, and those about the file as a whole. */
export function commentsOf(state: Pick<SetState, 'comments'>, file: string): { lines: ReviewComment[]; whole: ReviewComment[] } {
  const own = state.comments.filter((comment) => comment.file === file);
  return { lines: own.filter((comment) => comment.line !== undefined), whole: own.filter((comment) => comment.line === undefined) };
}

/** How many changed hunks of a file are hidden by the wish to hide white space. */
export function hiddenIn(body: FileBody | undefined): number {
  return body?.hunks.filter((hunk) => hunk.whitespace === true).length ?? 0;
}

/** `1.2 MB`, `340 B`. */
export function bytes(size: number): string {
  if (size < 1024) return `${size} B`;
  const [value, unit] = size < 1024 * 1024 ? [size / 1024, 'KB'] : [size / (1024 * 1024), 'MB'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

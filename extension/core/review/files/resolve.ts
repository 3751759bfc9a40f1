import { Failure } from '../../base/failure.ts';
import type { SetOutcome } from '../../model/change.ts';
import { type Line, linesOf } from './document.ts';
import type { ReviewFailureReason } from './failure.ts';
import type { Content, FileReview } from './file-review.ts';
import { type Hunk, type LinesHunk, splitFor } from './hunks.ts';
import { encodeSide, giveEnds, pairText, type Side } from './pair.ts';
import { runNow } from './slices.ts';

/** What a person says of a hunk. Edited text takes the place of what was proposed there; its line ends are the file's. */
export type Decision = { decision: 'accept' } | { decision: 'reject' } | { decision: 'edited'; text: string };

export type Decisions = ReadonlyMap<string, Decision>;

/** How many hunks came out how. An edit that says what was proposed counts as accepted, one that says what was there as rejected. */
export interface Tally {
  accepted: number;
  rejected: number;
  edited: number;
  pending: number;
}

/** What a file becomes by its decisions. `path` is where it then stands, `from` where its base stands; equal where nothing is renamed. */
export interface FileResult {
  root: string;
  path: string;
  from: string;
  before: Content;
  after: Content;
  changed: boolean;
  tally: Tally;
}

export interface ResolveOptions {
  /** What undecided hunks count as. `refuse` (default) fails `undecided`; the others are for previews. */
  pending?: 'refuse' | 'base' | 'proposed';
}

/**
 * The final content of a file. The order of decisions has no meaning; bytes of undecided, rejected and unchanged lines are the base's.
 * Fails `unknown_hunk`, `impossible_decision`, `undecided`, `unencodable`.
 */
export function resolveFile(review: FileReview, decisions: Decisions, options: ResolveOptions = {}): FileResult {
  const hunks = splitFor(review.hunks, decisions.keys());
  const known = new Set(hunks.map((hunk) => hunk.id));
  for (const id of decisions.keys()) if (!known.has(id)) throw new Failure<ReviewFailureReason>('unknown_hunk', `${review.path} has no hunk ${id}`, { detail: { hunk: id } });
  const tally: Tally = { accepted: 0, rejected: 0, edited: 0, pending: 0 };
  const chosen = new Map<string, Decision>();
  for (const hunk of hunks) {
    const decision = decisions.get(hunk.id);
    if (decision === undefined && (options.pending ?? 'refuse') === 'refuse') throw new Failure<ReviewFailureReason>('undecided', `hunk ${hunk.id} of ${review.path} is undecided`, { detail: { hunk: hunk.id } });
    const effective = decision === undefined ? undefined : effectiveDecision(review, hunk, decision);
    tally[effective === undefined ? 'pending' : effective.decision === 'accept' ? 'accepted' : effective.decision === 'reject' ? 'rejected' : 'edited'] += 1;
    chosen.set(hunk.id, effective ?? { decision: options.pending === 'proposed' ? 'accept' : 'reject' });
  }
  const says = (what: string): Decision | undefined => chosen.get(hunks.find((hunk) => hunk.kind === 'entry' && hunk.what === what)?.id ?? '');
  const from = review.from ?? review.path;
  const path = says('rename')?.decision === 'reject' ? from : review.path;
  const after = contentOf(review, hunks, chosen, says);
  return { root: review.root, path, from, before: review.base, after, changed: path !== from || !sameContent(review.base, after), tally };
}

/** The outcome of a set whose hunks are all decided. A set without hunks is `accepted`: there is nothing to refuse. */
export function outcomeOf(tallies: readonly Tally[]): Extract<SetOutcome, 'accepted' | 'partly_accepted' | 'rejected'> | 'pending' {
  const sum = (name: keyof Tally): number => tallies.reduce((total, tally) => total + tally[name], 0);
  if (sum('pending') > 0) return 'pending';
  if (sum('rejected') === 0) return 'accepted';
  return sum('accepted') + sum('edited') > 0 ? 'partly_accepted' : 'rejected';
}

/** The same decision for every hunk. */
export function decideAll(hunks: readonly Hunk[], decision: 'accept' | 'reject'): Map<string, Decision> {
  return new Map(hunks.map((hunk) => [hunk.id, { decision }]));
}

export function sameContent(a: Content, b: Content): boolean {
  if (a.kind === 'file' && b.kind === 'file') return Buffer.compare(a.bytes, b.bytes) === 0 && (a.mode === undefined || b.mode === undefined || (a.mode & 0o7777) === (b.mode & 0o7777));
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  return a.kind === b.kind;
}

/** Lines that edited text stands for in a hunk, with ends: those of the lines it replaces, then the neighbourhood's. */
export function editedLines(base: Side, hunk: LinesHunk, text: string): Line[] {
  const lines = linesOf(text);
  const [before, after] = [base.lines[hunk.baseStart - 1], base.lines[hunk.baseEnd]];
  const place = [...(before ? [before] : []), ...hunk.removed, ...(after ? [after] : [])];
  const offset = before ? 1 : 0;
  // Ends that the proposal chose count where the base has none to give.
  const edited = [...(before ? [before] : []), ...lines.map((line, index) => (base.lines.length === 0 ? { text: line.text, end: hunk.added[Math.min(index, hunk.added.length - 1)]?.end ?? line.end } : line)), ...(after ? [after] : [])];
  giveEnds(place, edited, [{ baseStart: offset, baseEnd: offset + hunk.removed.length, proposedStart: offset, proposedEnd: offset + lines.length }]);
  return edited.slice(offset, offset + lines.length);
}

function effectiveDecision(review: FileReview, hunk: Hunk, decision: Decision): Decision {
  if (decision.decision !== 'edited') return decision;
  if (hunk.kind === 'entry' && hunk.what === 'create' && review.proposed.kind === 'file') return decision;
  if (hunk.kind !== 'lines' || review.body.kind !== 'lines') throw new Failure<ReviewFailureReason>('impossible_decision', 'only lines of text and new files can be edited', { detail: { hunk: hunk.id } });
  const same = (lines: readonly Line[], other: readonly Line[]): boolean => lines.length === other.length && lines.every((line, index) => line.text === other[index]?.text);
  const lines = linesOf(decision.text);
  if (same(lines, hunk.added)) return { decision: 'accept' };
  return same(lines, hunk.removed) ? { decision: 'reject' } : decision;
}

function contentOf(review: FileReview, hunks: readonly Hunk[], chosen: Decisions, says: (what: string) => Decision | undefined): Content {
  const { base, proposed, body } = review;
  const entry = says('create') ?? says('delete') ?? says('symlink');
  if (entry?.decision === 'edited' && proposed.kind === 'file') return { ...proposed, bytes: editedFile(proposed.bytes, entry.text) };
  if (entry) return entry.decision === 'accept' ? proposed : base;
  if (base.kind !== 'file' || proposed.kind !== 'file') return base;
  const mode = says('mode')?.decision === 'accept' ? proposed.mode : base.mode;
  const bytes = body.kind === 'lines' ? patched(base.bytes, proposed.bytes, body, hunks, chosen) : says('content')?.decision === 'accept' ? proposed.bytes : base.bytes;
  return { kind: 'file', bytes, ...(mode === undefined ? {} : { mode }) };
}

function patched(baseBytes: Uint8Array, proposedBytes: Uint8Array, body: { base: Side; proposed: Side }, hunks: readonly Hunk[], chosen: Decisions): Uint8Array {
  const decided = hunks.filter((hunk) => hunk.kind !== 'entry');
  // Exact by construction where everything goes one way, also for what no line can show (the byte order mark of an empty file).
  if (decided.every((hunk) => chosen.get(hunk.id)?.decision === 'reject')) return baseBytes;
  if (decided.every((hunk) => chosen.get(hunk.id)?.decision === 'accept')) return proposedBytes;
  const { base, proposed } = body;
  const lines: Line[] = [];
  let at = 0;
  const inOrder = decided.filter((hunk) => hunk.kind === 'lines').toSorted((a, b) => a.baseStart - b.baseStart || a.proposedStart - b.proposedStart);
  const copy = (until: number): void => {
    for (; at < until; at += 1) {
      const line = base.lines[at];
      if (line) lines.push(line);
    }
  };
  for (const hunk of inOrder) {
    const decision = chosen.get(hunk.id);
    if (decision === undefined || decision.decision === 'reject') continue;
    copy(hunk.baseStart);
    for (const line of decision.decision === 'edited' ? editedLines(base, hunk, decision.text) : hunk.added) lines.push(line);
    at = hunk.baseEnd;
  }
  copy(base.lines.length);
  const newline = decided.find((hunk) => hunk.kind === 'final_newline');
  const finalNewline = newline && chosen.get(newline.id)?.decision === 'accept' ? proposed.finalNewline : base.finalNewline;
  return encodeSide({ ...(base.lines.length === 0 ? proposed : base), lines, finalNewline });
}

/** A new file as a person has edited it: encoding and line ends stay as proposed. */
function editedFile(proposed: Uint8Array, text: string): Uint8Array {
  return runNow(pairText(proposed, text)).proposedBytes;
}

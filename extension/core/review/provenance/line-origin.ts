import type { Journal } from '../../journal/port.ts';
import type { Actor } from '../../model/actor.ts';
import { type ChangeOrigin, hunksDecided, type SettledFile } from '../../model/change.ts';
import { reviewOf } from '../desk/views.ts';
import type { Git } from '../../repo/git.ts';
import type { Root } from '../../repo/roots.ts';
import { decodeDocument, type Line, linesOf } from '../files/document.ts';
import { type Hunk, type LinesHunk, splitFor } from '../files/hunks.ts';
import type { Change } from '../files/diff.ts';
import { type CommitOrigin, commitOfLine } from './commit.ts';
import { followBack, linesOfContent, type Mapped } from './lines.ts';
import { isSettled, keptContent, readSet, type SettledSet, settlements } from './settled.ts';

export interface ProvenanceDeps {
  journal: Pick<Journal, 'read' | 'blobs'>;
  git: Git;
  roots(): readonly Root[];
}

/** A line as it stands in the editor or on disk now; `line` from 1. */
export interface LineQuery {
  root: string;
  path: string;
  line: number;
  text: string;
}

/** One thing known of a line, or of the line it took the place of (`earlier`). */
export type OriginStep =
  | {
      kind: 'decided';
      set: string;
      title: string;
      origin: ChangeOrigin;
      /** Absent where the set's outcome was not decided hunk by hunk (found on disk, failed). */
      hunk?: string;
      /** `reject`: the line stayed, because a change of it was rejected. `edited`: the words are the person's own. */
      decision: 'accept' | 'reject' | 'edited';
      by: Actor[];
      at: string;
      /** Where the line was then, from the root; `line` from 1. */
      path: string;
      line: number;
      text: string;
      earlier: boolean;
    }
  /** The line was written after that set, by nothing that is on record. */
  | { kind: 'changed_since'; set: string; at: string; earlier: boolean }
  /** That set changed the file, but what it held was erased or is not read by lines. */
  | { kind: 'unreadable'; set: string; at: string; earlier: boolean };

/** Newest first. `decided`: the line as it is now is the outcome of a decision on record; `changed_since`: it was decided once and became other since; else `unknown`. */
export interface LineOrigin {
  state: 'decided' | 'changed_since' | 'unknown';
  steps: OriginStep[];
  commit?: CommitOrigin;
}

/** A line on its way back through the record. `line` from 0. */
interface Trail {
  root: string;
  path: string;
  line: number;
  lines: readonly Line[];
  earlier: boolean;
  steps: OriginStep[];
}

/** More steps than this are of no use to anybody. */
const maxSteps = 20;

/**
 * Who decided this line: from the settled sets of its file, newest first, each compared by content with what came after it, so that edits and commits
 * in between are followed, and renames by a set or a commit as well. What is not on record is called unknown or changed since, never attributed.
 */
export async function lineOrigin(query: LineQuery, deps: ProvenanceDeps, signal: AbortSignal): Promise<LineOrigin> {
  const known = await settlements(deps.journal);
  const trail = { root: query.root, path: query.path, line: query.line - 1, lines: linesOf(query.text), earlier: false, steps: [] };
  if (trail.lines[trail.line] === undefined) return { state: 'unknown', steps: [] };
  await follow(trail, known, deps, signal);
  const root = deps.roots().find((candidate) => candidate.name === query.root);
  const commit = root && (await commitOfLine(deps.git, root, query.path, query.line, query.text, signal));
  const steps = trail.steps.some(isOfLine) ? trail.steps : await fromCommit(query, commit, known, trail.steps, deps, signal);
  const state = steps.some(isOfLine) ? 'decided' : steps.some((step) => step.kind !== 'unreadable') ? 'changed_since' : 'unknown';
  return { state, steps, ...(commit === undefined ? {} : { commit }) };
}

function isOfLine(step: OriginStep): boolean {
  return step.kind === 'decided' && !step.earlier;
}

/** A commit may have moved the line from where the record knows it. */
async function fromCommit(query: LineQuery, commit: CommitOrigin | undefined, known: Settlements, otherwise: OriginStep[], deps: ProvenanceDeps, signal: AbortSignal): Promise<OriginStep[]> {
  if (commit?.place === undefined || (commit.place.path === query.path && otherwise.length > 0)) return otherwise;
  const document = decodeDocument(commit.place.bytes);
  if (document.kind !== 'text') return otherwise;
  const trail: Trail = { root: query.root, path: commit.place.path, line: commit.place.line - 1, lines: document.lines, earlier: false, steps: [] };
  await follow(trail, known, deps, signal);
  return trail.steps.length > 0 ? trail.steps : otherwise;
}

type Settlements = Awaited<ReturnType<typeof settlements>>;

async function follow(trail: Trail, known: Settlements, deps: ProvenanceDeps, signal: AbortSignal): Promise<void> {
  for (const { set, files } of known) {
    signal.throwIfAborted();
    if (trail.steps.length >= maxSteps) return;
    const file = files.find((one) => one.root === trail.root && one.finalPath === trail.path);
    if (file === undefined) continue;
    const state = await readSet(deps.journal, set);
    // What was taken back is not what the file came from.
    if (!isSettled(state) || state.settled.standing === false) continue;
    if (!(await through(trail, state, file, deps, signal))) return;
  }
}

/** Takes the trail through one set; false when it ends there. */
async function through(trail: Trail, state: SettledSet, file: SettledFile, deps: ProvenanceDeps, signal: AbortSignal): Promise<boolean> {
  const at = state.settled.at;
  const final = await linesAt(deps, file.final);
  const base = await linesAt(deps, file.base);
  if (final === undefined || base === undefined) {
    trail.steps.push({ kind: 'unreadable', set: state.id, at, earlier: trail.earlier });
    return true;
  }
  const later = await followBack(final, trail.lines, trail.line, signal);
  if (later.kind === 'changed') {
    trail.steps.push({ kind: 'changed_since', set: state.id, at, earlier: trail.earlier });
    if (later.before === undefined) return false;
    trail.earlier = true;
  }
  const inFinal = later.kind === 'same' ? later.line : (later.before ?? 0);
  const own = await followBack(base, final, inFinal, signal);
  const decided = await decisionAt(state, file, own, final[inFinal]?.text ?? '', deps, signal);
  if (decided !== undefined) {
    const { title, origin } = state;
    trail.steps.push({ kind: 'decided', set: state.id, title, origin, ...decided, path: file.finalPath, line: inFinal + 1, text: final[inFinal]?.text ?? '', earlier: trail.earlier });
  }
  if (own.kind === 'changed') {
    if (own.before === undefined) return false;
    trail.earlier = true;
  }
  trail.path = file.from ?? file.path;
  trail.lines = base;
  trail.line = own.kind === 'same' ? own.line : (own.before ?? 0);
  return true;
}

async function linesAt(deps: ProvenanceDeps, ref: SettledFile['base']): Promise<readonly Line[] | undefined> {
  const content = await keptContent(deps.journal.blobs, ref);
  return content && linesOfContent(content);
}

interface Decided {
  hunk?: string;
  decision: 'accept' | 'reject' | 'edited';
  by: Actor[];
  at: string;
}

/** The decision that the set holds about a line of its final content; undefined when it holds none. */
async function decisionAt(state: SettledSet, file: SettledFile, own: Mapped, text: string, deps: ProvenanceDeps, signal: AbortSignal): Promise<Decided | undefined> {
  const known = state.files.find((one) => one.root === file.root && one.path === file.path);
  const [base, proposed] = await Promise.all([keptContent(deps.journal.blobs, file.base), keptContent(deps.journal.blobs, file.proposed)]);
  const { at, by } = state.settled;
  if (base === undefined || proposed === undefined) return own.kind === 'changed' ? { decision: 'accept', by, at } : undefined;
  const review = await reviewOf(known ?? file, base, proposed, signal);
  const verdicts = new Map(hunksDecided(file).map((one) => [one.hunk, one]));
  const hunks = splitFor(review.hunks, verdicts.keys());
  const lines = hunks.filter((hunk) => hunk.kind === 'lines');
  const told = ({ id }: Hunk): Decided => {
    const verdict = verdicts.get(id);
    return { hunk: id, decision: verdict?.decision ?? 'accept', by: verdict === undefined ? by : [verdict.by], at: known?.decisions[id]?.at ?? known?.rest?.at ?? at };
  };
  if (own.kind === 'same') {
    const kept = lines.find((hunk) => own.line >= hunk.baseStart && own.line < hunk.baseEnd && verdicts.get(hunk.id)?.decision === 'reject');
    return kept && told(kept);
  }
  const taken = lines.filter((hunk) => touches(hunk, own.change) && verdicts.has(hunk.id) && verdicts.get(hunk.id)?.decision !== 'reject');
  const whole = hunks.find((hunk) => hunk.kind === 'entry' && (hunk.what === 'create' || hunk.what === 'content') && verdicts.has(hunk.id));
  const hunk = taken.find((one) => one.added.some((line) => line.text === text)) ?? taken[0] ?? whole;
  if (hunk !== undefined) return told(hunk);
  // Lines the agent had not touched, or an outcome that was found on disk and not decided hunk by hunk.
  return { decision: file.personsPatch === undefined ? 'accept' : 'edited', by, at };
}

function touches(hunk: LinesHunk, change: Change): boolean {
  return hunk.baseStart <= change.baseEnd && hunk.baseEnd >= change.baseStart;
}

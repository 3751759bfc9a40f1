import type { CaseState, ReplyState, RunState, StepState } from '../../extension/core/cases/state.ts';
import type { Citation, Suspect } from '../../extension/core/model/code.ts';
import type { ReplyFinding } from '../../extension/core/model/verdict.ts';
import { since } from '../shared/format.ts';

/** Pure derivations of a case's state for the panel; no DOM, so that they are tested without one. */

/** The citations of one file, with what the scout says of that file. */
export interface FileGroup {
  file: string;
  citations: Citation[];
  suspect?: Suspect;
  /** Place in the scout's ranking, from 1. */
  rank?: number;
}

export interface EvidenceView {
  groups: FileGroup[];
  /** Ranked files that nothing cites, best first. */
  others: FileGroup[];
  counts: Record<Citation['state'], number>;
}

const originOrder: Record<Citation['origin'], number> = { verdict: 0, report: 1, scout: 2 };

/** Groups citations by file: cited in the verdict before the report before the scout, then by the scout's rank. */
export function evidenceView(state: Pick<CaseState, 'citations' | 'scout'>): EvidenceView {
  const suspects = new Map<string, { suspect: Suspect; rank: number }>();
  for (const [index, suspect] of (state.scout?.result?.suspects ?? []).entries()) suspects.set(`${suspect.root}/${suspect.file}`, { suspect, rank: index + 1 });
  const byFile = new Map<string, Citation[]>();
  const counts: EvidenceView['counts'] = { verified: 0, located: 0, moved: 0, stale: 0, missing: 0 };
  for (const citation of state.citations) {
    counts[citation.state] += 1;
    const list = byFile.get(citation.file);
    if (list) list.push(citation);
    else byFile.set(citation.file, [citation]);
  }
  const groups = [...byFile].map(([file, citations]) => ({ file, citations: citations.sort(byPlace), ...suspects.get(file) }));
  const best = (group: FileGroup) => Math.min(...group.citations.map((citation) => originOrder[citation.origin]));
  groups.sort((a, b) => best(a) - best(b) || (a.rank ?? Infinity) - (b.rank ?? Infinity) || (a.file < b.file ? -1 : 1));
  const others = [...suspects].filter(([file]) => !byFile.has(file)).map(([file, ranked]) => ({ file, citations: [], ...ranked }));
  return { groups, others, counts };
}

function byPlace(a: Citation, b: Citation): number {
  return originOrder[a.origin] - originOrder[b.origin] || (a.line ?? 0) - (b.line ?? 0);
}

/** The run that is shown as the current one: the last started. */
export function currentRun(state: Pick<CaseState, 'runs'>): RunState | undefined {
  return state.runs.at(-1);
}

/** A run that says nothing for longer than this is worth a word. Milliseconds. */
const longSilence = 60_000;

/** For how long (milliseconds) a run that goes on has been silent; undefined when it is not, or when it waits for a person. */
export function silence(state: Pick<CaseState, 'runs' | 'status'>, now: number): number | undefined {
  const run = currentRun(state);
  if (run === undefined || run.ended !== undefined || state.status !== 'running') return undefined;
  const age = since(run.lastEventAt, now);
  return age !== undefined && age >= longSilence ? age : undefined;
}

/** Steps of the current run; without a run, one step that stands for the scout. */
export function stepsOf(state: Pick<CaseState, 'runs' | 'scout'>): StepState[] {
  return currentRun(state)?.steps ?? [];
}

/** What to say to a screen reader when `next` follows `before`; undefined when nothing that matters changed. */
export type Announcement =
  | { kind: 'status'; status: CaseState['status'] }
  | { kind: 'question'; count: number }
  | { kind: 'verdict' }
  | { kind: 'reply_posted' }
  | { kind: 'report' };

export function announcement(before: CaseState | undefined, next: CaseState): Announcement | undefined {
  if (!before || before.id !== next.id) return undefined;
  const open = (state: CaseState) => openQuestions(state).length;
  if (open(next) > open(before)) return { kind: 'question', count: openQuestions(next).at(-1)?.questions.length ?? 1 };
  if (next.verdict && next.verdict.event !== before.verdict?.event) return { kind: 'verdict' };
  if (next.reply?.posted && !before.reply?.posted) return { kind: 'reply_posted' };
  if (next.status !== before.status) return { kind: 'status', status: next.status };
  if (next.report && !before.report) return { kind: 'report' };
  return undefined;
}

export function openQuestions(state: Pick<CaseState, 'questions'>): CaseState['questions'] {
  return state.questions.filter((question) => question.answers === undefined && question.closed !== true);
}

/**
 * Where a finding's span of the saved reply is in an edited draft: the same place if the text there is unchanged, else the only
 * other place with the same text, else nowhere. Spans are UTF-16 units.
 */
export function locateSpan(saved: string, draft: string, span: readonly [number, number]): [number, number] | undefined {
  const text = saved.slice(span[0], span[1]);
  if (text === '') return undefined;
  if (draft.slice(span[0], span[1]) === text) return [span[0], span[1]];
  const first = draft.indexOf(text);
  if (first < 0 || draft.indexOf(text, first + 1) >= 0) return undefined;
  return [first, first + text.length];
}

/** The draft with a finding's fix put in, or undefined when its place cannot be found any more. */
export function applyFix(saved: string, draft: string, finding: ReplyFinding): string | undefined {
  if (!finding.span || finding.fix === undefined) return undefined;
  const place = locateSpan(saved, draft, finding.span);
  return place && draft.slice(0, place[0]) + finding.fix + draft.slice(place[1]);
}

/** Findings that still block or warn: those not overridden by a person. */
export function openFindings(reply: ReplyState): ReplyFinding[] {
  return reply.findings.filter((finding) => reply.overridden[finding.rule] === undefined);
}

/** What can be done with the last run: nothing while one runs; resuming needs an engine's own session of a run that was cut off. */
export function runActions(state: CaseState): { stop?: string; again: boolean; resume: boolean } {
  const run = currentRun(state);
  if (run && !run.ended) {
    // An open start of a dead process is folded to `interrupted`; stopping it would ask nobody.
    if (state.status === 'running' || state.status === 'needs_you') return { stop: run.id, again: false, resume: false };
  }
  if (state.status === 'closed' || state.status === 'running' || state.status === 'needs_you') return { again: false, resume: false };
  const cut = run?.ended === undefined || run.ended.outcome !== 'completed';
  return { again: true, resume: run?.session !== undefined && cut };
}

import type { Citation } from '../model/code.ts';
import { submission, verdict, type Submission, type Verdict } from '../model/verdict.ts';
import { proofOf } from './proof.ts';

/** What is wrong with one field, in words for the model that sent it. */
export interface Problem {
  path: string;
  message: string;
}

/** A citation as somebody claims it, before it is checked. */
export type Claim = Pick<Citation, 'file' | 'line' | 'endLine' | 'quote' | 'note' | 'origin'>;

/** Checks a submission's shape. Unknown fields are dropped; every bad field is named, so that all can be mended at once. */
export function parseSubmission(input: unknown): { ok: true; submission: Submission } | { ok: false; problems: Problem[] } {
  const parsed = submission.safeParse(input);
  if (parsed.success) return { ok: true, submission: parsed.data };
  return { ok: false, problems: parsed.error.issues.map((issue) => ({ path: issue.path.join('.') || '(whole)', message: issue.message })) };
}

/** The verdict proper: a submission without its quotes, which stay beside it in `citations.json`. */
export function verdictOf(from: Submission): Verdict {
  return verdict.parse(from);
}

/** The submission's evidence as claims to check. */
export function claimsOf(from: Submission): Claim[] {
  return from.evidence.map(({ file, line, endLine, quote, note }) => ({ file, line, endLine, quote, note, origin: 'verdict' as const }));
}

/**
 * What the checked citations say against a submission: each missing citation, and a `confirmed` without proof. Never what really stands
 * at a place: an agent that could copy it from here would get a citation verified without having looked.
 * `checked` is in the order of the submission's evidence.
 */
export function proofProblems(from: Submission, checked: readonly Citation[]): Problem[] {
  const problems = checked.flatMap((citation, index): Problem[] =>
    citation.state === 'missing'
      ? [{ path: `evidence.${index}`, message: citation.why ?? 'not found in the snapshot' }]
      : [],
  );
  const confirmed = from.bugConfirmation === 'confirmed';
  if (confirmed && problems.length === 0) {
    const proof = proofOf(true, checked);
    if (!proof.holds) problems.push({ path: 'bugConfirmation', message: `"confirmed" needs at least one evidence item with an exact quote found at its place. ${proof.why}` });
  }
  return problems;
}

/** A verdict whose `confirmed` its citations do not carry, as it may be recorded: suspected, with the reason among its limitations. */
export function downgrade(from: Verdict, why: string): Verdict {
  const limitation = `Recorded as suspected although submitted as confirmed: ${why}`;
  return { ...from, bugConfirmation: 'suspected', limitations: from.limitations === undefined ? limitation : `${from.limitations}\n${limitation}` };
}

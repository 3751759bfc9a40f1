import { proofOf } from './proof.ts';
import type { CaseState, ReplyState, VerdictState } from './state.ts';

/** The derived parts of a case's verdict and reply: whether the proof holds, and what keeps the reply from being posted. */
export function settleVerdict(state: CaseState): { verdict?: VerdictState; reply?: ReplyState } {
  const verdict = state.verdict === undefined ? undefined : { ...state.verdict, proof: proofFor(state, state.verdict) };
  const reply = state.reply === undefined ? undefined : { ...state.reply, blockers: blockersOf(state.reply, verdict) };
  return { verdict, reply };
}

function proofFor(state: CaseState, verdict: VerdictState): VerdictState['proof'] {
  // An agent that answers without having looked has collected no evidence, however sure it sounds.
  const run = state.runs.findLast((candidate) => candidate.engine === verdict.engine);
  const looked = verdict.engine === 'scout' || run?.steps.some((step) => step.kind === 'tool' && step.state === 'done') === true;
  if (!looked) return { holds: false, why: 'No evidence was collected: the agent looked at nothing before it answered.' };
  return proofOf(verdict.effective.bugConfirmation === 'confirmed', state.citations);
}

/** Sentences, each a reason why the reply cannot be posted now. The name under which a person may override is the finding's rule, or `proof`. */
function blockersOf(reply: ReplyState, verdict: VerdictState | undefined): string[] {
  const blockers: string[] = [];
  if (verdict === undefined) return ['There is no verdict yet.'];
  if (verdict.replay) blockers.push('This verdict comes from a recorded run and is a demonstration only.');
  if (!verdict.proof.holds && reply.overridden['proof'] === undefined && verdict.decision?.kind !== 'overridden') blockers.push(verdict.proof.why);
  for (const finding of reply.findings) {
    if (finding.severity === 'block' && reply.overridden[finding.rule] === undefined) blockers.push(finding.message);
  }
  if (reply.text.trim() === '') blockers.push('The reply is empty.');
  return [...new Set(blockers)];
}

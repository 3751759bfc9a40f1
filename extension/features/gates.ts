import type { Cases } from '../core/cases/port.ts';
import type { CaseState } from '../core/cases/state.ts';
import { Failure } from '../core/base/failure.ts';
import type { CaseFailureReason } from '../core/cases/port.ts';
import type { Prompter } from '../host/prompter.ts';

export interface GateDeps {
  cases: Pick<Cases, 'openGate' | 'decideGate'>;
  prompter: Pick<Prompter, 'modal'>;
  /** Shows text in a read-only document; resolves when it is visible. Disposing closes nothing, it only lets the text go. */
  showText(name: string, text: string): Promise<void>;
}

const POST = 'Post This Text';

/** Longest payload that a modal shows whole; a longer one is read in the document behind it. */
const MODAL_LENGTH = 1200;

/**
 * Posting a reply: the exact payload is shown (whole, in a read-only document), with where it goes and what it sets off there, and only an
 * explicit yes to that very text carries it out. Dismissing is a refusal, and both are in the journal.
 */
export async function postReply(state: CaseState, deps: GateDeps, via: string): Promise<void> {
  const { reply } = state;
  if (reply === undefined) throw new Failure<CaseFailureReason>('no_verdict', 'there is no reply to post');
  if (reply.blockers.length > 0) throw new Failure<CaseFailureReason>('blocked', 'the reply has open blockers', { detail: reply.blockers });
  const gate = await deps.cases.openGate(state.id, 'post_reply', reply.text, via);
  await deps.showText('reply to be posted.md', gate.payload);
  const choice = await deps.prompter.modal(`Post this reply to ${gate.target}?`, gateDetail(gate), [POST]);
  await deps.cases.decideGate(state.id, gate.gate, choice === POST ? 'approved' : 'refused', gate.payloadHash, via);
}

const SET = 'Set These Labels';

/**
 * Setting a ticket's labels: the whole list as it will be there, approved or refused like a reply. The source replaces what it has, so the
 * list starts from the labels the ticket had when it was read.
 */
export async function setLabels(state: CaseState, deps: Pick<GateDeps, 'cases'> & { prompter: Pick<Prompter, 'modal' | 'input'> }, via: string): Promise<void> {
  const asked = await deps.prompter.input({ title: 'Labels of the ticket', placeholder: 'Separated by commas', value: state.ticket.labels.join(', ') });
  if (asked.kind !== 'picked') return;
  const labels = [...new Set(asked.value.split(',').map((label) => label.trim()).filter((label) => label !== ''))];
  const gate = await deps.cases.openGate(state.id, 'set_labels', labels.join('\n'), via);
  const removed = state.ticket.labels.filter((label) => !labels.includes(label));
  const detail = [labels.length === 0 ? 'No labels.' : labels.join('\n'), removed.length === 0 ? 'None is taken away.' : `Taken away: ${removed.join(', ')}`].join('\n\n');
  const choice = await deps.prompter.modal(`Set these labels on ${gate.target}?`, detail, [SET]);
  await deps.cases.decideGate(state.id, gate.gate, choice === SET ? 'approved' : 'refused', gate.payloadHash, via);
}

/** What a person must know before a yes: the text itself where it fits, its length, what it sets off, and the hash that the yes is about. */
export function gateDetail(gate: { payload: string; payloadHash: string; sideEffects: readonly string[] }): string {
  const length = Array.from(gate.payload).length;
  const text = length <= MODAL_LENGTH ? gate.payload : 'The text is in the document behind this question.';
  const effects = gate.sideEffects.length === 0 ? 'It sets off nothing else there.' : `It also sets off:\n${gate.sideEffects.map((effect) => `• ${effect}`).join('\n')}`;
  return [text, `${length} characters, SHA-256 ${gate.payloadHash.slice(0, 12)}…`, effects].join('\n\n');
}

import { Failure, messageOf } from '../base/failure.ts';
import { sha256 } from '../base/hash.ts';
import { newId } from '../base/ids.ts';
import type { EventKind } from '../journal/kinds/index.ts';
import type { NewEvent } from '../journal/port.ts';
import type { Actor } from '../model/actor.ts';
import { casebookActor } from '../model/actor.ts';
import type { TicketReply } from '../tickets/source.ts';
import type { CasesDeps } from './deps.ts';
import type { CaseFailureReason } from './port.ts';
import type { CaseState, GateState } from './state.ts';

type GateAction = GateState['action'];

/**
 * Gates stand before every remote change. Opening one records the exact payload and sends nothing; approving binds to the payload's hash,
 * sends it once, reads it back and records what was really there. An agent has no way to either.
 */
export class Gates {
  /** Gates being carried out in this process: a second press must not send again. */
  private readonly busy = new Set<string>();

  constructor(private readonly deps: CasesDeps) {}

  async open(state: CaseState, action: GateAction, payload: string, actor: Actor): Promise<{ gate: string; target: string; payload: string; payloadHash: string; sideEffects: string[] }> {
    this.mustReply(state);
    if (action === 'post_reply' && state.reply !== undefined && state.reply.blockers.length > 0) throw blocked(state.reply.blockers);
    if (action === 'post_reply' && state.reply?.text !== payload) throw new Failure<CaseFailureReason>('stale_payload', 'The reply was edited after it was shown.');
    const gate = newId('gate');
    const payloadHash = sha256(payload);
    await this.append(state, 'gate.opened', { id: gate, action, target: state.ticket.url ?? state.ticket.id, payload, payloadHash }, actor);
    return { gate, target: state.ticket.url ?? state.ticket.id, payload, payloadHash, sideEffects: this.deps.sideEffects(payload) };
  }

  async decide(state: CaseState, id: string, decision: 'approved' | 'refused', payloadHash: string, actor: Actor): Promise<void> {
    const gate = state.gates.find((candidate) => candidate.id === id);
    if (gate === undefined) throw new Failure<CaseFailureReason>('not_found', 'There is no such gate in this case.');
    if (gate.decision !== undefined || this.busy.has(id)) throw new Failure<CaseFailureReason>('blocked', 'This gate was already decided.');
    if (gate.payloadHash !== payloadHash) throw new Failure<CaseFailureReason>('stale_payload', 'The approved text is not the text of this gate.');
    this.busy.add(id);
    try {
      await this.append(state, 'gate.decided', { id, decision, payloadHash }, actor);
      if (decision === 'approved') await this.carryOut(state, gate);
    } finally {
      this.busy.delete(id);
    }
  }

  private async carryOut(state: CaseState, gate: GateState): Promise<void> {
    const reply = this.mustReply(state);
    const actor = casebookActor('gates');
    try {
      const done = gate.action === 'post_reply' ? await this.post(reply, state, gate) : await this.label(reply, state, gate);
      await this.append(state, 'gate.carried_out', { id: gate.id, ...done }, actor);
    } catch (error) {
      await this.append(state, 'gate.carried_out', { id: gate.id, outcome: 'failed', message: messageOf(error) }, actor);
      throw error;
    }
  }

  private async post(reply: TicketReply, state: CaseState, gate: GateState): Promise<{ outcome: 'confirmed' | 'unknown'; url: string; remoteId: string; message?: string }> {
    const signal = AbortSignal.timeout(60_000);
    const posted = await reply.post(state.ticket.key, gate.payload, gate.id, signal);
    const found = await reply.read(posted.remoteId, state.ticket.key, signal);
    return found.includes(gate.payload.trim()) ? { outcome: 'confirmed', ...posted } : { outcome: 'unknown', ...posted, message: 'The posted text differs from the approved text.' };
  }

  private async label(reply: TicketReply, state: CaseState, gate: GateState): Promise<{ outcome: 'confirmed' | 'unknown' }> {
    const wanted = gate.payload.split('\n').filter((label) => label !== '');
    const found = await reply.setLabels(state.ticket.key, wanted, AbortSignal.timeout(60_000));
    return { outcome: wanted.every((label) => found.includes(label)) ? 'confirmed' : 'unknown' };
  }

  private mustReply(state: CaseState): TicketReply {
    const reply = this.deps.replyTo(state.ticket);
    if (reply === undefined) throw new Failure<CaseFailureReason>('no_reply_target', `Nothing can be posted to the source of this ticket (${state.ticket.source}).`);
    return reply;
  }

  private append<K extends EventKind>(state: CaseState, kind: K, body: NewEvent<K>['body'], actor: Actor): Promise<unknown> {
    return this.deps.journal.append({ kind, body, actor, case: state.id });
  }
}

function blocked(blockers: readonly string[]): Failure<CaseFailureReason> {
  return new Failure<CaseFailureReason>('blocked', `The reply cannot be posted yet: ${blockers.join(' ')}`, { detail: blockers });
}

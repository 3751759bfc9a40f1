import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../extension/core/agents/engine.ts';
import { aReplyTarget, aSubmission, aTicket, aWorld, never, scriptedEngine } from './fakes.ts';

async function concluded(over: Parameters<typeof aWorld>[1] = {}, submission: unknown = aSubmission) {
  const world = await aWorld(
    [
      scriptedEngine(async function* (request): AsyncGenerator<RunEvent> {
        yield { type: 'tool_call', call: 'c', tool: 'read', summary: 'Read' };
        yield { type: 'tool_result', call: 'c', ok: true, output: 'x' };
        await request.desk.submit(submission);
        yield { type: 'ended', outcome: 'completed' };
      }),
    ],
    over,
  );
  const id = await world.cases.open(aTicket(), { via: 'test' });
  await world.cases.investigate(id, { via: 'test', engine: 'auto' }, never);
  return { world, id };
}

describe('a decided verdict', () => {
  it('survives a later run, whose verdict waits beside it', async () => {
    const { world, id } = await concluded();
    await world.cases.overrideVerdict(id, { classification: 'answerable', confidence: 'high', reason: 'It is documented.' }, 'panel');
    await world.cases.investigate(id, { via: 'test', engine: 'auto', mode: 'restart' }, never);
    const state = await world.cases.state(id);
    expect(state.verdict?.effective.classification).toBe('answerable');
    expect(state.verdict?.decision).toMatchObject({ kind: 'overridden', by: 'ada', reason: 'It is documented.' });
    expect(state.verdict?.later?.verdict.classification).toBe('bug');
    await world.cases.acceptVerdict(id, 'panel');
    const accepted = await world.cases.state(id);
    expect(accepted.verdict?.effective.classification).toBe('bug');
    expect(accepted.verdict?.later).toBeUndefined();
  });

  it('cannot be made without one', async () => {
    const world = await aWorld([]);
    const id = await world.cases.open(aTicket(), { via: 'test' });
    await expect(world.cases.acceptVerdict(id, 'panel')).rejects.toMatchObject({ reason: 'no_verdict' });
  });
});

describe('a citation that no longer holds', () => {
  it('is found by a re-check, once, and keeps the reply back until a person overrides', async () => {
    const { world, id } = await concluded({ replyTo: () => aReplyTarget() });
    world.states.set('app/src/save.ts', 'stale');
    const state = await world.cases.recheck(id, 'tree_changed');
    expect(state.verdict?.proof.holds).toBe(false);
    const checks = world.journal.events.length;
    await world.cases.recheck(id, 'tree_changed');
    expect(world.journal.events).toHaveLength(checks);
    await expect(world.cases.openGate(id, 'post_reply', aSubmission.proposedCustomerReply, 'panel')).rejects.toMatchObject({ reason: 'blocked' });
    await world.cases.overrideFinding(id, 'proof', 'Checked by hand.', 'panel');
    expect((await world.cases.openGate(id, 'post_reply', aSubmission.proposedCustomerReply, 'panel')).payload).toBe(aSubmission.proposedCustomerReply);
  });
});

describe('a gate', () => {
  it('T20: posts exactly the approved text, once, and confirms it by reading it back', async () => {
    const target = aReplyTarget();
    const { world, id } = await concluded({ replyTo: () => target });
    const gate = await world.cases.openGate(id, 'post_reply', aSubmission.proposedCustomerReply, 'panel');
    expect(target.posted).toEqual([]);
    await expect(world.cases.decideGate(id, gate.gate, 'approved', 'another hash', 'panel')).rejects.toMatchObject({ reason: 'stale_payload' });
    const twice = await Promise.allSettled([world.cases.decideGate(id, gate.gate, 'approved', gate.payloadHash, 'panel'), world.cases.decideGate(id, gate.gate, 'approved', gate.payloadHash, 'panel')]);
    expect(twice.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(target.posted).toEqual([aSubmission.proposedCustomerReply]);
    const state = await world.cases.state(id);
    expect(state.gates[0]).toMatchObject({ decision: 'approved', outcome: 'confirmed' });
    expect(state.reply?.posted?.url).toBe('https://tickets.example/1#1');
  });

  it('T20: refuses a text that is not the current draft, and posts nothing that was refused', async () => {
    const target = aReplyTarget();
    const { world, id } = await concluded({ replyTo: () => target });
    await expect(world.cases.openGate(id, 'post_reply', 'something else', 'panel')).rejects.toMatchObject({ reason: 'stale_payload' });
    const gate = await world.cases.openGate(id, 'post_reply', aSubmission.proposedCustomerReply, 'panel');
    await world.cases.decideGate(id, gate.gate, 'refused', gate.payloadHash, 'panel');
    await expect(world.cases.decideGate(id, gate.gate, 'approved', gate.payloadHash, 'panel')).rejects.toMatchObject({ reason: 'blocked' });
    expect(target.posted).toEqual([]);
  });

  it('says what is unknown when the text read back differs', async () => {
    const { world, id } = await concluded({ replyTo: () => aReplyTarget({ read: async () => 'cut' }) });
    const gate = await world.cases.openGate(id, 'post_reply', aSubmission.proposedCustomerReply, 'panel');
    await world.cases.decideGate(id, gate.gate, 'approved', gate.payloadHash, 'panel');
    const state = await world.cases.state(id);
    expect(state.gates[0]?.outcome).toBe('unknown');
    expect(state.reply?.posted).toBeUndefined();
  });
});

describe('a reply', () => {
  it('edited by a person is not replaced by a later run', async () => {
    const { world, id } = await concluded({ checkReply: async (text) => (text.includes('tomorrow') ? [{ rule: 'promise', severity: 'block', message: 'Promises a time.' }] : []) });
    await world.cases.editReply(id, 'We will fix it tomorrow.', 'panel');
    expect((await world.cases.state(id)).reply?.blockers).toEqual(['Promises a time.']);
    await world.cases.investigate(id, { via: 'test', engine: 'auto', mode: 'restart' }, never);
    const state = await world.cases.state(id);
    expect(state.reply).toMatchObject({ text: 'We will fix it tomorrow.', edited: true });
  });
});

describe('a ticket read again', () => {
  it('is a new revision when its text changed', async () => {
    const world = await aWorld([], { refetch: async (from) => aTicket({ ...from, description: 'Edited.', hash: 'h2', revision: 'r2' }) });
    const id = await world.cases.open(aTicket(), { via: 'test' });
    const state = await world.cases.refreshTicket(id, never);
    expect(state.revisions).toMatchObject([{ hash: 'h2', revision: 'r2' }]);
    expect(state.ticket.description).toBe('Edited.');
  });
});

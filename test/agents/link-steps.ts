import { randomBytes } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { until } from '../unit/link/harness.ts';
import { isolated } from './claude-harness.ts';
import type { AgentSpec, ProposingAgent } from './link-agents.ts';
import { after, before, type LinkBench, linkBench } from './link-bench.ts';
import { clientFrames } from './transcripts.ts';

/** The tests that every client has in common, each for the file of that client; a client has those that it can pass by its nature. */

let bench: LinkBench;

export function needsIsolation(): void {
  beforeAll(() => {
    if (!isolated()) throw new Error('Run this suite without a network: unshare -n sh -c "ip link set lo up && exec vitest run --project agents"');
  });
}

async function withProposal(spec: ProposingAgent): Promise<string> {
  bench = await linkBench(spec);
  await bench.terminal.say('Please change line two.');
  const state = await bench.proposed();
  expect(state.origin).toMatchObject({ client: spec.client, version: spec.version });
  await bench.terminal.shows(spec.asks);
  expect(await bench.read()).toBe(before);
  return state.id;
}

const decide = async (set: string, decision: 'accept' | 'reject'): Promise<void> => {
  const { revision } = await bench.table.desk.state(set);
  await bench.table.desk.decideAll(set, decision, { via: 'test', revision });
};
const edited = 'line one\nline zwei\nline three\n';
async function acceptEdited(set: string): Promise<void> {
  const { desk } = bench.table;
  const { revision, files } = await desk.state(set);
  const state = await desk.edit(set, files[0]?.key ?? '', edited, { via: 'test', revision });
  await desk.decideAll(set, 'accept', { via: 'test', revision: state.revision });
}
const observed = () => until(() => bench.table.events('changeset.observed')[0]?.body);
const settled = () => until(() => bench.table.events('changeset.settled')[0]?.body);

export function bringsSelection(spec: AgentSpec): void {
  it('I01: finds the link as its user starts it, and brings what is selected to its model', async () => {
    const nonce = `nonce-${randomBytes(8).toString('hex')}`;
    bench = await linkBench(spec, nonce);
    // Copilot CLI looks in first, and comes to stay then.
    await expect.poll(() => bench.table.link.clients).toMatchObject([{ client: spec.client, version: spec.version, dialect: spec.dialect }]);
    // It is told in the background; what it has not taken in by the first prompt goes with the next one.
    for (let asked = 1; !bench.told().some((request) => request.includes(nonce)); asked += 1) {
      const prompt = `Please look at this, ${asked}.`;
      await bench.terminal.say(prompt);
      await until(() => bench.told().find((request) => request.includes(prompt)));
    }
  });
}

export function writesWhatIsAccepted(spec: ProposingAgent): void {
  it('I34: accepted, the change is written by the client as decided, and its model goes on; its frames are those of the transcript', async () => {
    const set = await withProposal(spec);
    await decide(set, 'accept');
    expect(await observed()).toMatchObject({ result: 'matches' });
    expect(await bench.read()).toBe(after);
    expect(await settled()).toMatchObject({ outcome: 'accepted', heard: true, answer: { verdict: 'accept', writes: 'agent' } });
    await bench.toldOfChange();
    const { recorded, now } = await clientFrames(`${spec.name}-accept`, spec.dialect, bench.frames(), bench.table.root);
    expect(now).toEqual(recorded);
  });
}

export function stopsWhenRejected(spec: ProposingAgent): void {
  it('rejected, the file stays as it was and the turn is over', async () => {
    const set = await withProposal(spec);
    await decide(set, 'reject');
    expect(await settled()).toMatchObject({ outcome: 'rejected', answer: { verdict: 'reject' } });
    await bench.terminal.shows(spec.ready);
    expect(await bench.read()).toBe(before);
  });
}

export function writesWhatWasEdited(spec: ProposingAgent): void {
  it('edited, then accepted: the client writes the person’s text, and its model is told', async () => {
    const set = await withProposal(spec);
    await acceptEdited(set);
    expect(await observed()).toMatchObject({ result: 'matches' });
    expect(await bench.read()).toBe(edited);
    expect(await bench.toldOfChange()).toContain('line zwei');
  });
}

export function leavesWhatWasEdited(spec: ProposingAgent): void {
  it('edited, then accepted: it hears no, since it takes no other text, and Casebook writes the person’s', async () => {
    const set = await withProposal(spec);
    await acceptEdited(set);
    expect(await settled()).toMatchObject({ outcome: 'accepted', answer: { verdict: 'reject', writes: 'casebook' } });
    expect(await bench.read()).toBe(edited);
    await bench.terminal.shows(spec.ready);
    expect(await bench.read()).toBe(edited);
  });
}

export function answersInItsTerminal(spec: ProposingAgent): void {
  it('answered with yes in its terminal instead, the set is decided elsewhere with what the client wrote', async () => {
    await withProposal(spec);
    await bench.terminal.answer(spec.asks, spec.yes);
    expect(await settled()).toMatchObject({ outcome: 'decided_elsewhere' });
    await bench.toldOfChange();
    expect(await bench.read()).toBe(after);
  });

  it('answered with no in its terminal, the file stays as it was', async () => {
    await withProposal(spec);
    await bench.terminal.answer(spec.asks, spec.no);
    expect(await settled()).toMatchObject({ outcome: 'decided_elsewhere' });
    expect(await bench.read()).toBe(before);
  });
}

export function leavesItsSet(spec: ProposingAgent): void {
  it('I29: killed, it leaves its set pending; accepted later, Casebook writes it', async () => {
    const set = await withProposal(spec);
    await bench.terminal.kill();
    expect((await until(() => bench.table.events('changeset.detached')[0])).body).toEqual({ why: 'gone' });
    expect((await bench.table.desk.state(set)).status).toBe('pending');
    await decide(set, 'accept');
    expect(await settled()).toMatchObject({ outcome: 'accepted', heard: false });
    expect(await bench.read()).toBe(after);
  });
}

export function outlivesTheLink(spec: ProposingAgent): void {
  it('the link ends with its diff open: the set stays pending, nothing is written, and its terminal still takes keys', async () => {
    const set = await withProposal(spec);
    await bench.table.link.close('shutdown');
    expect(bench.table.events('changeset.detached').map(({ body }) => body)).toEqual([{ why: 'shutdown' }]);
    expect((await bench.table.desk.state(set)).status).toBe('pending');
    await bench.terminal.shows(spec.ready);
    await bench.terminal.type('still here');
    await bench.terminal.shows('still here');
    expect(await bench.read()).toBe(before);
  });
}

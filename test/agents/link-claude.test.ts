import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import type { FakeReply } from '../fixtures/fake-anthropic.ts';
import { isolated } from './claude-harness.ts';
import { type LinkRun, linkRun } from './link-harness.ts';

const before = 'line one\nline two\nline three\n';
const after = 'line one\nline 2\nline three\n';
let run: LinkRun;

beforeAll(() => {
  if (!isolated()) throw new Error('Run this suite without a network: unshare -n sh -c "ip link set lo up && exec vitest run --project agents"');
});
afterEach(() => run.remove());

/** The model reads a.txt, proposes one edit, and says that it is done. */
const script = (turn: number, workspace: string): FakeReply => {
  const file = join(workspace, 'a.txt');
  if (turn === 0) return { blocks: [{ tool: 'Read', input: { file_path: file } }] };
  if (turn === 1) return { blocks: [{ tool: 'Edit', input: { file_path: file, old_string: 'line two', new_string: 'line 2' } }] };
  return { blocks: [{ text: 'All done here.' }] };
};

async function proposed(): Promise<{ set: string; agent: Awaited<ReturnType<LinkRun['claude']>> }> {
  run = await linkRun({ 'a.txt': before }, script);
  onTestFailed(() => console.log(...run.screens(), run.said));
  const agent = await run.claude('Please change line two.');
  const line = await run.hear((one) => one.kind === 'proposed');
  expect(line).toMatchObject({ file: 'ws/a.txt', client: { client: 'claude-code', version: '2.1.332' } });
  expect(await run.read('a.txt')).toBe(before);
  return { set: line.set ?? '', agent };
}

/** The last tool result that the model was shown. */
const told = async (count: number): Promise<{ text: string; isError: boolean } | undefined> => {
  while (run.model.requests.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
  return run.model.requests[count - 1]?.results.at(-1);
};

describe('the real Claude Code at casebook link', () => {
  it('I01, I34: finds it, and an edit that is accepted in another terminal is written by Claude, as decided', async () => {
    const { set } = await proposed();
    expect(await run.review('accept', set)).toMatchObject({ code: 0 });
    expect((await run.event('changeset.observed', set)).body).toMatchObject({ result: 'matches' });
    expect(await run.read('a.txt')).toBe(after);
    expect((await run.event('changeset.settled', set)).body).toMatchObject({ outcome: 'accepted', heard: true, answer: { verdict: 'accept', writes: 'agent' } });
    expect(await told(3)).toMatchObject({ isError: false, text: expect.stringContaining('updated successfully') as string });
  });

  it('a rejected edit leaves the file as it was, and Claude stops', async () => {
    const { set, agent } = await proposed();
    expect(await run.review('reject', set, '--reason', 'not this')).toMatchObject({ code: 0 });
    await run.hear((line) => line.kind === 'settled' && line.outcome === 'rejected');
    await agent.shows(/reject/iu);
    expect(await run.read('a.txt')).toBe(before);
    expect(run.model.requests).toHaveLength(2);
  });

  it('an edited acceptance is what Claude writes, and its model is told that the user changed it', async () => {
    const { set } = await proposed();
    await run.event('changeset.proposed', set);
    const { revision } = await run.desk.state(set);
    const state = await run.desk.edit(set, 'ws/a.txt', 'line one\nline zwei\nline three\n', { via: 'test', revision });
    await run.desk.decideAll(set, 'accept', { via: 'test', revision: state.revision });
    expect((await run.event('changeset.observed', set)).body).toMatchObject({ result: 'matches' });
    expect(await run.read('a.txt')).toBe('line one\nline zwei\nline three\n');
    expect((await told(3))?.text).toMatch(/user modified/iu);
  });

  it('I29: a client that is killed leaves its set pending; accepted later, Casebook writes it', async () => {
    const { set, agent } = await proposed();
    await agent.kill();
    await run.hear((line) => line.kind === 'disconnected');
    expect((await run.event('changeset.detached', set)).body).toEqual({ why: 'gone' });
    expect((await run.desk.state(set)).status).toBe('pending');
    expect(await run.read('a.txt')).toBe(before);
    expect(await run.review('accept', set)).toMatchObject({ code: 0 });
    expect((await run.event('changeset.settled', set)).body).toMatchObject({ outcome: 'accepted', heard: false });
    expect(await run.read('a.txt')).toBe(after);
  });

  it('answered in its own terminal: the set is decided elsewhere, with what Claude wrote', async () => {
    const { set, agent } = await proposed();
    await agent.answer(/❯ 1\. Yes/u, '1');
    expect((await run.event('changeset.settled', set)).body).toMatchObject({ outcome: 'decided_elsewhere' });
    expect(await told(3)).toMatchObject({ isError: false });
    expect(await run.read('a.txt')).toBe(after);
  });

  it('ended by Ctrl+C it removes its lock, leaves the set pending and the question to Claude’s own terminal', async () => {
    const { set } = await proposed();
    const { lock } = await run.hear((line) => line.kind === 'listening');
    expect(existsSync(lock ?? '')).toBe(true);
    expect(await run.interrupt()).toBe(0);
    expect(existsSync(lock ?? '')).toBe(false);
    expect((await run.event('changeset.detached', set)).body).toEqual({ why: 'shutdown' });
    expect((await run.desk.state(set)).status).toBe('pending');
    expect(await run.read('a.txt')).toBe(before);
    expect(run.model.requests).toHaveLength(2);
  });
});

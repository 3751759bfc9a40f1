import { afterEach, describe, expect, it } from 'vitest';
import { OpenAiCompatibleEngine, type OpenAiCompatibleOptions } from '../../../extension/core/agents/engines/openai-compatible/engine.ts';
import type { DeskTool } from '../../../extension/core/mcp/tool.ts';
import { FakeDesk, collectRun, goodSubmission, runRequest } from '../../fixtures/fake-desk.ts';
import { type ChatReply, type ChatRequest, FakeOpenAi } from '../../fixtures/fake-openai.ts';

let server: FakeOpenAi | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const never = new AbortController().signal;
const nonce = 'nonce-55aa01';
const read: DeskTool = { name: 'read', description: 'Reads a file', inputSchema: { type: 'object', properties: { path: { type: 'string' } } }, readOnly: true, call: async () => ({ ok: true, text: `1: ${nonce}` }) };

async function engine(script: (request: ChatRequest, turn: number) => ChatReply, over: Partial<OpenAiCompatibleOptions> = {}, modelsStatus = 200): Promise<OpenAiCompatibleEngine> {
  server = new FakeOpenAi(script, modelsStatus);
  const baseUrl = await server.start();
  return new OpenAiCompatibleEngine({ baseUrl: () => baseUrl, model: () => 'fake-model', secret: async () => 'sk-test-key', readTools: () => [read], ...over });
}

const lastTool = (request: ChatRequest): string => String(request.messages.filter((message) => message.role === 'tool').at(-1)?.content);

describe('openai-compatible', () => {
  it('runs the tool loop over HTTP: reads, is refused, repairs, ends at the accepted result', async () => {
    const subject = await engine((request, turn): ChatReply => {
      if (turn === 0) return { text: 'Let me look.', calls: [{ name: 'read', arguments: { path: 'a.ts' } }], usage: { input: 100, output: 10, cached: 40 } };
      if (turn === 1) return { calls: [{ name: 'submit', arguments: { classification: 'bug' } }] };
      return { calls: [{ name: 'submit', arguments: goodSubmission({ evidence: [{ file: 'root/a.ts', quote: /nonce-\w+/.exec(JSON.stringify(request.messages))?.[0] ?? '' }] }) }] };
    });
    const desk = new FakeDesk();
    const { events, ended } = await collectRun(subject.start(runRequest(desk), never));
    expect(ended).toEqual({ type: 'ended', outcome: 'completed' });
    expect(desk.accepted?.evidence[0]?.quote).toBe(nonce);
    expect(lastTool(server?.requests[2] as ChatRequest)).toContain('- bugConfirmation:');
    expect(server?.requests).toHaveLength(3);
    expect(server?.keys).toEqual(Array(3).fill('Bearer sk-test-key'));
    expect(events.filter((event) => event.type === 'usage').at(-1)).toEqual({ type: 'usage', usage: { inputTokens: 260, cachedTokens: 40, outputTokens: 30, turns: 3 } });
    expect(server?.requests[0]?.messages.map((message) => message.role)).toEqual(['system', 'user']);
    expect(JSON.stringify(events)).not.toContain('sk-test-key');
  });

  it.each([
    [401, 'not_signed_in', 1],
    [404, 'no_model', 1],
    [400, 'protocol', 1],
    [503, 'network', 3],
  ])('tells %i: %s, after %i attempts', async (status, reason, attempts) => {
    const subject = await engine(() => ({ status }));
    const { ended } = await collectRun(subject.start(runRequest(new FakeDesk()), never));
    expect(ended).toMatchObject({ outcome: 'failed', reason });
    expect(server?.requests).toHaveLength(attempts);
  });

  it('waits as long as a 429 says, then goes on', async () => {
    const subject = await engine((_request, turn): ChatReply => (turn === 0 ? { status: 429, retryAfter: '0' } : { calls: [{ name: 'submit', arguments: goodSubmission() }] }));
    const { events, ended } = await collectRun(subject.start(runRequest(new FakeDesk()), never));
    expect(ended.outcome).toBe('completed');
    expect(events.some((event) => event.type === 'note' && event.level === 'warn' && event.text.includes('answered 429'))).toBe(true);
  });

  it('tells a refused connection from the rest, in the probe and in the run', async () => {
    const subject = new OpenAiCompatibleEngine({ baseUrl: () => 'http://127.0.0.1:9/v1', model: () => 'm', secret: async () => undefined, readTools: () => [] });
    expect(await subject.probe(never)).toMatchObject({ usable: false, reason: 'network' });
    const { ended } = await collectRun(subject.start(runRequest(new FakeDesk()), never));
    expect(ended).toMatchObject({ outcome: 'failed', reason: 'network' });
  });

  it('ends on a stream that is cut', async () => {
    const subject = await engine(() => 'cut');
    const { ended } = await collectRun(subject.start(runRequest(new FakeDesk()), never));
    expect(ended.outcome).toBe('failed');
  });

  it('stops at once and lets go of the connection', async () => {
    const stop = new AbortController();
    const subject = await engine(() => {
      setImmediate(() => stop.abort());
      return 'hang';
    });
    const { ended } = await collectRun(subject.start(runRequest(new FakeDesk()), stop.signal));
    expect(ended).toMatchObject({ outcome: 'cancelled', reason: 'user_stopped' });
    await expect.poll(() => server?.abandoned).toBe(1);
  });

  it('T24: keeps the time limit when the endpoint hangs', async () => {
    const subject = await engine(() => 'hang');
    const { ended } = await collectRun(subject.start(runRequest(new FakeDesk(), { limits: { milliseconds: 150 } }), never));
    expect(ended).toMatchObject({ outcome: 'timed_out', reason: 'limit_time' });
  });

  it('reckons money where prices are known, and says when nobody knows them', async () => {
    const loop = (): ChatReply => ({ calls: [{ name: 'read', arguments: {} }], usage: { input: 1000, output: 1000 } });
    const priced = await engine(loop, { prices: () => ({ input: 1, output: 9 }) });
    const { ended } = await collectRun(priced.start(runRequest(new FakeDesk(), { limits: { usd: 0.025 } }), never));
    expect(ended).toMatchObject({ outcome: 'failed', reason: 'limit_money' });
    expect(server?.requests).toHaveLength(3);
    await server?.stop();
    const unpriced = await engine((_request, turn): ChatReply => (turn < 4 ? loop() : { calls: [{ name: 'submit', arguments: goodSubmission() }] }));
    const unknown = await collectRun(unpriced.start(runRequest(new FakeDesk(), { limits: { usd: 0.001 } }), never));
    expect(unknown.ended.outcome).toBe('completed');
    expect(unknown.events.some((event) => event.type === 'note' && event.level === 'warn' && event.text.includes('money limit'))).toBe(true);
    expect(unknown.events.some((event) => event.type === 'usage' && 'usd' in event.usage)).toBe(false);
  });

  it('T22: asks nothing of an endpoint without prices under a money limit that a person set, and stops when a price is left out', async () => {
    const calls = [{ name: 'read', arguments: {} }];
    const limits = { usd: 1, refuseUnknownCost: true };
    const unpriced = await engine(() => ({ calls }));
    const { ended } = await collectRun(unpriced.start(runRequest(new FakeDesk(), { limits }), never));
    expect(ended).toMatchObject({ outcome: 'failed', reason: 'limit_money', message: expect.stringContaining('does not say what it costs') as string });
    expect(server?.requests).toHaveLength(0);
    await server?.stop();
    const silent = await engine(() => ({ calls, usage: 'none' }), { prices: () => ({ input: 1, output: 1 }) });
    expect((await collectRun(silent.start(runRequest(new FakeDesk(), { limits }), never))).ended).toMatchObject({ reason: 'limit_money' });
    expect(server?.requests).toHaveLength(1);
  });

  it.each([['before its answer', 'hang'], ['in the middle of it', 'stall']] as const)('gives up on a server that falls silent %s, without asking again', async (_when, reply) => {
    const subject = await engine(() => reply, { silenceMs: 100 });
    const { ended } = await collectRun(subject.start(runRequest(new FakeDesk()), never));
    expect(ended).toMatchObject({ outcome: 'failed', reason: 'network', message: expect.stringContaining('sent nothing for 0.1 seconds') as string });
    expect(server?.requests).toHaveLength(1);
    await expect.poll(() => server?.abandoned).toBe(1);
  });

  it('probes without a model call, and knows what stays on this machine', async () => {
    const subject = await engine(() => ({ text: '' }));
    expect(await subject.probe(never)).toMatchObject({ usable: true, models: ['fake-model'], destination: expect.stringMatching(/^127\.0\.0\.1:/) as string });
    expect(server?.requests).toHaveLength(0);
    expect(subject.capabilities.leavesMachine).toBe(false);
    const far = new OpenAiCompatibleEngine({ baseUrl: () => 'https://localhost.example.com/v1', model: () => 'm', secret: async () => undefined, readTools: () => [] });
    expect(far.capabilities.leavesMachine).toBe(true);
    await server?.stop();
    expect(await (await engine(() => 'hang', {}, 401)).probe(never)).toMatchObject({ usable: false, reason: 'not_signed_in' });
  });
});

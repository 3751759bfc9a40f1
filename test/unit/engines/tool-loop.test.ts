import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../extension/core/agents/engine.ts';
import { VscodeLmEngine } from '../../../extension/core/agents/engines/vscode-lm/engine.ts';
import type { LanguageModel, ModelMessage } from '../../../extension/core/agents/language-model.ts';
import { Failure } from '../../../extension/core/base/failure.ts';
import type { DeskTool } from '../../../extension/core/mcp/tool.ts';
import { FakeDesk, collectRun, goodSubmission, runRequest } from '../../fixtures/fake-desk.ts';
import { FakeLanguageModel, type ModelScript, call, say } from '../../fixtures/fake-language-model.ts';

const never = new AbortController().signal;
const tool = (name: string, answer: (input: unknown) => Promise<{ ok: boolean; text: string }>): DeskTool => ({ name, description: name, inputSchema: { type: 'object', properties: {} }, readOnly: true, call: answer });
const read = tool('read', async () => ({ ok: true, text: 'nonce-77' }));

function engineOf(model: LanguageModel, readTools: readonly DeskTool[] = [read]): VscodeLmEngine {
  return new VscodeLmEngine({ models: async () => [model], readTools: () => readTools });
}

async function play(script: ModelScript, over: Parameters<typeof runRequest>[1] = {}, readTools: readonly DeskTool[] = [read]): Promise<{ events: RunEvent[]; ended: Extract<RunEvent, { type: 'ended' }>; model: FakeLanguageModel; desk: FakeDesk }> {
  const model = new FakeLanguageModel(script);
  const desk = new FakeDesk();
  const { events, ended } = await collectRun(engineOf(model, readTools).start(runRequest(desk, over), never));
  return { events, ended, model, desk };
}

const toolTexts = (messages: readonly ModelMessage[]): string[] => messages.flatMap((message) => (message.role === 'tool' ? message.results.map((result) => result.text) : []));
const denials = (events: RunEvent[]): string[] => events.flatMap((event) => (event.type === 'tool_denied' ? [event.tool] : []));

describe('the tool loop', () => {
  it('T11: quotes what a tool showed, and cannot when the call is withheld', async () => {
    const quote = (messages: readonly ModelMessage[]): string => /nonce-\d+/.exec(toolTexts(messages).join())?.[0] ?? '(nothing seen)';
    const submitQuoted = (messages: readonly ModelMessage[]): ReturnType<typeof call> => call('submit', goodSubmission({ evidence: [{ file: 'root/a', quote: quote(messages) }] }));
    const seen = await play((messages, turn) => [turn === 0 ? call('read', { path: 'a' }) : submitQuoted(messages)]);
    expect(seen.ended).toEqual({ type: 'ended', outcome: 'completed' });
    expect(seen.desk.accepted?.evidence[0]?.quote).toBe('nonce-77');
    const withheld = await play((messages) => [submitQuoted(messages)]);
    expect(withheld.desk.accepted?.evidence[0]?.quote).toBe('(nothing seen)');
  });

  it('sends a refusal back into the same conversation, at most three times', async () => {
    const { ended, model, desk } = await play((_messages, turn) => [call('submit', turn < 2 ? { classification: 'bug' } : goodSubmission())]);
    expect(ended.outcome).toBe('completed');
    expect(desk.refusals).toHaveLength(2);
    expect(toolTexts(model.requests[1]?.messages ?? [])[0]).toMatch(/^Refused\. Correct exactly these fields:\n- confidence: /);
    const stubborn = await play(() => [call('submit', {})]);
    expect(stubborn.ended).toMatchObject({ outcome: 'failed', reason: 'invalid_result' });
    expect(stubborn.model.requests).toHaveLength(3);
  });

  it('takes a printed result, flagged; a printed one that is wrong goes back', async () => {
    const { ended, desk } = await play(() => [say(`I found it:\n\`\`\`json\n${JSON.stringify(goodSubmission())}\n\`\`\`\nThat is all.`)]);
    expect([ended.outcome, desk.recovered]).toEqual(['completed', true]);
    const wrong = await play((_messages, turn) => [turn === 0 ? say('{"classification":"maybe"}') : call('submit', goodSubmission())]);
    expect(wrong.desk.recovered).toBe(false);
    expect(wrong.model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', text: expect.stringContaining('- classification:') as string });
  });

  it('T26: reminds a model that stops, then ends as empty', async () => {
    const { ended, model, desk } = await play(() => [say('All fine.')]);
    expect(ended).toMatchObject({ outcome: 'failed', reason: 'empty_result' });
    expect([model.requests.length, desk.accepted]).toEqual([3, undefined]);
  });

  it('denies a tool that is not granted and goes on; broken arguments and broken tools are told', async () => {
    const broken = tool('grep', () => Promise.reject(new Error('no index')));
    const { events, ended, model } = await play((_messages, turn) => (turn === 0 ? [call('write_file', {}), call('read', '{not json'), call('grep', {})] : [call('submit', goodSubmission())]), {}, [read, broken]);
    expect(ended.outcome).toBe('completed');
    expect(denials(events)).toEqual(['write_file']);
    expect(toolTexts(model.requests[1]?.messages ?? [])).toEqual([expect.stringContaining('no tool "write_file"'), expect.stringContaining('not valid JSON'), 'The tool failed: no index']);
    expect(model.requests[0]?.tools).toEqual(['report', 'submit', 'ask_user', 'read', 'grep']);
  });

  it('T21: keeps each limit', async () => {
    const turns = await play(() => [call('read', {})], { limits: { turns: 4 } });
    expect([turns.ended.reason, turns.model.requests.length]).toEqual(['limit_turns', 4]);
    const tokens = await play(() => [call('read', {}), { type: 'usage', inputTokens: 900, outputTokens: 50, cachedTokens: 100 }], { limits: { tokens: 2000 } });
    expect([tokens.ended.reason, tokens.model.requests.length]).toEqual(['limit_tokens', 2]);
    const time = await play(() => new Promise(() => {}), { limits: { milliseconds: 60 } });
    expect(time.ended).toMatchObject({ outcome: 'timed_out', reason: 'limit_time' });
  });

  it('stops at once, in the middle of a tool that does not listen', async () => {
    const stop = new AbortController();
    const deaf = tool('read', () => {
      setImmediate(() => stop.abort());
      return new Promise(() => {});
    });
    const { ended } = await collectRun(engineOf(new FakeLanguageModel(() => [call('read', {})]), [deaf]).start(runRequest(new FakeDesk()), stop.signal));
    expect(ended).toMatchObject({ outcome: 'cancelled', reason: 'user_stopped' });
  });

  it('ends with the model’s own reason; a model that is out of reach is asked three times', async () => {
    const { ended } = await play(() => Promise.reject(new Failure('not_consented', 'no consent')));
    expect(ended).toEqual({ type: 'ended', outcome: 'failed', reason: 'not_consented', message: 'no consent' });
    const limited = await play(() => Promise.reject(new Failure('rate_limited', 'busy', { detail: { retryAfterMs: 1 } })));
    expect([limited.ended.reason, limited.model.requests.length]).toEqual(['rate_limited', 3]);
    const crashed = await play(() => Promise.reject(new TypeError('boom')));
    expect(crashed.ended).toMatchObject({ reason: 'crashed', message: 'boom' });
  });

  it('drops the oldest tool outputs when the window is full, never the ticket', async () => {
    const big = tool('read', async () => ({ ok: true, text: 'x'.repeat(12_000) }));
    const model = new FakeLanguageModel((_messages, turn) => [turn < 4 ? call('read', {}) : call('submit', goodSubmission())], 10_000);
    const { ended } = await collectRun(engineOf(model, [big]).start(runRequest(new FakeDesk(), { prompt: 'the ticket' }), never));
    expect(ended.outcome).toBe('completed');
    const last = model.requests.at(-1)?.messages ?? [];
    expect(toolTexts(last).map((text) => text.length > 1000)).toEqual([false, false, true, true]);
    expect(last.some((message) => message.role === 'user' && message.text === 'the ticket')).toBe(true);
  });

  it('names a model that VS Code does not have', async () => {
    const { ended } = await play(() => [], { model: 'gpt-nowhere' });
    expect(ended).toMatchObject({ outcome: 'failed', reason: 'no_model', message: 'VS Code offers no model "gpt-nowhere"; it offers: fake-1' });
    expect(await new VscodeLmEngine({ models: async () => [], readTools: () => [] }).probe(never)).toMatchObject({ usable: false, reason: 'no_model' });
  });
});

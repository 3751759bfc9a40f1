import { describe, expect, it, vi } from 'vitest';
import type { ModelPart } from '../../../extension/core/agents/language-model.ts';
import * as fake from './fake-vscode.ts';

vi.mock('vscode', async () => import('./fake-vscode.ts'));
const { adaptModel } = await import('../../../extension/host/language-model.ts');

type Sent = { messages: { role: string; content: unknown }[]; options: { tools: unknown[] }; token: { source: fake.CancellationTokenSource } };

function model(answer: () => AsyncIterable<unknown>): { sent: Sent[]; adapted: ReturnType<typeof adaptModel> } {
  const sent: Sent[] = [];
  const chat = {
    id: 'm1',
    vendor: 'test',
    family: 'family',
    maxInputTokens: 1000,
    countTokens: async (text: string) => text.length,
    sendRequest: async (messages: Sent['messages'], options: Sent['options'], token: Sent['token']) => {
      sent.push({ messages, options, token });
      return { stream: answer() };
    },
  };
  return { sent, adapted: adaptModel(chat as unknown as Parameters<typeof adaptModel>[0]) };
}

async function all(parts: AsyncIterable<ModelPart>): Promise<ModelPart[]> {
  const list: ModelPart[] = [];
  for await (const part of parts) list.push(part);
  return list;
}

describe('the editor’s language model as a port', () => {
  it('maps a conversation with tools both ways', async () => {
    const { sent, adapted } = model(async function* () {
      yield new fake.LanguageModelTextPart('Looking.');
      yield { kind: 'unknown part of a newer API' };
      yield new fake.LanguageModelToolCallPart('c2', 'read', { path: 'a.ts' });
    });
    const tools = [{ name: 'read', description: 'reads', inputSchema: { type: 'object' } }];
    const parts = await all(
      adapted.send(
        [
          { role: 'system', text: 'be exact' },
          { role: 'assistant', text: '', calls: [{ id: 'c1', name: 'grep', input: { q: 'x' } }] },
          { role: 'tool', results: [{ id: 'c1', name: 'grep', ok: true, text: 'found' }] },
        ],
        tools,
        new AbortController().signal,
      ),
    );
    expect(parts).toEqual([
      { type: 'text', text: 'Looking.' },
      { type: 'toolCall', id: 'c2', name: 'read', input: { path: 'a.ts' } },
      { type: 'finish', reason: 'tool_calls' },
    ]);
    expect(sent[0]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
    expect(sent[0]?.messages[1]?.content).toEqual([new fake.LanguageModelToolCallPart('c1', 'grep', { q: 'x' })]);
    expect(sent[0]?.messages[2]?.content).toEqual([new fake.LanguageModelToolResultPart('c1', [new fake.LanguageModelTextPart('found')])]);
    expect(sent[0]?.options.tools).toEqual(tools);
  });

  it('passes an abort on to the editor’s token and ends', async () => {
    const controller = new AbortController();
    const { sent, adapted } = model(async function* () {
      yield new fake.LanguageModelTextPart('one');
      controller.abort();
      yield new fake.LanguageModelTextPart('two');
    });
    const parts: ModelPart[] = [];
    const reading = (async () => {
      for await (const part of adapted.send([{ role: 'user', text: 'go' }], [], controller.signal)) parts.push(part);
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect(parts).toEqual([{ type: 'text', text: 'one' }]);
    expect(sent[0]?.token.source.cancelled).toBe(true);
  });

  it.each([
    [fake.LanguageModelError.NotFound('gone'), 'no_model'],
    [fake.LanguageModelError.NoPermissions('no'), 'not_consented'],
    [fake.LanguageModelError.Blocked('filtered'), 'refused'],
    [fake.LanguageModelError.Blocked('quota exceeded'), 'rate_limited'],
    [new Error('getaddrinfo ENOTFOUND host'), 'network'],
    [new Error('Too Many Requests'), 'rate_limited'],
    [new Error('something else'), 'crashed'],
  ])('maps %s', async (error, reason) => {
    const { adapted } = model(async function* () {
      yield new fake.LanguageModelTextPart('');
      throw error;
    });
    await expect(all(adapted.send([{ role: 'user', text: 'go' }], [], new AbortController().signal))).rejects.toMatchObject({ name: 'Failure', reason });
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChatReply, type ChatRequest, FakeOpenAi } from '../../fixtures/fake-openai.ts';

const cli = resolve(import.meta.dirname, '../../../dist/cli.js');
let folder: string;
let server: FakeOpenAi;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casebook-agent-'));
  await writeFile(join(folder, 'pay.ts'), "export const limit = 'nonce-7781';\n");
  await writeFile(join(folder, 'risk.schema.json'), JSON.stringify({ type: 'object', properties: { risk: { enum: ['low', 'high'] } }, required: ['risk'] }));
  await writeFile(join(folder, 'ticket.md'), 'The limit is too low.');
});
afterEach(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The built command in the folder, with a scripted model behind it. */
async function agent(script: (request: ChatRequest, turn: number) => ChatReply, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  server = new FakeOpenAi(script);
  const env = { PATH: process.env['PATH'], CASEBOOK_HOME: join(folder, 'home'), OPENAI_BASE_URL: await server.start(), OPENAI_MODEL: 'fake', OPENAI_API_KEY: 'sk-test' };
  return run(env, ['agent', ...args]);
}
const run = (env: Record<string, string | undefined>, args: string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((done) => execFile(process.execPath, [cli, ...args], { cwd: folder, env }, (error, out, err) => done({ code: typeof error?.code === 'number' ? error.code : 0, out, err })));
const submit = (value: unknown): ChatReply => ({ calls: [{ name: 'submit', arguments: value }] });
const engine = ['--engine', 'openai-compatible'];
/** What only a tool could have shown. */
const seen = (request: ChatRequest): string => /nonce-\d+/u.exec(JSON.stringify(request.messages.filter((message) => message.role === 'tool')))?.[0] ?? '(nothing seen)';
const reading = (request: ChatRequest, turn: number): ChatReply => (turn === 0 ? { calls: [{ name: 'read', arguments: { path: 'pay.ts' } }] } : submit({ answer: `The limit is ${seen(request)}.` }));

describe('casebook agent', () => {
  it('answers a question with what it read in the code', async () => {
    const { code, out } = await agent(reading, 'ask', '--prompt', 'What is the limit?', '--material', 'ticket.md', ...engine);
    expect({ code, out }).toEqual({ code: 0, out: 'The limit is nonce-7781.\n' });
    expect(JSON.stringify(server.requests[0]?.messages)).toContain('The limit is too low.');
  });
  it('cannot know it when the tool is not granted', async () => {
    const { out } = await agent(reading, 'ask', '--prompt', 'What is the limit?', '--tools', 'glob', ...engine);
    expect(out).toBe('The limit is (nothing seen).\n');
  });
  it('decides in the given shape, as JSON, and the run is in the journal', async () => {
    const { code, out } = await agent(() => submit({ rationale: 'pay.ts:1', decision: { risk: 'high' } }), 'decide', '--prompt', 'How risky?', '--schema', 'risk.schema.json', '--json', ...engine);
    expect(code).toBe(0);
    const result = JSON.parse(out) as { run: string };
    expect(result).toMatchObject({ ok: true, submitted: { risk: 'high' }, rationale: 'pay.ts:1', attempts: 1, engine: 'openai-compatible' });
    const journal = await run({ PATH: process.env['PATH'], CASEBOOK_HOME: join(folder, 'home') }, ['journal', 'verify']);
    expect(journal).toMatchObject({ code: 0, out: expect.stringContaining('The journal holds') as string });
  });
  it('reads a value from a phrase by what was written down, without an engine', async () => {
    await writeFile(join(folder, 'synonyms.json'), JSON.stringify({ 'no worries': { risk: 'low' } }));
    expect(await agent(() => submit({}), 'extract', '--input', 'No worries!', '--schema', 'risk.schema.json', '--synonyms', 'synonyms.json')).toEqual({ code: 0, out: '{"risk":"low"}\n', err: '' });
    expect(await agent(() => submit({}), 'extract', '--input', 'hm', '--schema', 'risk.schema.json', '--no-model')).toMatchObject({ code: 1, err: expect.stringContaining('unresolved') as string });
  });
  it('ends with 1 and the reason when there is no result', async () => {
    expect(await agent(() => ({ status: 401 }), 'decide', '--prompt', 'x', '--schema', 'risk.schema.json', ...engine)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('No result (infrastructure)') as string });
  });
  it.each([
    [['ask'], '--prompt is missing'],
    [['decide', '--prompt', 'x'], 'A decision needs a shape'],
    [['decide', '--prompt', 'x', '--schema', 'none.json'], 'cannot be read'],
    [['decide', '--prompt', 'x', '--schema', 'ticket.md'], 'is not JSON'],
    [['task', '--prompt', 'x'], 'There is no "agent task"'],
    [['ask', '--prompt', 'x', '--engine', 'nobody'], 'There is no engine "nobody"'],
  ])('says what is wrong with %j', async (args, words) => {
    expect(await agent(() => submit({}), ...args)).toMatchObject({ code: 2, err: expect.stringContaining(words) as string });
  });
});

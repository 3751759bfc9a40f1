import { afterAll, beforeAll, expect, it } from 'vitest';
import { createVerbs } from '../../extension/core/agents/verbs/verbs.ts';
import { nullLogger } from '../../extension/core/base/logger.ts';
import { createMemoryJournal } from '../../extension/core/journal/memory.ts';
import { FakeAnthropic, type FakeReply } from '../fixtures/fake-anthropic.ts';
import { type Bench, bench, isolated } from './claude-harness.ts';

const nonce = 'nonce-12ab34cd';
let place: Bench;

beforeAll(async () => {
  if (!isolated()) throw new Error('Run this suite without a network: unshare -n sh -c "ip link set lo up && exec vitest run --project agents"');
  place = await bench({ 'src/pay.ts': `export const limit = '${nonce}';\n` });
});
afterAll(() => place.remove());

/** The verbs on the real Claude Code with a scripted model; `script` gets all that the model was shown by tools. */
async function verbs(script: (shown: string, turn: number) => FakeReply) {
  const model = new FakeAnthropic((main, turn) => script(main.results.map((one) => one.text).join('\n'), turn));
  const engine = place.engine(await model.start());
  const journal = createMemoryJournal();
  const system = ['You work for Casebook.', 'Read, then answer.'];
  const made = createVerbs({ journal, logger: nullLogger, limits: () => ({ milliseconds: 90_000 }), model: () => undefined, mask: (text) => ({ text, count: 0 }), shutdown: new AbortController().signal, engines: () => [engine], consents: { has: async () => true }, roots: () => [{ name: 'root', path: place.repository }], system: { extract: system, ask: system, decide: system } });
  return { ...made, model };
}
const use = (tool: string, input: unknown): FakeReply => ({ blocks: [{ tool, input }] });
const read = use.bind(undefined, 'Read');
const submit = use.bind(undefined, 'mcp__casebook__submit');
const done: FakeReply = { blocks: [{ text: 'Done.' }] };
const call = { engine: 'claude', via: 'test' } as const;

it('ask: the real Claude Code answers with what only its tool could show', async () => {
  const { ask, model } = await verbs((shown, turn) => (turn === 0 ? read({ file_path: `${place.repository}/src/pay.ts` }) : turn === 1 ? submit({ answer: `It is ${/nonce-[0-9a-f]+/u.exec(shown)?.[0]}.` }) : done));
  expect(await ask({ prompt: 'What is the limit?' }, call, new AbortController().signal)).toMatchObject({ ok: true, text: `It is ${nonce}.`, printed: false, engine: 'claude' });
  await model.stop();
});

it('decide: a wrong shape goes back into the same conversation, the right one is taken', async () => {
  const schema = { type: 'object', properties: { risk: { enum: ['low', 'high'] } }, required: ['risk'] };
  const { decide, model } = await verbs((shown, turn) => (turn === 0 ? submit({ rationale: 'seen', decision: { risk: 'medium' } }) : turn === 1 ? submit({ rationale: shown.includes('decision.risk') ? 'mended' : 'not told', decision: { risk: 'high' } }) : done));
  expect(await decide({ prompt: 'How risky?', schema }, call, new AbortController().signal)).toMatchObject({ ok: true, submitted: { risk: 'high' }, rationale: 'mended', attempts: 2 });
  await model.stop();
});

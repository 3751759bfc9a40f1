import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FakeAnthropic, type FakeScript } from '../fixtures/fake-anthropic.ts';
import { FakeDesk, collectRun, goodSubmission, runRequest } from '../fixtures/fake-desk.ts';
import { type Bench, bench, isolated } from './claude-harness.ts';

const nonce = 'nonce-7f3a9c51d2';
let place: Bench;
let model: FakeAnthropic | undefined;

beforeAll(async () => {
  if (!isolated()) throw new Error('Run this suite without a network: unshare -n sh -c "ip link set lo up && exec vitest run --project agents"');
  place = await bench({ 'src/pay.ts': `export function pay() {\n  return '${nonce}';\n}\n`, 'README.md': '# Project\n' });
});
afterEach(async () => {
  await model?.stop();
  model = undefined;
});

async function serve(script: FakeScript): Promise<string> {
  model = new FakeAnthropic(script);
  return model.start();
}

const readPay = (): { blocks: { tool: string; input: unknown }[] } => ({ blocks: [{ tool: 'Read', input: { file_path: join(place.repository, 'src/pay.ts') } }] });
/** Quotes what the last tool result showed, as a model would. */
const quoteFrom = (text: string): string => /nonce-[0-9a-f]+/.exec(text)?.[0] ?? '(nothing seen)';

describe('the real Claude Code', () => {
  it('reads a planted nonce through its own tool and hands it in in a quote', async () => {
    const url = await serve((request, turn) => {
      if (turn === 0) return { blocks: [{ tool: 'mcp__casebook__report', input: { markdown: '# Looking' } }, ...readPay().blocks], usage: { input: 100, output: 31 } };
      if (turn === 1) return { blocks: [{ tool: 'mcp__casebook__submit', input: goodSubmission({ evidence: [{ file: 'root/src/pay.ts', line: 2, quote: quoteFrom(request.results.at(-1)?.text ?? '') }] }) }], usage: { input: 200, output: 40 } };
      return { blocks: [{ text: 'Done.' }], usage: { input: 300, output: 5 } };
    });
    const desk = new FakeDesk();
    const { events, ended } = await collectRun(place.engine(url).start(runRequest(desk, { folders: [{ name: 'root', path: place.repository }] }), new AbortController().signal));
    console.log(JSON.stringify(events, null, 1).slice(0, 6000));
    console.log(model?.requests[0]?.system.slice(0, 3000), JSON.stringify(model?.requests[0]?.tools.map((t) => t.name)), JSON.stringify(model?.requests[0]?.messages).slice(0, 3000));
    expect(ended).toEqual({ type: 'ended', outcome: 'completed' });
    expect(desk.accepted?.evidence[0]?.quote).toBe(nonce);
  });
});

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeskSession } from '../../../extension/core/agents/desk-session.ts';
import { RunGuard } from '../../../extension/core/agents/limits.ts';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import { deskFileVariable, openDeskBridge } from '../../../extension/core/mcp/desk-bridge.ts';
import { deskBundle } from '../../fixtures/desk-bundle.ts';
import { aTicket, aWorld, never, scriptedEngine } from '../../unit/cases/fakes.ts';

/** One line of a transcript: a frame as it goes over the wire, and who sent it. */
interface Line {
  from: 'agent' | 'desk';
  frame: { id?: number | string; method?: string };
}

let child: Awaited<ReturnType<typeof deskBundle>>;
beforeAll(async () => {
  child = await deskBundle();
});
afterAll(() => child.remove());

/**
 * What an agent sees of `report`, `submit` and `ask_user`, frame by frame, with the desk of a real investigation behind it: names, descriptions, schemas and
 * words are what models are steered by, so a change of them shows here. `CASEBOOK_GOLDEN=write` takes the desk's present answers into the files.
 */
describe.each(['2025-11-25', '2026-07-28'])('the transcript of the desk tools, protocol of %s', (protocol) => {
  it('is as recorded', async () => {
    const file = join(import.meta.dirname, 'golden', `${protocol}.jsonl`);
    const golden = (await readFile(file, 'utf8')).trimEnd().split('\n').map((line) => JSON.parse(line) as Line);
    const played = await play(golden.filter((line) => line.from === 'agent'));
    if (process.env['CASEBOOK_GOLDEN'] === 'write') await writeFile(file, `${played.map((line) => JSON.stringify(line)).join('\n')}\n`);
    expect(played).toEqual(golden);
  });
});

/** Runs an investigation whose agent sends these frames, each after the answer to the one before, and gives the whole transcript. */
async function play(frames: readonly Line[]): Promise<Line[]> {
  const played: Line[] = [];
  const engine = scriptedEngine(async function* (request, signal) {
    const bridge = await openDeskBridge({ tools: new DeskSession(request.desk, new RunGuard({}, signal)).tools([]), version: '1.2.3', logger: nullLogger, signal });
    const agent = spawn(child.command, child.args, { env: { ...process.env, [deskFileVariable]: bridge.file }, stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      await exchange(agent, frames, played);
    } finally {
      agent.kill();
      await once(agent, 'exit');
      await bridge.close();
    }
    yield { type: 'ended', outcome: 'completed' };
  });
  const { cases, journal } = await aWorld([engine]);
  journal.onEvent((event) => {
    if (event.kind === 'question.asked' && event.body !== null && event.case !== undefined) void cases.answer(event.case, event.body.id, [{ chosen: ['The old one'], skipped: false }], 'test');
  });
  const caseId = await cases.open(aTicket(), { via: 'test' });
  const state = await cases.investigate(caseId, { via: 'test', engine: 'claude' }, never);
  expect(state.verdict?.effective.classification).toBe('bug');
  return played;
}

async function exchange(agent: ChildProcess, frames: readonly Line[], played: Line[]): Promise<void> {
  const { stdin, stdout } = agent;
  if (stdin === null || stdout === null) throw new Error('the agent has no pipes');
  const heard = createInterface({ input: stdout })[Symbol.asyncIterator]();
  for (const line of frames) {
    played.push(line);
    stdin.write(`${JSON.stringify(line.frame)}\n`);
    if (line.frame.id === undefined) continue;
    for (let answer: Line['frame'] | undefined; answer?.id !== line.frame.id; ) {
      const next = await heard.next();
      if (next.done === true) throw new Error(`the desk went away instead of answering ${JSON.stringify(line.frame)}`);
      answer = JSON.parse(next.value) as Line['frame'];
      played.push({ from: 'desk', frame: answer });
    }
  }
}

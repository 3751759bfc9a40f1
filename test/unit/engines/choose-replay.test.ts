import { describe, expect, it } from 'vitest';
import { chooseEngine } from '../../../extension/core/agents/engines/choose.ts';
import { ReplayEngine } from '../../../extension/core/agents/engines/replay/engine.ts';
import type { EngineCapabilities, EnginePort, EngineStatus } from '../../../extension/core/agents/engine.ts';
import { eventKinds } from '../../../extension/core/journal/kinds/index.ts';
import type { AnyEvent } from '../../../extension/core/journal/port.ts';
import type { EngineName } from '../../../extension/core/model/run.ts';
import { FakeDesk, collectRun, goodSubmission, runRequest } from '../../fixtures/fake-desk.ts';

const never = new AbortController().signal;
const yes = async (): Promise<boolean> => true;

function engine(name: EngineName, usable: boolean): EnginePort & { probes: number } {
  const capabilities: EngineCapabilities = { toolLimits: true, sandbox: false, schemaOutput: false, writeApproval: true, resume: false, cost: false, tokens: false, leavesMachine: name !== 'scout' };
  const status: EngineStatus = usable ? { usable, label: `label of ${name}`, destination: `${name}.example` } : { usable, reason: 'not_installed', message: `no ${name}` };
  return {
    name,
    capabilities,
    probes: 0,
    async probe() {
      this.probes++;
      return status;
    },
    async *start() {
      yield { type: 'ended', outcome: 'completed' };
    },
  };
}

describe('choosing an engine', () => {
  it('T22: passes over an engine without prices where a person set a money limit, and not for the default limit', async () => {
    const free = engine('scout', true);
    const engines = [engine('vscode-lm', true), { ...free, capabilities: { ...free.capabilities, cost: true } }];
    const set = { usd: 2, refuseUnknownCost: true };
    expect((await chooseEngine('auto', engines, set, yes, never)).why).toContain('vscode-lm: it reports no prices');
    await expect(chooseEngine('vscode-lm', engines, set, yes, never)).rejects.toMatchObject({ reason: 'no_engine', detail: { reason: 'limit_money' } });
    expect((await chooseEngine('auto', engines, { usd: 2 }, yes, never)).engine.name).toBe('vscode-lm');
  });

  it('auto: the first usable one in order, saying why not the ones before it', async () => {
    const engines = [engine('scout', true), engine('openai-compatible', true), engine('claude', true), engine('vscode-lm', false)];
    const choice = await chooseEngine('auto', engines, {}, yes, never);
    expect(choice.engine.name).toBe('claude');
    expect(choice.why).toBe('label of claude: first usable engine (passed over vscode-lm: no vscode-lm)');
    expect(engines[1]?.probes).toBe(0);
  });

  it('auto: without consent it goes on, down to the scout, which needs none', async () => {
    const asked: string[] = [];
    const choice = await chooseEngine('auto', [engine('claude', true), engine('openai-compatible', true), engine('scout', true)], {}, async (one, destination) => (asked.push(`${one.name} ${destination}`), false), never);
    expect(choice.engine.name).toBe('scout');
    expect(asked).toEqual(['claude claude.example', 'openai-compatible openai-compatible.example']);
    expect(choice.why).toContain('nothing may be sent to claude.example');
  });

  it('by name: that one or none', async () => {
    const engines = [engine('claude', false), engine('openai-compatible', true), engine('scout', true)];
    await expect(chooseEngine('claude', engines, {}, yes, never)).rejects.toMatchObject({ reason: 'no_engine', message: 'The engine "claude" cannot be used: no claude' });
    await expect(chooseEngine('openai-compatible', engines, {}, async () => false, never)).rejects.toMatchObject({ reason: 'not_consented' });
    await expect(chooseEngine('codex', engines, {}, yes, never)).rejects.toMatchObject({ reason: 'no_engine' });
    expect((await chooseEngine('scout', engines, {}, async () => false, never)).why).toBe('label of scout, chosen by setting');
  });

  it('T26: auto never plays a recording, and fails when there is nothing', async () => {
    await expect(chooseEngine('auto', [engine('replay', true)], {}, yes, never)).rejects.toMatchObject({ reason: 'no_engine' });
  });
});

let seq = 0;
function recorded(kind: AnyEvent['kind'], body: unknown): AnyEvent {
  return { id: `s/${++seq}`, session: 's', seq, ts: '2026-01-01T00:00:00.000Z', kind, run: 'run_old', actor: { kind: 'casebook', name: 'test' }, bodyHash: '', body: eventKinds[kind].parse(body) } as AnyEvent;
}

describe('replay', () => {
  const started = recorded('run.started', { verb: 'investigate', engine: 'claude', choice: 'x', effect: 'read', tools: { allowed: [], denied: [] }, enforced: [], limits: {}, promptHash: 'h' });
  const steps = [
    recorded('run.texted', { text: 'Looking' }),
    recorded('tool.called', { call: 'c', tool: 'read', summary: 'read a' }),
    recorded('tool.returned', { call: 'c', ok: true, bytes: 3, head: 'abc' }),
    recorded('report.written', { markdown: '# R', partial: false }),
    recorded('verdict.submitted', { verdict: goodSubmission(), recovered: true }),
  ];
  const play = async (events: AnyEvent[], desk = new FakeDesk()): Promise<Awaited<ReturnType<typeof collectRun>>> =>
    collectRun(new ReplayEngine(async function* () { yield* events; }).start(runRequest(desk), never));

  it('says first that it is one, then plays steps, report, result and end', async () => {
    const desk = new FakeDesk();
    const { events, ended } = await play([started, ...steps, recorded('run.ended', { outcome: 'failed', reason: 'limit_time' })], desk);
    expect(events[0]).toMatchObject({ type: 'note', text: 'Replay of run run_old by claude, recorded 2026-01-01T00:00:00.000Z. No model is asked.' });
    expect(events.map((event) => event.type)).toEqual(['note', 'text', 'tool_call', 'tool_result', 'ended']);
    expect(ended).toEqual({ type: 'ended', outcome: 'failed', reason: 'limit_time' });
    expect([desk.reports, desk.accepted?.summary, desk.recovered]).toEqual([['# R'], 'It works as built.', true]);
  });

  it('ends as interrupted where the recording has no end, and as empty where there is none', async () => {
    expect((await play([started, ...steps])).ended.outcome).toBe('interrupted');
    expect((await play([])).ended).toMatchObject({ outcome: 'failed', reason: 'empty_result' });
  });
});

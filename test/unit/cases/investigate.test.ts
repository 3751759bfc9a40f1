import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../extension/core/agents/engine.ts';
import { foldCase } from '../../../extension/core/cases/fold.ts';
import { aSubmission, aTicket, aWorld, never, scriptedEngine, type World } from './fakes.ts';

/** Looks at something, reports, submits, ends. */
async function* goodRun(request: Parameters<Parameters<typeof scriptedEngine>[0]>[0], submission: unknown = aSubmission): AsyncGenerator<RunEvent> {
  yield { type: 'tool_call', call: 'c1', tool: 'read', summary: 'Read src/save.ts' };
  yield { type: 'tool_result', call: 'c1', ok: true, output: 'lines.slice(0, -1)' };
  await request.desk.report('# Report\n\nSeen.');
  const answer = await request.desk.submit(submission);
  yield { type: 'text', text: answer.text };
  yield { type: 'usage', usage: { inputTokens: 10, outputTokens: 5, cachedTokens: 0, turns: 1 } };
  yield { type: 'ended', outcome: 'completed' };
}

function ends(world: World) {
  return world.journal.events.filter((event) => event.kind === 'run.ended');
}

describe('an investigation', () => {
  it('ends in a proven verdict with its files written', async () => {
    const world = await aWorld([scriptedEngine((request) => goodRun(request))]);
    const id = await world.cases.open(aTicket(), { via: 'test' });
    const state = await world.cases.investigate(id, { via: 'test', engine: 'auto' }, never);
    expect(state.status).toBe('concluded');
    expect(state.verdict?.proof).toEqual({ holds: true, why: '1 of 1 citations carry a verified quote; none is missing.' });
    expect(state.runs[0]?.steps.map((step) => step.kind)).toEqual(['scout', 'tool', 'report', 'verdict', 'text', 'report']);
    const folder = world.cases.folder(id);
    const json = JSON.parse(await readFile(join(folder, 'analysis.json'), 'utf8')) as Record<string, unknown>;
    expect(json).toMatchObject({ classification: 'bug', bugConfirmation: 'confirmed', evidence: [{ file: 'app/src/save.ts', line: 3 }] });
    expect(JSON.stringify(json)).not.toContain('quote');
    expect(await readFile(join(folder, 'citations.json'), 'utf8')).toContain('lines.slice(0, -1)');
    expect(await readFile(join(folder, 'analysis.md'), 'utf8')).toContain('# Report');
  });

  it('sends a bad submission back naming the fields, and ends honestly after the third', async () => {
    const told: string[] = [];
    const engine = scriptedEngine(async function* (request): AsyncGenerator<RunEvent> {
      await request.desk.report('What I know.');
      for (let attempt = 0; attempt < 4; attempt++) told.push((await request.desk.submit({ ...aSubmission, bugConfirmation: undefined, confidence: 'sure' })).text);
      yield { type: 'ended', outcome: 'completed' };
    });
    const world = await aWorld([engine]);
    const id = await world.cases.open(aTicket(), { via: 'test' });
    const state = await world.cases.investigate(id, { via: 'test', engine: 'claude' }, never);
    expect(told[0]).toContain('- bugConfirmation:');
    expect(told[0]).toContain('- confidence:');
    expect(told[0]).not.toContain('summary');
    expect(world.journal.events.filter((event) => event.kind === 'verdict.refused')).toHaveLength(3);
    expect(state.runs[0]?.ended).toMatchObject({ outcome: 'failed', reason: 'invalid_result' });
    expect(state.report).toMatchObject({ markdown: 'What I know.', partial: true });
    expect(await readFile(join(world.cases.folder(id), 'analysis.md'), 'utf8')).toMatch(/^> Partial/);
  });

  it('does not record a confirmed that its citations do not carry', async () => {
    const world = await aWorld([
      scriptedEngine(async function* (request): AsyncGenerator<RunEvent> {
        yield { type: 'tool_call', call: 'c', tool: 'grep', summary: 'grep' };
        yield { type: 'tool_result', call: 'c', ok: true, output: '' };
        let last = await request.desk.submit(aSubmission);
        while (!last.final) last = await request.desk.submit(aSubmission);
        yield { type: 'ended', outcome: 'completed' };
      }),
    ]);
    world.states.set('app/src/save.ts', 'missing');
    const id = await world.cases.open(aTicket(), { via: 'test' });
    const state = await world.cases.investigate(id, { via: 'test', engine: 'auto' }, never);
    expect(state.verdict?.verdict.bugConfirmation).toBe('suspected');
    expect(state.verdict?.downgraded).toBeDefined();
    expect(state.verdict?.proof.holds).toBe(false);
    expect(state.reply?.blockers).not.toEqual([]);
  });

  it('never tells the agent what really stands at a place that it misquoted', async () => {
    const told: string[] = [];
    const world = await aWorld([
      scriptedEngine(async function* (request): AsyncGenerator<RunEvent> {
        told.push((await request.desk.submit(aSubmission)).text);
        yield { type: 'ended', outcome: 'completed' };
      }),
    ]);
    world.deps.evidence.check = async (claims) => claims.map((claim) => ({ ...claim, state: 'missing', actual: 'the real line', why: 'the quote does not stand there' }));
    const id = await world.cases.open(aTicket(), { via: 'test' });
    await world.cases.investigate(id, { via: 'test', engine: 'auto' }, never);
    expect(told[0]).toContain('evidence.0: the quote does not stand there');
    expect(told[0]).not.toContain('the real line');
  });

  it('takes one verdict only', async () => {
    const answers: boolean[] = [];
    const world = await aWorld([
      scriptedEngine(async function* (request): AsyncGenerator<RunEvent> {
        const both = await Promise.all([request.desk.submit(aSubmission), request.desk.submit({ ...aSubmission, summary: 'Another.' })]);
        answers.push(...both.map((answer) => answer.accepted));
        yield { type: 'ended', outcome: 'completed' };
      }),
    ]);
    const id = await world.cases.open(aTicket(), { via: 'test' });
    const state = await world.cases.investigate(id, { via: 'test', engine: 'auto' }, never);
    expect(answers).toEqual([true, false]);
    expect(state.verdict?.verdict.summary).toBe('Saving drops the last line.');
    expect(state.verdict?.proof.why).toContain('looked at nothing');
  });

  it.each([
    ['throws', async function* (): AsyncGenerator<RunEvent> { yield { type: 'text', text: '' }; throw new Error('boom'); }, 'failed', 'crashed'],
    ['says nothing', async function* (): AsyncGenerator<RunEvent> { yield { type: 'ended', outcome: 'completed' }; }, 'failed', 'empty_result'],
    ['never ends', async function* (): AsyncGenerator<RunEvent> { yield { type: 'note', level: 'info', text: 'hm' }; }, 'failed', 'protocol'],
  ] as const)('an engine that %s gets exactly one honest end', async (_name, script, outcome, reason) => {
    const world = await aWorld([scriptedEngine(() => script())]);
    const id = await world.cases.open(aTicket(), { via: 'test' });
    const state = await world.cases.investigate(id, { via: 'test', engine: 'auto' }, never);
    expect(ends(world)).toHaveLength(1);
    expect(state.runs[0]?.ended).toMatchObject({ outcome, reason });
    expect(state.status).toBe('failed');
    expect(state.verdict).toBeUndefined();
  });

  it('stops when a person in another process asks for it', async () => {
    const world = await aWorld([
      scriptedEngine(async function* (request, signal): AsyncGenerator<RunEvent> {
        world.journal.receive({ id: 'other/0', session: 'other', seq: 0, ts: '2026-01-01T00:00:01Z', kind: 'run.stop_asked', case: request.case ?? '', run: request.run, actor: { kind: 'person', name: 'bob' }, bodyHash: '', body: {} });
        await new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));
        yield { type: 'ended', outcome: 'cancelled', reason: 'user_stopped' };
      }),
    ]);
    const id = await world.cases.open(aTicket(), { via: 'test' });
    const state = await world.cases.investigate(id, { via: 'test', engine: 'auto' }, never);
    expect(state.runs[0]?.ended).toMatchObject({ outcome: 'cancelled', reason: 'user_stopped' });
  });

  it('asks a person, and goes on with the first answer', async () => {
    let said = '';
    const world = await aWorld([
      scriptedEngine(async function* (request, signal): AsyncGenerator<RunEvent> {
        said = (await request.desk.askUser([{ question: 'Which version?', options: [{ label: '1' }, { label: '2' }], multiSelect: false }], signal)).text;
        yield* goodRun(request);
      }),
    ]);
    const id = await world.cases.open(aTicket(), { via: 'test' });
    const asked = new Promise<string>((resolve) => world.journal.onEvent((event) => event.kind === 'question.asked' && event.body !== null && resolve(event.body.id)));
    const running = world.cases.investigate(id, { via: 'test', engine: 'auto' }, never);
    const question = await asked;
    expect((await world.cases.state(id)).status).toBe('needs_you');
    await world.cases.answer(id, question, [{ chosen: ['2'], skipped: false }], 'panel');
    await expect(world.cases.answer(id, question, [{ chosen: ['1'], skipped: false }], 'cli')).rejects.toMatchObject({ reason: 'closed' });
    await running;
    expect(said).toContain('2');
  });

  it('that ends before its question is answered leaves nobody waiting', async () => {
    const world = await aWorld([
      scriptedEngine(async function* (request, signal): AsyncGenerator<RunEvent> {
        await request.desk.askUser([{ question: 'Which version?', options: [], multiSelect: false }], signal);
        yield { type: 'ended', outcome: 'cancelled', reason: 'user_stopped' };
      }),
    ]);
    const id = await world.cases.open(aTicket(), { via: 'test' });
    const asked = new Promise<string>((resolve) => world.journal.onEvent((event) => event.kind === 'question.asked' && event.body !== null && resolve(event.body.id)));
    const running = world.cases.investigate(id, { via: 'test', engine: 'auto' }, never);
    const question = await asked;
    await world.cases.stop(id, 'panel');
    expect((await running).questions).toMatchObject([{ id: question, closed: true }]);
    await expect(world.cases.answer(id, question, [{ chosen: [], skipped: true }], 'panel')).rejects.toMatchObject({ reason: 'closed' });
  });

  it('never waits for an answer when nobody is there', async () => {
    const world = await aWorld(
      [
        scriptedEngine(async function* (request, signal): AsyncGenerator<RunEvent> {
          const { answers } = await request.desk.askUser([{ question: 'Why?', options: [], multiSelect: false }], signal);
          yield { type: 'text', text: String(answers[0]?.skipped) };
          yield* goodRun(request);
        }),
      ],
      { attended: false },
    );
    const id = await world.cases.open(aTicket(), { via: 'test' });
    const state = await world.cases.investigate(id, { via: 'test', engine: 'auto' }, never);
    expect(state.questions[0]?.answers).toEqual([{ chosen: [], skipped: true }]);
  });

  it('asks before code leaves, and remembers the answer per destination', async () => {
    const status = { usable: true, label: 'Cloud', destination: 'https://api.example' } as const;
    const world = await aWorld([scriptedEngine((request) => goodRun(request), { leavesMachine: true, status })]);
    const id = await world.cases.open(aTicket(), { via: 'test' });
    await expect(world.cases.investigate(id, { via: 'test', engine: 'claude' }, never)).rejects.toMatchObject({ reason: 'not_consented' });
    await world.cases.giveConsent('claude', 'https://api.example', ['code'], 'panel');
    expect((await world.cases.investigate(id, { via: 'test', engine: 'claude' }, never)).status).toBe('concluded');
    await world.cases.forgetConsents('palette');
    await expect(world.cases.investigate(id, { via: 'test', engine: 'claude' }, never)).rejects.toMatchObject({ reason: 'not_consented' });
  });

  it('reports what changed in the tree during the run', async () => {
    const world = await aWorld([scriptedEngine((request) => goodRun(request))]);
    world.treeChanges.push({ root: 'app', path: 'src/x.ts', change: 'modified' });
    const id = await world.cases.open(aTicket(), { via: 'test' });
    expect((await world.cases.investigate(id, { via: 'test', engine: 'auto' }, never)).treeChanges).toEqual([{ root: 'app', path: 'src/x.ts', change: 'modified', checkpoint: 'cp_1' }]);
  });

  it('T25/J18: of a dead process is interrupted, once, and can be run again with the earlier report', async () => {
    let prompt = '';
    const world = await aWorld([
      scriptedEngine((request) => {
        prompt = request.prompt;
        return goodRun(request);
      }),
    ]);
    const id = await world.cases.open(aTicket(), { via: 'test' });
    const base = { session: 'dead', ts: '2026-01-01T00:00:01Z', case: id, run: 'run_x', actor: { kind: 'casebook', name: 'x' }, bodyHash: '' } as const;
    world.journal.receive({ ...base, id: 'dead/0', seq: 0, kind: 'run.started', body: { verb: 'investigate', engine: 'claude', choice: '', effect: 'read', tools: { allowed: [], denied: [] }, enforced: [], limits: {}, promptHash: '', replay: false } });
    world.journal.receive({ ...base, id: 'dead/1', seq: 1, kind: 'report.written', body: { markdown: 'Half a report.', partial: true } });
    expect((await world.cases.state(id)).status).toBe('running');
    await expect(world.cases.investigate(id, { via: 'test', engine: 'auto' }, never)).rejects.toMatchObject({ reason: 'already_running' });
    world.journal.setSession('dead', 'dead');
    expect((await world.cases.state(id)).status).toBe('interrupted');
    await world.cases.state(id);
    expect(ends(world)).toHaveLength(1);
    const state = await world.cases.investigate(id, { via: 'test', engine: 'auto', mode: 'restart' }, never);
    expect(prompt).toContain('Half a report.');
    expect(state.runs[1]?.resumes).toBe('run_x');
  });

  it('gives the same state when the record is folded again from nothing', async () => {
    const world = await aWorld([scriptedEngine((request) => goodRun(request))]);
    const id = await world.cases.open(aTicket(), { via: 'test' });
    const state = await world.cases.investigate(id, { via: 'test', engine: 'auto' }, never);
    expect(foldCase(world.journal.events)).toEqual(state);
  });
});

describe('ambient context', () => {
  const focus = { text: 'app/src/open.ts:3\nthe selected words', shared: 'app/src/open.ts:3' };

  it.each([
    [false, false],
    [true, true],
  ])('opened with ambient %s is shared: %s, and the record says what', async (ambient, shared) => {
    let prompt = '';
    const engine = scriptedEngine((request) => {
      prompt = request.prompt;
      return goodRun(request);
    });
    const world = await aWorld([engine], { ambient: () => focus });
    const id = await world.cases.open(aTicket(), { via: 'test', ambient });
    await world.cases.investigate(id, { via: 'test', engine: 'auto' }, never);
    expect(prompt.includes('the selected words')).toBe(shared);
    const notes = world.journal.events.filter((event) => event.kind === 'run.noted').map((event) => event.body?.text);
    expect(notes).toEqual(shared ? ['Shared from the editor: app/src/open.ts:3'] : []);
    expect(JSON.stringify(world.journal.events)).not.toContain('the selected words');
  });
});

import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sandboxArguments } from '../../extension/core/agents/engines/claude/sandbox.ts';
import type { RunEvent } from '../../extension/core/agents/engine.ts';
import { FakeAnthropic, type FakeReply, type FakeScript, type MainRequest } from '../fixtures/fake-anthropic.ts';
import { FakeDesk, collectRun, goodSubmission, runRequest } from '../fixtures/fake-desk.ts';
import { type Bench, bench, isolated } from './claude-harness.ts';
import { agentPath } from './install.mjs';

const nonce = 'nonce-7f3a9c51d2';
const secret = 'not-for-models-4411';
let place: Bench;
let model: FakeAnthropic | undefined;

beforeAll(async () => {
  if (!isolated()) throw new Error('Run this suite without a network: unshare -n sh -c "ip link set lo up && exec vitest run --project agents"');
  place = await bench({ 'src/pay.ts': `export function pay() {\n  return '${nonce}';\n}\n`, 'README.md': '# Project\n', 'config/.env.local': `KEY=${secret}\n` });
});
afterAll(() => place.remove());
afterEach(async () => {
  await model?.stop();
  model = undefined;
});

async function serve(script: FakeScript): Promise<string> {
  model = new FakeAnthropic(script);
  return model.start();
}

const never = new AbortController().signal;
const request = (desk: FakeDesk, over: Parameters<typeof runRequest>[1] = {}): ReturnType<typeof runRequest> => runRequest(desk, { folders: [{ name: 'root', path: place.repository }], ...over });
const submit = (input: unknown): FakeReply => ({ blocks: [{ tool: 'mcp__casebook__submit', input }] });
const use = (tool: string, input: unknown): FakeReply => ({ blocks: [{ tool, input }] });
const readPay = (): FakeReply => use('Read', { file_path: join(place.repository, 'src/pay.ts') });
/** Quotes what it was shown, as a model would; it has no other way to know the nonce. */
const quoted = (main: MainRequest): unknown => goodSubmission({ evidence: [{ file: 'root/src/pay.ts', line: 2, quote: /nonce-[0-9a-f]+/.exec(main.results.map((one) => one.text).join('\n'))?.[0] ?? '(nothing seen)' }] });
const done: FakeReply = { blocks: [{ text: 'Done.' }] };
const of = <T extends RunEvent['type']>(events: RunEvent[], type: T): Extract<RunEvent, { type: T }>[] => events.filter((event) => event.type === type) as Extract<RunEvent, { type: T }>[];

describe('the real Claude Code', () => {
  it('reads a planted nonce through its own tool and hands it in in a quote', async () => {
    const url = await serve((main, turn): FakeReply => {
      if (turn === 0) return { blocks: [{ text: 'Let me see.' }, { tool: 'mcp__casebook__report', input: { markdown: '# Looking' } }, { tool: 'Read', input: { file_path: join(place.repository, 'src/pay.ts') } }], usage: { input: 100, output: 31, cached: 7 } };
      if (turn === 1) return { ...(submit(quoted(main)) as { blocks: [] }), usage: { input: 200, output: 40 } };
      return { blocks: [{ text: 'Done.' }], usage: { input: 300, output: 5 } };
    });
    const desk = new FakeDesk();
    const { events, ended } = await collectRun(place.engine(url).start(request(desk), never));
    expect(ended).toEqual({ type: 'ended', outcome: 'completed' });
    expect(desk.accepted?.evidence[0]?.quote).toBe(nonce);
    expect(desk.reports).toEqual(['# Looking']);
    expect(of(events, 'tool_call').map((event) => event.tool)).toEqual(['report', 'Read', 'submit']);
    expect(of(events, 'tool_result').map((event) => event.ok)).toEqual([true, true, true]);
    expect(of(events, 'text').map((event) => event.text)).toEqual(['Let me see.', 'Done.']);
    expect(of(events, 'usage').at(-1)?.usage).toMatchObject({ inputTokens: 600, cachedTokens: 7, outputTokens: 76, turns: 3, usd: expect.any(Number) as number });
    expect(of(events, 'note')[0]).toMatchObject({ text: 'Claude Code 2.1.332, model claude-opus-5-5', session: expect.any(String) as string });
    expect(model?.requests[0]?.tools.map((tool) => tool.name).sort()).toEqual(['Glob', 'Grep', 'Read', 'mcp__casebook__ask_user', 'mcp__casebook__report', 'mcp__casebook__submit']);
    expect(model?.requests[0]?.system).toContain('You look into tickets.');
  });

  it('T11: cannot have the nonce when the tool call is withheld', async () => {
    const url = await serve((main, turn): FakeReply => (turn === 0 ? submit(quoted(main)) : done));
    const desk = new FakeDesk();
    await collectRun(place.engine(url).start(request(desk), never));
    expect(desk.accepted?.evidence[0]?.quote).toBe('(nothing seen)');
  });

  it('sends an invalid submission back into the same conversation, and ends after the last refusal', async () => {
    const url = await serve((main, turn): FakeReply => (turn === 0 ? submit({ ...goodSubmission(), confidence: 'sure' }) : turn === 1 && main.results.at(-1)?.isError ? submit(goodSubmission()) : done));
    const desk = new FakeDesk();
    const { events, ended } = await collectRun(place.engine(url).start(request(desk), never));
    expect(ended).toEqual({ type: 'ended', outcome: 'completed' });
    expect(desk.refusals).toHaveLength(1);
    expect(model?.requests[1]?.results.at(-1)?.text).toContain('- confidence: Invalid option');
    expect(of(events, 'tool_result').map((event) => event.ok)).toEqual([false, true]);
    await model?.stop();

    const stubborn = await serve((_main, turn): FakeReply => (turn < 3 ? submit({}) : done));
    const refused = await collectRun(place.engine(stubborn).start(request(new FakeDesk()), never));
    expect(refused.ended).toMatchObject({ outcome: 'failed', reason: 'invalid_result' });
  });

  it('asks a person and hears the answer, with the clock standing still', async () => {
    const url = await serve((_main, turn): FakeReply => (turn === 0 ? use('mcp__casebook__ask_user', { questions: [{ question: 'Which one?', options: [{ label: 'blue' }] }] }) : turn === 1 ? submit(goodSubmission()) : done));
    const desk = new FakeDesk(async (questions) => questions.map(() => ({ chosen: ['blue'], skipped: false })));
    const { ended } = await collectRun(place.engine(url).start(request(desk), never));
    expect(ended.outcome).toBe('completed');
    expect(desk.asked[0]?.[0]?.question).toBe('Which one?');
    expect(model?.requests[1]?.results.at(-1)?.text).toBe('blue');
  });

  it('reads nothing outside of the roots and has no other tools', async () => {
    const url = await serve((_main, turn): FakeReply => [use('Read', { file_path: '/etc/passwd' }), use('Bash', { command: 'touch /tmp/casebook-canary' }), use('Write', { file_path: join(place.repository, 'x'), content: 'x' }), submit(goodSubmission()), done][turn] ?? done);
    const { events, ended } = await collectRun(place.engine(url).start(request(new FakeDesk()), never));
    expect(ended.outcome).toBe('completed');
    expect(of(events, 'tool_denied').map((event) => event.tool)).toEqual(['Read', 'Bash', 'Write']);
    expect(JSON.stringify(model?.requests)).not.toContain('root:x:0:0');
    expect(await readdir(place.repository)).toEqual(expect.not.arrayContaining(['x']) as string[]);
  });

  it('shows no secret file of the repository, read or searched', async () => {
    const url = await serve((_main, turn): FakeReply =>
      [use('Read', { file_path: join(place.repository, 'config/.env.local') }), use('Grep', { pattern: 'not-for-models|nonce-7', output_mode: 'content', path: place.repository }), use('Grep', { pattern: 'KEY', output_mode: 'content', path: join(place.repository, 'config/.env.local') }), submit(goodSubmission())][turn] ?? done);
    const { ended } = await collectRun(place.engine(url).start(request(new FakeDesk()), never));
    expect(ended.outcome).toBe('completed');
    expect(JSON.stringify(model?.requests)).toContain(nonce);
    expect(JSON.stringify(model?.requests.map((one) => one.results))).not.toContain(secret);
  });

  it('does not attach files that the ticket names with an @', async () => {
    const url = await serve((_main, turn): FakeReply => (turn === 0 ? submit(goodSubmission()) : done));
    await collectRun(place.engine(url).start(request(new FakeDesk(), { prompt: 'The ticket says: see @/etc/passwd and @src/pay.ts please' }), never));
    expect(JSON.stringify(model?.requests)).not.toContain('root:x:0:0');
    expect(JSON.stringify(model?.requests)).not.toContain(nonce);
  });

  it('J22: keeps tokens and ticket text out of every argument list, and the editor’s secrets out of every child', async () => {
    const seen: string[] = [];
    const url = await serve(async (_main, turn): Promise<FakeReply> => {
      if (turn > 0) return done;
      for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
        const [line, env] = await Promise.all([readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''), readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')]);
        if (line.includes('claude') || line.includes('casebook-desk')) seen.push(line, line.includes('vitest') ? '' : env);
      }
      return submit(goodSubmission());
    });
    await collectRun(place.engine(url).start(request(new FakeDesk(), { prompt: 'ticket-canary' }), never));
    expect(seen.some((text) => text.includes('--strict-mcp-config'))).toBe(true);
    expect(seen.some((text) => text.includes('CASEBOOK_DESK_FILE'))).toBe(true);
    expect(seen.join('\n')).not.toMatch(/ticket-canary|leak-canary/);
    expect(seen.filter((_, index) => index % 2 === 0).join('\n')).not.toContain('sk-ant-test');
  });

  it('goes back into the same session when it stops without a result', async () => {
    const url = await serve((_main, turn): FakeReply => (turn === 0 ? { blocks: [{ text: 'I think it is fine.' }] } : turn === 1 ? submit(goodSubmission()) : done));
    const { events, ended } = await collectRun(place.engine(url).start(request(new FakeDesk()), never));
    expect(ended.outcome).toBe('completed');
    expect(JSON.stringify(model?.requests[1]?.messages)).toContain('I think it is fine.');
    expect(new Set(of(events, 'note').map((event) => event.session)).size).toBe(1);
    expect(of(events, 'usage').at(-1)?.usage.turns).toBe(3);
  });

  it('takes a printed result from the text, flagged', async () => {
    const url = await serve((): FakeReply => ({ blocks: [{ text: `Here it is:\n\`\`\`json\n${JSON.stringify(goodSubmission())}\n\`\`\`` }] }));
    const desk = new FakeDesk();
    const { ended } = await collectRun(place.engine(url).start(request(desk), never));
    expect([ended.outcome, desk.recovered]).toEqual(['completed', true]);
  });

  it('goes on in the session of an earlier run', async () => {
    const url = await serve((_main, turn): FakeReply => (turn % 2 === 0 ? submit(goodSubmission({ summary: `Turn ${turn}.` })) : done));
    const first = await collectRun(place.engine(url).start(request(new FakeDesk(), { prompt: 'the first prompt' }), never));
    const session = of(first.events, 'note')[0]?.session ?? '';
    const again = await collectRun(place.engine(url).start(request(new FakeDesk(), { prompt: 'the second prompt', resume: session }), never));
    expect(again.ended.outcome).toBe('completed');
    expect(JSON.stringify(model?.requests[2]?.messages)).toContain('the first prompt');
  });
});

describe('how it ends', () => {
  it('T23: stop: nothing of the group is alive, also what ignores SIGTERM, before the end is told', async () => {
    const folder = await place.folder();
    const wrapper = join(folder, 'claude');
    await writeFile(wrapper, `#!/bin/sh\n[ "$1" = --print ] && ( trap '' TERM; exec >/dev/null 2>&1 </dev/null; while :; do echo x >> ${folder}/canary; sleep 0.05; done ) &\nexec ${agentPath('claude')} "$@"\n`);
    await chmod(wrapper, 0o755);
    const url = await serve((): FakeReply => 'hang');
    const stop = new AbortController();
    const run = collectRun(place.engine(url, { path: () => wrapper }).start(request(new FakeDesk()), stop.signal));
    await until(async () => (model?.requests.length ?? 0) > 0 && (await readFile(join(folder, 'canary'), 'utf8').catch(() => '')) !== '');
    expect(alive(folder)).not.toBe('');
    stop.abort();
    const { ended } = await run;
    expect(ended).toMatchObject({ outcome: 'cancelled', reason: 'user_stopped' });
    expect(alive(folder)).toBe('');
    expect(alive('casebook-desk-')).toBe('');
  });

  it('T24: hang: the time limit', async () => {
    const url = await serve((): FakeReply => 'hang');
    const started = performance.now();
    const { ended } = await collectRun(place.engine(url).start(request(new FakeDesk(), { limits: { milliseconds: 8000 } }), never));
    expect(ended).toMatchObject({ outcome: 'timed_out', reason: 'limit_time' });
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it.each([
    [401, 'not_signed_in'],
    [404, 'no_model'],
    [400, 'protocol'],
    [529, 'rate_limited'],
    [500, 'network'],
  ])('%i from the service: %s', async (status, reason) => {
    const url = await serve((): FakeReply => ({ status }));
    const { ended } = await collectRun(place.engine(url).start(request(new FakeDesk()), never));
    expect(ended).toMatchObject({ outcome: 'failed', reason });
  });

  it('nobody at the address: network', async () => {
    const { ended } = await collectRun(place.engine('http://127.0.0.1:9').start(request(new FakeDesk()), never));
    expect(ended).toMatchObject({ outcome: 'failed', reason: 'network' });
  });

  it('refusal: refused', async () => {
    const url = await serve((): FakeReply => ({ blocks: [{ text: 'I will not.' }], stop: 'refusal' }));
    const { ended } = await collectRun(place.engine(url).start(request(new FakeDesk()), never));
    expect(ended).toMatchObject({ outcome: 'failed', reason: 'refused' });
  });

  it('T21: turns and tokens and money: each limit is kept', async () => {
    const loop = (): FakeReply => ({ ...(readPay() as { blocks: [] }), usage: { input: 3000, output: 1000 } });
    const turns = await collectRun(place.engine(await serve(loop)).start(request(new FakeDesk(), { limits: { turns: 2 } }), never));
    expect(turns.ended).toMatchObject({ outcome: 'failed', reason: 'limit_turns' });
    expect(model?.requests.length).toBe(2);
    await model?.stop();
    const tokens = await collectRun(place.engine(await serve(loop)).start(request(new FakeDesk(), { limits: { tokens: 9000 } }), never));
    expect(tokens.ended).toMatchObject({ outcome: 'failed', reason: 'limit_tokens' });
    expect(model?.requests.length).toBeLessThanOrEqual(4);
    await model?.stop();
    const money = await collectRun(place.engine(await serve(loop)).start(request(new FakeDesk(), { limits: { usd: 0.05 } }), never));
    expect(money.ended).toMatchObject({ outcome: 'failed', reason: 'limit_money' });
    expect(of(money.events, 'usage').at(-1)?.usage.inputTokens).toBeGreaterThan(0);
  });
});

describe('in the sandbox', () => {
  it('does the same work, also in a second call into the same session', async () => {
    const url = await serve((main, turn): FakeReply => [readPay(), { blocks: [{ text: 'I think so.' }] } as FakeReply, submit(quoted(main))][turn] ?? done);
    const desk = new FakeDesk();
    const engine = place.engine(url, { sandbox: true });
    expect(await engine.probe(never)).toMatchObject({ usable: true, version: '2.1.332' });
    expect(engine.capabilities.sandbox).toBe(true);
    const { ended } = await collectRun(engine.start(request(desk), never));
    expect(ended).toEqual({ type: 'ended', outcome: 'completed' });
    expect(desk.accepted?.evidence[0]?.quote).toBe(nonce);
  });
});

describe('what the sandbox holds', () => {
  it('nothing can be written but scratch and state, keys are hidden, and nothing outlives it', async () => {
    const folder = await place.folder();
    const [home, root, scratch, state] = await Promise.all(['home', 'root', 'scratch', 'home/.claude'].map(async (name) => (await mkdir(join(folder, name), { recursive: true }), join(folder, name))));
    await mkdir(join(String(home), '.ssh'));
    await writeFile(join(String(home), '.ssh', 'id'), 'key-canary');
    await writeFile(join(String(root), 'code.ts'), 'code-canary');
    const args = await sandboxArguments({ folders: [String(root)], scratch: String(scratch), state: [String(state)], programs: [] }, home);
    const script = `cat ${root}/code.ts; cat ${home}/.ssh/id 2>&1; for f in ${root}/x ${root}/code.ts /etc/x /var/x ${scratch}/x ${state}/x; do echo y 2>/dev/null >> $f && echo "wrote $f"; done; setsid sh -c 'trap "" TERM HUP; sleep 300 # ${scratch}' & exit 0`;
    const { stdout } = spawnSync('bwrap', [...args, 'sh', '-c', script], { encoding: 'utf8', cwd: String(root) });
    expect(stdout).toContain('code-canary');
    expect(stdout).not.toContain('key-canary');
    expect(stdout.match(/^wrote .*$/gm)).toEqual([`wrote ${scratch}/x`, `wrote ${state}/x`]);
    expect(alive(String(scratch))).toBe('');
  });
});

/** Command lines of live processes that name `text`, zombies left out. */
function alive(text: string): string {
  const { stdout } = spawnSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line.includes(text) && !line.startsWith('Z') && !line.includes('ps -eo'))
    .join('\n');
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { claudeArguments, claudeEnvironment, mcpConfig, splitTools } from '../../../extension/core/agents/engines/claude/arguments.ts';
import { endingOf } from '../../../extension/core/agents/engines/claude/ending.ts';
import { ClaudeEngine } from '../../../extension/core/agents/engines/claude/engine.ts';
import { type JsonLine, jsonLines } from '../../../extension/core/agents/engines/claude/json-lines.ts';
import { resultMessage } from '../../../extension/core/agents/engines/claude/messages.ts';
import { ClaudeReader } from '../../../extension/core/agents/engines/claude/reader.ts';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import { NodeProcesses } from '../../../extension/core/base/node-processes.ts';
import { zeroUsage } from '../../../extension/core/model/run.ts';
import { FakeDesk, collectRun, runRequest } from '../../fixtures/fake-desk.ts';

async function linesOf(chunks: Uint8Array[]): Promise<JsonLine[]> {
  async function* source(): AsyncGenerator<Uint8Array> {
    yield* chunks;
  }
  const out: JsonLine[] = [];
  for await (const line of jsonLines(source())) out.push(line);
  return out;
}

describe('lines of JSON', () => {
  it('come out whole however the bytes were cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ text: fc.string({ unit: 'binary' }) }), { maxLength: 5 }), fc.array(fc.nat({ max: 60 }), { maxLength: 8 }), async (values, cuts) => {
        const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
        const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(await linesOf(chunks)).toEqual(values.map((value) => ({ ok: true, value: JSON.parse(JSON.stringify(value)) as unknown })));
      }),
      { numRuns: 60 },
    );
  });

  it('report what is no object and go on; U+2028 is no line end', async () => {
    const text = 'oops\n[1]\n\n{"a":"x\u2028y"}\r\n{"b":';
    expect(await linesOf([Buffer.from(text)])).toEqual([{ ok: false, head: 'oops' }, { ok: false, head: '[1]' }, { ok: true, value: { a: 'x\u2028y' } }, { ok: false, head: '{"b":' }]);
  });
});

describe('Claude Code’s messages', () => {
  const tokens = (input: number, output: number, cached = 0): Record<string, number> => ({ input_tokens: input, output_tokens: output, cache_read_input_tokens: cached, cache_creation_input_tokens: 5 });

  it('counts a message once, its real output from the stream, and believes the result line but for a budget end', () => {
    const reader = new ClaudeReader({ ...zeroUsage, inputTokens: 1000, turns: 2 });
    const block = (text: string): Record<string, unknown> => ({ message: { usage: tokens(10, 1, 3), content: [{ text, type: 'text' }], id: 'm1' }, type: 'assistant' });
    reader.read({ type: 'stream_event', event: { type: 'message_start', message: { id: 'm1', usage: tokens(10, 1, 3) } } });
    reader.read(block('a'));
    reader.read(block('b'));
    reader.read({ type: 'stream_event', event: { type: 'message_delta', usage: { output_tokens: 77 } } });
    expect(reader.usage()).toEqual({ inputTokens: 1015, cachedTokens: 3, outputTokens: 77, turns: 3 });
    expect(reader.lastText).toBe('ab');
    reader.read({ type: 'result', subtype: 'error_max_budget_usd', is_error: true, usage: { input_tokens: 0, output_tokens: 0 }, total_cost_usd: 0.25 });
    expect(reader.usage().outputTokens).toBe(77);
    reader.read({ type: 'result', subtype: 'success', usage: tokens(20, 90, 4), total_cost_usd: 0.5 });
    expect(reader.usage()).toEqual({ inputTokens: 1025, cachedTokens: 4, outputTokens: 90, turns: 3, usd: 0.5 });
  });

  it('passes over what it does not know, and keeps the rest of a message with an odd block', () => {
    const reader = new ClaudeReader(zeroUsage);
    expect(reader.read({ type: 'system', subtype: 'brand_new' })).toEqual([]);
    expect(reader.read({ type: 'assistant', message: 'what' })).toEqual([]);
    expect(reader.read({})).toEqual([]);
    expect(reader.read({ type: 'assistant', message: { id: 'm', content: [7, { type: 'hologram' }, { type: 'text', text: 'hi' }] } })).toEqual([{ type: 'text', text: 'hi' }]);
  });

  it('tells a denied tool once', () => {
    const reader = new ClaudeReader(zeroUsage);
    expect(reader.read({ type: 'system', subtype: 'permission_denied', tool_name: 'mcp__casebook__git_log', tool_use_id: 't1', message: 'no' })).toEqual([{ type: 'tool_denied', call: 't1', tool: 'git_log', why: 'no' }]);
    expect(reader.read({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'no' }] } })).toEqual([]);
  });

  it('knows when its desk could not be reached', () => {
    const reader = new ClaudeReader(zeroUsage);
    reader.read({ type: 'system', subtype: 'init', session_id: 's', mcp_servers: [{ name: 'casebook', status: 'failed' }] });
    expect([reader.deskFailed, reader.session]).toEqual([true, 's']);
  });
});

describe('endings', () => {
  const result = (over: Record<string, unknown>): ReturnType<typeof resultMessage.parse> => resultMessage.parse({ type: 'result', subtype: 'success', is_error: true, ...over });
  it.each([
    ['success', { result: result({ is_error: false }) }, { outcome: 'completed' }],
    ['turns', { code: 1, result: result({ subtype: 'error_max_turns' }) }, { outcome: 'failed', reason: 'limit_turns' }],
    ['money', { code: 1, result: result({ subtype: 'error_max_budget_usd' }) }, { outcome: 'failed', reason: 'limit_money' }],
    ['refusal', { code: 1, result: result({ stop_reason: 'refusal' }) }, { outcome: 'failed', reason: 'refused' }],
    ['403', { code: 1, result: result({ api_error_status: 403 }) }, { outcome: 'failed', reason: 'not_signed_in' }],
    ['not signed in', { code: 1, result: result({ result: 'Not logged in · Please run /login' }) }, { outcome: 'failed', reason: 'not_signed_in' }],
    ['no connection', { code: 1, result: result({ terminal_reason: 'api_error', api_error_status: null }) }, { outcome: 'failed', reason: 'network' }],
    ['unknown session', { code: 1, result: result({ subtype: 'error_during_execution', errors: ['No conversation found'] }) }, { outcome: 'failed', reason: 'crashed', message: 'No conversation found' }],
    ['interrupted from outside', { code: 0 }, { outcome: 'interrupted' }],
    ['terminated from outside', { code: 143 }, { outcome: 'interrupted' }],
    ['killed from outside', { code: null, signal: 'SIGKILL' }, { outcome: 'failed', reason: 'crashed' }],
    ['bad flags', { code: 1, stderr: "error: unknown option '--x'" }, { outcome: 'failed', reason: 'crashed', message: "error: unknown option '--x'" }],
  ] as const)('%s', (_name, end, wanted) => {
    expect(endingOf({ code: 0, signal: null, stderr: '', result: undefined, ...end })).toMatchObject(wanted);
  });
});

describe('how it is called', () => {
  it('is hermetic, and a list flag never swallows what follows', () => {
    const request = runRequest(new FakeDesk(), { folders: [{ name: 'a', path: '/a' }, { name: 'b', path: '/b' }], tools: ['read', 'git_log'], model: 'opus', prompt: 'the ticket' });
    const args = claudeArguments({ request, mcpConfig: '/run/mcp.json', deskTools: ['submit', 'git_log'], notShared: ['.env*', '**/.ssh/**'], resume: 'sess', turns: 0, usd: 2 });
    expect(args.join(' ')).toBe(
      '--print --output-format stream-json --verbose --include-partial-messages --setting-sources  --strict-mcp-config --mcp-config /run/mcp.json --disable-slash-commands --tools Read ' +
        '--allowedTools mcp__casebook__submit,mcp__casebook__git_log --disallowedTools Bash Edit Write NotebookEdit WebFetch WebSearch Task Skill ToolSearch Read(//a/**/.env*) Read(//a/**/.ssh/**) Read(//b/**/.env*) Read(//b/**/.ssh/**) --permission-mode dontAsk --add-dir /b ' +
        '--system-prompt You look into tickets. --model opus --max-turns 1 --max-budget-usd 2 --resume sess',
    );
    expect(args.join(' ')).not.toContain('the ticket');
    expect(splitTools(['read', 'grep', 'glob', 'git_blame'])).toEqual({ own: ['Read', 'Grep', 'Glob'], ours: ['git_blame'] });
    expect(JSON.parse(mcpConfig({ command: 'node', args: ['x'], env: { A: '1' } }))).toEqual({ mcpServers: { casebook: { type: 'stdio', command: 'node', args: ['x'], env: { A: '1' }, alwaysLoad: true } } });
  });

  it('takes along its account and proxies, and nothing else', () => {
    const env = claudeEnvironment({ PATH: '/bin', HOME: '/h', ANTHROPIC_API_KEY: 'k', CLAUDE_CONFIG_DIR: '/c', HTTPS_PROXY: 'p', GH_TOKEN: 'x', AWS_SECRET_ACCESS_KEY: 'y', CLAUDE_CODE_SSE_PORT: '1', NODE_OPTIONS: '--require x' });
    expect(Object.keys(env)).toEqual(expect.arrayContaining(['PATH', 'HOME', 'ANTHROPIC_API_KEY', 'CLAUDE_CONFIG_DIR', 'HTTPS_PROXY']));
    expect(env).toMatchObject({ CLAUDE_CODE_MAX_RETRIES: '2', CLAUDE_CODE_DISABLE_ATTACHMENTS: '1', CLAUDE_CODE_AUTO_CONNECT_IDE: 'false' });
    for (const name of ['GH_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'CLAUDE_CODE_SSE_PORT', 'NODE_OPTIONS']) expect(env).not.toHaveProperty(name);
    expect(claudeEnvironment({ CLAUDE_CODE_USE_BEDROCK: '1', AWS_REGION: 'r' })).toMatchObject({ AWS_REGION: 'r', CLAUDE_CODE_USE_BEDROCK: '1' });
  });
});

describe('a process that misbehaves', () => {
  const made: string[] = [];
  afterAll(() => Promise.all(made.map((path) => rm(path, { recursive: true, force: true }))));
  async function folder(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'casebook-fake-claude-'));
    made.push(path);
    return path;
  }

  async function engineOf(body: string): Promise<ClaudeEngine> {
    const path = join(await folder(), 'claude');
    await writeFile(path, `#!/bin/sh\ncase "$1" in --version) echo "2.1.0 (Claude Code)"; exit;; auth) echo '{"loggedIn":true}'; exit;; esac\n${body}\n`);
    await chmod(path, 0o755);
    return new ClaudeEngine({ processes: new NodeProcesses(), logger: nullLogger, version: '0', path: () => path, env: () => process.env, deskCommand: { command: 'true', args: [], env: {} }, readTools: () => [], sandbox: false });
  }
  const run = async (body: string): Promise<Awaited<ReturnType<typeof collectRun>>> => collectRun((await engineOf(body)).start(runRequest(new FakeDesk(), { verb: 'converse' }), new AbortController().signal));

  it('is read past garbage, which is noted', async () => {
    const { events, ended } = await run(`echo garbage; echo '[]'; echo '{"message":{"content":[{"text":"hi","type":"text"}],"id":"m"},"type":"assistant"}'; printf '{"type":"result","subtype":"success","is_error":false}'`);
    expect(ended).toEqual({ type: 'ended', outcome: 'completed' });
    expect(events.filter((event) => event.type === 'note' && event.level === 'warn')).toHaveLength(2);
    expect(events).toContainEqual({ type: 'text', text: 'hi' });
  });

  it.each([
    ['exits 1 with words', 'echo "error: unknown option" >&2; exit 1', { outcome: 'failed', reason: 'crashed', message: 'error: unknown option' }],
    ['exits 0 without a result', 'exit 0', { outcome: 'interrupted' }],
    ['is killed', 'kill -9 $$', { outcome: 'failed', reason: 'crashed' }],
  ])('%s', async (_name, body, wanted) => {
    expect((await run(body)).ended).toMatchObject(wanted);
  });

  it('is not there, or nobody is signed in', async () => {
    const options = { processes: new NodeProcesses(), logger: nullLogger, version: '0', env: () => process.env, deskCommand: { command: 'true', args: [], env: {} }, readTools: () => [], sandbox: false };
    expect(await new ClaudeEngine({ ...options, path: () => '/nowhere/claude' }).probe(new AbortController().signal)).toMatchObject({ usable: false, reason: 'not_installed' });
    const path = join(await folder(), 'claude');
    await writeFile(path, `#!/bin/sh\n[ "$1" = --version ] && echo 2.1.0 || { echo '{"loggedIn":false}'; exit 1; }\n`);
    await chmod(path, 0o755);
    expect(await new ClaudeEngine({ ...options, path: () => path }).probe(new AbortController().signal)).toMatchObject({ usable: false, reason: 'not_signed_in' });
  });
});

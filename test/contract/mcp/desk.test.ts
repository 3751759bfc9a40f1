import { readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DeskSession } from '../../../extension/core/agents/desk-session.ts';
import { RunGuard } from '../../../extension/core/agents/limits.ts';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import { type DeskBridge, deskFileVariable, openDeskBridge } from '../../../extension/core/mcp/desk-bridge.ts';
import { deskBundle } from '../../fixtures/desk-bundle.ts';
import { FakeDesk, goodSubmission } from '../../fixtures/fake-desk.ts';

let child: Awaited<ReturnType<typeof deskBundle>>;
let bridge: DeskBridge;
let desk: FakeDesk;
let clients: Client[];
let over: AbortController;

beforeAll(async () => {
  child = await deskBundle();
});
afterAll(() => child.remove());
beforeEach(async () => {
  clients = [];
  over = new AbortController();
  desk = new FakeDesk(async (questions) => questions.map(() => ({ chosen: ['yes'], skipped: false })));
  const guard = new RunGuard({}, over.signal);
  const read = { name: 'git_log', description: 'Log', inputSchema: { type: 'object', properties: {} }, readOnly: true, call: async () => ({ ok: true, text: 'a commit' }) };
  const broken = { name: 'symbols', description: 'Broken', inputSchema: { type: 'object', properties: {} }, readOnly: true, call: () => Promise.reject(new Error('no index')) };
  bridge = await openDeskBridge({ tools: new DeskSession(desk, guard).tools([read, broken]), version: '1.2.3', logger: nullLogger, signal: over.signal });
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await bridge.close();
});

async function open(era: 'legacy' | 'modern'): Promise<Client> {
  const client = new Client({ name: 'contract', version: '1' }, era === 'legacy' ? {} : { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  clients.push(client);
  await client.connect(new StdioClientTransport({ command: child.command, args: child.args, env: { [deskFileVariable]: bridge.file }, stderr: 'pipe' }));
  return client;
}

const textOf = (result: { content: unknown[] }): string => (result.content as { text?: string }[]).map((part) => part.text ?? '').join('');

describe.each(['legacy', 'modern'] as const)('the desk over MCP, %s era', (era) => {
  it('offers its tools, read-only ones marked, schemas in the provider-safe form', async () => {
    const client = await open(era);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => [tool.name, tool.annotations?.readOnlyHint])).toEqual([['report', false], ['submit', false], ['ask_user', false], ['git_log', true], ['symbols', true]]);
    expect(JSON.stringify(tools)).not.toMatch(/"(\$schema|allOf|if|then)"/);
    expect(client.getServerVersion()).toMatchObject({ name: 'casebook', version: '1.2.3' });
  });

  it('takes a report, names exactly the bad fields of a submission, then takes the good one', async () => {
    const client = await open(era);
    expect(textOf(await client.callTool({ name: 'report', arguments: { markdown: '# So far' } }))).toBe('noted');
    const bad = await client.callTool({ name: 'submit', arguments: { ...goodSubmission(), classification: 'bug', confidence: 'sure' } });
    expect(bad.isError).toBe(true);
    expect(textOf(bad)).toBe('Refused. Correct exactly these fields:\n- confidence: Invalid option: expected one of "high"|"medium"|"low"\n- bugConfirmation: required when classification is "bug": "confirmed" or "suspected"');
    const good = await client.callTool({ name: 'submit', arguments: { ...goodSubmission() } });
    expect([good.isError ?? false, textOf(good)]).toEqual([false, 'Taken. Stop here.']);
    expect(desk.reports).toEqual(['# So far']);
    expect(desk.accepted?.summary).toBe('It works as built.');
    expect(textOf(await client.callTool({ name: 'submit', arguments: { ...goodSubmission() } }))).toMatch(/already taken/);
  });

  it('asks a person, and refuses questions that are none', async () => {
    const client = await open(era);
    expect(textOf(await client.callTool({ name: 'ask_user', arguments: { questions: [{ question: 'Is it so?', options: [{ label: 'yes' }] }] } }))).toBe('yes');
    const bad = await client.callTool({ name: 'ask_user', arguments: { questions: [] } });
    expect(bad.isError).toBe(true);
    expect(textOf(bad)).toMatch(/^The call of ask_user was not understood.*\n- questions: /);
  });

  it('lives on after an unknown tool and after a tool that throws', async () => {
    const client = await open(era);
    await expect(client.callTool({ name: 'rm', arguments: {} })).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('There is no tool "rm"') as string });
    const failed = await client.callTool({ name: 'symbols', arguments: {} });
    expect([failed.isError, textOf(failed)]).toEqual([true, 'The tool failed: no index']);
    expect(textOf(await client.callTool({ name: 'git_log', arguments: {} }))).toBe('a commit');
  });
});

describe('who may use the desk', () => {
  it('keeps socket and token to this user, out of arguments, and leaves nothing behind', async () => {
    const { socket, token } = JSON.parse(await readFile(bridge.file, 'utf8')) as { socket: string; token: string };
    expect((await stat(bridge.folder)).mode & 0o777).toBe(0o700);
    expect((await stat(bridge.file)).mode & 0o777).toBe(0o600);
    expect((await stat(socket)).mode & 0o777).toBe(0o600);
    expect(token.length).toBeGreaterThan(40);
    await open('legacy');
    await bridge.close();
    await expect(stat(bridge.folder)).rejects.toThrow('ENOENT');
  });

  it.each(['wrong-token\n', '\n', 'x'.repeat(600)])('closes a connection that opens with %j, unread', async (hello) => {
    const { socket } = JSON.parse(await readFile(bridge.file, 'utf8')) as { socket: string };
    const answer = await new Promise<string>((resolve, reject) => {
      let heard = '';
      const client = connect(socket, () => client.write(`${hello}{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n`));
      client.on('data', (chunk: Buffer) => (heard += chunk.toString()));
      client.once('error', reject);
      client.once('close', () => resolve(heard));
    });
    expect(answer).toBe('');
  });

  it('ends the child with a code when the run is over', async () => {
    await bridge.close();
    const client = new Client({ name: 'late', version: '1' });
    await expect(client.connect(new StdioClientTransport({ command: child.command, args: child.args, env: { [deskFileVariable]: bridge.file }, stderr: 'pipe' }))).rejects.toThrow();
  });
});

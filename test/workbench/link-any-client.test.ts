import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filler, makeRepository } from './harness/fixtures.ts';
import { type Lock, lockOf, locksIn } from './harness/link.ts';
import { vsix } from './harness/paths.ts';
import { eventsOf } from './harness/review.ts';
import { processesUnder } from './harness/server.ts';
import { Session } from './harness/session.ts';

const ticket = `Launch is refused though the code is right\n\n    Error: launch refused: wrong code\n        at checkLaunch (/srv/rocket/src/launch-guard.ts:45:11)\n`;
/** People take their time; a client that waits for them says so. Milliseconds. */
const patient = { timeout: 300_000 };

describe('any MCP client, at a window', () => {
  let session: Session;
  let folder: string;
  let client: Client;
  const onDisk = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
  const count = async (kind: string): Promise<number> => (await eventsOf(session.server.casebookHome, kind)).length;
  const connect = async ({ port, authToken }: Lock): Promise<void> => {
    client = new Client({ name: 'some-agent', version: '1.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit: { headers: { Authorization: `Bearer ${authToken}` } } }));
  };
  const call = async (name: string, args: Record<string, unknown>): Promise<{ isError: boolean; said: string }> => {
    const { isError, content } = await client.callTool({ name, arguments: args }, patient);
    return { isError: isError === true, said: (content as { text?: string }[]).map(({ text }) => text ?? '').join('\n') };
  };

  beforeAll(async () => {
    folder = await makeRepository('rocket', { 'src/launch-guard.ts': `${filler(44, 'guard')}throw new Error('launch refused: wrong code');\n`, 'a.txt': 'one\ntwo\n', 'b.txt': 'three\n' });
    session = await Session.start({ name: 'link-any-client', extensions: [vsix], folder, settings: { 'casebook.engine': 'scout' } });
  });

  afterAll(async () => {
    await client?.close();
    const left = await session?.stop();
    await rm(dirname(folder), { recursive: true, force: true });
    expect(left).toEqual([]);
  });

  it('gets Casebook’s own tools, and a change of several files waits for the person', async () => {
    await session.step('propose', async ({ workbench, server }) => {
      await connect(await lockOf(server));
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['list_cases', 'read_case', 'read_ticket', 'investigate_ticket', 'propose_changes', 'await_review', 'search_journal']));
      const answer = call('propose_changes', { title: 'Two files', files: [{ path: 'a.txt', content: 'one\n2\n' }, { path: 'b.txt', content: '3\n' }], wait_seconds: 280 });
      await workbench.showContainer('Casebook');
      await workbench.tree('Reviews').item('Two files').waitFor();
      expect([await onDisk('a.txt'), await onDisk('b.txt')]).toEqual(['one\ntwo\n', 'three\n']);
      await workbench.runCommand('Casebook: Accept All of a Review');
      expect((await answer).said).toContain('accepted');
      expect([await onDisk('a.txt'), await onDisk('b.txt')]).toEqual(['one\n2\n', '3\n']);
    });
  });

  it('an agent may ask for an investigation, and the person says yes or no', async () => {
    await session.step('refuse', async ({ workbench }) => {
      const refused = call('investigate_ticket', { text: ticket });
      await workbench.notification('some-agent asks to investigate “Launch is refused though the code is right”.').waitFor();
      await workbench.press('No');
      expect(await refused).toEqual({ isError: true, said: 'The person does not want this investigation.' });
      expect(await eventsOf(session.server.casebookHome, 'case.opened')).toEqual([]);
    });
    await session.step('agree', async ({ workbench }) => {
      const agreed = call('investigate_ticket', { text: ticket });
      await workbench.notification('some-agent asks to investigate').waitFor();
      await workbench.press('Investigate');
      const { isError, said } = await agreed;
      expect([isError, JSON.parse(said)]).toMatchObject([false, { status: 'concluded', verdict: { classification: 'bug' } }]);
      const { case: id } = JSON.parse(said) as { case: string };
      expect((await call('read_case', { case: id })).said).toContain('launch-guard.ts');
      await workbench.tree('Cases').item('Launch is refused').waitFor();
    });
  });

  it('agent mode finds the server by itself, and starts it with the token', async () => {
    await session.step('agent mode', async ({ workbench }) => {
      await workbench.runCommand('MCP: List Servers');
      await workbench.quickInput.pick('Casebook');
      await workbench.quickInput.pick('Start Server');
      await expect.poll(async () => (await eventsOf(session.server.casebookHome, 'client.connected')).map(({ body }) => body['client'])).toContainEqual(expect.stringMatching(/Visual Studio Code|code-server/u));
    });
  });

  it('I23: with a split editor it is told the one that has the keyboard last, also when the keyboard is elsewhere now', async () => {
    await session.step('split', async ({ workbench }) => {
      const active = async (): Promise<string[]> => (JSON.parse((await call('getOpenEditors', {})).said) as { tabs: { label: string; isActive: boolean }[] }).tabs.filter(({ isActive }) => isActive).map(({ label }) => label);
      await workbench.openFile('a.txt');
      await workbench.runCommand('View: Split Editor Right');
      await workbench.openFile('b.txt');
      await expect.poll(active).toEqual(['b.txt']);
      await workbench.runCommand('View: Focus into Primary Side Bar');
      await expect.poll(active).toEqual(['b.txt']);
      await workbench.runCommand('View: Focus First Editor Group');
      await expect.poll(active).toEqual(['a.txt']);
    });
  });

  it('I38: the setting ends the link and begins it, and nothing else does', async () => {
    await session.step('off and on', async ({ server }) => {
      const [lock] = await locksIn(server.home);
      const gone = await count('client.disconnected');
      await session.configure({ 'casebook.review.openIn': 'none', 'casebook.citationMarks': false });
      await session.configure({ 'casebook.link.enabled': false });
      await expect.poll(() => locksIn(server.home)).toEqual([]);
      await expect.poll(() => count('client.disconnected')).toBeGreaterThan(gone);
      await session.configure({ 'casebook.link.enabled': true });
      expect(await lockOf(server)).not.toMatchObject({ authToken: lock?.authToken });
      await connect(await lockOf(server));
      expect((await call('getOpenEditors', {})).isError).toBe(false);
    });
  });

  it('I08: finds the window where it was after the extension host crashed', async () => {
    await session.step('crash', async ({ server }) => {
      const lock = await lockOf(server);
      const earlier = await count('client.connected');
      const host = (await processesUnder(server.base)).find((line) => line.includes('extensionHost'));
      process.kill(Number.parseInt(host ?? '', 10), 'SIGKILL');
      await expect.poll(() => connect(lock).then(() => 'connected', String)).toBe('connected');
      expect((await call('getOpenEditors', {})).isError).toBe(false);
      expect(await count('client.connected')).toBeGreaterThan(earlier);
      const { port, authToken, workspaceFolders } = lock;
      await expect.poll(() => locksIn(server.home)).toMatchObject([{ port, authToken, workspaceFolders }]);
    });
  });
});

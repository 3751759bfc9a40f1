import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filler, makeRepository } from './harness/fixtures.ts';
import { lockOf } from './harness/link.ts';
import { vsix } from './harness/paths.ts';
import { eventsOf } from './harness/review.ts';
import { Session } from './harness/session.ts';

const ticket = `Launch is refused though the code is right\n\n    Error: launch refused: wrong code\n        at checkLaunch (/srv/rocket/src/launch-guard.ts:45:11)\n`;
/** People take their time; a client that waits for them says so. Milliseconds. */
const patient = { timeout: 300_000 };

describe('Casebook’s own tools in a window', () => {
  let session: Session;
  let folder: string;
  let client: Client;
  const onDisk = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
  const call = async (name: string, args: Record<string, unknown>): Promise<{ isError: boolean; said: string }> => {
    const { isError, content } = await client.callTool({ name, arguments: args }, patient);
    return { isError: isError === true, said: (content as { text?: string }[]).map(({ text }) => text ?? '').join('\n') };
  };

  beforeAll(async () => {
    folder = await makeRepository('rocket', { 'src/launch-guard.ts': `${filler(44, 'guard')}throw new Error('launch refused: wrong code');\n`, 'a.txt': 'one\ntwo\n', 'b.txt': 'three\n' });
    session = await Session.start({ name: 'link-tools', extensions: [vsix], folder, settings: { 'casebook.engine': 'scout' } });
  });

  afterAll(async () => {
    await client?.close();
    const left = await session?.stop();
    await rm(dirname(folder), { recursive: true, force: true });
    expect(left).toEqual([]);
  });

  it('are there for any MCP client, and a change of several files waits for the person', async () => {
    await session.step('propose', async ({ workbench, server }) => {
      const { port, authToken } = await lockOf(server);
      client = new Client({ name: 'some-agent', version: '1.0' });
      await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit: { headers: { Authorization: `Bearer ${authToken}` } } }));
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
});

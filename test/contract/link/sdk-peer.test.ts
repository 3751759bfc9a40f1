import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { headlessEditor } from '../../../extension/core/link/headless-editor.ts';
import { tokenFor } from '../../../extension/core/mcp/auth.ts';
import { type LinkTable, linkTable } from '../../unit/link/harness.ts';

let table: LinkTable;
let client: Client;
afterEach(async () => {
  await client.close();
  await table.link.close('shutdown');
});

/** The public SDK's client. `auto` asks first whether the server is of the era of 2026-07-28, which this one is not. */
describe.each(['legacy', 'auto'] as const)('the SDK’s client over HTTP, %s', (mode) => {
  it('shakes hands, lists the tools and calls one; a wrong call is told to it as such', async () => {
    let root = '';
    table = await linkTable({ 'a.txt': 'one\ntwo\n' }, { editor: { ...headlessEditor, window: true, selection: async () => ({ path: join(root, 'a.txt'), text: 'two', start: { line: 1, character: 0 }, end: { line: 1, character: 3 } }) } });
    ({ root } = table);
    client = new Client({ name: 'peer', version: '1.0.0' }, { versionNegotiation: { mode } });
    const headers = { Authorization: `Bearer ${tokenFor(table.token, 'gemini')}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${table.link.port}/mcp`), { requestInit: { headers } }));
    expect(client.getServerVersion()).toMatchObject({ name: 'casebook', version: '1.2.3' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('getCurrentSelection');
    expect(JSON.stringify(await client.callTool({ name: 'getCurrentSelection', arguments: {} }))).toContain('two');
    expect(await client.callTool({ name: 'openFile', arguments: { filePath: 4 } })).toMatchObject({ isError: true });
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow('nothing');
    await expect.poll(() => table.link.clients).toMatchObject([{ client: 'peer', dialect: 'mcp', transport: 'http' }]);
  });
});

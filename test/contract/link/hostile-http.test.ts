import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tokenFor } from '../../../extension/core/mcp/auth.ts';
import { type LinkTable, linkTable, textsOf, tokenHeader, until } from '../../unit/link/harness.ts';
import { connectHttp, jsonHeaders, knock, type Where } from '../../unit/link/http-client.ts';

let table: LinkTable;
beforeEach(async () => {
  table = await linkTable({ 'a.txt': 'one\n' });
});
afterEach(() => table.link.close('shutdown'));

const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } } });
const port = (): Where => ({ port: table.link.port });
const bearer = (): Record<string, string> => ({ authorization: `Bearer ${table.token}` });
async function copilotLock(): Promise<{ socketPath: string; headers: { Authorization: string } }> {
  return JSON.parse(await readFile(table.link.files['copilot'] ?? '', 'utf8')) as { socketPath: string; headers: { Authorization: string } };
}

describe('I03: an HTTP request without this window’s token', () => {
  it.each([
    ['none', () => ({})],
    ['an empty one', () => ({ authorization: 'Bearer ' })],
    ['a wrong one', () => ({ authorization: `Bearer ${'x'.repeat(43)}` })],
    ['one without its scheme’s word', () => ({ authorization: `Basic ${table.token}` })],
    ['one with a blank after it', () => ({ authorization: `Bearer ${table.token}  x` })],
    ['one of a family that does not exist', () => ({ authorization: `Bearer ${tokenFor(table.token, 'nobody')}` })],
    ['a wrong one beside the right one', () => ({ authorization: `Bearer ${table.token}`, [tokenHeader]: 'x' })],
  ])('with %s is refused with 401, unread', async (_what, headers) => {
    expect((await knock(port(), { headers: { ...jsonHeaders, ...headers() }, body: initialize })).status).toBe(401);
    await refused('unauthorized');
  });
  it('also with the token in its address', async () => {
    expect((await knock(port(), { path: `/mcp?token=${table.token}`, headers: jsonHeaders, body: initialize })).status).toBe(401);
    await refused('unauthorized');
  });
  it('is answered before its body has come, however large that is said to be', async () => {
    const status = await rawStatus(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${table.link.port}\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{`);
    expect(status).toBe('401');
  });
  it('over the socket too, also with the token of the port', async () => {
    const { socketPath, headers } = await copilotLock();
    for (const authorization of [`Bearer ${table.token}`, `Nonce ${table.token}`, 'Nonce x']) expect((await knock({ socketPath }, { headers: { ...jsonHeaders, authorization }, body: initialize })).status).toBe(401);
    expect((await knock({ socketPath }, { headers: { ...jsonHeaders, authorization: headers.Authorization }, body: initialize })).status).toBe(200);
  });
});

describe('an HTTP request with the token', () => {
  it.each([
    ['from a web page', 403, 'forbidden', { origin: 'https://example.com' }, '/mcp'],
    ['from a page of this machine', 403, 'forbidden', { origin: 'http://localhost' }, '/mcp'],
    ['to another name', 403, 'forbidden', { host: 'attacker.example' }, '/mcp'],
    ['to another path', 404, 'not_found', {}, '/mcp/'],
    ['to the place of WebSockets', 400, 'bad_request', {}, '/'],
  ] as const)('%s is refused with %i', async (_what, status, kind, headers, path) => {
    expect((await knock(port(), { path, headers: { ...jsonHeaders, ...bearer(), ...headers }, body: initialize })).status).toBe(status);
    await refused(kind);
  });
  it.each([
    ['without a session', 400, {}, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
    ['of a session that is not there', 404, { 'mcp-session-id': 'gone' }, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
    ['that is no JSON', 400, {}, '{half'],
    ['that is JSON and no message', 400, {}, '[1]'],
    ['that is an empty batch', 400, {}, '[]'],
    ['that is not said to be JSON', 415, { 'content-type': 'text/plain' }, initialize],
  ] as const)('%s is answered with %i, and nobody is connected', async (_what, status, headers, body) => {
    expect((await knock(port(), { headers: { ...jsonHeaders, ...bearer(), ...headers }, body })).status).toBe(status);
    expect(table.link.clients).toEqual([]);
  });
  it.each([
    ['PUT', 405, {}],
    ['GET', 400, {}],
    ['GET', 404, { 'mcp-session-id': 'gone' }],
    ['DELETE', 404, { 'mcp-session-id': 'gone' }],
  ])('%s without a session is answered with %i', async (method, status, headers) => {
    expect((await knock(port(), { method, headers: { ...bearer(), ...headers } })).status).toBe(status);
  });
  it('beyond the cap is refused with 413 unread', async () => {
    expect(await rawStatus(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${table.link.port}\r\nAuthorization: Bearer ${table.token}\r\nContent-Type: application/json\r\nContent-Length: ${33 * 1024 * 1024}\r\n\r\n{`)).toBe('413');
  });
  it('that goes on for ever in pieces is ended at the cap', async () => {
    const socket = createConnection(table.link.port, '127.0.0.1');
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${table.link.port}\r\nAuthorization: Bearer ${table.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const piece = Buffer.alloc(1024 * 1024, 'x');
    while (!socket.destroyed && socket.writable) {
      if (!socket.write(Buffer.concat([Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')]))) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
      if (socket.bytesWritten > 64 * 1024 * 1024) break;
    }
    socket.resume();
    await closed;
    expect(socket.bytesWritten).toBeLessThan(64 * 1024 * 1024);
  });
});

describe('a session over HTTP', () => {
  const client = (name = 'someone') => connectHttp(port(), `Bearer ${table.token}`, { name });
  it('I31: wrong arguments, unknown tools and methods are answered for their ids, and it goes on', async () => {
    const one = await client('streamable-http-client');
    expect((await one.call('nothing', {})).error?.code).toBe(-32602);
    expect((await one.call('openDiff', { filePath: 4 })).result?.isError).toBe(true);
    expect((await one.request('no/such')).error?.code).toBe(-32601);
    expect((await one.request('ping', undefined, 'a')).result).toEqual({});
    await one.close();
  });
  it('has one stream; a second one is refused with 409, and one that is dropped may come again and hears what was said meanwhile', async () => {
    const one = await client('streamable-http-client');
    const path = join(table.root, 'a.txt');
    const first = await one.listen();
    expect([first.status, (await one.listen()).status]).toEqual([200, 409]);
    first.drop();
    expect(textsOf(await one.call('openDiff', { filePath: path, newContent: 'two\n' }))).toEqual([]);
    const { id, revision } = await table.oneSet();
    await table.desk.decideAll(id, 'accept', { via: 'test', revision });
    await until(() => table.events('changeset.settled')[0]);
    expect((await one.listen()).status).toBe(200);
    expect(await one.hear((frame) => ((frame as { method?: string }).method === 'ide/diffAccepted' ? frame : undefined))).toMatchObject({ params: { filePath: path, content: 'two\n' } });
    await one.close();
  });
  it('does not hear another’s answers, and its name opens nothing without the token', async () => {
    const [one, other] = [await client(), await client()];
    expect((await one.request('ping', undefined, 7)).result).toEqual({});
    expect(other.heard).not.toContainEqual(expect.objectContaining({ id: 7 }));
    expect((await knock(port(), { headers: { ...jsonHeaders, 'mcp-session-id': one.session }, body: initialize })).status).toBe(401);
    await Promise.all([one.close(), other.close()]);
  });
  it('ends by DELETE, and is then unknown', async () => {
    const one = await client();
    await until(() => (table.link.clients.length === 1 ? true : undefined));
    await one.close();
    expect(table.link.clients).toEqual([]);
    expect((await knock(port(), { headers: { ...jsonHeaders, ...bearer(), 'mcp-session-id': one.session }, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' })).status).toBe(404);
  });
  it('ends when its client goes without a word', async () => {
    const one = await client('streamable-http-client');
    const stream = await one.listen();
    const path = join(table.root, 'a.txt');
    await one.call('openDiff', { filePath: path, newContent: 'two\n' });
    await table.oneSet();
    stream.drop();
    expect((await until(() => table.events('changeset.detached')[0])).body).toEqual({ why: 'gone' });
    expect(table.link.clients).toEqual([]);
  });
  it('takes a session’s name that its client chose, and no name that is none', async () => {
    const one = await connectHttp(port(), `Bearer ${table.token}`, { name: 'someone', session: 'my-own' });
    expect(one.session).toBe('my-own');
    expect((await knock(port(), { headers: { ...jsonHeaders, ...bearer(), 'mcp-session-id': 'a b' }, body: initialize })).status).toBe(400);
    await one.close();
  });
  it('answers in plain JSON where no stream is taken', async () => {
    const reply = await knock(port(), { headers: { ...bearer(), 'content-type': 'application/json', accept: 'application/json' }, body: initialize });
    expect(JSON.parse(reply.body)).toMatchObject({ id: 1, result: { serverInfo: { name: 'casebook' } } });
  });
});

describe('the socket', () => {
  it('is for this user alone, in a folder of its own that goes with the link', async () => {
    const { socketPath } = await copilotLock();
    expect((await stat(socketPath)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(socketPath))).mode & 0o777).toBe(0o700);
    await table.link.close('shutdown');
    await expect(stat(dirname(socketPath))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('Codex’s socket', () => {
  const ask = (path: string, bytes: Buffer): Promise<Buffer> =>
    new Promise((resolve) => {
      const parts: Buffer[] = [];
      const socket = createConnection(path, () => socket.write(bytes));
      socket.on('data', (part: Buffer) => {
        parts.push(part);
        if (Buffer.concat(parts).length >= 4 + Buffer.concat(parts).readUInt32LE(0)) socket.destroy();
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(Buffer.concat(parts)));
    });
  const frame = (value: unknown): Buffer => {
    const body = Buffer.from(JSON.stringify(value));
    const head = Buffer.alloc(4);
    head.writeUInt32LE(body.length);
    return Buffer.concat([head, body]);
  };
  const request = (workspaceRoot: string) => ({ type: 'request', requestId: 'r1', sourceClientId: 'codex-tui', version: 0, method: 'ide-context', params: { workspaceRoot } });

  it('is for this user alone, and answers for the folders of this window only', async () => {
    const path = table.link.files['codex'] ?? '';
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
    expect(JSON.parse((await ask(path, frame(request(table.root)))).subarray(4).toString())).toMatchObject({ requestId: 'r1', resultType: 'success', result: { ideContext: { openTabs: [] } } });
    expect(JSON.parse((await ask(path, frame(request('/etc')))).subarray(4).toString())).toMatchObject({ resultType: 'error', error: 'no-client-found' });
    expect(await readdir(dirname(path))).toEqual(['ipc.sock']);
  });
  it('is closed to what is too long, no JSON, or no request', async () => {
    const path = table.link.files['codex'] ?? '';
    const long = Buffer.alloc(8);
    long.writeUInt32LE(0xffffffff);
    for (const bytes of [long, Buffer.concat([Buffer.from([3, 0, 0, 0]), Buffer.from('{ha')]), frame({ hello: 1 })]) expect(await ask(path, bytes)).toHaveLength(0);
  });
  it('is never taken from another window, which is said; and is free again when that one ends', async () => {
    const second = await linkTable({}, { home: table.home, env: { TMPDIR: await mkdtemp(join(tmpdir(), 'casebook-other-')) } });
    expect(second.link.files['codex']).toBeUndefined();
    expect(second.link.unannounced).toEqual([{ family: 'codex', why: expect.stringContaining('another program or window') as string }]);
    await table.link.close('shutdown');
    await second.link.refresh();
    expect(second.link.files['codex']).toBe(join(table.home, '.codex', 'ipc', 'ipc.sock'));
    await second.link.close('shutdown');
  });
});

function rawStatus(head: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection(table.link.port, '127.0.0.1', () => socket.write(head));
    socket.on('error', () => {});
    socket.once('data', (data) => {
      resolve(data.toString('latin1').split(' ')[1] ?? '');
      socket.destroy();
    });
  });
}

async function refused(kind: string): Promise<void> {
  await until(() => (table.events('client.refused').some((event) => event.body?.kind === kind) ? true : undefined));
  expect(table.events('client.connected')).toEqual([]);
}

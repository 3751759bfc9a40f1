import { createConnection } from 'node:net';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { connectTo, type LinkTable, linkTable, lockOf, textsOf, tokenHeader, until } from '../../unit/link/harness.ts';

let table: LinkTable;
beforeEach(async () => {
  table = await linkTable({ 'a.txt': 'one\n' });
});
afterEach(() => table.link.close('shutdown'));

/** The status that answers an upgrade with these headers; 101 when it is accepted. */
function knock(headers: Record<string, string>, options: { path?: string; protocols?: readonly string[] } = {}): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${table.link.port}${options.path ?? '/'}`, [...(options.protocols ?? ['mcp'])], { headers });
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on('open', () => {
      resolve(101);
      socket.terminate();
    });
    socket.on('error', () => {});
  });
}

describe('I03: a connection without this window’s token', () => {
  it.each([
    ['none', () => ({})],
    ['an empty one', () => ({ [tokenHeader]: '' })],
    ['a wrong one', () => ({ [tokenHeader]: 'x'.repeat(43) })],
    ['a part of it', () => ({ [tokenHeader]: table.token.slice(0, -1) })],
    ['one in other letter case', () => ({ [tokenHeader]: table.token.toUpperCase() })],
    ['one in the wrong header', () => ({ cookie: table.token })],
    ['one of another scheme', () => ({ authorization: `Nonce ${table.token}` })],
    ['a wrong one beside the right one', () => ({ authorization: 'Bearer x', [tokenHeader]: table.token })],
  ])('with %s is refused with 401', async (_what, headers) => {
    expect(await knock(headers())).toBe(401);
    await refused('unauthorized');
  });
  it('also with the token in the query, with a blank inside, or of a window before', async () => {
    expect(await knock({}, { path: `/?auth=${table.token}` })).toBe(401);
    expect(await rawKnock(`${tokenHeader}: ${table.token} x`)).toBe('401');
    const before = table.token;
    await table.link.close('shutdown');
    table = await linkTable({});
    expect(await knock({ [tokenHeader]: before })).toBe(401);
    await refused('unauthorized');
  });
});

describe('a connection with the token', () => {
  it.each([
    ['from a web page', 403, 'forbidden', { origin: 'https://example.com' }, {}],
    ['from a page that hides where it is from', 403, 'forbidden', { origin: 'null' }, {}],
    ['from a page of this machine', 403, 'forbidden', { origin: 'http://127.0.0.1' }, {}],
    ['to another name', 403, 'forbidden', { host: 'attacker.example' }, {}],
    ['to another port’s name', 403, 'forbidden', { host: '127.0.0.1:1' }, {}],
    ['to another path', 404, 'not_found', {}, { path: '/mcp' }],
    ['with other protocols only', 400, 'bad_request', {}, { protocols: ['chat'] }],
  ] as const)('%s is refused with %i', async (_what, status, kind, headers, options) => {
    expect(await knock({ [tokenHeader]: table.token, ...headers }, options)).toBe(status);
    await refused(kind);
  });
  it('is taken when all is right, also without a protocol', async () => {
    expect(await knock({ [tokenHeader]: table.token })).toBe(101);
    expect(await knock({ [tokenHeader]: table.token }, { protocols: [] })).toBe(101);
    expect(table.events('client.refused')).toEqual([]);
  });
  it('that is plain HTTP is refused with 400, after the checks that come first', async () => {
    const url = `http://127.0.0.1:${table.link.port}/`;
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { method: 'POST', body: 'x', headers: { [tokenHeader]: table.token } })).status).toBe(400);
    expect((await fetch(url, { headers: { [tokenHeader]: table.token, origin: 'http://evil' } })).status).toBe(403);
  });
});

describe('refusals on record', () => {
  it('never hold a token, and many of them are one event', async () => {
    const given = 'secret-that-was-tried';
    for (let count = 0; count < 5; count += 1) await knock({ [tokenHeader]: given });
    await knock({}, { path: `/?auth=${table.token}` });
    await table.link.close('shutdown');
    const events = table.events('client.refused');
    expect(events.map((event) => event.body?.count)).toEqual([1, 5]);
    expect(JSON.stringify(events)).not.toContain(given);
    expect(JSON.stringify(events)).not.toContain(table.token);
  });
});

describe('frames', () => {
  it('a proposal of 20 MB is answered for its id, and the connection lives', async () => {
    const client = await table.client();
    const answer = await client.call('openDiff', { old_file_path: 4, new_file_contents: 'x'.repeat(20 * 1024 * 1024), tab_name: 't' });
    expect(answer.result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('old_file_path') as string }] });
    expect((await client.request('ping')).result).toEqual({});
    await client.close();
  });
  it('one beyond the cap ends that connection unread, and no other', async () => {
    const [loud, quiet] = [await table.client(), await table.client()];
    loud.raw(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'openDiff', arguments: { old_file_path: join(table.root, 'a.txt'), new_file_contents: 'x'.repeat(33 * 1024 * 1024), tab_name: 't' } } }));
    expect([1009, 1006]).toContain(await loud.closed);
    expect((await quiet.request('ping')).result).toEqual({});
    expect(await table.pending()).toEqual([]);
    await quiet.close();
  });
  it('a client that says nothing is cut off', async () => {
    await table.link.close('shutdown');
    table = await linkTable({}, { silence: 20 });
    const silent = await connectTo(table.link.port, { [tokenHeader]: table.token });
    expect(await silent.closed).toBe(1008);
  });
  it('a connection that never sends its request holds up nobody and ends with the link', async () => {
    const idle = createConnection(table.link.port, '127.0.0.1');
    const ended = new Promise((resolve) => idle.once('close', resolve));
    idle.on('error', () => {});
    idle.write('GET / HTTP/1.1\r\n');
    const client = await table.client();
    expect((await client.request('ping')).result).toEqual({});
    await table.link.close('shutdown');
    await ended;
  });
});

describe('paths of others', () => {
  it('I39: what leads out of the workspace is refused, nothing is on the desk and nothing is read', async () => {
    const client = await table.client();
    for (const path of ['/etc/passwd', join(table.root, '..', 'x.txt'), `${table.root}-secret/x.ts`]) {
      const answer = await client.call('openDiff', { old_file_path: path, new_file_path: path, new_file_contents: 'x', tab_name: path });
      expect(answer.result?.isError).toBe(true);
      expect(textsOf(answer).join()).toContain(table.root);
    }
    expect(await table.pending()).toEqual([]);
    await client.close();
  });
});

describe('the end of the link', () => {
  it('removes the lock and says the truth to who waits', async () => {
    const client = await table.client();
    const path = join(table.root, 'a.txt');
    const answer = client.call('openDiff', { old_file_path: path, new_file_path: path, new_file_contents: 'two\n', tab_name: 't' });
    await table.oneSet();
    expect(await lockOf(table.link)).toMatchObject({ pid: process.pid, workspaceFolders: [table.root] });
    await table.link.close('shutdown');
    expect((await answer).result?.isError).toBe(true);
    expect(textsOf(await answer).join()).toContain('Nobody has decided');
    expect(await client.closed).toBe(1001);
    expect(await readdir(join(table.home, '.claude', 'ide'))).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe('one\n');
    expect((await table.pending()).map((set) => set.status)).toEqual(['pending']);
    expect(table.events('changeset.detached').map((event) => event.body)).toEqual([{ why: 'shutdown' }]);
    await until(() => table.events('client.disconnected')[0]);
    expect(table.events('client.disconnected')[0]?.body).toMatchObject({ why: 'shutdown', calls: 1 });
  });
});

/** The status that answers a head that no library would send. */
function rawKnock(header: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection(table.link.port, '127.0.0.1', () => socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${table.link.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: mcp\r\n${header}\r\n\r\n`));
    socket.on('error', () => {});
    socket.once('data', (data) => {
      resolve(data.toString('latin1').split(' ')[1] ?? '');
      socket.destroy();
    });
  });
}

/** It is on record, and nobody became a client. */
async function refused(kind: string): Promise<void> {
  await until(() => (table.events('client.refused').some((event) => event.body?.kind === kind) ? true : undefined));
  expect(table.events('client.connected')).toEqual([]);
  expect(table.link.clients).toEqual([]);
}

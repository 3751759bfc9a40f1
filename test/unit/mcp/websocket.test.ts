import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { newToken, sameSecret } from '../../../extension/core/mcp/auth.ts';
import type { Channel } from '../../../extension/core/mcp/channel.ts';
import type { Frame } from '../../../extension/core/mcp/json-rpc.ts';
import { listen as listenMcp, type Listener, type ListenOptions } from '../../../extension/core/mcp/listener.ts';

let listener: Listener;
afterEach(() => listener.close());

const token = newToken();
interface Peer {
  channel: Channel;
  frames: Frame[];
  lost: number;
}
async function listen(over: Partial<ListenOptions> = {}): Promise<Peer[]> {
  const peers: Peer[] = [];
  const onChannel: ListenOptions['onChannel'] = (channel) => {
    const peer: Peer = { channel, frames: [], lost: 0 };
    peers.push(peer);
    return { receive: (frame) => peer.frames.push(frame), lost: () => void (peer.lost += 1) };
  };
  listener = await listenMcp({ at: { port: 0 }, tokens: [{ token }], credentials: [{ header: 'x-token' }], onChannel, onRefused: () => {}, ...over });
  return peers;
}
const message = (method: string) => ({ jsonrpc: '2.0', method }) as const;
async function connect(): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${listener.port}/`, ['mcp'], { headers: { 'x-token': token } });
  socket.on('error', () => {});
  await once(socket, 'open');
  return socket;
}

describe('a peer that does not read', () => {
  it('is cut off once too much waits for it, while others hear everything', async () => {
    const peers = await listen({ limits: { waiting: 256 * 1024 } });
    const stuck = await connect();
    stuck.pause();
    const lively = await connect();
    const [toStuck, toLively] = peers;
    if (toStuck === undefined || toLively === undefined) throw new Error('two peers are connected');
    const heard: string[] = [];
    lively.on('message', (data) => heard.push((JSON.parse((data as Buffer).toString('utf8')) as { method: string }).method));
    let sent = 0;
    // What the system's own buffers take comes first; how much that is differs between machines.
    while (toStuck.lost === 0 && sent < 1000) {
      toStuck.channel.send(message('x'.repeat(1024 * 1024)));
      toLively.channel.send(message(String(sent++)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(toStuck.lost).toBe(1);
    while (heard.length < sent) await once(lively, 'message');
    expect(heard).toEqual(Array.from({ length: sent }, (_, index) => String(index)));
  });
});

describe('a frame', () => {
  it('beyond the cap is not read and ends that connection', async () => {
    const peers = await listen({ limits: { frame: 100 } });
    const socket = await connect();
    const closed = once(socket, 'close') as Promise<[number]>;
    socket.send(JSON.stringify({ method: 'x'.repeat(87) }));
    socket.send('y'.repeat(101));
    expect((await closed)[0]).toBe(1009);
    expect(peers[0]?.frames.map((frame) => frame.messages)).toEqual([[{ kind: 'notification', method: 'x'.repeat(87), params: {} }]]);
  });
});

describe('the connection', () => {
  it('speaks mcp, without compression, on 127.0.0.1 only', async () => {
    await listen();
    const socket = await connect();
    expect(socket.protocol).toBe('mcp');
    expect(socket.extensions).toBe('');
    await listener.close();
    expect(socket.readyState).not.toBe(socket.OPEN);
  });
  it('is not had on a port that is taken, which is said', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    await expect(listen({ at: { port: (taken.address() as AddressInfo).port } })).rejects.toMatchObject({ reason: 'cannot_listen' });
    taken.close();
    await listen();
  });
});

describe('secrets', () => {
  it('are equal only where every letter is, and an empty one never is', async () => {
    await listen();
    expect(sameSecret(token, token)).toBe(true);
    for (const given of ['', token.slice(1), `${token} `, token.toLowerCase()]) expect(sameSecret(given, token)).toBe(false);
    expect(sameSecret('', '')).toBe(false);
    expect(newToken()).not.toBe(token);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });
});

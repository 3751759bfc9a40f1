import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readFrame } from '../../../extension/core/mcp/json-rpc.ts';
import { LinkSession } from '../../../extension/core/link/session.ts';
import { jsonAnswer, linkTool } from '../../../extension/core/link/tool.ts';

/** A session with two tools; everything it says, in order. */
function session() {
  const said: unknown[] = [];
  const held = Promise.withResolvers<void>();
  const ran: string[] = [];
  const one = new LinkSession({
    channel: { send: (message) => said.push(JSON.parse(JSON.stringify(message))) },
    version: '1.2.3',
    window: false,
    begin: () => ({ tools: [
      linkTool({ name: 'echo', description: 'Says it again.', input: z.object({ text: z.string() }), run: async ({ text }) => (ran.push(text), { texts: [text] }) }),
      linkTool({
        name: 'hold',
        description: 'Waits.',
        input: z.object({}),
        needsWindow: true,
        run: async (_input, signal) => {
          await Promise.race([held.promise, new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))]);
          return jsonAnswer({ aborted: signal.aborted ? (signal.reason as DOMException).name : null });
        },
      }),
    ] }),
    ready: () => {},
    onPid: () => {},
  });
  const say = async (frame: unknown): Promise<unknown[]> => {
    said.length = 0;
    one.receive(readFrame(typeof frame === 'string' ? frame : JSON.stringify(frame)));
    await new Promise((resolve) => setImmediate(resolve));
    return [...said];
  };
  const begin = () => say({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2024-11-05', clientInfo: { name: 'claude-code', version: '2' } } });
  return { one, say, begin, said, ran, release: held.resolve };
}
const call = (id: unknown, name: unknown, args: unknown = {}) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });

describe('the handshake', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('speaks the protocol of %s as asked', async (protocolVersion) => {
    const { say } = session();
    expect(await say({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion } })).toEqual([{ jsonrpc: '2.0', id: 0, result: { protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'casebook', version: '1.2.3' } } }]);
  });
  it('offers the newest to a client that asks for an unknown one', async () => {
    const { say } = session();
    expect(await say({ jsonrpc: '2.0', id: 'a', method: 'initialize', params: { protocolVersion: '2031-01-01' } })).toMatchObject([{ id: 'a', result: { protocolVersion: '2025-11-25' } }]);
  });
  it('comes once, and before anything else', async () => {
    const { say, begin } = session();
    expect(await say({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).toMatchObject([{ id: 1, error: { code: -32600 } }]);
    expect(await say(call(2, 'echo', { text: 'x' }))).toMatchObject([{ id: 2, error: { code: -32600 } }]);
    expect(await say({ jsonrpc: '2.0', id: 3, method: 'ping' })).toEqual([{ jsonrpc: '2.0', id: 3, result: {} }]);
    await begin();
    expect(await begin()).toMatchObject([{ id: 0, error: { code: -32600 } }]);
  });
});

describe('I31: whatever is sent, each id gets its answer and the session goes on', () => {
  it.each([
    ['broken JSON', '{"jsonrpc":', null, -32700],
    ['no object', '3', null, -32600],
    ['an empty batch', '[]', null, -32600],
    ['a batch without end', `[${Array.from({ length: 101 }, () => '{}').join(',')}]`, null, -32600],
    ['no method', '{"id":7}', 7, -32600],
    ['an id of no known kind', '{"id":{},"method":"ping"}', null, -32600],
    ['parameters in a list', '{"id":"x","method":"ping","params":[1]}', 'x', -32602],
    ['an unknown method', '{"id":8,"method":"server/discover"}', 8, -32601],
    ['an unknown tool', JSON.stringify(call(9, 'executeCode')), 9, -32602],
    ['a tool without a name', JSON.stringify(call('n', 4)), 'n', -32602],
    ['the name of something every object has', JSON.stringify(call(10, 'constructor')), 10, -32602],
  ])('%s', async (_what, frame, id, code) => {
    const { say, begin, ran } = session();
    await begin();
    expect(await say(frame)).toMatchObject([{ jsonrpc: '2.0', id, error: { code } }]);
    expect(await say(call('after', 'echo', { text: 'still here' }))).toEqual([{ jsonrpc: '2.0', id: 'after', result: { content: [{ type: 'text', text: 'still here' }] } }]);
    expect(ran).toEqual(['still here']);
  });

  it('wrong arguments are a failed call that names them', async () => {
    const { say, begin, ran } = session();
    await begin();
    for (const args of [{}, { text: 4 }, []]) expect(await say(call(1, 'echo', args))).toMatchObject([{ id: 1, result: { isError: true, content: [{ type: 'text', text: expect.stringContaining(Array.isArray(args) ? 'echo' : 'text') as string }] } }]);
    expect(ran).toEqual([]);
  });

  it('a batch is answered together, notifications and answers to us not at all', async () => {
    const { say, begin } = session();
    await begin();
    const batch = [call('a', 'echo', { text: '1' }), { jsonrpc: '2.0', method: 'notifications/whatever' }, { jsonrpc: '2.0', id: 5, result: {} }, call(2, 'none'), 7];
    expect(await say(batch)).toMatchObject([[{ id: 'a', result: {} }, { id: 2, error: {} }, { id: null, error: {} }]]);
    expect(await say([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).toEqual([]);
  });

  it('tools/list offers what is of use here, the rest can still be called', async () => {
    const { say, begin } = session();
    await begin();
    const [list] = (await say({ jsonrpc: '2.0', id: 1, method: 'tools/list' })) as { result: { tools: { name: string; inputSchema: object }[] } }[];
    expect(list?.result.tools).toMatchObject([{ name: 'echo', inputSchema: { type: 'object', required: ['text'] } }]);
  });
});

describe('open calls', () => {
  it('do not hold up others, and an id can be open only once', async () => {
    const { say, begin, said, release } = session();
    await begin();
    expect(await say(call(1, 'hold'))).toEqual([]);
    expect(await say(call(1, 'echo', { text: 'x' }))).toMatchObject([{ id: 1, error: { code: -32600 } }]);
    expect(await say(call('1', 'echo', { text: 'y' }))).toMatchObject([{ id: '1', result: {} }]);
    said.length = 0;
    release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(said).toMatchObject([{ id: 1, result: {} }]);
  });
  it('are not answered once their client took them back', async () => {
    const { say, begin } = session();
    await begin();
    await say(call(1, 'hold'));
    expect(await say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })).toEqual([]);
    expect(await say(call(1, 'echo', { text: 'free again' }))).toMatchObject([{ id: 1, result: {} }]);
  });
  it('are answered before the session closes, and not when the client is gone', async () => {
    const first = session();
    await first.begin();
    await first.say(call(1, 'hold'));
    await first.one.close('shutdown');
    expect(first.said).toMatchObject([{ id: 1, result: { content: [{ text: '{"aborted":"shutdown"}' }] } }]);
    const second = session();
    await second.begin();
    await second.say(call(1, 'hold'));
    second.one.lost();
    await second.one.close('shutdown');
    expect(second.said).toEqual([]);
  });
  it('are at most 64', async () => {
    const { say, begin } = session();
    await begin();
    for (let id = 1; id <= 64; id += 1) await say(call(id, 'hold'));
    expect(await say(call(65, 'echo', { text: 'x' }))).toMatchObject([{ id: 65, error: { code: -32603 } }]);
  });
});

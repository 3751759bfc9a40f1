import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JSONRPCMessage, McpServer, type Transport } from '@modelcontextprotocol/server';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { Emitter } from '../../extension/core/base/emitter.ts';
import { nullLogger } from '../../extension/core/base/logger.ts';
import { createMemoryJournal } from '../../extension/core/journal/memory.ts';
import type { Editor, EditorChange } from '../../extension/core/link/editor.ts';
import { headlessEditor } from '../../extension/core/link/headless-editor.ts';
import { startLink } from '../../extension/core/link/server.ts';
import { usualSharing } from '../../extension/core/link/shared-editor.ts';
import { connectTo, tokenHeader, type WireClient } from '../unit/link/harness.ts';

/** Milliseconds. */
export interface Times {
  p50: number;
  p99: number;
}

const rounds = { small: 1000, large: 20, fanOut: 30 };

/** The link's round trips and its fan-out of a selection, and beside them, over the same sockets, a server of the public SDK with one trivial tool. */
export async function measureLink(): Promise<Record<string, Times>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'casebook-bench-link-')));
  const moved = new Emitter<EditorChange>(() => {});
  const state = { problems: 0, selected: 0 };
  const editor: Editor = {
    ...headlessEditor,
    window: true,
    onDidChange: moved.subscribe,
    selection: async () => ({ path: join(folder, 'a.txt'), text: `text ${state.selected}`, start: { line: 0, character: 0 }, end: { line: 0, character: 6 } }),
    diagnostics: async () => [{ path: join(folder, 'a.txt'), diagnostics: Array.from({ length: state.problems }, (_none, line) => ({ message: `Cannot find name ${line}`, severity: 'Error' as const, start: { line, character: 0 }, end: { line, character: 4 }, source: 'ts', code: '2304' })) }],
  };
  await writeFile(join(folder, 'a.txt'), 'some text\n');
  const nobody = (): never => {
    throw new Error('nothing is proposed here');
  };
  const link = await startLink({ desk: { propose: nobody, decidedElsewhere: nobody, file: nobody }, journal: createMemoryJournal(), editor, sharing: usualSharing, trusted: () => true, roots: () => [{ name: 'w', path: folder }], version: '0', logger: nullLogger, env: { TMPDIR: folder }, home: folder });
  const bare = await bareServer();
  try {
    const join8 = Array.from({ length: 8 }, () => begin(link.port, { [tokenHeader]: link.token }));
    const [client] = await Promise.all(join8) as [WireClient];
    const trivial = await begin(bare.port, {});
    const results: Record<string, Times> = { bareTrivialTool: await roundTrips(trivial, 'trivial', rounds.small), getCurrentSelection: await roundTrips(client, 'getCurrentSelection', rounds.small) };
    for (const problems of [1, 100, 10_000]) {
      state.problems = problems;
      results[`getDiagnostics${problems}`] = await roundTrips(client, 'getDiagnostics', problems > 100 ? rounds.large : rounds.small);
    }
    const move = (): void => {
      state.selected += 1;
      moved.fire({ kind: 'selection' });
    };
    const clients = await Promise.all(join8);
    results['selectionToOne'] = await fanOut(clients.slice(0, 1), move, () => state.selected);
    results['selectionToEight'] = await fanOut(clients, move, () => state.selected);
    return results;
  } finally {
    await link.close('shutdown');
    await bare.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function begin(port: number, headers: Record<string, string>): Promise<WireClient> {
  const client = await connectTo(port, headers);
  await client.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'claude-code', version: '0' } });
  client.notify('notifications/initialized', {});
  return client;
}

async function roundTrips(client: WireClient, tool: string, count: number): Promise<Times> {
  const times: number[] = [];
  for (let round = 0; round < count; round += 1) {
    client.heard.length = 0;
    const from = performance.now();
    await client.call(tool, {});
    times.push(performance.now() - from);
  }
  return timesOf(times);
}

/** From a move of the selection until the last of the clients has heard of it. The link waits between two moves; that is not in it. */
async function fanOut(clients: readonly WireClient[], move: () => void, selected: () => number): Promise<Times> {
  const times: number[] = [];
  for (let round = 0; round < rounds.fanOut; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const from = performance.now();
    move();
    const text = `text ${selected()}`;
    await Promise.all(clients.map((client) => client.hear((frame) => ((frame as { params?: { text?: string } }).params?.text === text ? true : undefined))));
    times.push(performance.now() - from);
  }
  return timesOf(times);
}

function timesOf(times: readonly number[]): Times {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** A server of the public SDK, over the same kind of socket. */
async function bareServer(): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, handleProtocols: () => 'mcp' });
  await new Promise<void>((resolve) => sockets.once('listening', () => resolve()));
  sockets.on('connection', (socket) => {
    const server = new McpServer({ name: 'bare', version: '0' });
    server.registerTool('trivial', { description: 'Says something.', inputSchema: z.object({}) }, async () => ({ content: [{ type: 'text', text: 'something' }] }));
    void server.connect(transportOver(socket));
  });
  return {
    port: (sockets.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      await new Promise<void>((resolve) => sockets.close(() => resolve()));
    },
  };
}

function transportOver(socket: WebSocket): Transport {
  const transport: Transport = {
    start: async () => void socket.on('message', (data: Buffer) => transport.onmessage?.(JSON.parse(data.toString('utf8')) as JSONRPCMessage)),
    send: async (message) => socket.send(JSON.stringify(message)),
    close: async () => socket.close(),
  };
  return transport;
}

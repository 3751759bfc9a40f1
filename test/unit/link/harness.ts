import { mkdtemp, readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import { createMemoryJournal } from '../../../extension/core/journal/memory.ts';
import type { AnyEvent } from '../../../extension/core/journal/port.ts';
import { headlessEditor } from '../../../extension/core/link/headless-editor.ts';
import { usualSharing } from '../../../extension/core/link/shared-editor.ts';
import { type Link, type LinkOptions, startLink } from '../../../extension/core/link/server.ts';
import type { SetState } from '../../../extension/core/review/desk/state.ts';
import { type Table, tableOn } from '../review/desk-harness.ts';
import { newTree } from '../review/trees.ts';

/** The header by which the clients show their token. */
export const tokenHeader = 'x-claude-code-ide-authorization';

export interface LinkTable extends Table {
  link: Link;
  home: string;
  token: string;
  /** A connected client that has shaken hands as `name`. */
  client(name?: string): Promise<WireClient>;
  /** The only set on the desk, once it is there. */
  oneSet(): Promise<SetState>;
  events<K extends AnyEvent['kind']>(kind: K): Extract<AnyEvent, { kind: K }>[];
}

/** A link on a desk with a real folder, a journal in memory and a home of its own. */
export async function linkTable(files: Record<string, string>, over: Partial<LinkOptions> = {}): Promise<LinkTable> {
  const { root: made, state } = await newTree(files);
  const root = await realpath(made);
  const journal = createMemoryJournal();
  const events: AnyEvent[] = [];
  journal.onEvent((event) => events.push(event));
  const table = tableOn(root, state, { journal });
  const home = await mkdtemp(join(tmpdir(), 'casebook-link-'));
  const link = await startLink({ desk: table.desk, journal, editor: headlessEditor, sharing: usualSharing, trusted: () => true, roots: () => [{ name: 'w', path: root }], version: '1.2.3', logger: nullLogger, env: { TMPDIR: home }, home, ...over });
  return {
    ...table,
    link,
    home,
    token: link.token,
    client: async (name = 'claude-code') => {
      const client = await connectTo(link.port, { [tokenHeader]: link.token });
      await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version: '2.1.332' } });
      client.notify('notifications/initialized', {});
      return client;
    },
    oneSet: () =>
      until(async () => {
        const { pending } = await table.desk.list();
        return pending[0];
      }),
    events: <K extends AnyEvent['kind']>(kind: K) => events.filter((event): event is Extract<AnyEvent, { kind: K }> => event.kind === kind),
  };
}

export async function lockOf(link: Link): Promise<{ authToken: string; workspaceFolders: string[]; pid: number }> {
  return JSON.parse(await readFile(link.files['claude'] ?? '', 'utf8')) as { authToken: string; workspaceFolders: string[]; pid: number };
}

export interface Answer {
  id: number | string | null;
  result?: { content?: { type: string; text: string }[]; isError?: boolean; tools?: { name: string }[]; protocolVersion?: string };
  error?: { code: number; message: string };
}

/** What a client says and hears, frame by frame. */
export interface WireClient {
  socket: WebSocket;
  /** Every frame heard so far. */
  heard: unknown[];
  request(method: string, params?: unknown, id?: number | string): Promise<Answer>;
  call(name: string, args: unknown): Promise<Answer>;
  notify(method: string, params: unknown): void;
  raw(text: string): void;
  /** The next frame that satisfies. */
  hear<T>(pick: (frame: unknown) => T | undefined): Promise<T>;
  closed: Promise<number>;
  close(): Promise<void>;
}

export async function connectTo(port: number, headers: Record<string, string>, options: { path?: string; protocols?: string[] } = {}): Promise<WireClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${options.path ?? '/'}`, options.protocols ?? ['mcp'], { headers });
  const heard: unknown[] = [];
  const listeners = new Set<() => void>();
  const changed = (): void => listeners.forEach((listener) => listener());
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => (resolve(code), changed())));
  socket.on('message', (data) => {
    heard.push(JSON.parse((data as Buffer).toString('utf8')));
    changed();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  let ids = 1000;
  const hear = <T>(pick: (frame: unknown) => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        for (const frame of heard) {
          const found = pick(frame);
          if (found !== undefined) {
            listeners.delete(look);
            return resolve(found);
          }
        }
        if (socket.readyState === socket.CLOSED) reject(new Error('the connection was closed before that was heard'));
      };
      listeners.add(look);
      look();
    });
  const client: WireClient = {
    socket,
    heard,
    hear,
    closed,
    raw: (text) => socket.send(text),
    notify: (method, params) => socket.send(JSON.stringify({ jsonrpc: '2.0', method, params })),
    request: (method, params, id = ++ids) => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }));
      return hear((frame) => ((frame as Answer).id === id ? (frame as Answer) : undefined));
    },
    call: (name, args) => client.request('tools/call', { name, arguments: args }),
    close: async () => {
      socket.close();
      await closed;
    },
  };
  return client;
}

/** Texts of a tool's answer. */
export const textsOf = (answer: Answer): string[] => (answer.result?.content ?? []).map((part) => part.text);

export async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

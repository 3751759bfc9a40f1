import { Agent, type IncomingMessage, request } from 'node:http';
import type { Answer, WireClient } from './harness.ts';

/** Where a client knocks: a port of 127.0.0.1, or a socket. */
export type Where = { port: number } | { socketPath: string };

export interface Reply {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

const hostOf = (where: Where): string => ('port' in where ? `127.0.0.1:${where.port}` : 'localhost');

/** One request, and all of its answer. */
export function knock(where: Where, options: { method?: string; path?: string; headers?: Record<string, string>; body?: string | Buffer }): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request({ ...where, host: '127.0.0.1', method: options.method ?? 'POST', path: options.path ?? '/mcp', headers: { host: hostOf(where), ...options.headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts).toString('utf8') }));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(options.body);
  });
}

export const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export interface HttpClient extends Omit<WireClient, 'socket'> {
  session: string;
  /** Opens the client's own stream; resolves when its head is there. */
  listen(): Promise<{ status: number; drop(): void }>;
}

/** A client of Streamable HTTP that shakes hands as `name` when told to `begin`, and hears everything in one list. */
export async function connectHttp(where: Where, authorization: string, handshake: { name: string; version?: string; protocolVersion?: string; session?: string } | undefined): Promise<HttpClient> {
  const agent = new Agent({ keepAlive: true });
  const heard: unknown[] = [];
  const listeners = new Set<() => void>();
  const ended = Promise.withResolvers<number>();
  let over = false;
  let ids = 1000;
  const changed = (): void => [...listeners].forEach((listener) => listener());
  const headers = (): Record<string, string> => ({ host: hostOf(where), authorization, ...(client.session === '' ? {} : { 'mcp-session-id': client.session }) });
  const take = (response: IncomingMessage): void => {
    let text = '';
    const events = response.headers['content-type'] === 'text/event-stream';
    const json = response.headers['content-type'] === 'application/json';
    response.setEncoding('utf8');
    response.on('error', () => {});
    response.on('data', (part: string) => {
      text += part;
      if (!events) return;
      const whole = text.split('\n\n');
      text = whole.pop() ?? '';
      for (const event of whole) {
        const data = /^data: (.*)$/mu.exec(event)?.[1];
        if (data !== undefined) heard.push(JSON.parse(data));
      }
      changed();
    });
    response.on('end', () => {
      if (json) heard.push(...[JSON.parse(text) as unknown].flat());
      changed();
    });
  };
  const post = (text: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const asked = request({ ...where, host: '127.0.0.1', agent, method: 'POST', path: '/mcp', headers: { ...headers(), ...jsonHeaders } }, (response) => {
        const named = response.headers['mcp-session-id'];
        if (typeof named === 'string') client.session = named;
        take(response);
        resolve(response);
      });
      asked.on('error', reject);
      asked.end(text);
    });
  const hear = <T>(pick: (frame: unknown) => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = heard.map(pick).find((one) => one !== undefined);
        if (found === undefined && !over) return;
        listeners.delete(look);
        if (found === undefined) reject(new Error('the session ended before that was heard'));
        else resolve(found);
      };
      listeners.add(look);
      look();
    });
  const client: HttpClient = {
    session: handshake?.session ?? '',
    heard,
    hear,
    closed: ended.promise,
    raw: (text) => void post(text).catch(() => undefined),
    notify: (method, params) => void post(JSON.stringify({ jsonrpc: '2.0', method, params })).catch(() => undefined),
    request: async (method, params, id = ++ids) => {
      await post(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }));
      return hear((frame) => ((frame as Answer).id === id ? (frame as Answer) : undefined));
    },
    call: (name, args) => client.request('tools/call', { name, arguments: args }),
    listen: () =>
      new Promise((resolve, reject) => {
        const asked = request({ ...where, host: '127.0.0.1', agent, method: 'GET', path: '/mcp', headers: { ...headers(), accept: 'text/event-stream' } }, (response) => {
          const finish = (): void => {
            over = true;
            ended.resolve(response.statusCode ?? 0);
            changed();
          };
          if (response.statusCode === 200) response.once('end', finish);
          take(response);
          resolve({ status: response.statusCode ?? 0, drop: () => asked.destroy() });
        });
        asked.on('error', reject);
        asked.end();
      }),
    close: async () => {
      await knock(where, { method: 'DELETE', headers: headers() });
      over = true;
      agent.destroy();
      changed();
    },
  };
  if (handshake !== undefined) {
    await client.request('initialize', { protocolVersion: handshake.protocolVersion ?? '2025-06-18', capabilities: {}, clientInfo: { name: handshake.name, version: handshake.version ?? '0' } });
    await post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  }
  return client;
}

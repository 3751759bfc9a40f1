import { chmod } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../base/failure.ts';
import { checkRequest, type Credential, type Refusal, refusalStatus, type RequestRules } from './auth.ts';
import type { OnChannel } from './channel.ts';
import { HttpDoor } from './http.ts';
import { type Limits, usualLimits } from './limits.ts';
import { refuseUpgrade, WebSocketDoor } from './websocket.ts';

export type ListenFailureReason = 'cannot_listen';

/** Where MCP is spoken over WebSocket, and where over Streamable HTTP. */
const doors = { websocket: '/', http: '/mcp' } as const;

export interface ListenOptions {
  /** A port of 127.0.0.1, 0 for any free one; or the path of a UNIX socket or named pipe in a private folder. */
  at: { port: number } | { socket: string };
  tokens: RequestRules['tokens'];
  credentials: readonly Credential[];
  onChannel: OnChannel;
  onRefused: (refusal: Refusal) => void;
  limits?: Partial<Limits>;
}

export interface Listener {
  /** 0 for a socket. */
  readonly port: number;
  /** Stops listening, ends every connection after what was sent to it, and resolves when all are gone. */
  close(): Promise<void>;
}

/** Listens for MCP, over WebSocket and over Streamable HTTP. Every check is made on the head of a request, before a frame or a body is read. Rejects with Failure `cannot_listen`. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { at, tokens, credentials, onChannel, onRefused } = options;
  const limits = { ...usualLimits, ...options.limits };
  const server = createServer({ headersTimeout: limits.head, requestTimeout: limits.body, connectionsCheckingInterval: Math.min(limits.head, 1000), maxHeaderSize: 16 * 1024 });
  server.maxConnections = limits.peers;
  const transport = 'socket' in at ? 'socket' : 'http';
  const websocket = new WebSocketDoor({ onChannel, onRefused, limits });
  const http = new HttpDoor({ onChannel, transport, limits });
  const port = await bind(server, at);
  const rules: RequestRules = { tokens, credentials, hosts: 'socket' in at ? ['localhost'] : [`127.0.0.1:${port}`, `localhost:${port}`] };
  server.on('request', (request, response) => {
    const { refused: byHead, ...checked } = checkRequest(request, rules);
    const refused = byHead ?? (request.url === doors.http ? undefined : request.url === doors.websocket ? noUpgrade : wrongPath);
    if (refused === undefined) return http.enter(request, response, checked.family);
    onRefused(refused);
    response.writeHead(refusalStatus[refused.kind], { connection: 'close', 'content-length': '0' }).end();
  });
  server.on('upgrade', (request, socket, head) => {
    const { refused: byHead, ...checked } = checkRequest(request, rules);
    const refused = byHead ?? (request.url === doors.websocket ? websocket.check(request) : wrongPath);
    if (refused === undefined) return websocket.enter(request, socket, head, checked.family);
    onRefused(refused);
    refuseUpgrade(socket, refused);
  });
  return {
    port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      websocket.close();
      await http.close();
      // Those that never became a client; closing the server waits for them too.
      server.closeAllConnections();
      await closed;
    },
  };
}

const noUpgrade: Refusal = { kind: 'bad_request', why: 'it is no WebSocket request' };
const wrongPath: Refusal = { kind: 'not_found', why: 'it asks for a path that is not served' };

async function bind(server: Server, at: ListenOptions['at']): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const where = 'socket' in at ? 'a socket' : '127.0.0.1';
    // Stays for good: once it listens, an error is one connection's that could not be taken, and rejects nothing any more.
    server.on('error', (error) => reject(new Failure<ListenFailureReason>('cannot_listen', `No connection can be taken on ${where}: ${error.message}`, { cause: error })));
    server.listen('socket' in at ? { path: at.socket } : { host: '127.0.0.1', port: at.port, exclusive: true }, () => {
      server.on('clientError', (_error, socket) => socket.destroy());
      resolve();
    });
  });
  if (!('socket' in at)) return (server.address() as AddressInfo).port;
  if (process.platform !== 'win32') await chmod(at.socket, 0o600);
  return 0;
}

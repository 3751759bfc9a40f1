import { createServer, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { Failure, messageOf } from '../base/failure.ts';
import { checkRequest, type Refusal, refusalStatus } from './auth.ts';
import type { Channel, ChannelReader } from './channel.ts';

export type ListenFailureReason = 'cannot_listen';

export interface WebSocketOptions {
  token: string;
  tokenHeader: string;
  /** 0, the default, takes any free port. */
  port?: number;
  /** Gives the reader of what comes. */
  onChannel: (channel: Channel) => ChannelReader;
  onRefused(refusal: Refusal): void;
  limits?: Partial<WebSocketLimits>;
}

export interface WebSocketLimits {
  /** Bytes of one frame; a larger one ends the connection (1009) unread. */
  frame: number;
  /** Bytes that may wait for a peer that does not read. */
  waiting: number;
  /** Connections at a time. */
  peers: number;
  /** A connection that has not sent its request by then is closed. Milliseconds. */
  head: number;
}

const usualLimits: WebSocketLimits = { frame: 32 * 1024 * 1024, waiting: 64 * 1024 * 1024, peers: 64, head: 5000 };

/** What the agents that look for an editor by lock file speak; without it Claude Code opens the socket and never says a word. */
const subprotocol = 'mcp';

/** How long a peer may take to answer a close before it is cut off. Milliseconds. */
const closingTime = 1000;

export interface WebSocketListener {
  readonly port: number;
  /** Stops listening, ends every connection with 1001 after what was sent to it, and resolves when all are gone. */
  close(): Promise<void>;
}

/** Listens on 127.0.0.1 for MCP over WebSocket. Every check is made on the head of the request, before a frame is read. Rejects with Failure `cannot_listen`. */
export async function listenWebSocket(options: WebSocketOptions): Promise<WebSocketListener> {
  const limits = { ...usualLimits, ...options.limits };
  const server = createServer({ headersTimeout: limits.head, requestTimeout: limits.head, connectionsCheckingInterval: Math.min(limits.head, 1000), maxHeaderSize: 16 * 1024 });
  server.maxConnections = limits.peers;
  const sockets = new WebSocketServer({ noServer: true, clientTracking: true, perMessageDeflate: false, maxPayload: limits.frame, handleProtocols: (offered) => (offered.has(subprotocol) ? subprotocol : false) });
  const port = await listen(server, options.port ?? 0);
  const check = (request: IncomingMessage): Refusal | undefined => checkRequest(request, { token: options.token, tokenHeader: options.tokenHeader, port, path: '/' });
  server.on('request', (request, response) => {
    const refusal = check(request) ?? { kind: 'bad_request' as const, why: 'it is no WebSocket request' };
    options.onRefused(refusal);
    response.writeHead(refusalStatus[refusal.kind], { connection: 'close', 'content-length': '0' }).end();
  });
  server.on('upgrade', (request, socket, head) => {
    const refusal = check(request) ?? checkProtocol(request);
    if (refusal === undefined) return sockets.handleUpgrade(request, socket, head, (open) => connect(open, limits.waiting, options.onChannel));
    options.onRefused(refusal);
    refuse(socket, refusal);
  });
  sockets.on('wsClientError', (error, socket) => {
    options.onRefused({ kind: 'bad_request', why: 'its WebSocket handshake is malformed' });
    if (socket.writable) refuse(socket, { kind: 'bad_request', why: messageOf(error) });
  });
  return { port, close: () => shut(server, sockets) };
}

/** A client may offer no protocol at all; one that offers others means another server. */
function checkProtocol(request: IncomingMessage): Refusal | undefined {
  const offered = request.headers['sec-websocket-protocol'];
  if (offered === undefined || offered.split(',').some((name) => name.trim() === subprotocol)) return undefined;
  return { kind: 'bad_request', why: 'it does not offer the protocol mcp' };
}

function refuse(socket: Duplex, { kind }: Refusal): void {
  socket.on('error', () => socket.destroy());
  const status = refusalStatus[kind];
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    // Stays for good: once it listens, an error is one connection's that could not be taken, and rejects nothing any more.
    server.on('error', (error) => reject(new Failure<ListenFailureReason>('cannot_listen', `No connection can be taken on 127.0.0.1: ${error.message}`, { cause: error })));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.on('clientError', (_error, socket) => socket.destroy());
      resolve((server.address() as AddressInfo).port);
    });
  });
}

async function shut(server: Server, sockets: WebSocketServer): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const socket of sockets.clients) {
    socket.close(1001, 'closing');
    setTimeout(() => socket.terminate(), closingTime).unref();
  }
  // Those that never became a WebSocket; closing the server waits for them too.
  server.closeAllConnections();
  await closed;
}

function connect(socket: WebSocket, waiting: number, onChannel: WebSocketOptions['onChannel']): void {
  const reader = onChannel(new SocketChannel(socket, waiting));
  socket.on('message', (data) => reader.receive(textOf(data)));
  // Its close follows every error.
  socket.on('error', () => {});
  socket.on('close', () => reader.lost());
}

/** A peer that does not read is cut off once too much waits for it, so that it can delay nobody else. */
class SocketChannel implements Channel {
  readonly transport = 'websocket';

  constructor(
    private readonly socket: WebSocket,
    private readonly waiting: number,
  ) {}

  send(message: Parameters<Channel['send']>[0]): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount > this.waiting) return this.socket.terminate();
    this.socket.send(JSON.stringify(message));
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
    setTimeout(() => this.socket.terminate(), closingTime).unref();
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.from(data as Uint8Array).toString('utf8');
}

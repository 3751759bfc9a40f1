import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { messageOf } from '../base/failure.ts';
import { type Refusal, refusalStatus } from './auth.ts';
import type { Channel, OnChannel } from './channel.ts';
import { readFrame } from './json-rpc.ts';
import { closingTime, type Limits } from './limits.ts';

/** What the agents that look for an editor by lock file speak; without it Claude Code opens the socket and never says a word. */
const subprotocol = 'mcp';

export interface DoorOptions {
  onChannel: OnChannel;
  onRefused: (refusal: Refusal) => void;
  limits: Limits;
}

/** MCP over WebSocket, one message or batch in each text frame. Requests come here after the checks on their heads. */
export class WebSocketDoor {
  private readonly sockets: WebSocketServer;

  constructor(private readonly options: DoorOptions) {
    this.sockets = new WebSocketServer({ noServer: true, clientTracking: true, perMessageDeflate: false, maxPayload: options.limits.frame, handleProtocols: (offered) => (offered.has(subprotocol) ? subprotocol : false) });
    this.sockets.on('wsClientError', (error, socket) => {
      options.onRefused({ kind: 'bad_request', why: 'its WebSocket handshake is malformed' });
      if (socket.writable) refuseUpgrade(socket, { kind: 'bad_request', why: messageOf(error) });
    });
  }

  /** Undefined when it may come in. A client may offer no protocol at all; one that offers others means another server. */
  check(request: IncomingMessage): Refusal | undefined {
    const offered = request.headers['sec-websocket-protocol'];
    if (offered === undefined || offered.split(',').some((name) => name.trim() === subprotocol)) return undefined;
    return { kind: 'bad_request', why: 'it does not offer the protocol mcp' };
  }

  enter(request: IncomingMessage, socket: Duplex, head: Buffer, family: string | undefined): void {
    this.sockets.handleUpgrade(request, socket, head, (open) => connect(open, family, this.options));
  }

  /** Ends every connection with 1001 after what was sent to it. */
  close(): void {
    for (const socket of this.sockets.clients) end(socket, 1001, 'closing');
  }
}

export function refuseUpgrade(socket: Duplex, { kind }: Refusal): void {
  socket.on('error', () => socket.destroy());
  const status = refusalStatus[kind];
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

function connect(socket: WebSocket, family: string | undefined, { limits, onChannel }: DoorOptions): void {
  const reader = onChannel(new SocketChannel(socket, family, limits.waiting));
  socket.on('message', (data) => reader.receive(readFrame(textOf(data))));
  // Its close follows every error.
  socket.on('error', () => {});
  socket.on('close', () => reader.lost());
}

/** A peer that does not read is cut off once too much waits for it, so that it can delay nobody else. */
class SocketChannel implements Channel {
  readonly transport = 'websocket';

  constructor(
    private readonly socket: WebSocket,
    readonly family: string | undefined,
    private readonly waiting: number,
  ) {}

  send(message: Parameters<Channel['send']>[0]): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount > this.waiting) return this.socket.terminate();
    this.socket.send(JSON.stringify(message));
  }

  close(code: number, reason: string): void {
    end(this.socket, code, reason);
  }
}

function end(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), closingTime).unref();
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.from(data as Uint8Array).toString('utf8');
}

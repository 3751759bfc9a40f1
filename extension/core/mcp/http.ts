import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Channel, ChannelReader, OnChannel } from './channel.ts';
import { EventStream } from './event-stream.ts';
import { isAnswer, readFrame, type Frame, rpcCode, rpcError, type RpcId, type RpcMessage } from './json-rpc.ts';
import { closingTime, type Limits } from './limits.ts';

/** The header that names a session: the server's choice, or the client's own at its handshake (as Copilot CLI does it). */
const sessionHeader = 'mcp-session-id';
const sessionName = /^[\x21-\x7e]{1,128}$/u;

/** Messages that wait for a client's stream; of more, the oldest are dropped. */
const mostWaiting = 200;

export interface HttpDoorOptions {
  onChannel: OnChannel;
  transport: 'http' | 'socket';
  limits: Limits;
}

/**
 * MCP over Streamable HTTP with sessions (2025-03-26 to 2025-11-25). Requests come here after the checks on their heads. Written by hand since the SDK's own transport
 * drops what is sent while the client's stream is not open: a verdict that is lost there would leave an agent waiting for ever.
 */
export class HttpDoor {
  private readonly sessions = new Map<string, HttpSession>();

  constructor(private readonly options: HttpDoorOptions) {}

  enter(request: IncomingMessage, response: ServerResponse, family: string | undefined): void {
    // A peer that went away; its response says so by its close.
    request.on('error', () => {});
    response.on('error', () => {});
    if (request.method === 'POST') return void this.post(request, response, family);
    if (request.method !== 'GET' && request.method !== 'DELETE') return answer(response, 405, 'Only GET, POST and DELETE are served.', { allow: 'GET, POST, DELETE' });
    const session = this.sessionOf(request);
    if (session === undefined) return this.noSession(request, response);
    if (request.method === 'DELETE') {
      session.close();
      return answer(response, 200);
    }
    if (!accepts(request, 'text/event-stream')) return answer(response, 406, 'A stream of events has to be accepted.');
    if (!session.listen(response)) answer(response, 409, 'This session has its stream already.');
  }

  /** Ends every session after what was sent to it. */
  async close(): Promise<void> {
    await Promise.all([...this.sessions.values()].map((session) => session.finish()));
  }

  private async post(request: IncomingMessage, response: ServerResponse, family: string | undefined): Promise<void> {
    // Before the body is read: who has no session can only begin one.
    const name = nameOf(request);
    const known = this.sessionOf(request);
    const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
    if (type !== 'application/json') return answer(response, 415, 'The body has to be application/json.');
    const text = await bodyOf(request, this.options.limits.frame);
    if (text === 'too_large') return answer(response, 413, 'The body is too large.', { connection: 'close' });
    if (text === undefined) return;
    const frame = readFrame(text.body);
    const wrong = frame.messages.find((message) => message.kind === 'invalid');
    if (wrong !== undefined) return answerRpc(response, 400, wrong.id, wrong.code, wrong.why);
    const begins = frame.messages.some((message) => message.kind === 'request' && message.method === 'initialize');
    if (known !== undefined) return known.post(frame, response, accepts(request, 'text/event-stream'));
    if (!begins) return this.noSession(request, response);
    if (name !== undefined && !sessionName.test(name)) return answer(response, 400, 'A session cannot be called that.');
    this.begin(name ?? randomUUID(), family).post(frame, response, accepts(request, 'text/event-stream'));
  }

  private begin(name: string, family: string | undefined): HttpSession {
    const session = new HttpSession(name, family, this.options, () => this.sessions.delete(name));
    this.sessions.set(name, session);
    return session;
  }

  private sessionOf(request: IncomingMessage): HttpSession | undefined {
    const name = nameOf(request);
    return name === undefined ? undefined : this.sessions.get(name);
  }

  /** 404 tells a client that its session is over, and that it may begin another. */
  private noSession(request: IncomingMessage, response: ServerResponse): void {
    if (nameOf(request) === undefined) return answerRpc(response, 400, null, rpcCode.invalidRequest, 'The session is not named; a session begins with initialize.');
    answerRpc(response, 404, null, rpcCode.invalidRequest, 'There is no such session.');
  }
}

/** A POST whose requests are not all answered. */
interface Exchange {
  open: Set<RpcId>;
  /** Tokens by which progress of these requests is told. */
  progress: Set<unknown>;
  batch: boolean;
  response: ServerResponse;
  /** Undefined: the client takes no stream, and gets its answer as plain JSON. */
  stream: EventStream | undefined;
}

/** One session of one client: its POSTs are answered where they were asked; everything else goes over its own stream, and waits while that is not open. */
class HttpSession implements Channel {
  readonly transport: Channel['transport'];
  private readonly reader: ChannelReader;
  private readonly exchanges = new Set<Exchange>();
  private readonly waiting: RpcMessage[] = [];
  private stream: EventStream | undefined;
  private hasListened = false;
  private timer: NodeJS.Timeout | undefined;
  private over = false;

  constructor(
    private readonly name: string,
    readonly family: string | undefined,
    private readonly options: HttpDoorOptions,
    private readonly onOver: () => void,
  ) {
    this.transport = options.transport;
    this.reader = options.onChannel(this);
  }

  /** False when the session has a stream already. */
  listen(response: ServerResponse): boolean {
    if (this.stream !== undefined) return false;
    this.hasListened = true;
    this.stream = new EventStream(response, this.options.limits.waiting, { [sessionHeader]: this.name });
    response.once('close', () => {
      this.stream = undefined;
      this.watch();
    });
    this.watch();
    for (const message of this.waiting.splice(0)) this.stream.send(message);
    return true;
  }

  post(frame: Frame, response: ServerResponse, takesStream: boolean): void {
    const requests = frame.messages.filter((message) => message.kind === 'request');
    const ids = new Set(requests.map(({ id }) => id));
    const taken = [...this.exchanges].some(({ open }) => [...ids].some((id) => open.has(id)));
    if (taken || ids.size < requests.length) return answerRpc(response, 400, null, rpcCode.invalidRequest, 'A request with this id is still open.');
    response.setHeader(sessionHeader, this.name);
    if (requests.length === 0) answer(response, 202);
    else this.begin({ open: ids, progress: new Set(requests.map(({ params }) => (params['_meta'] as { progressToken?: unknown } | undefined)?.progressToken)), batch: frame.batch, response, stream: takesStream ? new EventStream(response, this.options.limits.waiting) : undefined });
    this.watch();
    this.reader.receive(frame);
    for (const message of frame.messages) if (message.kind === 'notification' && message.method === 'notifications/cancelled') this.forget(message.params['requestId']);
  }

  send(message: RpcMessage | readonly RpcMessage[]): void {
    const all = 'length' in message ? message : [message];
    const exchange = this.exchangeOf(all);
    if (exchange !== undefined) return this.deliver(exchange, all);
    // An answer that nobody waits for any more.
    if (all.every(isAnswer)) return;
    if (this.stream !== undefined) return all.forEach((one) => this.stream?.send(one));
    this.waiting.push(...all);
    this.waiting.splice(0, Math.max(0, this.waiting.length - mostWaiting));
  }

  close(): void {
    void this.finish();
  }

  /** Resolves when what was sent is read, or its time is over. */
  async finish(): Promise<void> {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.timer);
    this.onOver();
    const streams = [this.stream, ...[...this.exchanges].map(({ stream }) => stream)].filter((stream) => stream !== undefined);
    for (const { stream, response } of this.exchanges) if (stream === undefined) answer(response, 503);
    await Promise.all(streams.map((stream) => stream.end(closingTime)));
    this.reader.lost();
  }

  private begin(exchange: Exchange): void {
    this.exchanges.add(exchange);
    exchange.response.once('close', () => this.end(exchange));
  }

  private end(exchange: Exchange): void {
    this.exchanges.delete(exchange);
    this.watch();
  }

  private exchangeOf(messages: readonly RpcMessage[]): Exchange | undefined {
    const fits = (exchange: Exchange, message: RpcMessage): boolean => (isAnswer(message) ? message.id !== null && exchange.open.has(message.id) : message.method === 'notifications/progress' && exchange.stream !== undefined && exchange.progress.has(message.params?.['progressToken']));
    return [...this.exchanges].find((exchange) => messages.some((message) => fits(exchange, message)));
  }

  private deliver(exchange: Exchange, messages: readonly RpcMessage[]): void {
    const { open, stream, response, batch } = exchange;
    if (stream === undefined) return answer(response, 200, JSON.stringify(batch ? messages : messages[0]), { 'content-type': 'application/json' });
    for (const message of messages) {
      stream.send(message);
      if (isAnswer(message)) open.delete(message.id ?? '');
    }
    if (open.size === 0) void stream.end();
  }

  /** A request that was taken back is not answered; its POST is over when nothing else is open in it. */
  private forget(id: unknown): void {
    for (const { open, stream, response } of this.exchanges) {
      if (!open.delete(id as RpcId) || open.size > 0) continue;
      if (stream === undefined) answer(response, 204);
      else void stream.end();
    }
  }

  /** Without an open stream or request, nothing tells whether the client is still there. */
  private watch(): void {
    clearTimeout(this.timer);
    if (this.over || this.stream !== undefined || this.exchanges.size > 0) return;
    const { away, idle } = this.options.limits;
    this.timer = setTimeout(() => this.close(), this.hasListened ? away : idle).unref();
  }
}

function nameOf(request: IncomingMessage): string | undefined {
  const name = request.headers[sessionHeader];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function accepts(request: IncomingMessage, type: string): boolean {
  return request.headers.accept?.includes(type) === true;
}

/** Undefined: the client went away in the middle. What is too large is not read to its end. */
async function bodyOf(request: IncomingMessage, limit: number): Promise<{ body: string } | 'too_large' | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return 'too_large';
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of request) {
      size += (part as Buffer).length;
      if (size > limit) return 'too_large';
      parts.push(part as Buffer);
    }
  } catch {
    return undefined;
  }
  return { body: Buffer.concat(parts).toString('utf8') };
}

function answer(response: ServerResponse, status: number, body = '', headers: Record<string, string> = {}): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-length': String(Buffer.byteLength(body)), ...headers }).end(body);
}

function answerRpc(response: ServerResponse, status: number, id: RpcId | null, code: number, why: string): void {
  answer(response, status, JSON.stringify(rpcError(id, code, why)), { 'content-type': 'application/json' });
}

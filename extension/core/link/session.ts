import { messageOf } from '../base/failure.ts';
import type { Channel, ChannelReader } from '../mcp/channel.ts';
import { type Frame, type Incoming, type RpcAnswer, rpcCode, rpcError, type RpcId, rpcResult } from '../mcp/json-rpc.ts';
import type { Resources } from './resources.ts';
import type { LinkTool, Progress } from './tool.ts';

/** Protocol versions with the handshake of 2024 and 2025; an unknown one is answered with the newest. */
const protocols = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
const newest = protocols[protocols.length - 1];

/** Calls of one client that may be open at a time. */
const maxOpenCalls = 64;

export interface ClientInfo {
  name: string;
  version: string;
}

/** What a session is given: the channel to its client, and its tools once the client has said who it is. */
export interface SessionHost {
  channel: Pick<Channel, 'send'>;
  /** The version of Casebook. */
  version: string;
  /** There is an editor window; tools that need one are offered. */
  window: boolean;
  /** Called once, at the client's handshake. */
  begin(client: ClientInfo): Offer;
  /** The client takes notifications from now on. */
  ready(): void;
  /** The client told the number of its process. */
  onPid(pid: number): void;
}

/** What a client is offered. */
export interface Offer {
  tools: readonly LinkTool[];
  resources?: Resources;
}

/**
 * One client over any channel of text frames. Every request gets exactly one answer as long as the channel stands, in JSON-RPC's own shape, whatever was sent;
 * nothing a client sends ends the connection.
 */
export class LinkSession implements ChannelReader {
  private offer: Offer | undefined;
  private readonly calls = new Map<RpcId, AbortController>();
  private readonly working = new Set<AbortController>();
  /** Our own requests that the client has not answered. */
  private readonly asked = new Map<RpcId, (result: unknown) => void>();
  /** Answers and work under way. */
  private readonly answering = new Set<Promise<void>>();
  private ended = false;
  private questions = 0;
  /** Tool calls so far. */
  count = 0;

  constructor(private readonly host: SessionHost) {}

  receive(frame: Frame): void {
    const answers = frame.messages.map((message) => this.handle(message));
    const sent: Promise<void> = Promise.all(answers)
      .then((all) => this.answer(all.filter((answer) => answer !== undefined), frame.batch))
      .finally(() => this.answering.delete(sent));
    this.answering.add(sent);
  }

  /** The channel is gone: nothing can be answered any more. */
  lost(): void {
    this.ended = true;
    this.stop(new DOMException('the client is gone', 'gone'));
    for (const answered of this.asked.values()) answered(undefined);
    this.asked.clear();
  }

  /** Work that goes on after its call was answered. Its signal aborts when the client is gone or the link closes, and the link closes only when it has ended. */
  background(work: (signal: AbortSignal) => Promise<void>): void {
    const abort = new AbortController();
    if (this.ended) abort.abort(new DOMException('the client is gone', 'gone'));
    this.working.add(abort);
    const done: Promise<void> = work(abort.signal).finally(() => {
      this.working.delete(abort);
      this.answering.delete(done);
    });
    this.answering.add(done);
  }

  notify(method: string, params: Record<string, unknown>): void {
    if (!this.ended) this.host.channel.send({ jsonrpc: '2.0', method, params });
  }

  /** Asks the client something. Undefined where it refuses, or goes away. */
  ask(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
    if (this.ended) return Promise.resolve(undefined);
    const id = `casebook-${++this.questions}`;
    return new Promise((resolve) => {
      this.asked.set(id, resolve);
      this.host.channel.send({ jsonrpc: '2.0', id, method, params });
    });
  }

  /** Ends every open call with an honest answer; resolves once these are sent. */
  async close(why: 'reload' | 'shutdown'): Promise<void> {
    this.stop(new DOMException('the link is closing', why));
    await Promise.all(this.answering);
    this.ended = true;
  }

  private stop(why: DOMException): void {
    for (const one of [...this.calls.values(), ...this.working]) one.abort(why);
  }

  private async handle(message: Incoming): Promise<RpcAnswer | undefined> {
    switch (message.kind) {
      case 'request':
        return this.request(message.id, message.method, message.params);
      case 'notification':
        this.notified(message.method, message.params);
        return undefined;
      case 'response':
        if (message.id !== null) this.asked.get(message.id)?.(message.result);
        this.asked.delete(message.id ?? '');
        return undefined;
      default:
        return rpcError(message.id, message.code, message.why);
    }
  }

  private request(id: RpcId, method: string, params: Record<string, unknown>): RpcAnswer | Promise<RpcAnswer | undefined> {
    switch (method) {
      case 'initialize':
        return this.initialize(id, params);
      case 'ping':
        return rpcResult(id, {});
      case 'tools/list':
        return this.offer === undefined ? tooEarly(id) : rpcResult(id, { tools: this.offer.tools.filter((tool) => this.host.window || !tool.needsWindow).map(listed) });
      case 'tools/call':
        return this.offer === undefined ? tooEarly(id) : this.call(id, params, this.offer.tools);
      case 'resources/list':
      case 'resources/templates/list':
      case 'resources/read':
        return this.offer?.resources === undefined ? noMethod(id, method) : this.resource(id, method, params, this.offer.resources);
      default:
        return noMethod(id, method);
    }
  }

  private initialize(id: RpcId, params: Record<string, unknown>): RpcAnswer {
    if (this.offer !== undefined) return rpcError(id, rpcCode.invalidRequest, 'This connection is initialized already.');
    const info = (params['clientInfo'] ?? {}) as Record<string, unknown>;
    const text = (value: unknown): string => (typeof value === 'string' && value !== '' ? value.slice(0, 100) : 'unknown');
    this.offer = this.host.begin({ name: text(info['name']), version: text(info['version']) });
    const wanted = protocols.find((version) => version === params['protocolVersion']) ?? newest;
    return rpcResult(id, { protocolVersion: wanted, capabilities: { tools: { listChanged: true }, ...(this.offer.resources === undefined ? {} : { resources: {} }) }, serverInfo: { name: 'casebook', version: this.host.version } });
  }

  private notified(method: string, params: Record<string, unknown>): void {
    if (method === 'notifications/initialized') {
      if (this.offer !== undefined) this.host.ready();
    } else if (method === 'notifications/cancelled') {
      const id = params['requestId'];
      if (typeof id === 'string' || typeof id === 'number') this.calls.get(id)?.abort(new DOMException('cancelled by the client', 'cancelled'));
    } else if (method === 'ide_connected' && typeof params['pid'] === 'number') {
      this.host.onPid(params['pid']);
    }
  }

  private call(id: RpcId, params: Record<string, unknown>, tools: readonly LinkTool[]): RpcAnswer | Promise<RpcAnswer | undefined> {
    const name = params['name'];
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) return rpcError(id, rpcCode.invalidParams, `There is no tool ${typeof name === 'string' ? shown(name) : 'without a name'}.`);
    if (this.calls.has(id)) return rpcError(id, rpcCode.invalidRequest, 'A request with this id is still open.');
    if (this.calls.size >= maxOpenCalls) return rpcError(id, rpcCode.internal, 'Too many calls are open.');
    this.count += 1;
    const abort = new AbortController();
    this.calls.set(id, abort);
    return this.run(id, tool, params, abort.signal);
  }

  private async run(id: RpcId, tool: LinkTool, params: Record<string, unknown>, signal: AbortSignal): Promise<RpcAnswer | undefined> {
    const answer = await tool.call(params['arguments'] ?? {}, signal, this.progressOf(params));
    this.calls.delete(id);
    // Who took a call back waits for nothing.
    if (signal.aborted && (signal.reason as DOMException).name === 'cancelled') return undefined;
    return rpcResult(id, { content: answer.texts.map((text) => ({ type: 'text', text })), ...(answer.failed === true ? { isError: true } : {}) });
  }

  /** Nothing is told to a client that gave no token for it. */
  private progressOf(params: Record<string, unknown>): Progress {
    const token = (params['_meta'] as { progressToken?: unknown } | undefined)?.progressToken;
    if (typeof token !== 'string' && typeof token !== 'number') return () => {};
    let progress = 0;
    return (message) => this.notify('notifications/progress', { progressToken: token, progress: ++progress, message });
  }

  private async resource(id: RpcId, method: string, params: Record<string, unknown>, resources: Resources): Promise<RpcAnswer> {
    try {
      if (method === 'resources/list') return rpcResult(id, { resources: await resources.list() });
      if (method === 'resources/templates/list') return rpcResult(id, { resourceTemplates: resources.templates });
      const uri = typeof params['uri'] === 'string' ? params['uri'] : '';
      const found = await resources.read(uri);
      return found === undefined ? rpcError(id, rpcCode.resourceNotFound, `There is no resource ${shown(uri)}.`) : rpcResult(id, { contents: [found] });
    } catch (error) {
      return rpcError(id, rpcCode.internal, messageOf(error));
    }
  }

  private answer(answers: readonly RpcAnswer[], batch: boolean): void {
    const [first] = answers;
    if (!this.ended && first !== undefined) this.host.channel.send(batch ? answers : first);
  }
}

function listed({ name, description, inputSchema, readOnly }: LinkTool): Record<string, unknown> {
  return { name, description, inputSchema, ...(readOnly === undefined ? {} : { annotations: { readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false } }) };
}

function noMethod(id: RpcId, method: string): RpcAnswer {
  return rpcError(id, rpcCode.methodNotFound, `There is no method ${shown(method)}.`);
}

function tooEarly(id: RpcId): RpcAnswer {
  return rpcError(id, rpcCode.invalidRequest, 'The connection begins with initialize.');
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

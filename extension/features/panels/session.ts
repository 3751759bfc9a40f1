import type { FromPage, PanelReply, PanelRequest } from '../../shared/panel-messages.ts';

/** What a panel's protocol is made of: whole states, one-off messages, requests by name. */
export interface PanelProtocol {
  snapshot: { type: string };
  note: { type: string };
  requests: object;
}

export interface SessionDeps<P extends PanelProtocol> {
  /** Hands a message to the webview; false when it is not there any more. */
  post(message: P['snapshot'] | P['note'] | PanelReply): PromiseLike<boolean>;
  /** Checks what came in; undefined when it is no message of the protocol. */
  parse(raw: unknown): FromPage<P['requests']> | undefined;
  handle(request: PanelRequest<P['requests']>): Promise<unknown>;
  /** The one sentence that the panel shows for a failure; also logs it. */
  explain(error: unknown, doing: string): string;
}

/**
 * The host's half of the panel protocol. Messages wait until the panel said `ready`; of waiting snapshots only the newest is kept.
 * Each request is answered exactly once, unless the panel was reloaded or closed meanwhile: then nobody waits for it.
 */
export class PanelSession<P extends PanelProtocol> {
  private ready = false;
  private closed = false;
  private snapshot: P['snapshot'] | undefined;
  private waiting: P['note'][] = [];
  /** Grows with each load of the page, so that an answer to the page before it is dropped. */
  private load = 0;
  private answered = new Set<number>();

  constructor(private readonly deps: SessionDeps<P>) {}

  /** The newest whole state; sent again after each reload of the page. */
  show(snapshot: P['snapshot']): void {
    this.snapshot = snapshot;
    if (this.ready) this.send(snapshot);
  }

  /** A one-off message, such as `reveal`. */
  tell(message: P['note']): void {
    if (this.ready) this.send(message);
    else this.waiting.push(message);
  }

  async receive(raw: unknown): Promise<void> {
    if (this.closed) return;
    const message = this.deps.parse(raw);
    if (message === undefined) this.refuse(raw);
    else if (message.type === 'ready') this.start();
    else await this.answer(message);
  }

  close(): void {
    this.closed = true;
    this.waiting = [];
  }

  private start(): void {
    this.ready = true;
    this.load += 1;
    this.answered = new Set();
    if (this.snapshot !== undefined) this.send(this.snapshot);
    for (const message of this.waiting) this.send(message);
    this.waiting = [];
  }

  private async answer(request: PanelRequest<P['requests']>): Promise<void> {
    const { id, name } = request;
    if (this.answered.has(id)) return;
    this.answered.add(id);
    const load = this.load;
    let reply: PanelReply;
    try {
      reply = { type: 'reply', id, ok: true, value: await this.deps.handle(request) };
    } catch (error) {
      reply = { type: 'reply', id, ok: false, message: this.deps.explain(error, name) };
    }
    if (load === this.load) this.send(reply);
  }

  /** Something that is no request has nobody who waits; a request whose content is wrong does. */
  private refuse(raw: unknown): void {
    const message = this.deps.explain(new TypeError('a message of the panel is not of the protocol'), 'message');
    const id = typeof raw === 'object' && raw !== null && 'id' in raw && 'type' in raw && raw.type === 'request' && typeof raw.id === 'number' ? raw.id : undefined;
    if (id === undefined || this.answered.has(id)) return;
    this.answered.add(id);
    this.send({ type: 'reply', id, ok: false, message });
  }

  private send(message: P['snapshot'] | P['note'] | PanelReply): void {
    if (!this.closed) void this.deps.post(message);
  }
}

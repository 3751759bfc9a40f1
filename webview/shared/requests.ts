import type { FromPage, PanelReply } from '../../extension/shared/panel-messages.ts';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * The panel's half of the request protocol. Every request gets an id and a promise that settles once: with the host's reply, or by
 * rejection on dispose. There is no timeout, because a reply may wait for a person (a gate, a sign-in).
 */
export class RequestClient<Requests> {
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private disposed = false;

  constructor(private readonly post: (message: FromPage<Requests>) => void) {}

  /** Sends one request. Rejects with an Error whose message is the host's sentence, or when the panel goes away first. */
  request<Name extends keyof Requests & string>(name: Name, args: Requests[Name]): Promise<unknown> {
    if (this.disposed) return Promise.reject(new Error('The panel was closed.'));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      // The union over names cannot be inferred from the generic; name and args come from the same row of the protocol.
      this.post({ type: 'request', id, name, args } as FromPage<Requests>);
    });
  }

  /** Settles the request a reply belongs to; a reply nobody waits for is ignored. */
  settle(reply: PanelReply): void {
    const waiting = this.waiting.get(reply.id);
    if (!waiting) return;
    this.waiting.delete(reply.id);
    if (reply.ok) waiting.resolve(reply.value);
    else waiting.reject(new Error(reply.message));
  }

  /** Number of requests without a reply. */
  get pending(): number {
    return this.waiting.size;
  }

  dispose(): void {
    this.disposed = true;
    const left = [...this.waiting.values()];
    this.waiting.clear();
    for (const waiting of left) waiting.reject(new Error('The panel was closed.'));
  }
}

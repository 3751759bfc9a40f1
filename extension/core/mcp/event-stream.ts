import type { ServerResponse } from 'node:http';
import type { RpcMessage } from './json-rpc.ts';

/** Some clients give a response up that is silent for five minutes, while a person may take hours. Milliseconds. */
const sign = 60_000;

/** Messages as server-sent events, in one response. A peer that does not read is cut off once too much waits for it. */
export class EventStream {
  private readonly alive: NodeJS.Timeout;

  constructor(
    private readonly response: ServerResponse,
    private readonly waiting: number,
    headers: Readonly<Record<string, string>> = {},
  ) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', ...headers });
    // A client that waits for the stream waits for its head.
    response.flushHeaders();
    this.alive = setInterval(() => this.write(': \n\n'), sign).unref();
    response.once('close', () => clearInterval(this.alive));
  }

  send(message: RpcMessage): void {
    this.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  /** Resolves when everything was handed over. With a time, a peer that has not read by then is cut off. Milliseconds. */
  end(within?: number): Promise<void> {
    clearInterval(this.alive);
    if (this.response.closed) return Promise.resolve();
    return new Promise((resolve) => {
      this.response.once('close', () => resolve());
      this.response.end();
      if (within !== undefined) setTimeout(() => this.response.destroy(), within).unref();
    });
  }

  private write(text: string): void {
    if (this.response.writableEnded || this.response.destroyed) return;
    if (this.response.writableLength > this.waiting) return void this.response.destroy();
    this.response.write(text);
  }
}

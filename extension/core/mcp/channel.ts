import type { Frame, RpcMessage } from './json-rpc.ts';

/** One client's two-way line of MCP messages, whatever carries it. Sending never throws: what cannot be delivered any more is dropped. */
export interface Channel {
  readonly transport: 'websocket' | 'http' | 'socket';
  /** By whose discovery file the client came, where its token tells. */
  readonly family: string | undefined;
  /** Several are the answers to one batch and go out together. */
  send(message: RpcMessage | readonly RpcMessage[]): void;
  /** Ends it in good order, after what was sent. Codes of RFC 6455, section 7.4, for those that have some. */
  close(code: number, reason: string): void;
}

/** Where a channel delivers. `lost` is called exactly once, and nothing after it. */
export interface ChannelReader {
  receive(frame: Frame): void;
  lost(): void;
}

/** Takes a new channel; gives the reader of what comes over it. */
export type OnChannel = (channel: Channel) => ChannelReader;

/** What a client may take up before it is cut off, whatever it comes by. */
export interface Limits {
  /** Bytes of one frame or body; a larger one is refused unread. */
  frame: number;
  /** Bytes that may wait for a peer that does not read. */
  waiting: number;
  /** Connections at a time. */
  peers: number;
  /** A connection that has not sent the head of its request by then is closed. Milliseconds. */
  head: number;
  /** So is one that has not sent all of its body. Milliseconds. */
  body: number;
  /** HTTP: how long a client that has gone may take to come back to its session. Milliseconds. */
  away: number;
  /** HTTP: how long a client that listens to nothing may be silent. Milliseconds. */
  idle: number;
}

/**
 * `away`: Gemini CLI takes about a second to open its stream again, and ends without a word; what it waits for is then noted as left by it.
 * `idle`: a client that only asks has no stream by which its end could be seen.
 */
export const usualLimits: Limits = { frame: 32 * 1024 * 1024, waiting: 64 * 1024 * 1024, peers: 64, head: 5000, body: 30_000, away: 4000, idle: 10 * 60_000 };

/** How long a peer may take to answer a close, or to read what is left for it, before it is cut off. Milliseconds. */
export const closingTime = 1000;

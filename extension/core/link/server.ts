import { setTimeout as delay } from 'node:timers/promises';
import { Emitter, type Subscribe } from '../base/emitter.ts';
import { messageOf } from '../base/failure.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { EventKind } from '../journal/kinds/index.ts';
import type { Journal, NewEvent } from '../journal/port.ts';
import { newToken, type Refusal } from '../mcp/auth.ts';
import { listenWebSocket, type Peer } from '../mcp/websocket.ts';
import { casebookActor } from '../model/actor.ts';
import type { Root } from '../repo/roots.ts';
import type { Outcome, ReviewDesk } from '../review/port.ts';
import { dialectOf } from './dialects/index.ts';
import { OpenDiffs } from './diffs.ts';
import { announce, type Announced, lockFolder } from './discovery.ts';
import type { Editor } from './editor.ts';
import { Refusals } from './refusals.ts';
import { type ClientInfo, LinkSession } from './session.ts';
import type { LinkTool } from './tool.ts';

/** The header by which Claude Code shows the lock file's token; Kitsoki uses the same. */
const tokenHeader = 'x-claude-code-ide-authorization';

/** A client that has not begun with `initialize` by then is cut off. Milliseconds. */
const silenceTime = 30_000;

/** How long open calls may take to end when the link closes. Milliseconds. */
const endingTime = 2000;

export interface LinkOptions {
  desk: Pick<ReviewDesk, 'propose' | 'decidedElsewhere'>;
  journal: Pick<Journal, 'append' | 'blobs'>;
  editor: Editor;
  roots: () => readonly Root[];
  version: string;
  logger: Logger;
  env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  home: string;
  /** Milliseconds; see `silenceTime`. */
  silence?: number;
}

/** A client as people see it. */
export interface LinkClient {
  id: string;
  client: string;
  version: string;
  dialect: string;
  /** The process of the client, where it told. */
  pid?: number;
  calls: number;
}

export type LinkEvent =
  | { kind: 'connected'; client: LinkClient }
  | { kind: 'disconnected'; client: LinkClient }
  | { kind: 'proposed'; client: LinkClient; set: string; file: string }
  | { kind: 'settled'; client: LinkClient; set: string; outcome: Outcome }
  | { kind: 'refused'; refusal: Refusal; count: number };

/** The IDE server of one window or terminal: agents find it by its lock file, and what they propose waits on the review desk. */
export interface Link {
  readonly port: number;
  readonly lock: string;
  readonly clients: readonly LinkClient[];
  readonly onEvent: Subscribe<LinkEvent>;
  /** Answers every open call honestly, ends the connections, removes the lock file. Sets that were waited for stay pending. */
  close(why: 'reload' | 'shutdown'): Promise<void>;
}

/** Starts the link. Rejects with Failure `cannot_listen` or `no_lock`; nothing is left behind then. */
export async function startLink(options: LinkOptions): Promise<Link> {
  const link = new Server(options);
  await link.start();
  return link;
}

interface Connection {
  peer: Peer;
  session: LinkSession;
  client: LinkClient | undefined;
  silent: NodeJS.Timeout;
}

class Server implements Link {
  private readonly token = newToken();
  private readonly connections = new Set<Connection>();
  private readonly events: Emitter<LinkEvent>;
  private readonly refusals: Refusals;
  private listener: Awaited<ReturnType<typeof listenWebSocket>> | undefined;
  private announced: Announced | undefined;
  private closing: 'reload' | 'shutdown' | undefined;
  readonly onEvent: Subscribe<LinkEvent>;

  constructor(private readonly options: LinkOptions) {
    this.events = new Emitter((error) => options.logger.warn('a listener of the link failed', { message: messageOf(error) }));
    this.onEvent = this.events.subscribe;
    this.refusals = new Refusals((refusal, count) => this.tellRefusal(refusal, count));
  }

  async start(): Promise<void> {
    const { env, home, roots, version, logger } = this.options;
    this.listener = await listenWebSocket({ token: this.token, tokenHeader, onPeer: (peer) => this.connected(peer), onRefused: (refusal) => this.refusals.add(refusal) });
    try {
      this.announced = await announce(lockFolder(env, home), { port: this.port, token: this.token, folders: roots().map((root) => root.path), version }, logger);
    } catch (error) {
      await this.listener.close();
      throw error;
    }
  }

  get port(): number {
    return this.listener?.port ?? 0;
  }

  get lock(): string {
    return this.announced?.file ?? '';
  }

  get clients(): readonly LinkClient[] {
    return [...this.connections].flatMap(({ client }) => client ?? []);
  }

  async close(why: 'reload' | 'shutdown'): Promise<void> {
    if (this.closing !== undefined) return;
    this.closing = why;
    // First, so that nobody finds a server that is about to go.
    await this.announced?.remove();
    const ended = new AbortController();
    await Promise.race([Promise.all([...this.connections].map(({ session }) => session.close(why))), delay(endingTime, undefined, { signal: ended.signal }).catch(() => undefined)]);
    ended.abort();
    await this.listener?.close();
    this.refusals.dispose();
    this.events.dispose();
  }

  private connected(peer: Peer): void {
    const session = new LinkSession({
      send: (text) => peer.send(text),
      version: this.options.version,
      window: this.options.editor.window,
      begin: (info) => this.begin(connection, info),
      onPid: (pid) => {
        if (connection.client !== undefined) connection.client.pid = pid;
      },
    });
    const connection: Connection = { peer, session, client: undefined, silent: setTimeout(() => peer.close(1008, 'nothing was said'), this.options.silence ?? silenceTime).unref() };
    this.connections.add(connection);
    peer.onFrame = (text) => session.receive(text);
    peer.onClose = () => this.lost(connection);
  }

  /** The client has said who it is: from now on it is on record and has its tools. */
  private begin(connection: Connection, info: ClientInfo): readonly LinkTool[] {
    clearTimeout(connection.silent);
    const dialect = dialectOf(info.name);
    const { desk, journal, editor, roots, logger } = this.options;
    const client: LinkClient = {
      id: newId('link'),
      client: info.name,
      version: info.version,
      dialect: dialect.name,
      get calls() {
        return connection.session.count;
      },
    };
    connection.client = client;
    this.record('client.connected', { session: client.id, client: info.name, version: info.version, dialect: dialect.name });
    this.events.fire({ kind: 'connected', client });
    const diffs = new OpenDiffs(
      {
        desk,
        blobs: journal.blobs,
        roots,
        logger,
        onProposed: (set, file) => this.events.fire({ kind: 'proposed', client, set, file }),
        onSettled: (set, outcome) => this.events.fire({ kind: 'settled', client, set, outcome }),
      },
      { origin: { client: info.name, version: info.version, session: client.id }, capabilities: dialect.capabilities },
    );
    return dialect.tools({ diffs, editor, roots });
  }

  private lost(connection: Connection): void {
    clearTimeout(connection.silent);
    this.connections.delete(connection);
    connection.session.lost();
    const { client } = connection;
    if (client === undefined) return;
    this.record('client.disconnected', { session: client.id, why: this.closing ?? 'gone', calls: client.calls });
    this.events.fire({ kind: 'disconnected', client });
  }

  private tellRefusal(refusal: Refusal, count: number): void {
    this.options.logger.warn(`A connection to the link was refused: ${refusal.why}`, { kind: refusal.kind, count });
    this.record('client.refused', { kind: refusal.kind, why: refusal.why, count });
    this.events.fire({ kind: 'refused', refusal, count });
  }

  private record<K extends EventKind>(kind: K, body: NewEvent<K>['body']): void {
    this.options.journal.append({ kind, body, actor: casebookActor('link') }).catch((error: unknown) => this.options.logger.warn('something at the link could not be recorded', { kind, message: messageOf(error) }));
  }
}

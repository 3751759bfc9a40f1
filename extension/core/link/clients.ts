import type { Emitter } from '../base/emitter.ts';
import { Failure, messageOf } from '../base/failure.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { Journal } from '../journal/port.ts';
import type { Channel, ChannelReader } from '../mcp/channel.ts';
import type { Root } from '../repo/roots.ts';
import type { Outcome, ReviewDesk } from '../review/port.ts';
import type { Ambient, AmbientContext, AmbientNews } from './ambient.ts';
import type { Dialect, Mention, Notice } from './dialects/dialect.ts';
import { dialectOf } from './dialects/index.ts';
import { OpenDiffs } from './diffs.ts';
import type { Editor } from './editor.ts';
import type { LinkFailureReason } from './failure.ts';
import type { LinkRecorder } from './recorder.ts';
import { type ClientInfo, LinkSession, type Offer } from './session.ts';
import { SharedRecord } from './shared-record.ts';
import type { OwnToolsDeps } from './tools/deps.ts';
import { ownOffer } from './tools/index.ts';

/** A client that has not begun with `initialize` by then is cut off. Milliseconds. */
const silenceTime = 30_000;

/** A client as people see it. */
export interface LinkClient {
  id: string;
  client: string;
  version: string;
  dialect: string;
  transport: Channel['transport'];
  /** Milliseconds since 1970. */
  since: number;
  /** The process of the client, where it told. */
  pid?: number;
  /** Where it works, where it told. */
  cwd?: string;
  calls: number;
}

export type ClientEvent =
  | { kind: 'connected'; client: LinkClient }
  /** It told more of itself. */
  | { kind: 'changed'; client: LinkClient }
  | { kind: 'disconnected'; client: LinkClient }
  | { kind: 'proposed'; client: LinkClient; set: string; file: string }
  | { kind: 'settled'; client: LinkClient; set: string; outcome: Outcome };

export interface ClientsDeps {
  desk: Pick<ReviewDesk, 'propose' | 'decidedElsewhere' | 'file'>;
  blobs: Journal['blobs'];
  record: LinkRecorder;
  /** As it is shared. */
  editor: Editor;
  ambient: Ambient;
  roots: () => readonly Root[];
  /** Whether agents may see a file; absolute and real path. */
  shared: (path: string) => boolean;
  /** Absent: Casebook's own tools are not offered. */
  own?: OwnToolsDeps;
  version: string;
  logger: Logger;
  events: Pick<Emitter<ClientEvent>, 'fire'>;
  /** Milliseconds; see `silenceTime`. */
  silence?: number;
}

interface Connection {
  channel: Channel;
  session: LinkSession;
  silent: NodeJS.Timeout;
  /** From its handshake on. */
  joined?: Joined;
}

interface Joined {
  client: LinkClient;
  dialect: Dialect;
  shared: SharedRecord;
  /** The last notice of each method, as text. */
  told: Map<string, string>;
  following?: { dispose(): void };
}

/** The clients of one link, over whatever channels they came: each has a session, its dialect's tools, and hears of the editor what is shared. */
export class Clients {
  private readonly connections = new Set<Connection>();
  private closing: 'reload' | 'shutdown' | undefined;

  constructor(private readonly deps: ClientsDeps) {}

  get all(): readonly LinkClient[] {
    return [...this.connections].flatMap(({ joined }) => joined?.client ?? []);
  }

  /** A new channel; gives the reader of what comes over it. */
  connect(channel: Channel): ChannelReader {
    const session = new LinkSession({
      channel,
      version: this.deps.version,
      window: this.deps.editor.window,
      begin: (info) => this.begin(connection, info),
      ready: () => this.follow(connection),
      onPid: (pid) => this.learned(connection, { pid }),
    });
    const connection: Connection = { channel, session, silent: setTimeout(() => channel.close(1008, 'nothing was said'), this.deps.silence ?? silenceTime).unref() };
    this.connections.add(connection);
    return { receive: (frame) => session.receive(frame), lost: () => this.lost(connection) };
  }

  /** Ends one client's connection; false when there is no such client. Its sets stay pending. */
  disconnect(id: string): boolean {
    const found = [...this.connections].find(({ joined }) => joined?.client.id === id);
    found?.channel.close(1000, 'disconnected by a person');
    return found !== undefined;
  }

  /** Points one client, or all that can be pointed, to a place; gives those that were. Fails `no_client` where there is none. */
  mention(mention: Mention, id?: string): readonly LinkClient[] {
    const told: LinkClient[] = [];
    for (const { session, joined } of this.connections) {
      const notice = joined === undefined || (id !== undefined && joined.client.id !== id) ? undefined : joined.dialect.mention?.(mention);
      if (joined === undefined || notice === undefined) continue;
      session.notify(notice.method, notice.params);
      joined.shared.add('mention', mention.path, '');
      told.push(joined.client);
    }
    if (told.length === 0) throw new Failure<LinkFailureReason>('no_client', 'No connected agent can be pointed to a place.');
    return told;
  }

  /** Whether any client can be pointed to a place. */
  get canMention(): boolean {
    return [...this.connections].some(({ joined }) => joined?.dialect.mention !== undefined);
  }

  /** Answers every open call honestly; the channels are still there. */
  async close(why: 'reload' | 'shutdown'): Promise<void> {
    this.closing = why;
    await Promise.all([...this.connections].map(({ session }) => session.close(why)));
  }

  /** The client has said who it is: from now on it is on record and has its tools. */
  private begin(connection: Connection, info: ClientInfo): Offer {
    clearTimeout(connection.silent);
    const { session, channel } = connection;
    const dialect = dialectOf(info.name, channel);
    const { desk, blobs, editor, roots, shared: isShared, logger, events } = this.deps;
    const name = dialect.client ?? info.name;
    const client: LinkClient = {
      id: newId('link'),
      client: name,
      version: info.version,
      dialect: dialect.name,
      transport: channel.transport,
      since: Date.now(),
      get calls() {
        return session.count;
      },
    };
    const origin = { client: name, version: info.version, session: client.id };
    const shared = new SharedRecord((items) => this.deps.record('context.shared', { session: client.id, items }));
    connection.joined = { client, dialect, shared, told: new Map() };
    this.deps.record('client.connected', { session: client.id, client: name, version: info.version, dialect: dialect.name });
    events.fire({ kind: 'connected', client });
    const diffs = new OpenDiffs(
      {
        desk,
        blobs,
        roots,
        shared: isShared,
        logger,
        onProposed: (set, file) => events.fire({ kind: 'proposed', client, set, file }),
        onSettled: (set, outcome) => events.fire({ kind: 'settled', client, set, outcome }),
      },
      { origin, capabilities: dialect.capabilities },
    );
    const own = this.deps.own === undefined || dialect.ownTools !== true ? undefined : ownOffer(this.deps.own, origin);
    return { ...own, tools: [...dialect.tools({ diffs, editor: shared.observing(editor), roots, session, logger }), ...(own?.tools ?? [])] };
  }

  /** The client takes notifications: it hears the present state, then what changes. */
  private follow(connection: Connection): void {
    const { joined } = connection;
    if (joined === undefined || joined.following !== undefined || !this.connections.has(connection)) return;
    void this.learn(connection);
    if (joined.dialect.context === undefined && joined.dialect.diagnostics === undefined) return;
    joined.following = this.deps.ambient.onNews((news) => this.tell(connection, joined, news));
    // What was told meanwhile is newer.
    this.tellPresent(connection, joined, () => joined.told.size === 0);
    for (const after of joined.dialect.listensLate ?? []) {
      setTimeout(() => {
        joined.told.clear();
        this.tellPresent(connection, joined, () => this.connections.has(connection));
      }, after).unref();
    }
  }

  private tellPresent(connection: Connection, joined: Joined, still: () => boolean): void {
    this.deps.ambient
      .current()
      .then((context) => still() && this.tell(connection, joined, { kind: 'context', context }))
      .catch((error: unknown) => this.deps.logger.warn('the editor’s state could not be read', { message: messageOf(error) }));
  }

  private tell({ session }: Connection, { dialect, told, shared }: Joined, news: AmbientNews): void {
    const notices: readonly Notice[] = news.kind === 'context' ? (dialect.context?.(news.context) ?? []) : [dialect.diagnostics?.(news.paths) ?? []].flat();
    for (const { method, params } of notices) {
      const text = JSON.stringify(params);
      if (news.kind === 'context' && told.get(method) === text) continue;
      told.set(method, text);
      session.notify(method, params);
    }
    if (news.kind === 'context') recordContext(shared, news.context);
  }

  /** Where the client works; asked for, since only some tell of themselves. */
  private async learn(connection: Connection): Promise<void> {
    const answer = (await connection.session.ask('roots/list')) as { roots?: { uri?: unknown }[] } | undefined;
    const uri = answer?.roots?.[0]?.uri;
    if (typeof uri === 'string' && uri.startsWith('file://')) this.learned(connection, { cwd: uri.slice('file://'.length) });
  }

  private learned({ joined }: Connection, what: Partial<Pick<LinkClient, 'pid' | 'cwd'>>): void {
    if (joined === undefined) return;
    Object.assign(joined.client, what);
    this.deps.events.fire({ kind: 'changed', client: joined.client });
  }

  private lost(connection: Connection): void {
    clearTimeout(connection.silent);
    this.connections.delete(connection);
    connection.session.lost();
    const { joined } = connection;
    if (joined === undefined) return;
    joined.following?.dispose();
    joined.shared.dispose();
    this.deps.record('client.disconnected', { session: joined.client.id, why: this.closing ?? 'gone', calls: joined.client.calls });
    this.deps.events.fire({ kind: 'disconnected', client: joined.client });
  }
}

/** Notes what a client is shown of the editor's state. */
export function recordContext(shared: SharedRecord, { selection, editors }: AmbientContext): void {
  if (selection !== undefined) shared.add('selection', selection.path, selection.text);
  if (editors.length > 0) shared.add('editors', undefined, editors.map(({ path }) => path).join('\n'));
}

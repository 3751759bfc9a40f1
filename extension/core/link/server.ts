import { setTimeout as delay } from 'node:timers/promises';
import { Emitter, type Subscribe } from '../base/emitter.ts';
import { Failure, messageOf } from '../base/failure.ts';
import type { Logger } from '../base/logger.ts';
import type { Journal } from '../journal/port.ts';
import type { Refusal } from '../mcp/auth.ts';
import type { Root } from '../repo/roots.ts';
import type { ReviewDesk } from '../review/port.ts';
import { Ambient } from './ambient.ts';
import { type ClientEvent, Clients, type LinkClient } from './clients.ts';
import { CodexLink } from './codex/codex.ts';
import type { Mention } from './dialects/dialect.ts';
import { Announcements, discoveries, type NotAnnounced } from './discovery/index.ts';
import { type Doors, openDoors } from './doors.ts';
import type { Editor } from './editor.ts';
import type { LinkFailureReason } from './failure.ts';
import { linkRecorder, type LinkRecorder } from './recorder.ts';
import { Refusals } from './refusals.ts';
import type { OwnToolsDeps } from './tools/deps.ts';
import { isShared, sharedEditor, type SharingRules, type SharingState } from './shared-editor.ts';

/** How long open calls may take to end when the link closes. Milliseconds. */
const endingTime = 2000;

export interface LinkOptions {
  desk: Pick<ReviewDesk, 'propose' | 'decidedElsewhere' | 'file'>;
  journal: Pick<Journal, 'append' | 'blobs'>;
  editor: Editor;
  sharing: SharingRules;
  roots: () => readonly Root[];
  trusted: () => boolean;
  /** Whether a family of agents is to find this window; absent: all are. */
  serves?: (family: string) => boolean;
  /** What Casebook's own tools work with; absent: they are not offered. */
  own?: Omit<OwnToolsDeps, 'roots' | 'paused'>;
  version: string;
  logger: Logger;
  env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  home: string;
  /** The process that agents are to take for the editor, where it is not this one. */
  pid?: number;
  /** Where this window listened before it was reloaded; taken again if the port is free, so that clients that come back find the same door. */
  lease?: { port: number; token: string };
  /** Called with the place where this window listens, before anybody is told of it: who found it once finds it again after a crash, however soon that comes. Never rejects. */
  keep?: (place: { port: number; token: string }) => Promise<void>;
  /** Milliseconds; a client that says nothing for so long is cut off. */
  silence?: number;
}

export type LinkEvent = ClientEvent | { kind: 'refused'; refusal: Refusal; count: number } | { kind: 'announced' };

/** The IDE server of one window or terminal: agents find it by its discovery files, and what they propose waits on the review desk. */
export interface Link {
  readonly port: number;
  readonly token: string;
  /** Family → its discovery file. */
  readonly files: Readonly<Record<string, string>>;
  /** Families that cannot find this window. */
  readonly unannounced: readonly NotAnnounced[];
  readonly clients: readonly LinkClient[];
  readonly onEvent: Subscribe<LinkEvent>;
  /** Whether agents see a file; absolute and real path. */
  sharingOf(path: string): SharingState;
  /** Points agents to a place. Fails `not_shared`, `no_client`. */
  mention(mention: Mention, client?: string): readonly LinkClient[];
  readonly canMention: boolean;
  /** Ends one client's connection; false when there is no such client. */
  disconnect(client: string): boolean;
  /** Folders, trust or rules of sharing have changed: discovery files and clients are told. */
  refresh(): Promise<void>;
  /** Answers every open call honestly, ends the connections, removes the discovery files. Sets that were waited for stay pending. */
  close(why: 'reload' | 'shutdown'): Promise<void>;
}

/** Starts the link. Rejects with Failure `cannot_listen`, or `no_lock` where no agent at all could find it; nothing is left behind then. */
export async function startLink(options: LinkOptions): Promise<Link> {
  const link = new Server(options);
  await link.start();
  return link;
}

class Server implements Link {
  private readonly events: Emitter<LinkEvent>;
  private readonly refusals: Refusals;
  private readonly record: LinkRecorder;
  private readonly ambient: Ambient;
  private readonly connected: Clients;
  private readonly codex: CodexLink;
  private readonly announcements: Announcements;
  private doors: Doors | undefined;
  private closing = false;
  readonly onEvent: Subscribe<LinkEvent>;

  constructor(private readonly options: LinkOptions) {
    const { desk, journal, roots, version, logger, sharing, env, home, silence } = options;
    this.events = new Emitter((error) => logger.warn('a listener of the link failed', { message: messageOf(error) }));
    this.onEvent = this.events.subscribe;
    this.refusals = new Refusals((refusal, count) => this.tellRefusal(refusal, count));
    const editor = sharedEditor(options.editor, sharing, roots);
    this.ambient = new Ambient(editor, options.trusted, logger);
    const own = options.own === undefined ? {} : { own: { ...options.own, roots, paused: () => sharing.paused() } };
    const record = linkRecorder(journal, logger);
    this.record = record;
    this.connected = new Clients({ desk, blobs: journal.blobs, record, editor, ambient: this.ambient, roots, shared: (path) => this.sharingOf(path) !== 'denied', ...own, version, logger, events: this.events, ...(silence === undefined ? {} : { silence }) });
    this.codex = new CodexLink({ ambient: this.ambient, roots, record, events: this.events });
    this.announcements = new Announcements({ env, home, logger }, [...discoveries, ...(process.platform === 'win32' ? [] : [this.codex.discovery])], options.serves);
  }

  async start(): Promise<void> {
    const { lease, env, logger } = this.options;
    this.doors = await openDoors({ lease, env, logger, onChannel: (channel) => this.connected.connect(channel), onRefused: (refusal) => this.refusals.add(refusal) });
    await this.options.keep?.({ port: this.port, token: this.token });
    await this.announce();
    if (this.unannounced.length === 0 || Object.keys(this.files).length > 0) return;
    await this.close('shutdown');
    throw new Failure<LinkFailureReason>('no_lock', this.unannounced.map(({ why }) => why).join(' '));
  }

  get port(): number {
    return this.doors?.port ?? 0;
  }

  get token(): string {
    return this.doors?.token ?? '';
  }

  get files(): Readonly<Record<string, string>> {
    return this.announcements.written;
  }

  get unannounced(): readonly NotAnnounced[] {
    return this.announcements.failed;
  }

  get clients(): readonly LinkClient[] {
    return [...this.connected.all, ...this.codex.clients];
  }

  get canMention(): boolean {
    return this.connected.canMention;
  }

  sharingOf(path: string): SharingState {
    const { sharing, roots } = this.options;
    if (sharing.paused()) return 'paused';
    return isShared(path, sharing.files(), roots()) ? 'on' : 'denied';
  }

  mention(mention: Mention, client?: string): readonly LinkClient[] {
    if (!isShared(mention.path, this.options.sharing.files(), this.options.roots())) throw new Failure<LinkFailureReason>('not_shared', 'This file is not shared with agents.');
    return this.connected.mention(mention, client);
  }

  disconnect(client: string): boolean {
    return this.connected.disconnect(client);
  }

  async refresh(): Promise<void> {
    if (this.closing) return;
    this.ambient.refresh();
    await this.announce();
  }

  async close(why: 'reload' | 'shutdown'): Promise<void> {
    if (this.closing) return;
    this.closing = true;
    // First, so that nobody finds a server that is about to go.
    await this.announcements.remove();
    const ended = new AbortController();
    await Promise.race([this.connected.close(why), delay(endingTime, undefined, { signal: ended.signal }).catch(() => undefined)]);
    ended.abort();
    await this.doors?.close();
    this.codex.dispose();
    this.ambient.dispose();
    this.refusals.dispose();
    this.events.dispose();
  }

  private async announce(): Promise<void> {
    const { roots, version, trusted, pid } = this.options;
    await this.announcements.announce({ port: this.port, token: this.token, socket: this.doors?.socket, folders: roots().map((root) => root.path), version, pid: pid ?? process.pid, trusted: trusted() });
    this.events.fire({ kind: 'announced' });
  }

  private tellRefusal(refusal: Refusal, count: number): void {
    const { logger } = this.options;
    logger.warn(`A connection to the link was refused: ${refusal.why}`, { kind: refusal.kind, count });
    this.record('client.refused', { kind: refusal.kind, why: refusal.why, count });
    this.events.fire({ kind: 'refused', refusal, count });
  }
}

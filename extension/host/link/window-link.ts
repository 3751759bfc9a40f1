import { homedir } from 'node:os';
import type { Core } from '../../compose/ports.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import { Emitter } from '../../core/base/emitter.ts';
import { messageOf } from '../../core/base/failure.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { Editor } from '../../core/link/editor.ts';
import type { OwnToolsDeps } from '../../core/link/tools/deps.ts';
import type { Link, LinkEvent } from '../../core/link/server.ts';
import type { Root } from '../roots.ts';
import type { HeldLease, Lease, LeaseFile } from './lease.ts';
import type { WindowSharing } from './sharing.ts';

/** The link of this window, as one value. */
export type LinkState =
  | { kind: 'off'; why: 'setting' | 'not_trusted' | 'no_folder' | 'closing' }
  | { kind: 'starting' }
  | { kind: 'on'; link: Link }
  /** `why`: one sentence. */
  | { kind: 'failed'; why: string };

export interface WindowLinkDeps {
  core: () => Promise<Core>;
  editor: () => Editor & Disposable;
  sharing: WindowSharing;
  roots: () => readonly Root[];
  enabled: () => boolean;
  trusted: () => boolean;
  /** Whether a family of agents is to find this window. */
  serves: (family: string) => boolean;
  /** Absent where the editor has no storage for this workspace; loaded only when the link starts. */
  lease?: () => Promise<LeaseFile>;
  /** Asks whether an agent may have a ticket investigated; see the link's own tools. */
  agree: NonNullable<OwnToolsDeps['agree']>;
  env: Readonly<Record<string, string | undefined>>;
  /** The process that terminals of this window descend from. */
  pid: number;
  logger: Logger;
}

/** Starts and ends the link as settings, trust and folders say, one change after the other. */
export class WindowLink implements Disposable {
  private readonly changes = new Emitter<LinkState>();
  private readonly news = new Emitter<LinkEvent>();
  private running: { link: Link; editor: Disposable; lease: HeldLease | undefined } | undefined;
  private queue: Promise<void> = Promise.resolve();
  private closing = false;
  private value: LinkState = { kind: 'off', why: 'no_folder' };
  readonly onChange = this.changes.subscribe;
  /** What happens at the link, whichever one runs. */
  readonly onEvent = this.news.subscribe;

  constructor(private readonly deps: WindowLinkDeps) {}

  get state(): LinkState {
    return this.value;
  }

  get link(): Link | undefined {
    return this.running?.link;
  }

  /** Brings the link in line with settings, trust and folders. Never rejects: what fails is in the state. */
  update(): Promise<void> {
    return this.next(async () => {
      const off = this.whyOff();
      if (off !== undefined) return this.stop(off, 'shutdown');
      if (this.running === undefined) return this.start();
      await this.running.link.refresh();
      this.changes.fire(this.value);
    });
  }

  /** A new port and token, for all that is stuck. */
  restart(): Promise<void> {
    return this.next(async () => {
      const off = this.whyOff();
      await this.stop(off ?? 'closing', 'shutdown');
      if (off === undefined) await this.start();
    });
  }

  /** The window goes. The editor does not say whether it will be back, so the place is kept for a while and callers are told that it may. */
  async close(): Promise<void> {
    this.closing = true;
    await this.next(() => this.stop('closing', 'reload'));
    this.dispose();
  }

  dispose(): void {
    this.changes.dispose();
    this.news.dispose();
  }

  private next(work: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(work).catch((error: unknown) => {
      this.deps.logger.error('the link could not be changed', error);
      this.become({ kind: 'failed', why: messageOf(error) });
    });
    return this.queue;
  }

  private whyOff(): (LinkState & { kind: 'off' })['why'] | undefined {
    if (this.closing) return 'closing';
    if (!this.deps.trusted()) return 'not_trusted';
    if (!this.deps.enabled()) return 'setting';
    return this.deps.roots().length === 0 ? 'no_folder' : undefined;
  }

  private folders(): string[] {
    return this.deps.roots().map(({ path }) => path);
  }

  private async start(): Promise<void> {
    const { deps } = this;
    this.become({ kind: 'starting' });
    const [core, { startLink }] = await Promise.all([deps.core(), import('../../core/link/server.ts')]);
    const file = await deps.lease?.();
    const lease = await file?.take(this.folders());
    const held: { lease?: HeldLease | undefined } = {};
    if (this.whyOff() !== undefined) return;
    const editor = deps.editor();
    const { cases, sources, journal, review } = core;
    const own = { cases, sources, journal, desk: review, agree: deps.agree, ticketFromText: (text: string) => core.ticketFromText(text, 'pasted') };
    try {
      const { env, sharing, roots, trusted, serves, pid, logger } = deps;
      const link = await startLink({ desk: review, journal, own, editor, sharing, roots, trusted, serves, version: core.version, logger, env, home: env['HOME'] ?? homedir(), pid, ...(lease === undefined ? {} : { lease }), keep: async (place) => void (held.lease = await this.hold(file, place)) });
      link.onEvent((event) => this.news.fire(event));
      link.onEvent(() => this.changes.fire(this.value));
      this.running = { link, editor, lease: held.lease };
      this.become({ kind: 'on', link });
    } catch (error) {
      editor.dispose();
      await held.lease?.drop();
      deps.logger.error('the link did not start', error);
      this.become({ kind: 'failed', why: messageOf(error) });
    }
  }

  /** Without a lease the link works; only a reload is noticed by the clients then. */
  private async hold(file: LeaseFile | undefined, { port, token }: Lease): Promise<HeldLease | undefined> {
    return file?.hold({ port, token }, () => this.folders()).catch((error: unknown) => {
      this.deps.logger.warn('the place of this window cannot be kept over a reload', { message: messageOf(error) });
      return undefined;
    });
  }

  private async stop(why: (LinkState & { kind: 'off' })['why'], how: 'reload' | 'shutdown'): Promise<void> {
    const { running } = this;
    this.running = undefined;
    if (running !== undefined) {
      await running.link.close(how);
      await (how === 'reload' ? running.lease?.release() : running.lease?.drop());
      running.editor.dispose();
    }
    this.become({ kind: 'off', why });
  }

  private become(state: LinkState): void {
    this.value = state;
    this.changes.fire(state);
  }
}

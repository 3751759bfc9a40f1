import { type FSWatcher, watch } from 'node:fs';
import type { Disposable } from '../base/disposable.ts';
import { messageOf } from '../base/failure.ts';
import { ensurePrivateFolder } from '../base/files.ts';
import type { Logger } from '../base/logger.ts';
import { listHeads, readHead, type StoredHead } from './heads.ts';
import { type Layout, segmentName, segmentNumber } from './layout.ts';
import type { Head } from './port.ts';
import { listSegments, type Place, scanSegment } from './scan.ts';
import type { ParsedRecord } from './envelope.ts';

export interface NeighbourOptions {
  layout: Layout;
  own: string;
  pollMs: number;
  logger: Logger;
  onRecord: (record: ParsedRecord, place: Place) => Promise<void>;
  /** Called on every look, for whatever else other processes leave in the folder. */
  onLook: () => Promise<void>;
}

/** An opening says of so many other sessions how far they were; those before were named by the sessions in between. */
const namedAtOpening = 64;

/**
 * Notices what other processes write: watches the folder of heads (each batch touches one) and looks every `pollMs` as well, because
 * file events get lost on network drives. Its notion of how far the others are becomes the `seen` of our own events.
 */
export class Neighbours implements Disposable {
  private readonly known = new Map<string, StoredHead>();
  private readonly unsaid = new Map<string, Head>();
  private watcher: FSWatcher | undefined;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private again = false;
  private disposed = false;

  constructor(private readonly options: NeighbourOptions) {}

  /** Takes the present state as seen, then starts to notice. */
  async start(): Promise<void> {
    await ensurePrivateFolder(this.options.layout.heads);
    const heads = (await listHeads(this.options.layout)).filter((head) => head.session !== this.options.own).sort((a, b) => b.changed - a.changed);
    for (const [index, { session }] of heads.entries()) {
      const head = await readHead(this.options.layout, session);
      if (head === undefined) continue;
      this.known.set(session, head);
      if (head.count > 0 && (index < namedAtOpening || !head.closed)) this.unsaid.set(session, { count: head.count, hash: head.hash });
    }
    if (this.disposed) return;
    try {
      this.watcher = watch(this.options.layout.heads, () => void this.look());
      this.watcher.on('error', (error) => this.options.logger.warn('watching the journal failed; polling goes on', { error: messageOf(error) }));
      this.watcher.unref();
    } catch (error) {
      this.options.logger.warn('the journal cannot be watched; polling instead', { error: messageOf(error) });
    }
    this.timer = setInterval(() => void this.look(), this.options.pollMs);
    this.timer.unref();
  }

  /** What was seen since the last call, for the next event's `seen`. */
  takeUnsaid(): Record<string, Head> | undefined {
    if (this.unsaid.size === 0) return undefined;
    const said = Object.fromEntries(this.unsaid);
    this.unsaid.clear();
    return said;
  }

  /** Puts back what `takeUnsaid` gave, when the event was not written after all. */
  putBack(said: Record<string, Head> | undefined): void {
    for (const [session, head] of Object.entries(said ?? {})) if (!this.unsaid.has(session)) this.unsaid.set(session, head);
  }

  /**
   * Sessions that are about to be brought here whole: what they hold is old, and is not announced as news. Gives what `adopted` is to be told
   * once they are here, so that our next event has seen them; before that it would name sessions that are missing.
   */
  async expect(from: Layout, sessions: readonly string[]): Promise<[string, StoredHead][]> {
    const changed = new Map((await listHeads(from)).map((head) => [head.session, head.changed]));
    const heads: [string, StoredHead][] = [];
    for (const session of sessions) {
      const head = await readHead(from, session);
      if (head !== undefined) heads.push([session, head]);
    }
    for (const [session, head] of heads) this.known.set(session, head);
    return heads.sort(([a], [b]) => (changed.get(b) ?? 0) - (changed.get(a) ?? 0));
  }

  adopted(heads: readonly [string, StoredHead][]): void {
    for (const [session, { count, hash }] of heads.slice(0, namedAtOpening)) if (count > 0) this.unsaid.set(session, { count, hash });
  }

  /** Reads whatever is new now; a call during a look makes it look once more. */
  look(): Promise<void> {
    if (this.looking !== undefined) {
      this.again = true;
      return this.looking;
    }
    this.looking = this.lookUntilQuiet().finally(() => (this.looking = undefined));
    return this.looking;
  }

  dispose(): void {
    this.disposed = true;
    this.watcher?.close();
    clearInterval(this.timer);
  }

  private async lookUntilQuiet(): Promise<void> {
    do {
      this.again = false;
      try {
        await this.lookOnce();
        await this.options.onLook();
      } catch (error) {
        this.options.logger.warn('other processes could not be read', { error: messageOf(error) });
      }
    } while (this.again && !this.disposed);
  }

  private async lookOnce(): Promise<void> {
    for (const { session } of await listHeads(this.options.layout)) {
      if (session === this.options.own || this.disposed) continue;
      const head = await readHead(this.options.layout, session);
      const known = this.known.get(session);
      if (head === undefined || (known !== undefined && head.count <= known.count && head.generation === known.generation)) continue;
      await this.catchUp(session, known, head);
    }
  }

  private async catchUp(session: string, known: StoredHead | undefined, head: StoredHead): Promise<void> {
    const sameBytes = known !== undefined && known.generation === head.generation;
    let count = known?.count ?? 0;
    const first = sameBytes ? known.segment : segmentName(1);
    for (const { name } of await listSegments(this.options.layout, session)) {
      if (segmentNumber(name) < segmentNumber(first) || segmentNumber(name) > segmentNumber(head.segment)) continue;
      const from = sameBytes && name === first ? known.offset : 0;
      const to = name === head.segment ? head.offset : undefined;
      for await (const found of scanSegment(this.options.layout, session, name, { from, ...(to === undefined ? {} : { to }) })) {
        if (found.kind !== 'record' || found.record.head.seq <= count) continue;
        count = found.record.head.seq;
        // Before it is announced: whoever answers an event from its listener must be recorded as having seen it.
        this.unsaid.set(session, { count, hash: found.record.hash });
        await this.options.onRecord(found.record, found.place);
      }
    }
    this.known.set(session, head);
  }
}

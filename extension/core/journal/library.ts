import { type FileHandle, open } from 'node:fs/promises';
import { Failure, messageOf } from '../base/failure.ts';
import type { Logger } from '../base/logger.ts';
import { Serial } from '../base/serial.ts';
import { parseRecord } from './envelope.ts';
import { toEvent } from './events.ts';
import type { Catalog, Ref } from './index/catalog.ts';
import { findRemainders, indexRemainder, type Remainder } from './index/indexer.ts';
import { MemoryCatalog } from './index/memory-catalog.ts';
import type { Layout } from './layout.ts';
import { readAt } from './lines.ts';
import { matchesFilter } from './memory.ts';
import { mergeCausally, type SeenMark } from './order.ts';
import type { AnyEvent, BlobStore, CaseListing, EventFilter, Gap, JournalFailureReason } from './port.ts';

export interface LibraryOptions {
  layout: Layout;
  blobs: BlobStore;
  logger: Logger;
  /** Called on first use, so that node:sqlite is not loaded at activation; `fresh` after the present one failed. */
  openCatalog: (fresh: boolean) => Promise<Catalog>;
  /** Whether a session's writer may still complete its last line. */
  mayBeWriting: (session: string) => Promise<boolean>;
}

/** What is left to index before a question is answered at once; more is answered from the newest part while the rest is built. */
const readyBytes = 4 * 1024 * 1024;
/** The newest segment may hold no more than this process's opening; then the ones before it are wanted for a first answer too. */
const firstBytes = 512 * 1024;

/** Everything that reads the record: listings, events in order, search. Works from the files alone; the catalog only makes it fast. */
export class Library {
  private catalog: Promise<Catalog> | undefined;
  private building: Promise<void> | undefined;
  private readonly serial = new Serial();
  private readonly stop = new AbortController();
  private readonly torn = new Map<string, Gap>();

  constructor(private readonly options: LibraryOptions) {}

  /**
   * Cases, newest activity first. When much is not indexed yet this answers from what is (the newest segment at least) and goes on
   * building in the background; `whenIndexed` tells when the answer is complete.
   */
  async listCases(options?: { limit?: number; offset?: number; text?: string }): Promise<CaseListing[]> {
    const catalog = await this.ready();
    return catalog.listings(options);
  }

  /** Resolves when everything that is on disk now is indexed. */
  async whenIndexed(): Promise<void> {
    await this.ready();
    await this.building;
    await this.ready();
  }

  async *read(filter: EventFilter): AsyncGenerator<AnyEvent | { gap: Gap }> {
    const { refs, marks, gaps } = await this.find(filter);
    const inOrder = mergeCausally(refs, marks);
    const segments = new SegmentReader(this.options.layout, this.options.blobs);
    const left = new Map(gaps.map((gap) => [`${gap.session}/${gap.segment}/${gap.offset}`, gap]));
    try {
      for (const ref of inOrder) {
        for (const [key, gap] of left) {
          if (gap.session !== ref.session || gap.segment > ref.segment || (gap.segment === ref.segment && gap.offset > ref.offset)) continue;
          left.delete(key);
          yield { gap };
        }
        const event = await segments.event(ref);
        if (event !== undefined) yield event;
        else yield { gap: { session: ref.session, segment: ref.segment, offset: ref.offset, length: ref.length, why: 'the file changed while it was read' } };
      }
      for (const gap of left.values()) yield { gap };
    } finally {
      await segments.close();
    }
  }

  async search(text: string, limit = 50): Promise<AnyEvent[]> {
    if (text.trim() === '') return [];
    const catalog = await this.ready();
    await this.building;
    const segments = new SegmentReader(this.options.layout, this.options.blobs);
    const found: AnyEvent[] = [];
    try {
      const refs = catalog.search(text, limit);
      const wanted = text.toLowerCase();
      for (const ref of refs ?? newestFirst(catalog.refs({}).refs)) {
        const event = await segments.event(ref);
        if (event === undefined || (refs === undefined && !JSON.stringify(event.body).toLowerCase().includes(wanted))) continue;
        found.push(event);
        if (found.length >= limit) break;
      }
    } finally {
      await segments.close();
    }
    return found;
  }

  /** Where the events of a filter stand, in no particular order. */
  async find(filter: EventFilter): Promise<{ refs: Ref[]; marks: SeenMark[]; gaps: Gap[] }> {
    const catalog = await this.ready();
    // The rest is read directly, so that a case can be opened while the index is still being built. The index is asked after the rest is
    // known: what the building adds meanwhile is then found twice rather than never.
    const rest = await findRemainders(this.options.layout, catalog);
    const found = catalog.refs(filter);
    const extra = new MemoryCatalog(filter);
    for (const remainder of rest) await this.indexOne(extra, remainder, false);
    const more = extra.refs(filter);
    const all = new Map<string, Ref>();
    for (const ref of [...found.refs, ...more.refs]) if (matchesFilter(ref, filter)) all.set(`${ref.session}/${ref.seq}`, ref);
    const refs = Array.from(all.values());
    const sessions = new Set(refs.map((ref) => ref.session));
    const unfiltered = Object.keys(filter).length === 0;
    const torn = await this.tornTails();
    return {
      refs,
      marks: [...found.marks, ...more.marks].filter((mark) => sessions.has(mark.session)),
      gaps: [...found.gaps, ...more.gaps, ...torn].filter((gap) => unfiltered || sessions.has(gap.session)),
    };
  }

  /** After an erasure: the index forgets what the files no longer hold, without a trace. */
  async purge(): Promise<void> {
    const catalog = await this.ready();
    await this.building;
    catalog.purge();
  }

  /** Ends background work and closes the catalog. */
  async close(): Promise<void> {
    this.stop.abort();
    await this.building;
    const catalog = await this.catalog?.catch(() => undefined);
    this.catalog = undefined;
    catalog?.close();
  }

  private ready(): Promise<Catalog> {
    return this.serial.run(async () => {
      if (this.stop.signal.aborted) throw new Failure<JournalFailureReason>('closed', 'the journal is closed');
      try {
        return await this.catchUp();
      } catch (error) {
        this.options.logger.warn('the index failed and is built again', { error: messageOf(error) });
        await this.replaceCatalog(this.options.openCatalog(true));
      }
      try {
        return await this.catchUp();
      } catch (error) {
        // A full disk takes no new index either; the record can still be read without one.
        this.options.logger.warn('the index could not be built again; the record is read without it', { error: messageOf(error) });
        await this.replaceCatalog(Promise.resolve(new MemoryCatalog()));
        return this.catchUp();
      }
    });
  }

  private async replaceCatalog(next: Promise<Catalog>): Promise<void> {
    const broken = await this.catalog?.catch(() => undefined);
    broken?.close();
    this.catalog = next;
  }

  private async catchUp(): Promise<Catalog> {
    this.catalog ??= this.options.openCatalog(false);
    const catalog = await this.catalog;
    if (this.building !== undefined) return catalog;
    const rest = await findRemainders(this.options.layout, catalog);
    const bytes = rest.reduce((sum, remainder) => sum + remainder.size - remainder.from, 0);
    if (bytes <= readyBytes) {
      for (const remainder of rest) await this.indexOne(catalog, remainder, true);
      return catalog;
    }
    let done = 0;
    for (let next = rest.shift(); next !== undefined; next = done < firstBytes ? rest.shift() : undefined) {
      await this.indexOne(catalog, next, true);
      done += next.size - next.from;
    }
    this.building ??= this.build(catalog, rest).finally(() => (this.building = undefined));
    return catalog;
  }

  private async build(catalog: Catalog, rest: Remainder[]): Promise<void> {
    try {
      for (const remainder of rest) {
        if (this.stop.signal.aborted) return;
        await this.indexOne(catalog, remainder, true);
      }
    } catch (error) {
      this.options.logger.warn('building the index failed; the files are read directly', { error: messageOf(error) });
    }
  }

  private async indexOne(catalog: Catalog, remainder: Remainder, text: boolean): Promise<void> {
    const key = `${remainder.session}/${remainder.segment}`;
    const unfinished = await indexRemainder(this.options.layout, this.options.blobs, catalog, remainder, { signal: this.stop.signal, text });
    if (unfinished === undefined) this.torn.delete(key);
    else this.torn.set(key, unfinished);
  }

  private async tornTails(): Promise<Gap[]> {
    const gaps: Gap[] = [];
    for (const gap of this.torn.values()) if (!(await this.options.mayBeWriting(gap.session))) gaps.push(gap);
    return gaps;
  }
}

function newestFirst(refs: Ref[]): Ref[] {
  return refs.sort((a, b) => (a.ts < b.ts ? 1 : a.ts > b.ts ? -1 : b.seq - a.seq));
}

/** Fetches single records; keeps a few files open, because neighbouring refs mostly stand in the same one. */
class SegmentReader {
  private readonly files = new Map<string, FileHandle>();

  constructor(
    private readonly layout: Layout,
    private readonly blobs: BlobStore,
  ) {}

  async event(ref: Ref): Promise<AnyEvent | undefined> {
    const file = await this.file(ref).catch(() => undefined);
    if (file === undefined) return undefined;
    const record = parseRecord(await readAt(file, ref.offset, ref.length));
    return record?.head.session === ref.session && record.head.seq === ref.seq ? toEvent(record, this.blobs) : undefined;
  }

  async close(): Promise<void> {
    for (const file of this.files.values()) await file.close();
    this.files.clear();
  }

  private async file(ref: Ref): Promise<FileHandle> {
    const path = this.layout.segment(ref.session, ref.segment);
    const known = this.files.get(path);
    if (known !== undefined) return known;
    if (this.files.size >= 8) {
      const [oldest] = this.files;
      if (oldest !== undefined) {
        this.files.delete(oldest[0]);
        await oldest[1].close();
      }
    }
    const opened = await open(path, 'r');
    this.files.set(path, opened);
    return opened;
  }
}

import type { TicketSource } from '../../core/tickets/source.ts';
import { addPage, type LoadedQuery } from './rows.ts';

/** Reads pages of queries, keeps what was read until a refresh, and never reads one page twice at the same time. */
export class TicketLoader {
  private readonly loaded = new Map<string, LoadedQuery>();
  private readonly loading = new Map<string, Promise<LoadedQuery>>();
  private abort = new AbortController();

  /** The query's tickets so far; reads the first page when there is none yet. */
  first(source: TicketSource, query: string): Promise<LoadedQuery> {
    const known = this.loaded.get(keyOf(source, query));
    return known === undefined ? this.read(source, query, undefined) : Promise.resolve(known);
  }

  /** Reads one page more. A failure keeps what was read before and is shown beside it. */
  async more(source: TicketSource, query: string): Promise<LoadedQuery> {
    const known = this.loaded.get(keyOf(source, query));
    return this.read(source, query, known?.next);
  }

  /** Forgets everything (or one query) and ends reads under way. */
  forget(source?: TicketSource, query?: string): void {
    if (source !== undefined && query !== undefined) {
      this.loaded.delete(keyOf(source, query));
      return;
    }
    this.abort.abort();
    this.abort = new AbortController();
    this.loaded.clear();
    this.loading.clear();
  }

  private read(source: TicketSource, query: string, cursor: string | undefined): Promise<LoadedQuery> {
    const key = keyOf(source, query);
    const running = this.loading.get(key);
    if (running !== undefined) return running;
    const { signal } = this.abort;
    const job = this.readPage(source, query, cursor, signal).finally(() => {
      if (this.loading.get(key) === job) this.loading.delete(key);
    });
    this.loading.set(key, job);
    return job;
  }

  private async readPage(source: TicketSource, query: string, cursor: string | undefined, signal: AbortSignal): Promise<LoadedQuery> {
    const key = keyOf(source, query);
    const before = cursor === undefined ? undefined : this.loaded.get(key);
    let result: LoadedQuery;
    try {
      result = addPage(before, await source.list(query, cursor, signal));
    } catch (error) {
      result = { items: [], ...before, error };
    }
    // A refresh came in between: what was read belongs to the list before it.
    if (!signal.aborted) this.loaded.set(key, result);
    return result;
  }
}

function keyOf(source: TicketSource, query: string): string {
  return `${source.id}\n${query}`;
}

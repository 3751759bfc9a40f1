import { Emitter } from '../base/emitter.ts';
import type { AnyEvent, EventFilter, Journal } from './port.ts';

/** How often, at most, something that is being written to is announced as changed. Milliseconds. */
const announceEvery = 50;

export interface LiveFoldOptions<State> {
  /** Which of these things an event belongs to. */
  idOf(event: AnyEvent): string | undefined;
  filter(id: string): EventFilter;
  /** The state by its events in causal order; undefined where there is none. */
  fold(events: readonly AnyEvent[]): State | undefined;
}

/**
 * States that are folds of the journal, for the things somebody looks at (a case, a change set). Each is read from the journal once;
 * after that the journal's own notices, of this process and of others, keep it current.
 */
export class LiveFolds<State> {
  private readonly events = new Map<string, Promise<AnyEvent[]>>();
  private readonly folded = new Map<string, { length: number; state: State }>();
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private readonly changed = new Emitter<string>();
  /** Fires with an id after each event that belongs to it, at most every 50 ms per id. */
  readonly onChange = this.changed.subscribe;

  constructor(
    private readonly journal: Pick<Journal, 'read' | 'onEvent'>,
    private readonly options: LiveFoldOptions<State>,
  ) {
    journal.onEvent((event) => this.noticed(event));
  }

  /** The state as it is now; undefined when there is nothing of that id, or its events were erased. */
  async state(id: string): Promise<State | undefined> {
    const events = await this.load(id);
    const known = this.folded.get(id);
    if (known !== undefined && known.length === events.length) return known.state;
    const state = this.options.fold(events);
    if (state !== undefined) this.folded.set(id, { length: events.length, state });
    return state;
  }

  forget(id: string): void {
    this.events.delete(id);
    this.folded.delete(id);
  }

  private load(id: string): Promise<AnyEvent[]> {
    let loading = this.events.get(id);
    if (loading === undefined) {
      loading = this.read(id);
      this.events.set(id, loading);
      loading.catch(() => this.events.delete(id));
    }
    return loading;
  }

  private async read(id: string): Promise<AnyEvent[]> {
    const events: AnyEvent[] = [];
    for await (const item of this.journal.read(this.options.filter(id))) if (!('gap' in item)) events.push(item);
    return events;
  }

  private noticed(event: AnyEvent): void {
    const id = this.options.idOf(event);
    if (id === undefined) return;
    const loading = this.events.get(id);
    // An event may be both in the first read and in a notice; its id tells.
    void loading?.then((events) => {
      if (!events.some((known) => known.id === event.id)) events.push(event);
    }, () => undefined);
    if (this.waiting.has(id)) return;
    const timer = setTimeout(() => {
      this.waiting.delete(id);
      this.changed.fire(id);
    }, announceEvery);
    timer.unref();
    this.waiting.set(id, timer);
  }
}

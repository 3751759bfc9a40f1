import { Failure } from '../base/failure.ts';
import { Emitter } from '../base/emitter.ts';
import type { AnyEvent, Journal } from '../journal/port.ts';
import { foldCase } from './fold.ts';
import type { CaseFailureReason } from './port.ts';
import type { CaseState } from './state.ts';

/** How often, at most, a case that is being written to is announced as changed. Milliseconds. */
const announceEvery = 50;

/**
 * The cases somebody looks at, kept as their events so that a state is one fold away. A case is read from the journal once;
 * after that the journal's own notices, of this process and of others, keep it current.
 */
export class LiveCases {
  private readonly events = new Map<string, Promise<AnyEvent[]>>();
  private readonly folded = new Map<string, { length: number; state: CaseState }>();
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private readonly changed = new Emitter<string>();
  readonly onChange = this.changed.subscribe;

  constructor(private readonly journal: Journal) {
    journal.onEvent((event) => this.noticed(event));
  }

  /** The case as it is now. Rejects with Failure `not_found` when there is none, or its events were erased. */
  async state(caseId: string): Promise<CaseState> {
    const events = await this.load(caseId);
    const known = this.folded.get(caseId);
    if (known !== undefined && known.length === events.length) return known.state;
    const state = foldCase(events);
    if (state === undefined) throw new Failure<CaseFailureReason>('not_found', `There is no readable case ${caseId}.`);
    this.folded.set(caseId, { length: events.length, state });
    return state;
  }

  forget(caseId: string): void {
    this.events.delete(caseId);
    this.folded.delete(caseId);
  }

  private load(caseId: string): Promise<AnyEvent[]> {
    let loading = this.events.get(caseId);
    if (loading === undefined) {
      loading = this.read(caseId);
      this.events.set(caseId, loading);
      loading.catch(() => this.events.delete(caseId));
    }
    return loading;
  }

  private async read(caseId: string): Promise<AnyEvent[]> {
    const events: AnyEvent[] = [];
    for await (const item of this.journal.read({ case: caseId })) if (!('gap' in item)) events.push(item);
    return events;
  }

  private noticed(event: AnyEvent): void {
    if (event.case === undefined) return;
    const caseId = event.case;
    const loading = this.events.get(caseId);
    // An event may be both in the first read and in a notice; its id tells.
    void loading?.then((events) => {
      if (!events.some((known) => known.id === event.id)) events.push(event);
    }, () => undefined);
    if (this.waiting.has(caseId)) return;
    const timer = setTimeout(() => {
      this.waiting.delete(caseId);
      this.changed.fire(caseId);
    }, announceEvery);
    timer.unref();
    this.waiting.set(caseId, timer);
  }
}

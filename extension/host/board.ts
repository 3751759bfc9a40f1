import { type Disposable, DisposableStore } from '../core/base/disposable.ts';
import { Emitter } from '../core/base/emitter.ts';
import type { Logger } from '../core/base/logger.ts';
import type { Cases } from '../core/cases/port.ts';
import type { CaseState } from '../core/cases/state.ts';

/** What lists and the status bar need of a case; the whole state stays with the core. */
export interface CaseBrief {
  id: string;
  title: string;
  status: CaseState['status'];
  lastEventAt: string;
  effective?: { classification: string; bugConfirmation?: string | undefined };
}

export function briefOf(state: CaseState): CaseBrief {
  return { id: state.id, title: state.title, status: state.status, lastEventAt: state.lastEventAt, ...(state.verdict === undefined ? {} : { effective: state.verdict.effective }) };
}

const AT_ONCE = 4;

/**
 * The latest state of the cases that somebody looks at. Reads of one case never overlap: a change that comes during a read
 * makes one more read after it, so listeners see states in order and the last one always.
 */
export class CaseBoard implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changed = new Emitter<CaseState>();
  private readonly briefs = new Map<string, CaseBrief>();
  private readonly reading = new Map<string, { again: boolean }>();
  private readonly queue: (() => Promise<void>)[] = [];
  private active = 0;

  readonly onState = this.changed.subscribe;

  constructor(
    private readonly cases: Pick<Cases, 'state' | 'onChange'>,
    private readonly log: Logger,
  ) {
    this.owned.add(this.changed);
    this.owned.add(cases.onChange((id) => this.refresh(id)));
  }

  brief(id: string): CaseBrief | undefined {
    return this.briefs.get(id);
  }

  all(): CaseBrief[] {
    return [...this.briefs.values()];
  }

  /** Reads a case (again) and tells listeners; never rejects, a case that cannot be read is logged. */
  refresh(id: string): void {
    const running = this.reading.get(id);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const job = { again: true };
    this.reading.set(id, job);
    this.queue.push(() => this.readUntilQuiet(id, job));
    this.next();
  }

  /** A case that is gone (erased). */
  forget(id: string): void {
    this.briefs.delete(id);
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** A long list asks for many cases at once; a few are read at a time, so that the one on screen does not wait for all. */
  private next(): void {
    if (this.active >= AT_ONCE) return;
    const job = this.queue.shift();
    if (job === undefined) return;
    this.active += 1;
    void job().then(() => {
      this.active -= 1;
      this.next();
    });
  }

  private async readUntilQuiet(id: string, job: { again: boolean }): Promise<void> {
    while (job.again) {
      job.again = false;
      try {
        const state = await this.cases.state(id);
        this.briefs.set(id, briefOf(state));
        this.changed.fire(state);
      } catch (error) {
        this.log.warn(`case ${id} could not be read`, error);
      }
    }
    this.reading.delete(id);
  }
}

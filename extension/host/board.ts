import { type Disposable, DisposableStore } from '../core/base/disposable.ts';
import { Emitter } from '../core/base/emitter.ts';
import type { Logger } from '../core/base/logger.ts';
import type { Cases } from '../core/cases/port.ts';
import type { CaseState } from '../core/cases/state.ts';
import { LatestReads } from './latest-reads.ts';

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

/** The latest state of the cases that somebody looks at. A long list asks for many at once; the one on screen does not wait for all. */
export class CaseBoard implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changed = new Emitter<CaseState>();
  private readonly briefs = new Map<string, CaseBrief>();
  private readonly reads = new LatestReads((id) => this.read(id));

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
    this.reads.refresh(id);
  }

  /** A case that is gone (erased). */
  forget(id: string): void {
    this.briefs.delete(id);
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async read(id: string): Promise<void> {
    try {
      const state = await this.cases.state(id);
      this.briefs.set(id, briefOf(state));
      this.changed.fire(state);
    } catch (error) {
      this.log.warn(`case ${id} could not be read`, error);
    }
  }
}

import { type Disposable, toDisposable } from '../core/base/disposable.ts';
import type { Cases } from '../core/cases/port.ts';
import type { EngineName } from '../core/model/run.ts';

type Mode = 'fresh' | 'restart' | 'resume';

export interface RunsDeps {
  cases(): Promise<Pick<Cases, 'investigate' | 'stop'>>;
  /** The engine that was agreed on, or undefined when the user backed out. */
  agree(via: string, signal: AbortSignal): Promise<EngineName | 'auto' | undefined>;
  report(error: unknown, doing: string): void;
}

/** Starts and stops investigations of this window; one at a time per case. */
export class Runs implements Disposable {
  private readonly running = new Map<string, AbortController>();

  constructor(private readonly deps: RunsDeps) {}

  /** Resolves once the run was started or the user backed out (false); how it ends is for the panel to tell. */
  async start(caseId: string, mode: Mode, via: string): Promise<boolean> {
    if (this.running.has(caseId)) return true;
    const controller = new AbortController();
    this.running.set(caseId, controller);
    try {
      const engine = await this.deps.agree(via, controller.signal);
      const cases = await this.deps.cases();
      if (engine === undefined || controller.signal.aborted) {
        this.running.delete(caseId);
        return false;
      }
      void this.finish(caseId, cases.investigate(caseId, { via, engine, mode }, controller.signal));
      return true;
    } catch (error) {
      this.running.delete(caseId);
      throw error;
    }
  }

  /** Asks the run's owner, which may be another window, to stop. The panel says stopped when the end is seen. */
  async stop(caseId: string, via: string): Promise<void> {
    await (await this.deps.cases()).stop(caseId, via);
    this.running.get(caseId)?.abort();
  }

  /** Ends what this window runs; the core waits for the children to be gone. */
  dispose(): void {
    for (const controller of this.running.values()) controller.abort();
    this.running.clear();
  }

  private async finish(caseId: string, run: Promise<unknown>): Promise<void> {
    const settled = toDisposable(() => this.running.delete(caseId));
    try {
      await run;
    } catch (error) {
      this.deps.report(error, 'the investigation');
    } finally {
      settled.dispose();
    }
  }
}

import { Failure } from '../base/failure.ts';
import { LiveFolds } from '../journal/live-folds.ts';
import type { Journal } from '../journal/port.ts';
import { foldCase } from './fold.ts';
import type { CaseFailureReason } from './port.ts';
import type { CaseState } from './state.ts';

/** The cases somebody looks at. */
export class LiveCases {
  private readonly folds: LiveFolds<CaseState>;
  readonly onChange: LiveFolds<CaseState>['onChange'];

  constructor(journal: Journal) {
    this.folds = new LiveFolds(journal, { idOf: (event) => event.case, filter: (id) => ({ case: id }), fold: foldCase });
    this.onChange = this.folds.onChange;
  }

  /** The case as it is now. Rejects with Failure `not_found` when there is none, or its events were erased. */
  async state(caseId: string): Promise<CaseState> {
    const state = await this.folds.state(caseId);
    if (state === undefined) throw new Failure<CaseFailureReason>('not_found', `There is no readable case ${caseId}.`);
    return state;
  }

  forget(caseId: string): void {
    this.folds.forget(caseId);
  }
}

import { LitElement } from 'lit';
import type { SetState } from '../../../extension/core/review/desk/state.ts';
import type { Citation } from '../../../extension/core/model/code.ts';
import type { ReviewAnswers, ReviewRequestName, ReviewRequests, ReviewSettings } from '../../../extension/shared/review-protocol.ts';
import type { UiStore } from '../../shared/ui-state.ts';

/** Where to go in a file: to a change, to a line, or to one of its ends. */
export type Target = { hunk: string } | { side: 'base' | 'proposed'; line: number } | 'first' | 'last' | 'open';

/** A request's value when the host did it. A refusal is shown by the panel itself. */
export type Answered<Name extends ReviewRequestName> = { ok: true; value: Name extends keyof ReviewAnswers ? ReviewAnswers[Name] : unknown } | { ok: false };

/** What every part is drawn from: one snapshot, and the ways back to the host. A new object per snapshot. */
export interface ReviewModel {
  state: SetState;
  settings: ReviewSettings;
  citations: readonly Citation[];
  store: UiStore;
  /** The file on screen. */
  current: string | undefined;
  request: <Name extends ReviewRequestName>(name: Name, args: ReviewRequests[Name]) => Promise<Answered<Name>>;
  /** Decides, asking first where the proposal looks incomplete. Resolves to whether it was done. */
  decide: (file: string, hunks: readonly string[], decision: 'accept' | 'reject' | 'undone') => Promise<boolean>;
  decideAll: (decision: 'accept' | 'reject') => Promise<boolean>;
  /** Puts a file on screen. */
  select: (file: string, target?: Target) => void;
  /** Says one short sentence to a screen reader. */
  announce: (text: string) => void;
  showKeys: () => void;
}

/** Whether anything can be decided here and now. */
export function canAct({ state, settings }: ReviewModel): boolean {
  return state.status === 'pending' && settings.canDecide;
}

/** A part of the panel. It renders into the light DOM, so that one style sheet, labels by id and a scan of the page reach everything. */
export abstract class ReviewPart extends LitElement {
  static override properties = { model: { attribute: false } };
  declare model: ReviewModel;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

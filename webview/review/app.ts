import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { SetState } from '../../extension/core/review/desk/state.ts';
import type { NeedsConfirmation, ReviewRequestName, ReviewRequests, ToReview } from '../../extension/shared/review-protocol.ts';
import type { RequestClient } from '../shared/requests.ts';
import { button, icon } from '../shared/ui.ts';
import type { UiStore } from '../shared/ui-state.ts';
import { announcementOf, rejectionOf, shownName } from './model.ts';
import type { Answered, ReviewModel, Target } from './parts/part.ts';
import { incomplete, question, type Asking, rejecting, type Question } from './question.ts';
import { keys, words } from './words.ts';
import type { ReviewDiff } from './parts/diff.ts';
import './parts/diff.ts';
import './parts/files.ts';
import './parts/header.ts';

const FILE_FIELD = 'at/file';

/** The whole panel: draws the last snapshot, sends requests, asks before it accepts what looks incomplete, speaks changes. */
export class ReviewApp extends LitElement {
  static override properties = { model: { state: true }, why: { state: true }, problem: { state: true }, spoken: { state: true }, asking: { state: true } };
  declare model: ReviewModel | undefined;
  declare why: string | undefined;
  declare problem: string | undefined;
  declare spoken: string;
  declare asking: Asking | undefined;
  /** Forms of files whose warnings a person has read and accepted. */
  private readonly confirmed = new Set<string>();
  /** Decisions on their way, so that a double click decides once. */
  private readonly deciding = new Set<string>();

  constructor(
    private readonly client: RequestClient<ReviewRequests>,
    private readonly store: UiStore,
  ) {
    super();
    this.model = undefined;
    this.why = undefined;
    this.problem = undefined;
    this.spoken = '';
    this.asking = undefined;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.keyPressed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.keyPressed);
  }

  /** Takes one message from the host. */
  receive(message: ToReview): void {
    switch (message.type) {
      case 'set':
        return this.show(message);
      case 'empty':
        this.model = undefined;
        this.why = message.why;
        return;
      case 'reply':
        return this.client.settle(message);
      case 'reveal':
        this.select(message.file, message.hunk === undefined ? 'first' : { hunk: message.hunk });
    }
  }

  private show({ state, settings, citations }: Extract<ToReview, { type: 'set' }>): void {
    this.store.show(state.id);
    const before = this.model?.state;
    if (before?.id !== state.id) this.problem = undefined;
    const wanted = before?.id === state.id ? this.model?.current : this.store.draft(FILE_FIELD);
    const current = state.files.some((file) => file.key === wanted) ? wanted : state.files[0]?.key;
    this.model = { state, settings, citations, store: this.store, current, request: this.request, decide: this.decide, decideAll: this.decideAll, select: this.select, announce: this.announce, showKeys: this.showKeys };
    this.why = undefined;
    this.speak(before, state);
  }

  private speak(before: SetState | undefined, state: SetState): void {
    const change = announcementOf(before, state);
    if (change === undefined) return;
    const { announce, outcome } = words;
    if (change.kind === 'settled') this.announce(announce.settled(outcome[change.outcome]));
    else if (change.kind === 'left') this.announce(announce.left(change.left));
    else if (change.kind === 'conflicts') this.announce(words.header.conflictsLeft(change.left));
    else if (change.kind === 'standing') this.announce(announce.standing(change.standing));
    else this.announce(announce[change.kind]);
  }

  private readonly announce = (text: string): void => {
    this.spoken = text;
  };

  private readonly select = (file: string, target?: Target): void => {
    if (this.model === undefined) return;
    if (this.model.current !== file) {
      this.store.setDraft(FILE_FIELD, file);
      this.model = { ...this.model, current: file };
    }
    if (target !== undefined) void this.updateComplete.then(() => this.querySelector<ReviewDiff>('casebook-review-diff')?.goTo(target));
  };

  private readonly request = async <Name extends ReviewRequestName>(name: Name, args: ReviewRequests[Name]): Promise<Answered<Name>> => {
    try {
      const value = await this.client.request(name, args);
      this.problem = undefined;
      // The host answers by the table that both sides share.
      return { ok: true, value } as Answered<Name>;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
      return { ok: false };
    }
  };

  private readonly decide: ReviewModel['decide'] = async (key, hunks, decision) => {
    const { model } = this;
    const file = model?.state.files.find((one) => one.key === key);
    if (model === undefined || file === undefined || hunks.length === 0) return false;
    const { revision } = model.state;
    const shown = shownName(file);
    const loses = decision === 'reject' && rejectionOf(model.state, [file]).saved.length > 0;
    return this.once(`${key} ${hunks.join(' ')}`, async () => {
      if (loses && !(await this.ask(rejecting(words.reject.some, rejectionOf(model.state, [file]))))) return false;
      return this.confirming(this.confirmed.has(shown), (confirmed) => this.request('decide', { file: key, hunks: [...hunks], decision, revision, confirmed }), () => this.confirmed.add(shown));
    });
  };

  private readonly decideAll: ReviewModel['decideAll'] = async (decision) => {
    const { model } = this;
    if (model === undefined) return false;
    const { revision } = model.state;
    const reason = model.store.draft('reason')?.trim() ?? '';
    const all = model.state.files.every((file) => this.confirmed.has(shownName(file)));
    return this.once('*', async () => {
      if (decision === 'reject' && !(await this.ask(rejecting(words.reject.all, rejectionOf(model.state, model.state.files))))) return false;
      return this.confirming(all, (confirmed) => this.request('decideAll', { decision, revision, confirmed, ...(reason === '' ? {} : { reason }) }), () => undefined);
    });
  };

  private async once(name: string, work: () => Promise<boolean>): Promise<boolean> {
    if (this.deciding.has(name)) return false;
    this.deciding.add(name);
    try {
      return await work();
    } finally {
      this.deciding.delete(name);
    }
  }

  /** Sends a decision; when the host wants it confirmed, asks the person and sends it again. */
  private async confirming(confirmed: boolean, send: (confirmed: boolean) => Promise<{ ok: true; value: NeedsConfirmation | undefined } | { ok: false }>, onConfirmed: () => void): Promise<boolean> {
    const first = await send(confirmed);
    if (!first.ok) return false;
    if (first.value === undefined) return true;
    if (!(await this.ask(incomplete(first.value)))) return false;
    onConfirmed();
    return (await send(true)).ok;
  }

  private async ask(question: Question): Promise<boolean> {
    const before = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
    const answered = new Promise<boolean>((answer) => (this.asking = { ...question, answer }));
    await this.updateComplete;
    const dialog = this.querySelector<HTMLDialogElement>('#confirm');
    dialog?.showModal();
    const yes = await answered;
    dialog?.close();
    this.asking = undefined;
    before?.focus();
    return yes;
  }

  private readonly showKeys = (): void => {
    this.querySelector<HTMLDialogElement>('#keys')?.showModal();
  };

  private readonly keyPressed = (event: KeyboardEvent): void => {
    const target = event.target instanceof Element ? event.target : undefined;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || target?.closest('textarea, input:not([type=checkbox]), select, dialog')) return;
    const work = event.key === '?' ? this.showKeys : event.key === '/' ? this.search : this.querySelector<ReviewDiff>('casebook-review-diff')?.keyFor(event.key);
    if (work === undefined) return;
    event.preventDefault();
    work();
  };

  private readonly search = (): void => {
    this.querySelector<HTMLElement>('#search')?.focus();
  };

  protected override render(): TemplateResult {
    return html`
      <main class="review" aria-label=${words.panel}>${this.model ? this.parts(this.model) : this.empty()}</main>
      <dialog id="confirm" aria-labelledby="confirm-title" @cancel=${(event: Event) => this.cancelled(event)}>${this.asking ? question(this.asking) : nothing}</dialog>
      <dialog id="keys" aria-labelledby="keys-title">${this.keyList()}</dialog>
      <div class="visually-hidden" role="status" aria-live="polite">${this.spoken}</div>
    `;
  }

  private parts(model: ReviewModel): TemplateResult {
    return html`
      <casebook-review-header .model=${model}></casebook-review-header>
      <div role="alert">${this.problem === undefined ? nothing : html`<div class="notice tone-bad problem">${icon('error')}<p>${this.problem}</p>${button({ label: words.problem, onClick: () => (this.problem = undefined) })}</div>`}</div>
      <div class="review-body">
        <casebook-review-files .model=${model}></casebook-review-files>
        <casebook-review-diff .model=${model}></casebook-review-diff>
      </div>
    `;
  }

  private empty(): TemplateResult {
    if (this.why === undefined) return html`<vscode-progress-bar .ariaLabel=${words.panel}></vscode-progress-bar>`;
    return html`<div class="empty">${icon('diff-multiple')}<h1>${words.empty.title}</h1><p>${this.why}</p><p class="dim">${words.empty.hint}</p></div>`;
  }

  private cancelled(event: Event): void {
    event.preventDefault();
    this.asking?.answer(false);
  }

  private keyList(): TemplateResult {
    const close = () => this.querySelector<HTMLDialogElement>('#keys')?.close();
    return html`<h2 id="keys-title">${words.help.title}</h2>
      <dl class="keys">${keys.map(([key, says]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${says}</dd></div>`)}</dl>
      <div class="row">${button({ id: 'keys-close', label: words.help.close, primary: true, onClick: close })}</div>`;
  }
}
customElements.define('casebook-review-app', ReviewApp);

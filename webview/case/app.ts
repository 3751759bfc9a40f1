import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { CaseState } from '../../extension/core/cases/state.ts';
import type { PanelPart, PanelRequestName, PanelRequests, PanelSettings, ToPanel } from '../../extension/shared/protocol.ts';
import type { FocusMemory } from '../shared/focus-memory.ts';
import type { RequestClient } from '../shared/requests.ts';
import type { UiStore } from '../shared/ui-state.ts';
import { announcement } from './model.ts';
import type { CaseSection, PanelModel, SectionName } from './parts/section.ts';
import { button, icon } from '../shared/ui.ts';
import { classificationLabel, words } from './words.ts';
import './sections/changes.ts';
import './sections/evidence.ts';
import './sections/header.ts';
import './sections/history.ts';
import './sections/questions.ts';
import './sections/reply.ts';
import './sections/report.ts';
import './sections/steps.ts';
import './sections/ticket.ts';
import './sections/verdict.ts';

/** The whole panel: draws the last snapshot, sends requests, shows refusals, speaks changes. */
export class CaseApp extends LitElement {
  static override properties = { model: { state: true }, why: { state: true }, problem: { state: true }, spoken: { state: true } };
  declare model: PanelModel | undefined;
  declare why: string | undefined;
  declare problem: string | undefined;
  declare spoken: string;
  /** A part asked for before the first snapshot was drawn. */
  private wanted: PanelPart | undefined;

  constructor(
    private readonly client: RequestClient<PanelRequests>,
    private readonly store: UiStore,
    private readonly focusMemory: FocusMemory,
  ) {
    super();
    this.model = undefined;
    this.why = undefined;
    this.problem = undefined;
    this.spoken = '';
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Takes one message from the host. */
  receive(message: ToPanel): void {
    switch (message.type) {
      case 'case':
        return this.show(message.state, message.settings);
      case 'empty':
        this.model = undefined;
        this.why = message.why;
        return;
      case 'reply':
        return this.client.settle(message);
      case 'reveal':
        this.wanted = message.part;
        void this.revealWanted();
    }
  }

  private show(state: CaseState, settings: PanelSettings): void {
    this.store.show(state.id);
    const before = this.model?.state;
    if (before?.id !== state.id) this.problem = undefined;
    this.model = { state, settings, store: this.store, request: this.request, announce: this.announce };
    this.why = undefined;
    const change = announcement(before, state);
    if (change) this.announce(this.sentence(change, state));
    if (this.wanted) void this.revealWanted();
    else if (before === undefined) void this.restoreFocus();
  }

  /** The first drawing after the page was loaded again: the parts draw themselves after this element. */
  private async restoreFocus(): Promise<void> {
    await this.updateComplete;
    await Promise.all([...this.querySelectorAll<CaseSection>('main *')].map((part) => part.updateComplete));
    this.focusMemory.restore();
  }

  private sentence(change: NonNullable<ReturnType<typeof announcement>>, state: CaseState): string {
    switch (change.kind) {
      case 'status':
        return words.announce.status(words.status[change.status]);
      case 'question':
        return words.announce.question(change.count);
      case 'verdict':
        return words.announce.verdict(state.verdict ? classificationLabel(state.verdict.effective) : words.unknown);
      case 'reply_posted':
        return words.announce.posted;
      default:
        return words.announce.report;
    }
  }

  private readonly announce = (text: string): void => {
    this.spoken = text;
  };

  private readonly request = async <Name extends PanelRequestName>(name: Name, args: PanelRequests[Name]): Promise<boolean> => {
    try {
      await this.client.request(name, args);
      this.problem = undefined;
      return true;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
      return false;
    }
  };

  private async revealWanted(): Promise<void> {
    const part = this.wanted;
    await this.updateComplete;
    if (!part || !this.model) return;
    this.wanted = undefined;
    await this.querySelector<CaseSection>(`casebook-${part}`)?.reveal(part satisfies SectionName);
  }

  protected override render(): TemplateResult {
    return html`
      <main class="panel" aria-label=${words.panel}>${this.model ? this.parts(this.model) : this.empty()}</main>
      <div class="visually-hidden" role="status" aria-live="polite">${this.spoken}</div>
    `;
  }

  private parts(model: PanelModel): TemplateResult {
    return html`
      <casebook-header .model=${model}></casebook-header>
      <div role="alert">${this.problem === undefined ? nothing : html`<div class="notice tone-bad problem">${icon('error')}<p>${words.error(this.problem)}</p>${button({ label: words.dismiss, onClick: () => (this.problem = undefined) })}</div>`}</div>
      <div class="columns">
        <div class="column">
          <casebook-questions .model=${model}></casebook-questions>
          <casebook-verdict .model=${model}></casebook-verdict>
          <casebook-steps .model=${model}></casebook-steps>
          <casebook-report .model=${model}></casebook-report>
          <casebook-reply .model=${model}></casebook-reply>
        </div>
        <div class="column">
          <casebook-changes .model=${model}></casebook-changes>
          <casebook-evidence .model=${model}></casebook-evidence>
          <casebook-ticket .model=${model}></casebook-ticket>
          <casebook-history .model=${model}></casebook-history>
        </div>
      </div>
    `;
  }

  private empty(): TemplateResult {
    if (this.why === undefined) return html`<vscode-progress-bar .ariaLabel=${words.panel}></vscode-progress-bar>`;
    return html`<div class="empty">${icon('briefcase')}<h1>${words.empty.title}</h1><p>${this.why}</p><p class="dim">${words.empty.hint}</p></div>`;
  }
}
customElements.define('casebook-app', CaseApp);

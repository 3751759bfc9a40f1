import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import '@lit-labs/virtualizer';
import type { RangeChangedEvent } from '@lit-labs/virtualizer/events.js';
import type { RunState, StepState } from '../../../extension/core/cases/state.ts';
import { duration, since } from '../../shared/format.ts';
import { cost, tokens } from '../usage.ts';
import { currentRun, runActions, silence, stepsOf } from '../model.ts';
import { CaseSection } from '../parts/section.ts';
import { button, icon } from '../../shared/ui.ts';
import { VirtualFocus } from '../../shared/virtual-list.ts';
import { words } from '../words.ts';

const kindIcon: Record<StepState['kind'], string> = { text: 'comment', thinking: 'lightbulb', tool: 'tools', denied: 'circle-slash', note: 'info', report: 'output', question: 'question', refusal: 'reply', verdict: 'law', scout: 'search' };
const stateIcon: Record<StepState['state'], string> = { running: 'loading', done: 'check', failed: 'error', denied: 'circle-slash' };

/** Screen readers and reduced motion get calmer clocks; VS Code marks the body with these classes. */
const isCalm = () => document.body.classList.contains('vscode-using-screen-reader');
const TICK_MS = 1000;
const CALM_TICK_MS = 15_000;
/** Near enough to the end (CSS pixels) to count as following the newest step. */
const FOLLOW_SLACK = 40;

/** The steps of the current run: virtualised, one tab stop, arrows inside, following the newest unless a person looks elsewhere. */
export class CaseSteps extends CaseSection {
  static override properties = { ...CaseSection.properties, now: { state: true }, following: { state: true } };
  declare now: number;
  declare following: boolean;
  private readonly expanded = new Set<string>();
  private readonly focused = new VirtualFocus(this, {
    box: () => this.querySelector('.steps-scroll'),
    count: () => this.items.length,
    row: (index) => this.querySelector(`[data-step="${index}"]`),
  });
  private timer: ReturnType<typeof setInterval> | undefined;
  private items: StepState[] = [];

  constructor() {
    super();
    this.now = Date.now();
    this.following = true;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopClock();
  }

  private stopClock(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('model')) return;
    this.now = Date.now();
    this.items = stepsOf(this.model.state);
    const running = runActions(this.model.state).stop !== undefined;
    if (running && this.timer === undefined) this.timer = setInterval(() => (this.now = Date.now()), isCalm() ? CALM_TICK_MS : TICK_MS);
    if (!running) this.stopClock();
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('model')) this.keepUp();
  }

  protected override render(): TemplateResult {
    const { state } = this.model;
    const run = currentRun(state);
    const running = runActions(state).stop !== undefined;
    const summary = words.steps.count(this.items.length);
    return this.disclosure('steps', { openByDefault: running || state.status === 'open' || (state.verdict === undefined && this.items.length > 0), summary }, () => [run ? this.meters(run) : nothing, this.silent(run), running ? html`<vscode-progress-bar class="run-progress" .ariaLabel=${words.steps.progress}></vscode-progress-bar>` : nothing, this.list(run)]);
  }

  private meters(run: RunState): TemplateResult {
    const end = run.ended ? Date.parse(run.ended.at) : this.now;
    const age = since(run.lastEventAt, this.now);
    const entries: [string, string][] = [[words.steps.elapsed, duration(end - Date.parse(run.startedAt))]];
    if (run.ended) entries.push([words.steps.ended, run.ended.reason ? `${words.outcome[run.ended.outcome]}: ${words.reason[run.ended.reason]}` : words.outcome[run.ended.outcome]]);
    else if (age !== undefined) entries.push([words.steps.lastEvent, words.steps.ago(duration(age))]);
    if (run.engine !== 'scout') entries.push([words.steps.tokens, tokens(run.usage)], [words.steps.cost, cost(run.usage)]);
    if (run.usage.turns > 0) entries.push([words.steps.turns, String(run.usage.turns)]);
    return html`<dl class="meters">${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
  }

  private silent(run: RunState | undefined): TemplateResult | typeof nothing {
    const age = silence(this.model.state, this.now);
    if (age === undefined) return nothing;
    const limit = run?.limits.milliseconds;
    return html`<p class="dim run-silent">${words.steps.silent(duration(age), limit === undefined ? undefined : duration(limit))}</p>`;
  }

  private list(run: RunState | undefined): TemplateResult {
    if (this.items.length === 0) return html`<p class="dim">${run === undefined && this.model.state.status === 'running' ? words.steps.waiting : words.steps.empty}</p>`;
    return html`<div class="steps-frame">
      <div class="steps-scroll" @scroll=${this.scrolled}>
        <lit-virtualizer
          class="steps"
          role="list"
          aria-label=${words.steps.list}
          .items=${this.items}
          .keyFunction=${(step: StepState) => step.id}
          .renderItem=${(step: StepState, index: number) => this.row(step, index)}
          @keydown=${this.keyPressed}
          @rangeChanged=${this.rangeChanged}
        ></lit-virtualizer>
      </div>
      ${this.following ? nothing : html`<div class="jump">${button({ label: words.steps.latest, icon: 'arrow-down', onClick: () => this.follow() })}</div>`}
    </div>`;
  }

  private row(step: StepState, index: number): TemplateResult {
    const open = this.expanded.has(step.id);
    const start = currentRun(this.model.state)?.startedAt;
    const offset = start === undefined ? '' : duration(Math.max(0, Date.parse(step.at) - Date.parse(start)));
    const tab = index === this.focused.active ? '0' : '-1';
    const inner = html`${icon(stateIcon[step.state], `step-state state-${step.state}`)}${icon(kindIcon[step.kind], 'step-kind')}<span class="visually-hidden">${words.step[step.kind]}, ${words.stepState[step.state]}: </span><span class="step-title">${step.title}</span><span class="step-time dim">${offset}</span>`;
    return html`<div class="step" role="listitem" aria-setsize=${this.items.length} aria-posinset=${index + 1}>
      ${step.detail === undefined
        ? html`<div class="step-row" data-step=${index} tabindex=${tab} @focus=${() => this.focused.took(index)}><span class="codicon no-chevron" aria-hidden="true"></span>${inner}</div>`
        : html`<button type="button" class="step-row" data-step=${index} tabindex=${tab} aria-expanded=${open ? 'true' : 'false'} @focus=${() => this.focused.took(index)} @click=${() => this.toggle(step)}>${icon(open ? 'chevron-down' : 'chevron-right')}${inner}</button>`}
      ${open ? html`<pre class="step-detail">${step.detail}</pre>` : nothing}
    </div>`;
  }

  private toggle(step: StepState): void {
    if (!this.expanded.delete(step.id)) this.expanded.add(step.id);
    this.requestUpdate();
  }

  private readonly keyPressed = (event: KeyboardEvent): void => {
    const { active, page } = this.focused;
    const last = this.items.length - 1;
    const to: Record<string, number> = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: last, PageDown: active + page, PageUp: active - page };
    const step = this.items[active];
    if (step?.detail !== undefined && ((event.key === 'ArrowRight' && !this.expanded.has(step.id)) || (event.key === 'ArrowLeft' && this.expanded.has(step.id)))) {
      event.preventDefault();
      this.toggle(step);
      return;
    }
    const target = to[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.moveTo(Math.min(last, Math.max(0, target)));
  };

  private moveTo(index: number): void {
    this.following = index === this.items.length - 1;
    void this.focused.moveTo(index);
  }

  private readonly rangeChanged = (event: RangeChangedEvent): void => {
    this.focused.rangeChanged(event);
    // Heights are guessed until rows are measured, so the end may have moved.
    this.keepUp();
  };

  private readonly scrolled = (event: Event): void => {
    if (this.focused.moving) return;
    const box = event.currentTarget as HTMLElement;
    this.following = box.scrollHeight - box.scrollTop - box.clientHeight < FOLLOW_SLACK;
  };

  /** Stays with the newest step of a live run; a screen reader's place is never moved. */
  private keepUp(): void {
    if (this.following && !this.focused.moving && !isCalm() && runActions(this.model.state).stop !== undefined) this.toLatest();
  }

  private follow(): void {
    this.moveTo(this.items.length - 1);
  }

  private toLatest(): void {
    const box = this.querySelector('.steps-scroll');
    if (box) box.scrollTop = box.scrollHeight;
  }
}
customElements.define('casebook-steps', CaseSteps);

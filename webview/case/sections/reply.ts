import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { GateState, ReplyState } from '../../../extension/core/cases/state.ts';
import type { ReplyFinding } from '../../../extension/core/model/verdict.ts';
import { localTime, shorten } from '../../shared/format.ts';
import { applyFix, locateSpan, openFindings } from '../model.ts';
import { CaseSection } from '../parts/section.ts';
import { button, chip, icon } from '../../shared/ui.ts';
import { words } from '../words.ts';

/** The reply to the customer: editable, checked, copied or posted. Unsaved typing outlives a reload. */
export class CaseReply extends CaseSection {
  static override properties = { ...CaseSection.properties, draft: { state: true }, overriding: { state: true }, saving: { state: true } };
  /** Unsaved text; undefined while the box shows what is saved. */
  declare draft: string | undefined;
  /** Index of the finding whose override form is open. */
  declare overriding: number | undefined;
  declare saving: boolean;
  private caseId: string | undefined;

  constructor() {
    super();
    this.draft = undefined;
    this.overriding = undefined;
    this.saving = false;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('model')) return;
    const { state, store } = this.model;
    if (state.id !== this.caseId) {
      this.caseId = state.id;
      this.overriding = undefined;
      this.draft = store.draft('reply');
    }
    if (this.draft !== undefined && this.draft === state.reply?.text) this.forgetDraft();
    if (this.overriding !== undefined && !state.reply?.findings[this.overriding]) this.overriding = undefined;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { reply } = this.model.state;
    if (!reply) return nothing;
    const open = openFindings(reply).length;
    const summary = reply.posted ? chip(words.reply.posted(localTime(reply.posted.at)), 'check', 'good') : this.draft !== undefined ? chip(words.reply.unsaved, 'circle-filled', 'warn') : open > 0 ? chip(words.plural(open, 'finding'), 'warning', 'warn') : reply.edited ? words.reply.edited : undefined;
    return this.disclosure('reply', { openByDefault: true, summary }, () => html`
      ${this.editor(reply)} ${this.findings(reply)} ${this.actions(reply)} ${this.gate(this.model.state.gates.findLast((gate) => gate.action === 'post_reply'))}
    `);
  }

  private editor(reply: ReplyState): TemplateResult {
    const dirty = this.draft !== undefined;
    const changedUnder = dirty && this.model.store.replyBase !== undefined && this.model.store.replyBase !== reply.text;
    return html`<label class="visually-hidden" for="reply-text">${words.reply.label}</label>
      <textarea id="reply-text" class="field grow" rows="4" spellcheck="true" ?readonly=${reply.posted !== undefined} .value=${this.draft ?? reply.text} aria-describedby="reply-hint" @input=${this.typed} @keydown=${this.keyPressed}></textarea>
      ${changedUnder ? html`<p class="warning-line">${icon('warning')}${words.reply.changedUnder}</p>` : nothing}
      <div class="row">
        ${button({ id: 'reply-save', label: words.reply.save, primary: dirty, disabled: !dirty || this.saving, onClick: () => void this.save() })}
        ${dirty ? button({ label: words.reply.discard, onClick: () => this.forgetDraft() }) : nothing}
        <span id="reply-hint" class="dim">${words.reply.saveHint}</span>
      </div>`;
  }

  private findings(reply: ReplyState): TemplateResult {
    if (reply.findings.length === 0) return html`<p class="dim">${icon('pass')} ${words.reply.noFindings}</p>`;
    return html`<h3>${words.reply.findings}</h3><ul class="findings">${reply.findings.map((finding, index) => this.finding(reply, finding, index))}</ul>`;
  }

  private finding(reply: ReplyState, finding: ReplyFinding, index: number): TemplateResult {
    const draft = this.draft ?? reply.text;
    const place = finding.span && locateSpan(reply.text, draft, finding.span);
    const overridden = reply.overridden[finding.rule];
    const blocks = finding.severity === 'block';
    const tone = overridden !== undefined ? 'plain' : blocks ? 'bad' : 'warn';
    return html`<li class="finding">
      <div class="finding-head"><span class="badge tone-${tone}">${icon(overridden !== undefined ? 'check' : blocks ? 'error' : 'warning')}${blocks ? words.reply.blocks : words.reply.warns}</span><strong>${words.rule[finding.rule]}</strong><span>${finding.message}</span></div>
      ${finding.span ? html`<p class="excerpt"><q>${shorten(reply.text.slice(...finding.span), 120)}</q>${finding.fix === undefined ? nothing : html` ${icon('arrow-right')} <q>${shorten(finding.fix, 120)}</q>`}</p>` : nothing}
      ${overridden !== undefined
        ? html`<p class="dim">${words.reply.overriddenBecause(overridden)}</p>`
        : html`<div class="row">
            ${finding.span ? button({ label: words.reply.goTo, icon: 'target', disabled: place === undefined, onClick: () => this.goTo(place) }) : nothing}
            ${finding.fix !== undefined && finding.span ? button({ label: words.reply.applyFix, icon: 'lightbulb-autofix', disabled: place === undefined, onClick: () => void this.fix(reply, finding) }) : nothing}
            ${this.overriding === index ? nothing : button({ id: `override-finding-${index}`, label: words.reply.override, onClick: () => void this.openOverride(index) })}
          </div>`}
      ${this.overriding === index && overridden === undefined ? this.overrideForm(finding, index) : nothing}
    </li>`;
  }

  private overrideForm(finding: ReplyFinding, index: number): TemplateResult {
    const field = `finding/${finding.rule}`;
    const reason = this.model.store.draft(field) ?? '';
    const send = async () => {
      const given = (this.model.store.draft(field) ?? '').trim();
      if (given === '' || !(await this.model.request('overrideFinding', { rule: finding.rule, reason: given }))) return;
      this.model.store.setDraft(field, undefined);
      this.overriding = undefined;
    };
    const typed = (event: Event) => {
      this.model.store.setDraft(field, (event.target as HTMLInputElement).value);
      this.requestUpdate();
    };
    return html`<form class="inline-form" @submit=${(event: Event) => (event.preventDefault(), void send())} @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && this.closeOverride(index)}>
      <label for="finding-reason-${index}">${words.reply.overrideReason(words.rule[finding.rule])}</label>
      <input id="finding-reason-${index}" class="field" type="text" required .value=${reason} @input=${typed} />
      <div class="row">${button({ label: words.reply.confirmOverride, primary: true, disabled: reason.trim() === '', onClick: () => void send() })}${button({ label: words.reply.cancel, onClick: () => this.closeOverride(index) })}</div>
    </form>`;
  }

  private actions(reply: ReplyState): TemplateResult {
    const reasons = this.postReasons(reply);
    const blocked = reasons.length > 0;
    return html`
      ${reply.posted ? html`<p>${icon('check')} ${words.reply.posted(localTime(reply.posted.at))}. <a href=${reply.posted.url}>${words.reply.openPosted}</a></p>` : nothing}
      ${!reply.posted && blocked ? html`<div id="post-reasons" class="blockers"><p>${icon('lock')}${words.reply.cannotPost}</p><ul>${reasons.map((reason) => html`<li>${reason}</li>`)}</ul></div>` : nothing}
      <div class="row">
        ${reply.posted ? nothing : button({ id: 'reply-post', label: words.reply.post, icon: 'send', primary: !blocked, disabled: blocked, ...(blocked ? { describedBy: 'post-reasons' } : {}), onClick: () => void this.model.request('postReply', {}) })}
        ${button({ id: 'reply-copy', label: words.reply.copy, icon: 'copy', onClick: () => void this.copy() })}
      </div>`;
  }

  private postReasons(reply: ReplyState): string[] {
    const reasons = [...reply.blockers];
    if (this.model.state.verdict?.replay && reasons.length === 0) reasons.push(words.reply.isReplay);
    if (!this.model.settings.canPost) reasons.push(words.reply.noTarget);
    if (this.draft !== undefined) reasons.push(words.reply.saveFirst);
    return reasons;
  }

  private gate(gate: GateState | undefined): unknown {
    if (!gate) return nothing;
    const state = gate.outcome ?? (gate.decision === undefined ? 'waiting' : gate.decision === 'refused' ? 'refused' : 'sending');
    const tone = state === 'confirmed' ? 'good' : state === 'failed' ? 'bad' : state === 'unknown' ? 'warn' : 'info';
    return html`<div class="notice tone-${tone}">${icon(state === 'confirmed' ? 'pass' : state === 'failed' ? 'error' : 'info')}<div><p>${words.reply.gate[state]}${gate.message ? ` ${gate.message}` : ''}</p></div></div>`;
  }

  private readonly typed = (event: Event): void => this.setDraft((event.target as HTMLTextAreaElement).value);

  private setDraft(text: string): void {
    const { store, state } = this.model;
    if (this.draft === undefined) store.replyBase = state.reply?.text ?? '';
    if (text === state.reply?.text) this.forgetDraft();
    else {
      this.draft = text;
      store.setDraft('reply', text);
    }
  }

  private forgetDraft(): void {
    this.draft = undefined;
    this.model.store.setDraft('reply', undefined);
    this.model.store.replyBase = undefined;
  }

  private readonly keyPressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void this.save();
  };

  /** The draft is kept until a snapshot shows it saved; typing on while it is being saved is not lost either. */
  private async save(): Promise<boolean> {
    if (this.draft === undefined) return true;
    if (this.saving) return false;
    this.saving = true;
    const text = this.draft;
    const done = await this.model.request('editReply', { text });
    this.saving = false;
    if (done && this.draft === text) this.model.announce(words.announce.saved);
    return done;
  }

  private async copy(): Promise<void> {
    if ((await this.save()) && (await this.model.request('copyReply', {}))) this.model.announce(words.reply.copied);
  }

  private goTo(place: [number, number] | undefined): void {
    const box = this.querySelector<HTMLTextAreaElement>('#reply-text');
    if (!box || !place) return;
    box.focus();
    box.setSelectionRange(...place);
  }

  private async fix(reply: ReplyState, finding: ReplyFinding): Promise<void> {
    const fixed = applyFix(reply.text, this.draft ?? reply.text, finding);
    if (fixed === undefined) return;
    this.setDraft(fixed);
    await this.save();
  }

  private async openOverride(index: number): Promise<void> {
    this.overriding = index;
    await this.updateComplete;
    this.querySelector<HTMLElement>(`#finding-reason-${index}`)?.focus();
  }

  private closeOverride(index: number): void {
    this.overriding = undefined;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`#override-finding-${index}`)?.focus());
  }
}
customElements.define('casebook-reply', CaseReply);

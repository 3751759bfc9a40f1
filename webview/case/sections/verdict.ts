import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { VerdictState } from '../../../extension/core/cases/state.ts';
import type { Classification, Confidence } from '../../../extension/core/model/verdict.ts';
import { localTime } from '../../shared/format.ts';
import { CaseSection } from '../parts/section.ts';
import { button, icon } from '../../shared/ui.ts';
import { classificationLabel, words } from '../words.ts';

interface Override {
  classification: Classification;
  bugConfirmation: 'confirmed' | 'suspected' | undefined;
  confidence: Confidence;
}

/** The verdict as it counts now, what carries it, and a person's decision on it. */
export class CaseVerdict extends CaseSection {
  static override properties = { ...CaseSection.properties, form: { state: true } };
  declare form: Override | undefined;
  private caseId: string | undefined;

  constructor() {
    super();
    this.form = undefined;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('model') || this.model.state.id === this.caseId) return;
    this.caseId = this.model.state.id;
    this.form = undefined;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { verdict } = this.model.state;
    if (!verdict) return nothing;
    return this.disclosure('verdict', { openByDefault: true, summary: verdict.decision ? this.decisionWord(verdict) : undefined }, () => html`
      <p class="verdict-line"><strong>${classificationLabel(verdict.effective)}</strong><span>${words.confidence[verdict.effective.confidence]}</span></p>
      <p class="proof tone-${verdict.proof.holds ? 'good' : 'warn'}">${icon(verdict.proof.holds ? 'verified' : 'unverified')}<span><strong>${verdict.proof.holds ? words.header.proofHolds : words.header.proofFails}.</strong> ${verdict.proof.why}</span></p>
      ${verdict.decision ? this.decision(verdict) : nothing}
      <p class="summary">${verdict.verdict.summary}</p>
      ${this.details(verdict)}
      <p class="dim small">${words.verdict.concludedBy(words.engine[verdict.engine])}, ${localTime(verdict.at)}${verdict.recovered ? ` · ${words.verdict.recovered}` : ''}${verdict.replay ? ` · ${words.verdict.replay}` : ''}</p>
      ${this.form ? this.overrideForm(this.form) : this.actions(verdict)}
    `);
  }

  private decisionWord(verdict: VerdictState): string {
    return verdict.decision?.kind === 'overridden' ? words.header.overridden : words.header.accepted;
  }

  private decision(verdict: VerdictState): unknown {
    const { decision } = verdict;
    if (!decision) return nothing;
    const overridden = decision.kind === 'overridden';
    return html`<div class="notice tone-info">${icon(overridden ? 'edit' : 'check')}<div>
      <p><strong>${this.decisionWord(verdict)}</strong> ${words.verdict.by(decision.by, localTime(decision.at))}</p>
      ${decision.reason ? html`<p>${decision.reason}</p>` : nothing}
      ${overridden ? html`<p class="dim">${words.verdict.engineSaid(`${classificationLabel(verdict.verdict)}, ${words.confidence[verdict.verdict.confidence].toLowerCase()}`)}</p>` : nothing}
    </div></div>`;
  }

  private details({ verdict }: VerdictState): TemplateResult {
    const parts: [string, string | undefined][] = [
      [words.verdict.explanation, verdict.explanationForSupport],
      [words.verdict.nextStep, verdict.suggestedNextStep],
      [words.verdict.neededRepository, verdict.neededRepository],
      [words.verdict.limitations, verdict.limitations],
    ];
    return html`<dl class="prose-facts">
      ${parts.map(([name, text]) => (text ? html`<div><dt>${name}</dt><dd>${text}</dd></div>` : nothing))}
      ${verdict.openQuestions && verdict.openQuestions.length > 0 ? html`<div><dt>${words.verdict.openQuestions}</dt><dd><ul>${verdict.openQuestions.map((open) => html`<li>${open}</li>`)}</ul></dd></div>` : nothing}
    </dl>`;
  }

  private actions(verdict: VerdictState): TemplateResult {
    return html`<div class="row">
      ${verdict.decision ? nothing : button({ id: 'accept-verdict', label: words.verdict.accept, icon: 'check', primary: true, onClick: () => void this.model.request('acceptVerdict', {}) })}
      ${button({ id: 'override-verdict', label: words.verdict.override, icon: 'edit', onClick: () => void this.openForm(verdict) })}
    </div>`;
  }

  private overrideForm(form: Override): TemplateResult {
    const reason = this.model.store.draft('override') ?? '';
    const problem = form.classification === 'bug' && form.bugConfirmation === undefined ? words.verdict.confirmationNeeded : reason.trim() === '' ? words.verdict.reasonNeeded : undefined;
    const typed = (event: Event) => {
      this.model.store.setDraft('override', (event.target as HTMLTextAreaElement).value);
      this.requestUpdate();
    };
    const send = () => {
      if (problem === undefined) void this.send(form, reason.trim());
    };
    const keyPressed = (event: KeyboardEvent) => {
      if (event.key === 'Escape') void this.closeForm();
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
    };
    return html`<form class="inline-form" aria-labelledby="override-title" @submit=${(event: Event) => (event.preventDefault(), send())} @keydown=${keyPressed}>
      <h3 id="override-title">${words.verdict.formTitle}</h3>
      ${this.radios(words.verdict.classification, 'classification', words.classification, form.classification, (classification) => (this.form = { ...form, classification }))}
      ${form.classification === 'bug' ? this.radios(words.verdict.confirmation, 'confirmation', words.verdict.confirmationOptions, form.bugConfirmation, (bugConfirmation) => (this.form = { ...form, bugConfirmation })) : nothing}
      ${this.radios(words.verdict.confidence, 'confidence', words.confidenceShort, form.confidence, (confidence) => (this.form = { ...form, confidence }))}
      <label for="override-reason">${words.verdict.reason}</label>
      <textarea id="override-reason" class="field grow" rows="2" required aria-describedby="override-problem" .value=${reason} @input=${typed}></textarea>
      <div class="row">
        ${button({ id: 'override-submit', label: words.verdict.submit, primary: true, disabled: problem !== undefined, describedBy: 'override-problem', onClick: send })}
        ${button({ label: words.verdict.cancel, onClick: () => void this.closeForm() })}
        <span id="override-problem" class="dim">${problem ?? ''}</span>
      </div>
    </form>`;
  }

  private radios<Value extends string>(label: string, name: string, options: Record<Value, string>, chosen: Value | undefined, choose: (value: Value) => void): TemplateResult {
    const entries = Object.entries(options) as [Value, string][];
    return html`<fieldset class="radios"><legend>${label}</legend>${entries.map(([value, text]) => html`<label class="option"><input type="radio" name="override-${name}" value=${value} .checked=${value === chosen} @change=${() => choose(value)} /><span>${text}</span></label>`)}</fieldset>`;
  }

  private async openForm(verdict: VerdictState): Promise<void> {
    const { classification, bugConfirmation, confidence } = verdict.effective;
    this.form = { classification, bugConfirmation, confidence };
    await this.updateComplete;
    this.querySelector<HTMLElement>('.radios input:checked')?.focus();
  }

  private async closeForm(): Promise<void> {
    this.form = undefined;
    await this.updateComplete;
    this.querySelector<HTMLElement>('#override-verdict')?.focus();
  }

  private async send(form: Override, reason: string): Promise<void> {
    const confirmation = form.classification === 'bug' && form.bugConfirmation !== undefined ? { bugConfirmation: form.bugConfirmation } : {};
    if (!(await this.model.request('overrideVerdict', { classification: form.classification, ...confirmation, confidence: form.confidence, reason }))) return;
    this.model.store.setDraft('override', undefined);
    await this.closeForm();
  }
}
customElements.define('casebook-verdict', CaseVerdict);

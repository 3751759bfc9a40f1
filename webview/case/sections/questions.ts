import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { QuestionState } from '../../../extension/core/cases/state.ts';
import type { Answer, Question } from '../../../extension/core/model/verdict.ts';
import { openQuestions } from '../model.ts';
import { CaseSection } from '../parts/section.ts';
import { button, icon } from '../../shared/ui.ts';
import { words } from '../words.ts';

interface Choice {
  chosen: string[];
  text: string;
}

/** Questions from the agent, answered where they stand: one or several options, own words, or skip. */
export class CaseQuestions extends CaseSection {
  private readonly choices = new Map<string, Choice>();
  private sending: string | undefined;
  private focused: string | undefined;

  protected override updated(changed: PropertyValues): void {
    if (!changed.has('model')) return;
    const open = openQuestions(this.model.state)[0];
    if (open && open.id !== this.focused && !isTyping()) this.querySelector<HTMLElement>('.question-set')?.focus();
    this.focused = open?.id;
  }

  protected override render(): TemplateResult | typeof nothing {
    const open = openQuestions(this.model.state);
    const answered = this.model.state.questions.filter((set) => set.answers !== undefined);
    if (open.length === 0 && answered.length === 0) return nothing;
    const summary = open.length > 0 ? html`<span class="attention">${words.status.needs_you}</span>` : undefined;
    return this.disclosure('questions', { openByDefault: open.length > 0, summary }, () => [open.map((set) => this.set(set)), answered.length > 0 ? this.answered(answered) : nothing]);
  }

  private set(set: QuestionState): TemplateResult {
    const send = () => void this.send(set, set.questions.map((question, index) => this.answerTo(set, question, index)));
    const complete = set.questions.every((question, index) => !this.answerTo(set, question, index).skipped);
    const keyPressed = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !complete) return;
      event.preventDefault();
      send();
    };
    return html`<div class="question-set" role="group" tabindex="-1" aria-labelledby="intro-${set.id}" @keydown=${keyPressed}>
      <p id="intro-${set.id}" class="intro">${icon('question')}${words.questions.intro}</p>
      ${set.questions.map((question, index) => this.question(set, question, index))}
      <div class="row">
        ${button({ id: `send-${set.id}`, label: words.questions.send, icon: 'check', primary: true, disabled: !complete || this.sending === set.id, describedBy: `incomplete-${set.id}`, onClick: send })}
        ${button({ label: words.questions.skip, disabled: this.sending === set.id, onClick: () => void this.send(set, set.questions.map(() => ({ chosen: [], skipped: true }))) })}
        <span id="incomplete-${set.id}" class="dim">${complete ? '' : words.questions.incomplete}</span>
      </div>
    </div>`;
  }

  private question(set: QuestionState, question: Question, index: number): TemplateResult {
    const key = `${set.id}/${index}`;
    const choice = this.choice(key);
    const name = `q-${set.id}-${index}`;
    const free = question.options.length === 0;
    const typed = (event: Event) => {
      choice.text = (event.target as HTMLTextAreaElement).value;
      this.model.store.setDraft(`question/${key}`, choice.text);
      this.requestUpdate();
    };
    return html`<fieldset class="question">
      <legend>${set.questions.length > 1 ? html`<span class="dim">${words.questions.numbered(index + 1, set.questions.length)}${question.header ? ` · ${question.header}` : ''}</span><br />` : nothing}${question.question}</legend>
      ${question.options.map(
        (option, optionIndex) => html`<label class="option"><input type=${question.multiSelect ? 'checkbox' : 'radio'} name=${name} .checked=${choice.chosen.includes(option.label)} aria-describedby=${option.description ? `${name}-${optionIndex}` : nothing} @change=${(event: Event) => this.choose(key, question, option.label, (event.target as HTMLInputElement).checked)} /><span>${option.label}${option.description ? html`<span id="${name}-${optionIndex}" class="option-description dim">${option.description}</span>` : nothing}</span></label>`,
      )}
      <label class="own" for="${name}-text">${free ? words.questions.text : words.questions.own}</label>
      <textarea id="${name}-text" class="field grow" rows=${free ? 2 : 1} .value=${choice.text} @input=${typed}></textarea>
    </fieldset>`;
  }

  private choose(key: string, question: Question, label: string, checked: boolean): void {
    const choice = this.choice(key);
    const others = question.multiSelect ? choice.chosen.filter((chosen) => chosen !== label) : [];
    choice.chosen = checked ? [...others, label] : others;
    this.requestUpdate();
  }

  private choice(key: string): Choice {
    const known = this.choices.get(key);
    if (known) return known;
    const fresh = { chosen: [], text: this.model.store.draft(`question/${key}`) ?? '' };
    this.choices.set(key, fresh);
    return fresh;
  }

  /** What would be sent now; a question without an option or words counts as not answered. */
  private answerTo(set: QuestionState, question: Question, index: number): Answer {
    const { chosen, text } = this.choice(`${set.id}/${index}`);
    const ordered = question.options.map((option) => option.label).filter((label) => chosen.includes(label));
    return { chosen: ordered, ...(text.trim() === '' ? {} : { text: text.trim() }), skipped: ordered.length === 0 && text.trim() === '' };
  }

  private async send(set: QuestionState, answers: Answer[]): Promise<void> {
    if (this.sending === set.id) return;
    this.sending = set.id;
    this.requestUpdate();
    const done = await this.model.request('answer', { question: set.id, answers });
    if (done) for (const index of set.questions.keys()) this.model.store.setDraft(`question/${set.id}/${index}`, undefined);
    this.sending = undefined;
    this.requestUpdate();
  }

  private answered(sets: QuestionState[]): TemplateResult {
    return html`<h3>${words.questions.answered}</h3>
      <dl class="answered">${sets.flatMap((set) => set.questions.map((question, index) => html`<div><dt>${question.question}</dt><dd>${set.answers?.[index] ? words.questions.chosen(set.answers[index]) : ''}</dd></div>`))}</dl>`;
  }
}

/** Focus never leaves a field that a person is typing in. */
function isTyping(): boolean {
  const focused = document.activeElement;
  return focused instanceof HTMLTextAreaElement || (focused instanceof HTMLInputElement && focused.type === 'text');
}
customElements.define('casebook-questions', CaseQuestions);

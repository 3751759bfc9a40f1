import { html, nothing, type TemplateResult } from 'lit';
import type { NeedsConfirmation } from '../../extension/shared/review-protocol.ts';
import { warningWords } from '../../extension/shared/words.ts';
import { button, icon } from '../shared/ui.ts';
import type { Rejection } from './model.ts';
import { words } from './words.ts';

/** Files named in a question; the rest is counted. */
const NAMED_FILES = 5;

/** What is asked before a decision that may be regretted. */
export interface Question {
  title: string;
  /** Says what the decision means. */
  body: TemplateResult;
  /** The button that decides. */
  yes: string;
}

export interface Asking extends Question {
  answer: (confirmed: boolean) => void;
}

/** Before accepting what looks cut short: why it does, by file. */
export function incomplete({ confirm }: NeedsConfirmation): Question {
  const body = html`${confirm.slice(0, NAMED_FILES).map(({ file, warnings }) => html`<h3>${file}</h3><ul class="plain">${warnings.slice(0, NAMED_FILES).map((warning) => html`<li>${warningWords(warning)}</li>`)}</ul>`)}${more(confirm.length)}`;
  return { title: words.confirm.title, body, yes: words.confirm.accept };
}

/** Before rejecting: how much, what is deleted, and whose work goes with it. */
export function rejecting(title: string, { changes, files, deleted, saved }: Rejection): Question {
  const body = html`<p>${words.reject.counts(changes, files)}</p>
    ${deleted.length === 0 ? nothing : html`<p>${words.reject.deleted(deleted.length)}</p>`}
    ${saved.length === 0 ? nothing : html`<p>${words.reject.saved(saved.length)}</p><ul class="plain">${saved.slice(0, NAMED_FILES).map((file) => html`<li>${file}</li>`)}</ul>${more(saved.length)}`}`;
  return { title, body, yes: words.reject.confirm };
}

function more(files: number): TemplateResult | typeof nothing {
  return files > NAMED_FILES ? html`<p class="dim">${words.confirm.more(files - NAMED_FILES)}</p>` : nothing;
}

/** The question as its dialog draws it. The careful answer comes first. */
export function question({ title, body, yes, answer }: Asking): TemplateResult {
  return html`<h2 id="confirm-title">${icon('warning')} ${title}</h2>
    ${body}
    <div class="row">${button({ id: 'confirm-cancel', label: words.confirm.cancel, primary: true, onClick: () => answer(false) })}${button({ id: 'confirm-accept', label: yes, onClick: () => answer(true) })}</div>`;
}

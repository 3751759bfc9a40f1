import { html, nothing, type TemplateResult } from 'lit';
import type { SetState } from '../../../extension/core/review/desk/state.ts';
import { localTime, shorten } from '../../shared/format.ts';
import { renderMarkdown } from '../../shared/markdown.ts';
import { FocusKeeper } from '../../shared/focus-keeper.ts';
import { sanitize } from '../../shared/sanitize.ts';
import { button, chip, icon } from '../../shared/ui.ts';
import { callerNotes, conflictsLeft, totalsOf } from '../model.ts';
import { words } from '../words.ts';
import { canAct, ReviewPart } from './part.ts';

const outcomeTone = { accepted: 'good', partly_accepted: 'good', rejected: 'plain', abandoned: 'plain', decided_elsewhere: 'plain', superseded: 'plain', expired: 'plain', failed: 'bad' } as const;
/** Places listed before the rest is only counted. */
const LISTED_CITATIONS = 30;

/** Title, state, origin, what the caller can be told, and the actions on the whole set. */
export class ReviewHeader extends ReviewPart {
  private drawn: { markdown: string; fragment: Node[] } | undefined;

  constructor() {
    super();
    // To the group, not to the button that took the place of the pressed one: a key held too long would undo what it did.
    this.addController(new FocusKeeper(this, () => this.querySelector('.set-actions')));
  }

  protected override render(): TemplateResult {
    const { state } = this.model;
    return html`<header class="review-header">
      <div class="review-bar">
        <h1>${state.title}</h1>
        <div class="set-actions" role="group" tabindex="-1" aria-label=${words.header.actions}>${this.actions(state)}</div>
      </div>
      <div class="chips">${this.chips(state)}</div>
      ${this.notices(state)}
      ${this.more(state)}
    </header>`;
  }

  private chips(state: SetState): unknown {
    const { settled, caller } = state;
    const totals = totalsOf(state.files);
    return html`
      ${settled === undefined ? chip(words.header.pending, 'git-pull-request', 'info') : chip(words.outcome[settled.outcome], settled.outcome === 'failed' ? 'error' : 'pass', outcomeTone[settled.outcome])}
      ${settled?.standing === false ? chip(words.header.taken_back, 'discard', 'warn') : nothing}
      ${state.applying ? chip(words.header.applying, 'loading', 'info') : nothing}
      ${caller.name !== '' && settled === undefined ? chip(caller.attached ? words.header.waiting(caller.name) : words.header.not_waiting(caller.name), caller.attached ? 'watch' : 'debug-disconnect', caller.attached ? 'info' : 'warn') : nothing}
      ${state.revision > 0 ? chip(words.header.revision(state.revision), 'git-merge', 'plain') : nothing}
      ${this.model.settings.recording ? nothing : chip(words.header.notRecording, 'circle-slash', 'bad')}
      ${this.model.settings.canDecide ? nothing : chip(words.header.restricted, 'lock', 'warn')}
      <span class="dim">${words.header.totals(totals.files, totals.added, totals.removed)}</span>
      ${settled === undefined ? html`<span class="attention">${words.header.left(totals.left)}</span>` : nothing}
    `;
  }

  private actions(state: SetState): unknown {
    const { request, decideAll, store, settings } = this.model;
    const { left } = totalsOf(state.files);
    const act = canAct(this.model);
    const reason = store.draft('reason')?.trim() ?? '';
    const finish = () => void request('finish', { revision: state.revision, ...(reason === '' ? {} : { reason }) });
    return html`
      ${act && left > 0 ? button({ id: 'accept-all', label: words.header.acceptAll, icon: 'check-all', primary: true, onClick: () => void decideAll('accept') }) : nothing}
      ${act && left > 0 ? button({ id: 'reject-all', label: words.header.rejectAll, icon: 'close-all', onClick: () => void decideAll('reject') }) : nothing}
      ${act && left === 0 ? button({ id: 'finish', label: words.header.finish, icon: 'check', primary: true, onClick: finish }) : nothing}
      ${settings.canDecide && state.settled?.standing === true ? button({ id: 'undo', label: words.header.undo, icon: 'discard', onClick: () => void request('undo', {}) }) : nothing}
      ${settings.canDecide && state.settled?.standing === false ? button({ id: 'redo', label: words.header.redo, icon: 'redo', onClick: () => void request('redo', {}) }) : nothing}
      ${state.settled?.answer?.nextPrompt === undefined ? nothing : button({ id: 'copy-for-agent', label: words.header.copy, icon: 'copy', onClick: () => void request('copyForAgent', {}) })}
      ${button({ id: 'open-native', label: words.header.native, icon: 'diff', onClick: () => void request('openNative', {}) })}
      ${act ? button({ id: 'refresh', label: words.header.refresh, icon: 'refresh', onClick: () => void request('refresh', {}) }) : nothing}
      ${button({ id: 'show-keys', label: words.header.keys, icon: 'keyboard', onClick: () => this.model.showKeys() })}
    `;
  }

  private notices(state: SetState): unknown {
    const { settled } = state;
    const notes: [string, 'info' | 'warn' | 'bad', string][] = [];
    const conflicts = conflictsLeft(state);
    if (conflicts > 0) notes.push(['git-merge', 'warn', words.header.conflictsLeft(conflicts)]);
    if (settled === undefined && state.rebased !== undefined) notes.push(['git-merge', 'warn', words.rebased[state.rebased]]);
    if (settled !== undefined) {
      if (settled.answer !== undefined) notes.push(['reply', 'info', settled.heard ? words.header.answer(settled.answer.verdict) : words.header.unheard]);
      if (settled.observed !== undefined) notes.push(['eye', settled.observed.result === 'differs' ? 'bad' : 'info', words.header.observed[settled.observed.result]]);
      if (settled.policy !== undefined) notes.push(['law', 'warn', words.header.policy(settled.policy)]);
    } else notes.push(...callerNotes(state).map((note): [string, 'info', string] => ['info', 'info', words.caller[note]]));
    if (notes.length === 0) return nothing;
    return html`<ul class="notes">${notes.map(([name, tone, text]) => html`<li class="tone-${tone}">${icon(name)}<span>${text}</span></li>`)}</ul>`;
  }

  private more(state: SetState): TemplateResult {
    const { store, citations } = this.model;
    const open = store.isOpen('more', state.explanation !== undefined && state.status === 'pending');
    const toggled = (event: Event) => {
      if (event.currentTarget instanceof HTMLDetailsElement && event.currentTarget.open !== open) store.setOpen('more', event.currentTarget.open);
    };
    return html`<details class="more" .open=${open} @toggle=${toggled}>
      <summary>${words.header.more}</summary>
      <div class="more-body" tabindex="0" role="region" aria-label=${words.header.more}>
        ${this.origin(state)}
        ${state.explanation === undefined ? nothing : html`<h2>${words.header.explanation}</h2><div class="markdown" @click=${this.clicked}>${this.explanation(state.explanation)}</div>`}
        ${citations.length === 0 ? nothing : html`<h2>${words.header.citations}</h2><ul class="plain">${citations.slice(0, LISTED_CITATIONS).map((citation) => html`<li><button type="button" class="cited" data-file=${citation.file} data-line=${citation.line ?? nothing} @click=${this.clicked}>${citation.file}${citation.line === undefined ? '' : `:${citation.line}`}</button> <span class="dim">${citation.note ?? shorten(citation.quote ?? '', 120)}</span></li>`)}</ul>`}
        ${this.setComments(state)}
        ${canAct(this.model) ? html`<label for="reason">${words.header.reason}</label><textarea id="reason" class="field grow" rows="1" .value=${store.draft('reason') ?? ''} @input=${(event: Event) => store.setDraft('reason', (event.target as HTMLTextAreaElement).value)}></textarea>` : nothing}
      </div>
    </details>`;
  }

  private origin({ origin, openedAt, settled }: SetState): TemplateResult {
    const facts = [
      origin.client,
      ...(origin.version === undefined ? [] : [words.header.version(origin.version)]),
      ...(origin.model === undefined ? [] : [origin.model]),
      ...(origin.against === undefined ? [] : [words.header.against(origin.against)]),
      ...(origin.run === undefined ? [] : [words.header.run(origin.run)]),
      localTime(openedAt),
      ...(settled === undefined || settled.by.length === 0 ? [] : [words.header.decidedBy(settled.by.map((actor) => actor.name).join(', '))]),
    ];
    return html`<p class="fact-line">${icon('hubot')}<span class="visually-hidden">${words.header.origin}: </span>${facts.map((fact) => html`<span>${fact}</span>`)}${origin.case === undefined ? nothing : button({ id: 'open-case', label: words.header.openCase, icon: 'briefcase', onClick: () => void this.model.request('openCase', {}) })}</p>`;
  }

  private setComments(state: SetState): unknown {
    const own = state.comments.filter((comment) => comment.file === undefined);
    const { request, store } = this.model;
    const keep = async () => {
      const text = store.draft('comment')?.trim() ?? '';
      if (text !== '' && (await request('comment', { text })).ok) store.setDraft('comment', undefined);
      this.requestUpdate();
    };
    if (own.length === 0 && !canAct(this.model)) return nothing;
    return html`<h2><label for="set-comment">${words.header.comment}</label></h2>
      <ul class="plain">${own.map((comment) => html`<li class="comment"><p class="plain-text">${comment.text}</p><span class="dim">${comment.by.name}, ${localTime(comment.at)}</span>${canAct(this.model) ? html` <button type="button" class="small-button" @click=${() => void request('removeComment', { id: comment.id })}>${words.comment.remove}</button>` : nothing}</li>`)}</ul>
      ${canAct(this.model) ? html`<div class="set-comment"><textarea id="set-comment" class="field grow" rows="1" .value=${store.draft('comment') ?? ''} @input=${(event: Event) => store.setDraft('comment', (event.target as HTMLTextAreaElement).value)}></textarea>${button({ id: 'keep-set-comment', label: words.comment.save, icon: 'comment', onClick: () => void keep() })}</div>` : nothing}`;
  }

  /** Drawn again only when the text changed, so that a selection in it survives other events. */
  private explanation(markdown: string): Node[] {
    if (this.drawn?.markdown !== markdown) this.drawn = { markdown, fragment: [...sanitize(renderMarkdown(markdown, { citations: this.model.citations, under: 2 })).childNodes] };
    return this.drawn.fragment;
  }

  private readonly clicked = (event: Event): void => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-file]') : null;
    const file = target?.dataset['file'];
    if (!target || file === undefined) return;
    const line = Number(target.dataset['line']);
    const own = this.model.state.files.find((one) => one.key === file || one.key.endsWith(`/${file}`));
    if (own !== undefined) this.model.select(own.key, line > 0 ? { side: 'proposed', line: line - 1 } : 'first');
    else void this.model.request('openCitation', { file, ...(line > 0 ? { line } : {}) });
  };
}
customElements.define('casebook-review-header', ReviewHeader);

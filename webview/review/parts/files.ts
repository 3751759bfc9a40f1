import { html, nothing, type TemplateResult } from 'lit';
import '@lit-labs/virtualizer';
import type { RangeChangedEvent } from '@lit-labs/virtualizer/events.js';
import type { FileState } from '../../../extension/core/review/desk/state.ts';
import type { SearchHit } from '../../../extension/shared/review-protocol.ts';
import { splitPath } from '../../shared/format.ts';
import { icon } from '../../shared/ui.ts';
import { statusLook } from './file-status.ts';
import { lineCounts } from './line-counts.ts';
import { drawnOr, keyOr, VirtualFocus } from '../../shared/virtual-list.ts';
import { type FileFilter, filesShown, fileStatus } from '../model.ts';
import { words } from '../words.ts';
import { ReviewPart } from './part.ts';

type Found = { hits: SearchHit[]; more: boolean };

/** The files of the set: filter, search, one tab stop with arrows inside. */
export class ReviewFiles extends ReviewPart {
  static override properties = { ...ReviewPart.properties, filter: { state: true }, path: { state: true }, found: { state: true } };
  declare filter: FileFilter;
  declare path: string;
  declare found: Found | undefined;
  private shown: FileState[] = [];
  private readonly focused = new VirtualFocus(this, {
    box: () => this.querySelector('.files-scroll'),
    count: () => this.shown.length,
    row: (index) => this.querySelector(`[data-file-row="${index}"]`),
  });

  constructor() {
    super();
    this.filter = 'all';
    this.path = '';
    this.found = undefined;
  }

  protected override willUpdate(): void {
    this.shown = filesShown(this.model.state, this.filter, this.path);
  }

  protected override render(): TemplateResult {
    const { state } = this.model;
    return html`<nav class="files-pane" aria-label=${words.files.list}>
      <div class="files-tools">
        <input id="filter-path" class="field" type="text" placeholder=${words.files.path} aria-label=${words.files.path} .value=${this.path} @input=${(event: Event) => (this.path = (event.target as HTMLInputElement).value)} />
        <select id="filter" class="field" aria-label=${words.files.filter} @change=${(event: Event) => (this.filter = (event.target as HTMLSelectElement).value as FileFilter)}>
          ${(Object.keys(words.filter) as FileFilter[]).map((name) => html`<option value=${name} ?selected=${name === this.filter}>${words.filter[name]}</option>`)}
        </select>
        <input id="search" class="field" type="search" placeholder=${words.files.search} aria-label=${words.files.search} title=${words.files.searchHint} @keydown=${this.searchKey} />
      </div>
      ${this.found === undefined ? nothing : this.hits(this.found)}
      <p class="dim files-count">${words.files.shown(this.shown.length, state.files.length)}</p>
      ${this.shown.length === 0 ? html`<p class="dim files-none">${words.files.none}</p>` : this.list()}
    </nav>`;
  }

  private list(): TemplateResult {
    return html`<div class="files-scroll">
      <lit-virtualizer role="list" aria-label=${words.files.list} .items=${this.shown} .keyFunction=${keyOr((file: FileState) => file.key)} .renderItem=${drawnOr((file: FileState, index: number) => this.row(file, index))} @keydown=${this.keyPressed} @rangeChanged=${(event: RangeChangedEvent) => this.focused.rangeChanged(event)}></lit-virtualizer>
    </div>`;
  }

  private row(file: FileState, index: number): TemplateResult {
    const { name, folder } = splitPath(file.key);
    const status = fileStatus(file);
    const kind = words.kind[file.kind];
    const comments = this.model.state.comments.filter((comment) => comment.file === file.key).length;
    const current = file.key === this.model.current;
    return html`<div class="file-item" role="listitem" aria-setsize=${this.shown.length} aria-posinset=${index + 1}>
      <button type="button" class="file-row ${current ? 'current' : ''}" data-file-row=${index} tabindex=${index === this.focused.active ? '0' : '-1'} aria-current=${current ? 'true' : nothing} title=${file.from === undefined ? file.key : `${file.from} → ${file.key}`} @focus=${() => this.focused.took(index)} @click=${() => this.model.select(file.key)}>
        <span class="file-status tone-${statusLook[status].tone}">${icon(statusLook[status].icon)}<span class="visually-hidden">${words.status[status]}, </span></span>
        <span class="file-kind kind-${file.kind}" aria-hidden="true">${kind.letter}</span><span class="visually-hidden">${kind.word}: </span>
        <span class="file-path"><span class="file-name">${name}</span> <span class="dim">${folder}</span></span>
        <span class="file-marks">
          ${file.conflicts.length > 0 ? html`<span class="tone-warn" title=${words.files.conflicts(file.conflicts.length)}>${icon('git-merge')}<span class="visually-hidden">${words.files.conflicts(file.conflicts.length)}</span></span>` : nothing}
          ${file.draft === undefined ? nothing : html`<span class="tone-plain" title=${words.files.edited}>${icon('edit')}<span class="visually-hidden">${words.files.edited}</span></span>`}
          ${comments === 0 ? nothing : html`<span class="tone-plain" title=${words.files.comments(comments)}>${icon('comment')}<span class="visually-hidden">${words.files.comments(comments)}</span></span>`}
          ${file.reviewed ? html`<span class="tone-good" title=${words.files.reviewed}>${icon('eye')}<span class="visually-hidden">${words.files.reviewed}</span></span>` : nothing}
        </span>
        <span class="file-counts">${lineCounts(file.counts)}</span>
      </button>
    </div>`;
  }

  private hits({ hits, more }: Found): TemplateResult {
    return html`<section class="hits" aria-label=${words.files.search}>
      <div class="hits-head"><span role="status">${words.files.hits(hits.length, more)}</span><button type="button" class="small-button" @click=${() => (this.found = undefined)}>${words.files.clear}</button></div>
      ${hits.length === 0 ? nothing : html`<ol class="hit-list" tabindex="0" aria-label=${words.files.search}>${hits.map((hit) => html`<li><button type="button" class="hit" @click=${() => this.model.select(hit.file, { side: hit.side, line: hit.line - 1 })}><span class="dim">${splitPath(hit.file).name} ${words.files.hit(hit.line)}</span><span aria-hidden="true">${hit.side === 'base' ? '−' : '+'}</span><code>${hit.text}</code></button></li>`)}</ol>`}
    </section>`;
  }

  private readonly searchKey = (event: KeyboardEvent): void => {
    const input = event.currentTarget as HTMLInputElement;
    if (event.key === 'Escape') this.found = undefined;
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const text = input.value.trim();
    if (text === '') this.found = undefined;
    else void this.search(text);
  };

  private async search(text: string): Promise<void> {
    const answer = await this.model.request('search', { text });
    if (answer.ok) this.found = answer.value;
  }

  private readonly keyPressed = (event: KeyboardEvent): void => {
    const { active, page } = this.focused;
    const to: Record<string, number> = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: this.shown.length - 1, PageDown: active + page, PageUp: active - page };
    const target = to[event.key];
    if (target === undefined) return;
    event.preventDefault();
    void this.focused.moveTo(target);
  };
}
customElements.define('casebook-review-files', ReviewFiles);

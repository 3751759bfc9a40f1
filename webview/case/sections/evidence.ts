import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Citation, CitationState, ScoutResult } from '../../../extension/core/model/code.ts';
import { lines, shorten, splitPath } from '../../shared/format.ts';
import { evidenceView, type EvidenceView, type FileGroup } from '../model.ts';
import { CaseSection } from '../parts/section.ts';
import { button, icon } from '../../shared/ui.ts';
import { words } from '../words.ts';

const look: Record<CitationState, { icon: string; tone: string }> = {
  verified: { icon: 'verified-filled', tone: 'good' },
  located: { icon: 'location', tone: 'plain' },
  moved: { icon: 'arrow-swap', tone: 'warn' },
  stale: { icon: 'history', tone: 'warn' },
  missing: { icon: 'error', tone: 'bad' },
};

/** Files drawn at once, and added by each "Show More"; the rest is counted. */
const PAGE = 25;
const OTHERS_PAGE = 8;
const QUOTE_LENGTH = 600;

/** State badge: icon and word, so that colour is never alone. */
export function stateBadge(state: CitationState, why?: string): TemplateResult {
  return html`<span class="badge tone-${look[state].tone}" title=${why ?? words.citation[state].says}>${icon(look[state].icon)}${words.citation[state].word}</span>`;
}

/** Citations by file with their check states, and the scout's ranking with its reasons. */
export class CaseEvidence extends CaseSection {
  static override properties = { ...CaseSection.properties, groupsShown: { state: true }, othersShown: { state: true } };
  declare groupsShown: number;
  declare othersShown: number;
  private readonly explained = new Set<string>();
  private view: EvidenceView = { groups: [], others: [], counts: { verified: 0, located: 0, moved: 0, stale: 0, missing: 0 } };

  constructor() {
    super();
    this.groupsShown = PAGE;
    this.othersShown = OTHERS_PAGE;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('model')) this.view = evidenceView(this.model.state);
  }

  protected override render(): TemplateResult {
    return this.disclosure('evidence', { openByDefault: true, summary: this.summary() }, () => [this.groups(), this.others(), this.scoutFacts(this.model.state.scout?.result)]);
  }

  private summary(): unknown {
    const present = (Object.keys(look) as CitationState[]).filter((state) => this.view.counts[state] > 0);
    return present.map((state) => html`<span class="count tone-${look[state].tone}">${icon(look[state].icon)}${this.view.counts[state]}<span class="visually-hidden">${words.citation[state].word}</span></span>`);
  }

  private groups(): TemplateResult {
    const { groups } = this.view;
    const pinned = this.model.state.scout?.result?.pinned;
    const rest = groups.length - this.groupsShown;
    return html`
      ${pinned ? html`<p class="pinned">${icon('pin')}<span>${words.evidence.pinned(`${pinned.root}/${pinned.file}:${pinned.line}`)}</span></p>` : nothing}
      ${groups.length === 0 ? html`<p class="dim">${words.evidence.none}</p>` : nothing}
      <ul class="files">${repeat(groups.slice(0, this.groupsShown), (group) => group.file, (group) => this.group(group))}</ul>
      ${rest > 0 ? button({ label: words.evidence.more(rest), icon: 'ellipsis', onClick: () => (this.groupsShown += PAGE) }) : nothing}
    `;
  }

  private group(group: FileGroup): TemplateResult {
    const { name, folder } = splitPath(group.file);
    return html`<li class="file">
      <div class="file-head">
        <button type="button" class="file-open" title=${group.file} @click=${() => this.open(group.file)}>${icon('file-code')}<span><span class="visually-hidden">${words.evidence.open('')}</span><span class="file-name">${name}</span><span class="file-folder dim">${folder}</span></span></button>
      </div>
      ${group.suspect ? this.why(group) : nothing}
      ${group.citations.length === 0 ? nothing : html`<ul class="citations">${group.citations.map((citation) => this.citation(citation))}</ul>`}
    </li>`;
  }

  private citation(citation: Citation): TemplateResult {
    const range = lines(citation.line, citation.endLine);
    const place = range === '' ? words.evidence.wholeFile : range.includes('–') ? words.evidence.lines(range) : words.evidence.line(range);
    const target = citation.state === 'moved' && citation.movedTo !== undefined ? { file: citation.file, line: citation.movedTo } : { file: citation.file, ...(citation.line === undefined ? {} : { line: citation.line }), ...(citation.endLine === undefined ? {} : { endLine: citation.endLine }) };
    return html`<li class="citation">
      <button type="button" class="citation-open" @click=${() => void this.model.request('openCitation', target)}>
        <span class="citation-line"><span class="visually-hidden">${words.evidence.open(splitPath(citation.file).name)}</span>${stateBadge(citation.state, citation.why)}<span class="place">${place}</span>${citation.movedTo === undefined ? nothing : html`<span class="dim">${words.evidence.movedTo(citation.movedTo)}</span>`}<span class="origin dim">${words.evidence.origin[citation.origin]}</span></span>
        ${citation.note ? html`<span class="note">${citation.note}</span>` : nothing}
      </button>
      ${citation.quote === undefined ? nothing : this.quote(citation)}
      ${citation.why !== undefined && citation.state !== 'verified' && citation.state !== 'located' ? html`<p class="citation-why dim">${citation.why}</p>` : nothing}
    </li>`;
  }

  private quote(citation: Citation): TemplateResult {
    const quote = shorten(citation.quote ?? '', QUOTE_LENGTH);
    if (citation.actual === undefined) return html`<pre class="quote">${quote}</pre>`;
    return html`<div class="compare"><span class="dim">${words.evidence.claimed}</span><pre class="quote claimed">${quote}</pre><span class="dim">${words.evidence.actual}</span><pre class="quote">${shorten(citation.actual, QUOTE_LENGTH)}</pre></div>`;
  }

  private why(group: FileGroup): TemplateResult {
    const suspect = group.suspect;
    if (!suspect) return html``;
    const open = this.explained.has(group.file);
    const id = `why-${group.rank ?? 0}`;
    const toggle = () => {
      if (!this.explained.delete(group.file)) this.explained.add(group.file);
      this.requestUpdate();
    };
    const top = Math.max(...suspect.why.map((reason) => Math.abs(reason.weight)), 0.001);
    return html`<button type="button" class="why-toggle" aria-expanded=${open ? 'true' : 'false'} aria-controls=${id} @click=${toggle}>${icon(open ? 'chevron-down' : 'chevron-right')}${words.evidence.why}<span class="dim">${words.evidence.rank(group.rank ?? 0)}</span><span class="visually-hidden">${splitPath(group.file).name}</span></button>
      <div id=${id} class="why" ?hidden=${!open}>
        ${open
          ? html`<ul class="reasons">${suspect.why.map((reason) => html`<li><meter min="0" max=${top} .value=${Math.abs(reason.weight)} aria-label=${words.evidence.weight}></meter><span class="weight">${reason.weight.toFixed(1)}</span><span>${reason.text} <span class="signal dim">${reason.signal}</span></span></li>`)}</ul>
              <p class="dim">${words.evidence.score(suspect.score.toFixed(2))}${suspect.symbols.length > 0 ? html` · ${words.evidence.symbols}: <code>${suspect.symbols.join(', ')}</code>` : nothing}</p>`
          : nothing}
      </div>`;
  }

  private others(): unknown {
    const { others } = this.view;
    if (others.length === 0) return nothing;
    const rest = others.length - this.othersShown;
    return html`<h3>${words.evidence.others}</h3>
      <ul class="files">${repeat(others.slice(0, this.othersShown), (group) => group.file, (group) => this.group(group))}</ul>
      ${rest > 0 ? button({ label: words.evidence.more(rest), icon: 'ellipsis', onClick: () => (this.othersShown += PAGE) }) : nothing}`;
  }

  private scoutFacts(result: ScoutResult | undefined): unknown {
    if (!result) return nothing;
    return html`
      ${result.clues.length === 0 ? nothing : html`<details class="more"><summary>${words.evidence.clues} (${result.clues.length})</summary><ul class="plain">${result.clues.slice(0, PAGE * 2).map((clue) => html`<li><span class="dim">${words.clue[clue.kind]}</span> <code>${shorten(clue.text, 200)}</code></li>`)}</ul></details>`}
      ${result.history.length === 0 ? nothing : html`<details class="more"><summary>${words.evidence.commits} (${result.history.length})</summary><ul class="plain">${result.history.slice(0, PAGE).map((hit) => html`<li><code>${hit.commit.slice(0, 8)}</code> ${hit.subject} <span class="dim">${hit.author}, ${hit.date.slice(0, 10)}: ${hit.why}</span></li>`)}</ul></details>`}
    `;
  }

  private open(file: string): void {
    void this.model.request('openCitation', { file });
  }
}
customElements.define('casebook-evidence', CaseEvidence);

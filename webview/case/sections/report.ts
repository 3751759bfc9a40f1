import { html, nothing, type TemplateResult } from 'lit';
import { localTime } from '../../shared/format.ts';
import { renderMarkdown } from '../../shared/markdown.ts';
import { CaseSection } from '../parts/section.ts';
import { button, chip } from '../../shared/ui.ts';
import { sanitize } from '../../shared/sanitize.ts';
import { words } from '../words.ts';

/** The agent's own report, sanitised; places in it open the file. */
export class CaseReport extends CaseSection {
  private drawn: { markdown: string; states: string; fragment: Node[] } | undefined;

  protected override render(): TemplateResult | typeof nothing {
    const { report } = this.model.state;
    if (!report) return nothing;
    const summary = report.partial ? chip(words.report.partialShort, 'loading', 'warn') : undefined;
    return this.disclosure('report', { openByDefault: true, summary }, () => html`
      ${report.partial ? html`<p class="partial">${words.report.partial}</p>` : nothing}
      <div class="markdown" @click=${this.clicked}>${this.body(report.markdown)}</div>
      <div class="row end"><span class="dim">${words.report.updated(localTime(report.at))}</span>${button({ label: words.report.open, icon: 'go-to-file', onClick: () => void this.model.request('openReport', {}) })}</div>
    `);
  }

  /** Drawn again only when the text or a citation's state changed, so that a selection in it survives other events. */
  private body(markdown: string): Node[] {
    const { citations } = this.model.state;
    const states = citations.map((citation) => `${citation.file}:${citation.line ?? ''}=${citation.state}`).join('\n');
    if (this.drawn?.markdown !== markdown || this.drawn.states !== states) this.drawn = { markdown, states, fragment: [...sanitize(renderMarkdown(markdown, { citations })).childNodes] };
    return this.drawn.fragment;
  }

  private readonly clicked = (event: Event): void => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-file]') : null;
    const file = target?.dataset['file'];
    if (!target || file === undefined) return;
    const line = Number(target.dataset['line']);
    const endLine = Number(target.dataset['endLine']);
    void this.model.request('openCitation', { file, ...(line > 0 ? { line } : {}), ...(endLine > 0 ? { endLine } : {}) });
  };
}
customElements.define('casebook-report', CaseReport);

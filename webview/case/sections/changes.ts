import { html, nothing, type TemplateResult } from 'lit';
import { CaseSection } from '../parts/section.ts';
import { button, icon } from '../../shared/ui.ts';
import { words } from '../words.ts';

const changeIcon = { added: 'diff-added', modified: 'diff-modified', deleted: 'diff-removed' } as const;
/** Files listed; the heading counts them all. */
const LISTED = 100;

/** Files of the user's tree that changed during the run: reported, never reverted. */
export class CaseChanges extends CaseSection {
  protected override render(): TemplateResult | typeof nothing {
    const { treeChanges } = this.model.state;
    if (treeChanges.length === 0) return nothing;
    return this.disclosure('changes', { openByDefault: true, summary: String(treeChanges.length) }, () => html`
      <p class="warning-line">${icon('warning')}${words.changes.intro}</p>
      ${treeChanges.some((change) => change.checkpoint !== undefined) ? button({ id: 'review-changes', label: words.changes.review, icon: 'git-pull-request', onClick: () => void this.model.request('reviewChanges', {}) }) : nothing}
      <ul class="plain">${treeChanges.slice(0, LISTED).map((change) => html`<li>${icon(changeIcon[change.change])} ${words.changes.change[change.change]}${change.by === 'person' ? ` ${words.changes.byYou}` : ''} <button type="button" class="cited" @click=${() => void this.model.request('openCitation', { file: `${change.root}/${change.path}` })}>${change.root}/${change.path}</button></li>`)}</ul>
    `);
  }
}
customElements.define('casebook-changes', CaseChanges);

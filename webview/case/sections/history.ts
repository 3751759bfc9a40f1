import { html, nothing, type TemplateResult } from 'lit';
import type { RunState } from '../../../extension/core/cases/state.ts';
import { duration, localTime } from '../../shared/format.ts';
import { cost, tokens } from '../usage.ts';
import { CaseSection } from '../parts/section.ts';
import { icon } from '../../shared/ui.ts';
import { words } from '../words.ts';

const outcomeIcon = { completed: 'pass', failed: 'error', cancelled: 'debug-stop', timed_out: 'watch', interrupted: 'debug-disconnect' } as const;

/** Every run of the case, newest first, with what became of it. */
export class CaseHistory extends CaseSection {
  protected override render(): TemplateResult | typeof nothing {
    const { runs } = this.model.state;
    if (runs.length === 0) return nothing;
    return this.disclosure('history', { openByDefault: false, summary: String(runs.length) }, () => html`<ol class="runs">${runs.toReversed().map((run) => this.run(run))}</ol>`);
  }

  private run(run: RunState): TemplateResult {
    const { ended } = run;
    const reason = ended?.message ?? (ended?.reason ? words.reason[ended.reason] : undefined);
    const measured = run.engine === 'scout' ? '' : ` · ${words.steps.tokens}: ${tokens(run.usage)} · ${words.steps.cost}: ${cost(run.usage)}`;
    const length = ended ? ` · ${duration(Date.parse(ended.at) - Date.parse(run.startedAt))}` : '';
    return html`<li>
      <p class="run-head">${icon(ended ? outcomeIcon[ended.outcome] : 'loading')}<strong>${ended ? words.outcome[ended.outcome] : words.history.running}</strong><span>${words.engine[run.engine]}${run.model ? ` · ${run.model}` : ''}</span>${run.replay ? html`<span class="attention">${words.header.replay}</span>` : nothing}</p>
      <p class="dim">${words.history.started(localTime(run.startedAt))}${length}${measured}${run.resumes ? ` · ${words.history.resumes}` : ''}</p>
      <p class="dim">${run.choice}</p>
      ${reason ? html`<p>${reason}</p>` : nothing}
      ${run.engine === 'scout' ? nothing : html`<p class="dim">${run.enforced.length > 0 ? words.history.enforced(run.enforced.join(', ')) : words.history.notEnforced}</p>`}
    </li>`;
  }
}
customElements.define('casebook-history', CaseHistory);

import { html, nothing, type TemplateResult } from 'lit';
import type { CaseState } from '../../../extension/core/cases/state.ts';
import type { SnapshotRoot } from '../../../extension/core/model/code.ts';
import { duration, since } from '../../shared/format.ts';
import { currentRun, runActions } from '../model.ts';
import { CaseSection } from '../parts/section.ts';
import { button, chip, icon } from '../../shared/ui.ts';
import { classificationLabel, words } from '../words.ts';

const statusLook: Record<CaseState['status'], { icon: string; tone: 'plain' | 'good' | 'warn' | 'bad' | 'info' }> = {
  open: { icon: 'circle-large-outline', tone: 'plain' },
  running: { icon: 'loading', tone: 'info' },
  needs_you: { icon: 'question', tone: 'warn' },
  concluded: { icon: 'pass', tone: 'good' },
  failed: { icon: 'error', tone: 'bad' },
  interrupted: { icon: 'debug-disconnect', tone: 'warn' },
  closed: { icon: 'archive', tone: 'plain' },
};

/** Title, status, verdict in short, the state of the checkout, the engine, and the actions on the whole case. */
export class CaseHeader extends CaseSection {
  protected override render(): TemplateResult {
    const { state } = this.model;
    return html`<header class="case-header">
      <div class="case-bar">${this.chips(state)}${this.runButtons(state)}</div>
      <h1>${state.title}</h1>
      <p class="case-origin">${icon('tag')}<span>${state.ticket.key}</span>${state.ticket.reporter ? html`<span class="dim">${state.ticket.reporter}</span>` : nothing}${state.ticket.severity === 'unknown' ? nothing : html`<span class="dim">${words.ticket.severity}: ${words.severity[state.ticket.severity]}</span>`}</p>
      <div class="case-facts">
        ${state.snapshot.roots.map((root) => this.checkout(root, state.snapshot.roots.length > 1))}
        <div class="fact-line">${icon('hubot')}<span class="visually-hidden">${words.header.engine}: </span>${this.engine(state)}</div>
      </div>
      ${this.notices(state)}
      <div class="case-tools" role="group" aria-label=${words.header.actions}>${this.tools(state)}</div>
    </header>`;
  }

  private chips(state: CaseState): TemplateResult {
    const look = statusLook[state.status];
    const replay = state.verdict?.replay === true || currentRun(state)?.replay === true;
    const decided = state.verdict?.decision;
    return html`<div class="chips">
      ${chip(words.status[state.status], look.icon, look.tone)}
      ${state.verdict ? this.verdictChips(state.verdict) : nothing}
      ${decided ? chip(decided.kind === 'overridden' ? words.header.overridden : words.header.accepted, decided.kind === 'overridden' ? 'edit' : 'check', 'plain', decided.reason) : nothing}
      ${replay ? chip(words.header.replay, 'history', 'warn', words.header.replayTitle) : nothing}
      ${state.ambient ? chip(words.header.ambient, 'eye', 'warn', words.header.ambientTitle) : nothing}
      ${this.model.settings.journal === 'not_recording' ? chip(words.header.notRecording, 'circle-slash', 'bad', words.header.notRecordingTitle) : nothing}
    </div>`;
  }

  private verdictChips(verdict: NonNullable<CaseState['verdict']>): TemplateResult {
    const { effective, proof } = verdict;
    return html`${chip(classificationLabel(effective), 'law', 'plain')}${chip(words.confidence[effective.confidence], 'graph', 'plain')}${chip(proof.holds ? words.header.proofHolds : words.header.proofFails, proof.holds ? 'verified' : 'unverified', proof.holds ? 'good' : 'warn', proof.why)}`;
  }

  private runButtons(state: CaseState): TemplateResult {
    const actions = runActions(state);
    const { request } = this.model;
    return html`<div class="run-buttons">
      ${actions.stop === undefined ? nothing : button({ id: 'stop', label: words.header.stop, icon: 'debug-stop', primary: true, onClick: () => void request('stopRun', { run: actions.stop ?? '' }) })}
      ${actions.resume ? button({ id: 'resume', label: words.header.resume, icon: 'debug-continue', primary: true, onClick: () => void request('runAgain', { mode: 'resume' }) }) : nothing}
      ${actions.again ? button({ id: 'run-again', label: words.header.runAgain, icon: 'debug-restart', primary: !actions.resume && state.status !== 'concluded', onClick: () => void request('runAgain', { mode: 'restart' }) }) : nothing}
    </div>`;
  }

  private checkout(root: SnapshotRoot, several: boolean): TemplateResult {
    const name = several ? html`<strong>${root.name}</strong>` : nothing;
    const label = html`<span class="visually-hidden">${words.header.checkout}: </span>`;
    if (root.kind === 'plain') return html`<div class="fact-line">${icon('folder')}${label}${name}<span>${words.header.plainFolder}</span><span class="dim">${root.path}</span></div>`;
    const fetched = root.lastFetch === undefined ? undefined : since(root.lastFetch, Date.now());
    const pieces: unknown[] = [
      html`<span>${root.branch ? words.header.branch(root.branch) : words.header.noBranch}</span>`,
      root.commit ? html`<span title=${root.commit}>${words.header.commit('')}<code>${root.commit.slice(0, 8)}</code></span>` : nothing,
      html`<span class=${root.dirtyCount > 0 ? 'attention' : 'dim'} title=${root.dirty.slice(0, 20).join('\n')}>${root.dirtyCount > 0 ? words.header.dirty(root.dirtyCount) : words.header.clean}</span>`,
    ];
    if (root.upstream === undefined) pieces.push(html`<span class="dim">${words.header.noUpstream}</span>`);
    else {
      const behind = root.behind ?? 0;
      const ahead = root.ahead ?? 0;
      const words_ = [...(behind > 0 ? [words.header.behind(behind)] : []), ...(ahead > 0 ? [words.header.ahead(ahead)] : [])];
      pieces.push(html`<span class=${behind > 0 ? 'attention' : 'dim'}>${words_.length > 0 ? words_.join(', ') : words.header.upToDate}</span>`, html`<span class="dim">${fetched === undefined ? words.header.neverFetched : words.header.lastFetch(duration(fetched))}</span>`);
    }
    return html`<div class="fact-line">${icon('git-branch')}${label}${name}${pieces}</div>`;
  }

  private engine(state: CaseState): TemplateResult {
    const run = currentRun(state);
    if (!run) return html`<span>${this.model.settings.engineLabel}</span>`;
    return html`<span>${words.engine[run.engine]}${run.model ? ` · ${run.model}` : ''}</span><span class="dim">${run.choice}</span>`;
  }

  private notices(state: CaseState): unknown {
    const notices: TemplateResult[] = [];
    const run = currentRun(state);
    if (state.status === 'failed' || state.status === 'interrupted') {
      const why = run?.ended?.message ?? (run?.ended?.reason ? words.reason[run.ended.reason] : (state.scout?.message ?? (state.status === 'interrupted' ? words.failed.interruptedWhy : words.failed.noMessage)));
      notices.push(html`<div class="notice tone-${state.status === 'failed' ? 'bad' : 'warn'}">${icon(state.status === 'failed' ? 'error' : 'debug-disconnect')}<div><strong>${state.status === 'failed' ? words.failed.title : words.failed.interrupted}</strong><p>${why}</p></div></div>`);
    } else if (run?.ended && (run.ended.outcome === 'timed_out' || run.ended.outcome === 'cancelled')) {
      const why = run.ended.message ?? (run.ended.reason ? words.reason[run.ended.reason] : undefined);
      notices.push(html`<div class="notice tone-warn">${icon('warning')}<div><strong>${run.ended.outcome === 'cancelled' ? words.failed.stopped : words.failed.timedOut}</strong>${why ? html`<p>${why}</p>` : nothing}</div></div>`);
    }
    if (state.revisions.length > 0) notices.push(html`<div class="notice tone-info">${icon('info')}<p>${words.header.ticketChanged(state.revisions.length)}</p></div>`);
    if (state.ticket.stale) notices.push(html`<div class="notice tone-warn">${icon('warning')}<p>${words.header.staleTicket(duration(state.ticket.stale.ageMs), state.ticket.stale.reason)}</p></div>`);
    return notices;
  }

  private tools(state: CaseState): TemplateResult {
    const { request, settings } = this.model;
    return html`
      ${state.ticket.url ? button({ label: words.header.openTicket, icon: 'link-external', onClick: () => void request('openTicket', {}) }) : nothing}
      ${state.citations.length > 0 ? button({ label: words.header.recheck, icon: 'checklist', onClick: () => void request('recheckCitations', {}) }) : nothing}
      ${state.citations.length > 0 ? button({ label: settings.cursorMarks ? words.header.marksOff : words.header.marksOn, icon: 'bookmark', onClick: () => void request('toggleMarks', {}) }) : nothing}
      ${button({ label: words.header.journal, icon: 'book', onClick: () => void request('showJournal', {}) })}
    `;
  }
}
customElements.define('casebook-header', CaseHeader);

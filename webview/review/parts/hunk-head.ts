import { html, nothing, type TemplateResult } from 'lit';
import type { FileBody, HunkView, SideFacts } from '../../../extension/shared/review-protocol.ts';
import { lines as lineRange } from '../../shared/format.ts';
import { chip, icon } from '../../shared/ui.ts';
import { bytes, hunkStatus, isEditable, isOpen } from '../model.ts';
import { words } from '../words.ts';
import type { DiffContext } from './context.ts';
import { smallButton } from './small-button.ts';

/** A change's number, place and state, and its buttons. */
export function hunkHead(hunk: HunkView, number: number, context: DiffContext): TemplateResult {
  const { choice, body } = context;
  const choosing = choice?.hunk === hunk.id;
  return html`<div class="hunk-head">
      <span class="hunk-name">${words.hunk.name(number)}</span>
      <span class="dim">${place(hunk)}</span>
      ${state(hunk)}
      <span class="hunk-actions">${context.act ? (choosing ? choiceActions(context, number) : actions(hunk, number, context)) : nothing}</span>
    </div>
    ${hunk.conflict === true ? conflict(hunk) : nothing}
    ${body === undefined ? nothing : about(hunk, context, body)}`;
}

function place(hunk: HunkView): string {
  if (hunk.kind !== 'lines') return words.hunkTitle[hunk.kind];
  const range = (from: number, to: number): string => (to > from ? lineRange(from + 1, to) : '–');
  return `${words.hunkTitle.lines} ${words.hunk.at(range(hunk.baseStart, hunk.baseEnd), range(hunk.proposedStart, hunk.proposedEnd))}`;
}

function state(hunk: HunkView): TemplateResult {
  const { decision, decided, parts } = hunkStatus(hunk);
  return html`
    ${decision === undefined ? nothing : decision === 'accept' ? chip(words.hunk.accepted, 'pass', 'good') : chip(words.hunk.rejected, 'circle-slash', 'bad')}
    ${parts > 0 ? chip(words.hunk.parts(decided, parts), 'list-selection', decided === parts ? 'good' : 'info') : nothing}
    ${hunk.edited === true ? chip(words.hunk.edited, 'edit', 'plain') : nothing}
    ${hunk.conflict === true ? chip(words.hunk.conflict, 'git-merge', 'warn') : nothing}
    ${hunk.whitespace === true ? chip(words.hunk.whitespace, 'whitespace', 'plain') : nothing}
  `;
}

function actions(hunk: HunkView, number: number, context: DiffContext): TemplateResult {
  const about = words.hunk.name(number);
  const { decision, decided } = hunkStatus(hunk);
  return html`
    ${isOpen(hunk) ? smallButton({ label: words.hunk.accept, icon: 'check', tone: 'good', about, onClick: () => context.decide(hunk, 'accept') }) : nothing}
    ${isOpen(hunk) ? smallButton({ label: words.hunk.reject, icon: 'close', tone: 'bad', about, onClick: () => context.decide(hunk, 'reject') }) : nothing}
    ${decision !== undefined || decided > 0 ? smallButton({ label: words.hunk.undo, icon: 'discard', about, onClick: () => context.decide(hunk, 'undone') }) : nothing}
    ${isEditable(hunk) ? smallButton({ label: words.hunk.edit, icon: 'edit', about, onClick: () => context.edit(hunk) }) : nothing}
    ${hunk.kind === 'lines' && isOpen(hunk) ? smallButton({ label: words.hunk.lines, icon: 'list-selection', about, onClick: () => context.choose(hunk) }) : nothing}
  `;
}

function choiceActions({ choice, decideChosen, endChoice, comment }: DiffContext, number: number): TemplateResult {
  const chosen = choice?.parts.filter((part) => choice.chosen.has(part.id)) ?? [];
  const proposed = chosen.filter((part) => part.proposedEnd > part.proposedStart);
  const about = words.hunk.name(number);
  const range = (): void => {
    const side = proposed.length > 0 ? 'proposed' : 'base';
    const starts = (proposed.length > 0 ? proposed : chosen).map((part) => (side === 'proposed' ? part.proposedStart : part.baseStart) + 1);
    comment({ side, line: Math.min(...starts), endLine: Math.max(...starts) });
  };
  return html`<span role="status">${words.hunk.chosen(chosen.length)}</span>
    ${chosen.length === 0 ? nothing : html`${smallButton({ label: words.hunk.acceptChosen, icon: 'check', tone: 'good', about, onClick: () => decideChosen('accept') })}${smallButton({ label: words.hunk.rejectChosen, icon: 'close', tone: 'bad', about, onClick: () => decideChosen('reject') })}${smallButton({ label: words.hunk.comment, icon: 'comment', about, onClick: range })}`}
    ${smallButton({ label: words.hunk.done, about, onClick: endChoice })}`;
}

function conflict(hunk: HunkView): TemplateResult {
  return html`<div class="conflict">
    <p class="warning-line">${icon('git-merge')}<span>${words.hunk.conflictSays}</span></p>
    ${hunk.origin === undefined ? nothing : html`<details><summary>${words.hunk.origin}</summary><pre class="origin-lines">${hunk.origin.join('\n')}</pre></details>`}
  </div>`;
}

/** What is said of a change that is not made of lines. */
function about(hunk: HunkView, { file }: DiffContext, body: FileBody): TemplateResult | typeof nothing {
  switch (hunk.kind) {
    case 'lines':
      return nothing;
    case 'final_newline':
      return html`<p class="hunk-note">${words.hunk.newline(hunk.adds === true)}</p>`;
    case 'rename':
      return html`<p class="hunk-note"><code>${file.from ?? ''}</code> → <code>${file.path}</code></p>`;
    case 'create':
    case 'delete':
      if (body.lines !== undefined) return body.lines.base + body.lines.proposed > 0 ? nothing : html`<p class="hunk-note">${words.hunk.noLines}</p>`;
      return sides(body);
    default:
      return sides(body);
  }
}

function sides(body: FileBody): TemplateResult {
  return html`<div class="hunk-note">
    ${body.why === undefined ? nothing : html`<p>${words.why[body.why] ?? body.why}</p>`}
    <dl class="entry-facts"><div><dt>${words.facts.before}</dt><dd>${factsOf(body.base)}</dd></div><div><dt>${words.facts.after}</dt><dd>${factsOf(body.proposed)}</dd></div></dl>
  </div>`;
}

function factsOf(side: SideFacts): TemplateResult {
  if (side.kind === 'absent') return html`${words.facts.absent}`;
  if (side.kind === 'link') return html`${words.facts.target} <code>${side.target ?? ''}</code>`;
  const facts: [string, string][] = [
    ...(side.size === undefined ? [] : [[words.facts.size, bytes(side.size)] as [string, string]]),
    ...(side.mode === undefined ? [] : [[words.facts.mode, side.mode.toString(8).padStart(4, '0')] as [string, string]]),
    ...(side.hash === undefined ? [] : [[words.facts.hash, side.hash] as [string, string]]),
  ];
  return html`${facts.map(([name, value]) => html`<span class="fact">${name} <code>${value}</code></span>`)}`;
}

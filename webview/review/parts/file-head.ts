import { html, nothing, type TemplateResult } from 'lit';
import { chip, icon } from '../../shared/ui.ts';
import { commentsOf, fileStatus, hiddenIn } from '../model.ts';
import { warningWords } from '../../../extension/shared/words.ts';
import { words } from '../words.ts';
import type { DiffContext } from './context.ts';
import { commentTemplate } from './diff-rows.ts';
import { statusLook } from './file-status.ts';
import { lineCounts } from './line-counts.ts';
import { smallButton } from './small-button.ts';

/** Warnings listed; the rest are as many more lines of the same kinds. */
const LISTED = 6;

/** Path, kind, counts and state of the file on screen, its buttons, and what to read before accepting it. */
export function fileHead(context: DiffContext): TemplateResult {
  const { file, body, model } = context;
  const status = fileStatus(file);
  const hidden = model.settings.hideWhitespace ? hiddenIn(body) : 0;
  const comments = commentsOf(model.state, file.key).whole;
  return html`<header class="file-header">
    <div class="file-title">
      <h2>${file.key}</h2>
      <span class="dim">${words.kind[file.kind].word}${file.from === undefined ? '' : ` ${words.file.from(file.from)}`}${body?.encoding === undefined || body.encoding === 'utf-8' ? '' : `, ${body.encoding}`}</span>
      <span>${lineCounts(file.counts)}</span>
      ${file.left === 0 ? chip(words.status[status], statusLook[status].icon, statusLook[status].tone) : nothing}
      ${file.draft === undefined ? nothing : chip(words.file.edited, 'edit', 'plain')}
      ${file.by === undefined || file.by === 'origin' ? nothing : chip(words.files.by[file.by], 'person', 'warn')}
      ${hidden > 0 ? chip(words.file.hidden(hidden), 'whitespace', 'warn') : nothing}
    </div>
    <div class="file-actions" role="group" aria-label=${words.file.actions}>${actions(context)}</div>
    ${warnings(context)}
    ${file.conflicts.length > 0 ? html`<p class="warning-line">${icon('git-merge')}<span>${words.file.conflicts(file.conflicts.length)}</span></p>` : nothing}
    ${body !== undefined && body.hunkCount > body.hunks.length ? html`<p class="warning-line">${icon('info')}<span>${words.file.cutHunks(body.hunks.length, body.hunkCount)}</span></p>` : nothing}
    ${comments.map((comment) => commentTemplate(comment, context))}
  </header>`;
}

function actions({ file, body, model, act, decideFile, layout }: DiffContext): TemplateResult {
  const some = file.left > 0 && file.left < file.counts.hunks;
  const { settings, request } = model;
  const blanks = hiddenIn(body);
  const back = () => void request('edit', { file: file.key, revision: model.state.revision });
  return html`
    ${act && file.left > 0 ? smallButton({ id: 'accept-file', label: some ? words.file.acceptRest : words.file.accept, icon: 'check-all', tone: 'good', about: file.key, onClick: () => decideFile('accept') }) : nothing}
    ${act && file.left > 0 ? smallButton({ id: 'reject-file', label: some ? words.file.rejectRest : words.file.reject, icon: 'close-all', tone: 'bad', about: file.key, onClick: () => decideFile('reject') }) : nothing}
    ${settings.canDecide && model.state.status === 'pending' ? smallButton({ id: 'reviewed', label: words.file.reviewed, icon: file.reviewed ? 'eye' : 'eye-closed', pressed: file.reviewed, onClick: () => void request('markReviewed', { file: file.key, reviewed: !file.reviewed }) }) : nothing}
    ${act && file.draft !== undefined ? smallButton({ id: 'back-to-proposal', label: words.file.backToProposal, icon: 'discard', onClick: back }) : nothing}
    ${smallButton({ id: 'file-native', label: words.file.native, icon: 'diff', about: file.key, onClick: () => void request('openNative', { file: file.key }) })}
    ${smallButton({ id: 'layout', label: words.file.layout[layout], icon: 'layout', onClick: () => void request('setLayout', { layout: layout === 'split' ? 'unified' : 'split' }) })}
    ${blanks === 0 ? nothing : smallButton({ id: 'whitespace', label: settings.hideWhitespace ? words.file.showBlank : words.file.hideBlank, icon: 'whitespace', onClick: () => void request('setHideWhitespace', { hidden: !settings.hideWhitespace }) })}
  `;
}

function warnings({ body, file }: DiffContext): TemplateResult | typeof nothing {
  if (body === undefined || body.warnings.length === 0 || file.left === 0) return nothing;
  return html`<section class="notice tone-warn" aria-label=${words.file.warnings}>${icon('warning')}<div><strong>${words.file.warnings}</strong><ul class="plain">${body.warnings.slice(0, LISTED).map((warning) => html`<li>${warningWords(warning)}</li>`)}</ul></div></section>`;
}

import { html, nothing, type TemplateResult } from 'lit';
import type { ReviewComment } from '../../../extension/core/model/change.ts';
import { icon } from '../../shared/ui.ts';
import type { Row } from '../rows.ts';
import { words } from '../words.ts';
import type { DiffContext } from './context.ts';
import { commentForm, editForm } from './forms.ts';
import { hunkHead } from './hunk-head.ts';
import { lineTemplate } from './line.ts';
import { smallButton } from './small-button.ts';

export function rowTemplate(row: Row, context: DiffContext): TemplateResult {
  switch (row.kind) {
    case 'gap':
      return gap(row, context);
    case 'hunk':
      return hunkHead(row.hunk, row.number, context);
    case 'hidden':
      return html`<span class="dim">${icon('eye-closed')} ${words.hidden.says}</span>${smallButton({ label: words.hidden.show, onClick: () => void context.model.request('setHideWhitespace', { hidden: false }) })}`;
    case 'line':
      return lineTemplate(row, context);
    case 'comment':
      return commentTemplate(row.comment, context);
    case 'comment-form':
      return commentForm(row.place, context);
    default:
      return editForm(row.hunk, context);
  }
}

function gap({ region, count, above, below }: Extract<Row, { kind: 'gap' }>, { widen, moreLines }: DiffContext): TemplateResult {
  const more = count > moreLines;
  return html`${icon('unfold')}<span class="dim">${words.gap.lines(count)}</span>
    ${more && above ? smallButton({ label: below ? words.gap.up : words.gap.more, onClick: () => widen(region, moreLines, 0) }) : nothing}
    ${more && below ? smallButton({ label: above ? words.gap.down : words.gap.more, onClick: () => widen(region, 0, moreLines) }) : nothing}
    ${smallButton({ label: words.gap.all, onClick: () => widen(region, count, 0) })}`;
}

/** A comment of a person, where it was made. */
export function commentTemplate(comment: ReviewComment, { model, act }: Pick<DiffContext, 'model' | 'act'>): TemplateResult {
  const place = comment.line === undefined ? undefined : words.comment.lines(comment.line, comment.endLine, words.comment.side[comment.side ?? 'proposed']);
  return html`<div class="comment">
    <p class="comment-head dim">${icon('comment')}<span>${place === undefined ? words.comment.label : words.comment.about(place)}</span></p>
    <p class="plain-text">${comment.text}</p>
    ${act ? smallButton({ label: words.comment.remove, onClick: () => void model.request('removeComment', { id: comment.id }) }) : nothing}
  </div>`;
}

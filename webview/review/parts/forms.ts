import { html, type TemplateResult } from 'lit';
import type { HunkView } from '../../../extension/shared/review-protocol.ts';
import { button } from '../../shared/ui.ts';
import { commentField, editField } from '../fields.ts';
import type { CommentPlace } from '../rows.ts';
import { words } from '../words.ts';
import type { DiffContext } from './context.ts';

/** Keeps on Ctrl+Enter, ends on Escape. */
function formKeys(keep: (text: string) => void, end: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      end();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      keep((event.currentTarget as HTMLTextAreaElement).value);
    }
  };
}

const valueOf = (id: string): string => document.querySelector<HTMLTextAreaElement>(`#${id}`)?.value ?? '';

/** A remark on lines, or on the file; what is typed survives a reload. */
export function commentForm(place: CommentPlace | undefined, { model, file, keepComment, endComment }: DiffContext): TemplateResult {
  const field = commentField(file.key, place);
  const about = place === undefined ? file.key : words.comment.lines(place.line, place.endLine, words.comment.side[place.side]);
  const keep = (text: string) => {
    if (text.trim() !== '') keepComment(place, text.trim());
  };
  return html`<div class="inline-form">
    <label for="comment-text">${words.comment.about(about)}</label>
    <textarea id="comment-text" class="field grow" rows="2" placeholder=${words.comment.placeholder} .value=${model.store.draft(field) ?? ''} @input=${(event: Event) => model.store.setDraft(field, (event.target as HTMLTextAreaElement).value)} @keydown=${formKeys(keep, endComment)}></textarea>
    <p class="dim small">${words.comment.gathered}</p>
    <div class="row">${button({ id: 'keep-comment', label: words.comment.save, primary: true, onClick: () => keep(valueOf('comment-text')) })}${button({ id: 'cancel-comment', label: words.comment.cancel, onClick: endComment })}</div>
  </div>`;
}

/** The person's text in place of what a change proposes. */
export function editForm(hunk: HunkView, { model, file, editing, keepEdit, endEdit }: DiffContext): TemplateResult {
  const field = editField(file.key, hunk.id);
  return html`<div class="inline-form">
    <label for="edit-text">${words.edit.label}</label>
    <textarea id="edit-text" class="field grow code-field" rows="4" spellcheck="false" .value=${editing?.text ?? ''} @input=${(event: Event) => model.store.setDraft(field, (event.target as HTMLTextAreaElement).value)} @keydown=${formKeys((text) => keepEdit(hunk, text), endEdit)}></textarea>
    <p class="dim small">${words.edit.hint}${hunk.parts === undefined ? '' : ` ${words.edit.parts}`}</p>
    <div class="row">${button({ id: 'keep-edit', label: words.edit.save, primary: true, onClick: () => keepEdit(hunk, valueOf('edit-text')) })}${button({ id: 'cancel-edit', label: words.edit.cancel, onClick: endEdit })}</div>
  </div>`;
}

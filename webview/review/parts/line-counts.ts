import { html, nothing, type TemplateResult } from 'lit';
import type { FileChange } from '../../../extension/core/model/change.ts';
import { words } from '../words.ts';

/** Lines added and removed; nothing where a file does not change by lines. */
export function lineCounts({ added, removed }: FileChange['counts']): TemplateResult | typeof nothing {
  if (added + removed === 0) return nothing;
  return html`<span class="visually-hidden">${words.files.counts(added, removed)}</span><span class="added" aria-hidden="true">+${added}</span> <span class="removed" aria-hidden="true">−${removed}</span>`;
}

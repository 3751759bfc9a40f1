import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { icon } from '../../shared/ui.ts';

export interface SmallButton {
  label: string;
  icon?: string;
  tone?: 'good' | 'bad';
  id?: string;
  /** Says more than the label: which change, which file. */
  about?: string;
  pressed?: boolean;
  onClick: () => void;
}

/** A plain button for the many places in a list where a vscode-button would weigh too much. Its key is pressed on the row, not on it. */
export function smallButton(options: SmallButton): TemplateResult {
  return html`<button type="button" id=${ifDefined(options.id)} class="small-button ${options.tone === undefined ? '' : `tone-${options.tone}`}" aria-pressed=${options.pressed === undefined ? nothing : options.pressed ? 'true' : 'false'} @click=${options.onClick}>${options.icon === undefined ? nothing : icon(options.icon)}${options.label}${options.about === undefined ? nothing : html`<span class="visually-hidden"> (${options.about})</span>`}</button>`;
}

import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';

/** A codicon; decoration only, because every state is also said in words. */
export function icon(name: string, extra = ''): TemplateResult {
  return html`<span class="codicon codicon-${name} ${extra}" aria-hidden="true"></span>`;
}

export interface ButtonOptions {
  label: string;
  icon?: string;
  primary?: boolean;
  disabled?: boolean;
  /** Id of the element that says more, such as why it is disabled. */
  describedBy?: string;
  /** Id for focus and tests. */
  id?: string;
  onClick(event: Event): void;
}

/** A vscode-button with its label, icon, and a disabled state that assistive technology hears. */
export function button(options: ButtonOptions): TemplateResult {
  const run = (event: Event) => {
    if (!options.disabled) options.onClick(event);
  };
  return html`<vscode-button
    id=${ifDefined(options.id)}
    ?secondary=${!options.primary}
    ?disabled=${options.disabled === true}
    aria-disabled=${options.disabled ? 'true' : nothing}
    aria-describedby=${ifDefined(options.describedBy)}
    @click=${run}
    @keydown=${keepSpaceFromScrolling}
    >${options.icon ? html`<span slot="content-before" class="codicon codicon-${options.icon}" aria-hidden="true"></span>` : nothing}${options.label}</vscode-button
  >`;
}

function keepSpaceFromScrolling(event: KeyboardEvent): void {
  if (event.key === ' ') event.preventDefault();
}

/** A small labelled mark; `tone` picks colours, the icon and the word carry the meaning. */
export function chip(text: string, iconName: string, tone: 'plain' | 'good' | 'warn' | 'bad' | 'info' = 'plain', title?: string): TemplateResult {
  return html`<span class="chip tone-${tone}" title=${ifDefined(title)}>${icon(iconName)}<span>${text}</span></span>`;
}

/** A definition list of short facts; nothing when there are none. */
export function facts(entries: readonly (readonly [string, unknown])[]): TemplateResult | typeof nothing {
  if (entries.length === 0) return nothing;
  return html`<dl class="facts">${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { CaseState } from '../../../extension/core/cases/state.ts';
import type { PanelRequestName, PanelRequests, PanelSettings } from '../../../extension/shared/protocol.ts';
import type { UiStore } from '../../shared/ui-state.ts';
import { words } from '../words.ts';
import { icon } from '../../shared/ui.ts';

/** What every section is drawn from: one snapshot, and the ways back to the host. A new object per snapshot. */
export interface PanelModel {
  state: CaseState;
  settings: PanelSettings;
  store: UiStore;
  /** Sends a request; resolves to whether the host did it. A refusal is shown by the panel itself. */
  request: <Name extends PanelRequestName>(name: Name, args: PanelRequests[Name]) => Promise<boolean>;
  /** Says one short sentence to a screen reader. */
  announce: (text: string) => void;
}

export type SectionName = keyof typeof words.sections;

/**
 * A part of the panel. It renders into the light DOM, so that one style sheet, labels by id and a scan of the page reach everything;
 * nothing in it comes from outside but as text or sanitised markup.
 */
export abstract class CaseSection extends LitElement {
  static override properties = { model: { attribute: false } };
  declare model: PanelModel;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** A titled part that opens and closes; what a person chose is kept. `body` is only drawn while open. */
  protected disclosure(name: SectionName, options: { openByDefault: boolean; summary?: unknown }, body: () => unknown): TemplateResult {
    const open = this.model.store.isOpen(name, options.openByDefault);
    const toggle = () => {
      this.model.store.setOpen(name, !open);
      this.requestUpdate();
    };
    return html`<section class="part" id="part-${name}" aria-labelledby="heading-${name}">
      <h2>
        <button type="button" id="heading-${name}" class="part-toggle" aria-expanded=${open ? 'true' : 'false'} aria-controls="body-${name}" @click=${toggle}>
          ${icon(open ? 'chevron-down' : 'chevron-right')}<span class="part-title">${words.sections[name]}</span>${options.summary === undefined ? nothing : html`<span class="part-summary">${options.summary}</span>`}
        </button>
      </h2>
      <div id="body-${name}" class="part-body" ?hidden=${!open}>${open ? body() : nothing}</div>
    </section>`;
  }

  /** Opens this part and moves focus to its heading. */
  async reveal(name: SectionName): Promise<void> {
    this.model.store.setOpen(name, true);
    this.requestUpdate();
    await this.updateComplete;
    const heading = this.querySelector<HTMLElement>(`#heading-${name}`);
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus();
  }
}

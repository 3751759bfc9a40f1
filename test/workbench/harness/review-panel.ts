import type { FrameLocator, Locator } from 'playwright-core';
import type { Panel, Workbench } from './workbench.ts';

/** The review panel inside its webview, by what a person sees in it. */
export class ReviewPanelPage {
  private readonly panel: Panel;

  constructor(workbench: Workbench, title: string | RegExp) {
    this.panel = workbench.panel(title);
  }

  get content(): FrameLocator {
    return this.panel.content();
  }

  async show(): Promise<void> {
    await this.panel.focus();
    // After a reload it stays empty until the extension host is up again.
    await this.content.locator('.row-hunk').first().waitFor({ timeout: 120_000 });
  }

  hunk(number: number): Locator {
    return this.content.locator('.row-hunk').filter({ hasText: `Change ${number}` });
  }

  /** Presses a button of a change. */
  async press(number: number, label: string): Promise<void> {
    await this.hunk(number).locator('.small-button', { hasText: label }).click();
  }

  line(text: string): Locator {
    return this.content.locator('.row-line').filter({ hasText: text });
  }
}

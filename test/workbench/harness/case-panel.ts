import type { Frame, FrameLocator, Locator } from 'playwright-core';
import type { Panel, Workbench } from './workbench.ts';

/** The case panel inside its webview, by what a person sees in it. */
export class CasePanelPage {
  private readonly panel: Panel;

  constructor(workbench: Workbench, title: string | RegExp) {
    this.panel = workbench.panel(title);
  }

  get content(): FrameLocator {
    return this.panel.content();
  }

  /** The panel's own document, for scripts of the test. */
  async frame(): Promise<Frame> {
    const frame = await (await this.content.locator(':root').elementHandle())?.ownerFrame();
    if (!frame) throw new Error('the panel has no frame');
    return frame;
  }

  async show(): Promise<void> {
    await this.panel.focus();
    // After a reload it stays empty until the extension host is up again.
    await this.heading().waitFor({ timeout: 120_000 });
  }

  heading(): Locator {
    return this.content.locator('h1');
  }

  chips(): Locator {
    return this.content.locator('.case-header .chips');
  }

  /** A part of the panel, opened when it was closed. */
  async part(name: 'verdict' | 'steps' | 'evidence' | 'report' | 'reply' | 'questions'): Promise<Locator> {
    const part = this.content.locator(`#part-${name}`);
    const toggle = part.locator(`#heading-${name}`);
    await toggle.waitFor();
    if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
    // Long lists draw only the rows that are in sight.
    await part.locator(`#body-${name}`).scrollIntoViewIfNeeded();
    return part;
  }

  steps(): Locator {
    return this.content.locator('#part-steps [data-step]');
  }

  citations(): Locator {
    return this.content.locator('#part-evidence .citation');
  }

  async override(options: { classification: string; confidence: string; reason: string }): Promise<void> {
    const verdict = await this.part('verdict');
    await verdict.locator('#override-verdict').click();
    const form = verdict.locator('form');
    await form.locator(`input[name="override-classification"][value="${options.classification}"]`).check();
    await form.locator(`input[name="override-confidence"][value="${options.confidence}"]`).check();
    await form.locator('textarea').fill(options.reason);
    await form.locator('vscode-button').first().click();
    await form.waitFor({ state: 'detached' });
  }

  /** Chooses an option of the agent's open question and sends it. */
  async answer(option: string): Promise<void> {
    const questions = await this.part('questions');
    await questions.getByLabel(option, { exact: true }).check();
    await questions.locator('vscode-button[id^="send-"]').click();
    await questions.locator('.question-set').waitFor({ state: 'detached' });
  }
}

/** "Investigate Ticket…" from the palette, with a ticket in a file. */
export async function investigateFile(workbench: Workbench, path: string): Promise<void> {
  // Shown first: the commands of an extension that waits for trust are in the palette before they are there to be run.
  await workbench.showContainer('Casebook');
  await workbench.tree('Cases').pane.waitFor();
  await workbench.runCommand('Casebook: Investigate Ticket…');
  await workbench.quickInput.pick('File…');
  await workbench.quickInput.chooseFile(path);
}

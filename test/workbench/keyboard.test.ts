import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CasePanelPage } from './harness/case-panel.ts';
import { filler, makeRepository } from './harness/fixtures.ts';
import { vsix } from './harness/paths.ts';
import { Session } from './harness/session.ts';

const title = 'Launch is refused though the code is right';

describe('the main job without a mouse', () => {
  let folder: string;
  let session: Session;

  beforeAll(async () => {
    folder = await makeRepository('rocket', {
      'src/launch-guard.ts': `${filler(44, 'guard')}throw new Error('launch refused: wrong code');\n`,
      'tickets/launch.md': `---\nid: OPS-7\ntitle: ${title}\nseverity: high\n---\n\n    Error: launch refused: wrong code\n        at checkLaunch (/srv/rocket/src/launch-guard.ts:45:11)\n`,
    });
    session = await Session.start({ name: 'keyboard', extensions: [vsix], folder, settings: { 'casebook.engine': 'scout' } });
    // A mouse that is used by mistake ends the test.
    const { mouse } = session.page;
    for (const name of ['click', 'down', 'dblclick'] as const) mouse[name] = () => Promise.reject(new Error(`the mouse was used: ${name}`));
  });

  afterAll(async () => {
    const left = await session?.stop();
    await rm(dirname(folder), { recursive: true, force: true });
    expect(left).toEqual([]);
  });

  it('goes from the list of tickets to a running case', async () => {
    await session.step('tickets', async ({ page }) => {
      await command(page, 'Casebook: Focus on Tickets View');
      await row(page, 'Files').waitFor();
      // A list that was empty when its view got the focus has none itself.
      await command(page, 'Casebook: Focus on Tickets View');
      await until(page, 'ArrowDown', () => focusedRow(page), /Query tickets/);
      await page.keyboard.press('ArrowRight');
      await row(page, title).waitFor();
      await until(page, 'ArrowDown', () => focusedRow(page), new RegExp(title));
      // The context menu of the row, then its first entry.
      await page.keyboard.press('Shift+F10');
      await page.locator('.monaco-menu').getByRole('menuitem', { name: 'Investigate This Ticket' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await tab(page, title).waitFor();
    });
  });

  it('opens the case from the list of cases', async () => {
    await session.step('cases', async ({ page }) => {
      await expect.poll(async () => (await row(page, title).last().getAttribute('aria-label')) ?? '').toMatch(/Concluded/);
      await command(page, 'View: Close All Editors');
      await tab(page, title).waitFor({ state: 'detached' });
      await command(page, 'Casebook: Focus on Cases View');
      await until(page, 'ArrowDown', () => focusedRow(page), new RegExp(title));
      await page.keyboard.press('Enter');
      await tab(page, title).waitFor();
    });
  });

  it('moves through the panel by Tab, in the order of its parts, and opens a citation with Enter', async () => {
    await session.step('panel', async ({ page, workbench }) => {
      const panel = new CasePanelPage(workbench, title.slice(0, 20));
      await panel.heading().waitFor();
      await command(page, 'View: Focus Active Editor Group');
      const frame = await panel.frame();
      const focused = (): Promise<string> => frame.evaluate<string>("document.activeElement.id + ' ' + document.activeElement.className");
      const seen: string[] = [];
      await until(page, 'Tab', async () => {
        const now = await focused();
        seen.push(now);
        return now;
      }, /citation-open/);
      for (const stop of ['heading-verdict', 'accept-verdict', 'heading-evidence']) expect(seen.some((one) => one.includes(stop)), stop).toBe(true);
      await page.keyboard.press('Enter');
      await workbench.editor.tab('launch-guard.ts').waitFor();
      await expect.poll(() => workbench.editor.line()).toBe(45);
    });
  });

  it('comes back to the panel, where it was', async () => {
    await session.step('back', async ({ page, workbench }) => {
      const panel = new CasePanelPage(workbench, title.slice(0, 20));
      await command(page, 'View: Focus First Editor Group');
      await expect.poll(() => panel.content.locator('.citation-open:focus').count()).toBe(1);
    });
  });
});

/** Runs a command through the palette with keys alone. */
async function command(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  const input = page.locator('.quick-input-widget:visible .quick-input-box input');
  await input.waitFor();
  await page.keyboard.type(title);
  await page.locator('.quick-input-widget .monaco-list-row.focused').filter({ hasText: title }).first().waitFor();
  await page.keyboard.press('Enter');
  await input.waitFor({ state: 'hidden' });
}

/** Presses a key until what has the focus matches; at most as often as a person would have patience for. */
async function until(page: Page, key: string, focus: () => Promise<string>, wanted: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < 60; presses++) {
    const now = await focus();
    if (wanted.test(now)) return;
    seen.push(now);
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never reached ${String(wanted)}; it went over ${seen.join(' | ')}`);
}

const row = (page: Page, text: string) => page.locator('.part.sidebar .monaco-list-row').filter({ hasText: text });
const tab = (page: Page, text: string) => page.locator('.part.editor .tabs-container .tab').filter({ hasText: text.slice(0, 20) });

/** What a screen reader says of the row that has the focus in the list with the focus. */
async function focusedRow(page: Page): Promise<string> {
  return (await page.locator('.part.sidebar .monaco-list:focus .monaco-list-row.focused').first().getAttribute('aria-label', { timeout: 500 }).catch(() => null)) ?? '';
}

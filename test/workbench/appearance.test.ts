import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import axe from 'axe-core';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ToPanel } from '../../extension/shared/protocol.ts';
import { caseStates } from '../fixtures/case-states.ts';
import { CasePanelPage, investigateFile } from './harness/case-panel.ts';
import { filler, makeRepository } from './harness/fixtures.ts';
import { root, vsix } from './harness/paths.ts';
import { Session } from './harness/session.ts';
import type { Theme } from './harness/workbench.ts';

const title = 'The export leaves out the last row';
const ticket = `---
id: SHOP-12
title: ${title}
severity: medium
---

Since 2.4 the exported file ends one row too early. No error, only this in the log:

    TypeError: Cannot read properties of undefined (reading 'cells')
        at writeRow (/app/src/export/rows.ts:24:11)
        at exportSheet (/app/src/export/sheet.ts:14:3)
`;
const settings = { cursorMarks: true, canPost: false, engineLabel: 'Claude Code', journal: 'recording' } as const;
/** Where the pictures go: `CASEBOOK_IMAGES=docs/images` renews those of the README. */
const images = process.env['CASEBOOK_IMAGES'] ?? join(root, '.cache/workbench');
const themes: readonly Theme[] = ['light', 'dark', 'hc-dark'];

/** What axe says of the panel's document as VS Code really shows it, one line a finding. */
async function axeIn(frame: Frame): Promise<string[]> {
  type Found = { id: string; nodes: { html: string; failureSummary?: string }[] }[];
  // Evaluated through the browser's debugger, which the page's policy does not bind.
  await frame.evaluate(axe.source);
  const found = await frame.evaluate<Found>("axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)");
  return found.flatMap(({ id, nodes }) => nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 140)} ${(node.failureSummary ?? '').replace(/\s+/gu, ' ').slice(0, 200)}`));
}

describe('the case panel in the real webview', () => {
  let folder: string;
  let session: Session;
  let panel: CasePanelPage;

  beforeAll(async () => {
    folder = await makeRepository('webshop', {
      'src/export/rows.ts': `${filler(20, 'row')}export function writeRow(rows: Row[], index: number): string {\n  const row = rows[index + 1];\n  // The header is row 0.\n  return row.cells.join(';');\n}\n`,
      'src/export/sheet.ts': `${filler(10, 'sheet')}import { writeRow } from './rows.ts';\nexport function exportSheet(rows: Row[]): string {\n  const lines = rows.map((_row, index) => writeRow(rows, index));\n  return lines.join('\\n');\n}\n`,
      'src/basket.ts': filler(80, 'basket'),
      'tickets/export.md': ticket,
    });
    session = await Session.start({ name: 'appearance', extensions: [vsix], folder, settings: { 'casebook.engine': 'scout' } });
    panel = new CasePanelPage(session.workbench, title.slice(0, 20));
    await session.step('investigate', async ({ workbench }) => {
      await investigateFile(workbench, join(folder, 'tickets/export.md'));
      await panel.show();
      await panel.part('verdict');
    });
  });

  afterAll(async () => {
    const left = await session?.stop();
    await rm(dirname(folder), { recursive: true, force: true });
    expect(left).toEqual([]);
  });

  // The real case first: what the test hands to the panel afterwards stays until the host has something new to say.
  for (const theme of themes) {
    it(`shows the case as it is in ${theme}`, async () => {
      await session.step(`real-${theme}`, async ({ workbench, page }) => {
        await workbench.setTheme(theme);
        await panel.show();
        await page.mouse.move(0, 0);
        await mkdir(images, { recursive: true });
        await page.screenshot({ path: join(images, `case-panel-${theme}.png`) });
        expect(await axeIn(await panel.frame())).toEqual([]);
      });
    });
  }

  for (const theme of themes) {
    it(`is accessible in every state in ${theme}`, async () => {
      await session.step(`states-${theme}`, async ({ workbench }) => {
        await workbench.setTheme(theme);
        await panel.show();
        const frame = await panel.frame();
        const found: Record<string, string[]> = {};
        for (const [name, state] of Object.entries(caseStates)) {
          await show(frame, { type: 'case', state, settings });
          await expect.poll(() => panel.heading().textContent()).toBe(state.title);
          found[name] = await axeIn(frame);
        }
        await show(frame, { type: 'empty', why: 'This case was erased.' });
        await panel.content.locator('.empty').waitFor();
        found['empty'] = await axeIn(frame);
        await show(frame, { type: 'case', state: caseStates['concluded'] ?? failNoState(), settings });
        expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
      });
    });
  }
});

/** Hands the panel a message as the host would. */
async function show(frame: Frame, message: ToPanel): Promise<void> {
  await frame.evaluate(`window.dispatchEvent(new MessageEvent('message', { data: ${JSON.stringify(message)} }))`);
}

function failNoState(): never {
  throw new Error('the fixtures hold no concluded case');
}

import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseStates } from '../fixtures/case-states.ts';
import { axeFindings } from './axe.ts';
import { PanelHarness } from './harness.ts';
import type { ThemeName } from './themes.ts';

describe('the case panel under axe', () => {
  let harness: PanelHarness;
  beforeAll(async () => {
    harness = await PanelHarness.start();
  });
  afterAll(() => harness?.stop());

  for (const theme of ['dark', 'light', 'contrast', 'contrast-light'] as ThemeName[]) {
    it(`finds nothing in any state: ${theme}`, async () => {
      // Still, because axe judges colours at rest and a spinner would keep a software renderer painting.
      const panel = await harness.open({ theme, height: 1200, classes: 'vscode-reduce-motion' });
      // Evaluated by the browser's debugger, which the page's policy does not bind.
      await panel.page.evaluate(axe.source);
      const all: Record<string, string[]> = {};
      await panel.send({ type: 'empty', why: 'This case was erased.' });
      all['empty'] = await axeFindings(panel.page);
      await panel.screenshot(`${theme}-empty`);
      for (const [name, state] of Object.entries(caseStates)) {
        await panel.show(state);
        all[name] = await axeFindings(panel.page);
        await panel.screenshot(`${theme}-${name}`);
      }
      await panel.show({ ...caseStates['concluded'], id: 'case_forms' });
      await panel.page.locator('#override-verdict').click();
      await panel.page.locator('#override-finding-0').click();
      // Clicked from a list taken once: opening one changes what a live locator would find.
      await panel.page.evaluate("[...document.querySelectorAll('.why-toggle, .part-toggle[aria-expanded=false]')].forEach((toggle) => toggle.click())");
      // Rows are drawn only where they can be seen.
      await panel.page.evaluate("document.querySelector('#part-steps').scrollIntoView()");
      await panel.page.locator('button.step-row').first().click();
      all['forms'] = await axeFindings(panel.page);
      await panel.screenshot(`${theme}-forms`);
      expect(all).toEqual(Object.fromEntries(Object.keys(all).map((name) => [name, []])));
      expect(await panel.violations()).toEqual([]);
      expect(panel.errors).toEqual([]);
      expect(panel.requests).toEqual([]);
      await panel.close();
    }, 300_000);
  }
});

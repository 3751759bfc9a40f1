import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { table } from '../unit/review/desk-harness.ts';
import { PanelHarness } from './harness.ts';
import { ReviewHost } from './review-host.ts';

let harness: PanelHarness;
beforeAll(async () => {
  harness = await PanelHarness.start();
});
afterAll(() => harness?.stop());

const numbered = (count: number, line: (index: number) => string = (index) => `const line${index} = ${index};`): string => Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');

describe('looking at a set', () => {
  it('shows its changes with colours and what differs within lines', async () => {
    const base = numbered(80);
    const t = await table({ 'src/a.ts': base, 'src/b.ts': base });
    const changed = base.replace('const line10 = 10;', 'const line10 = compute(10);').replace('const line40 = 40;\n', "// gone\nconst other = 'text';\n").replace('const line70 = 70;\n', '');
    const { set } = await t.propose({ 'src/a.ts': changed, 'src/b.ts': changed, 'src/new.py': 'def f():\n    return 1\n' });
    const host = await ReviewHost.open(harness, t.desk, set);
    await host.drawn();
    await host.panel.until("document.querySelector('.scope-keyword')");
    await host.panel.screenshot('review-smoke');
    expect(await host.panel.page.locator('.row-hunk').count()).toBe(3);
    expect(await host.panel.page.locator('.added .changed-text').first().innerText()).toBe('compute');
    expect(await host.panel.violations()).toEqual([]);
    expect(host.panel.errors).toEqual([]);
    await host.close();
  });
});

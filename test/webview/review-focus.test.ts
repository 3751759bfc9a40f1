import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeTrees } from '../unit/review/trees.ts';
import { PanelHarness } from './harness.ts';
import { base, changed, openReview } from './review-scene.ts';

let harness: PanelHarness;
beforeAll(async () => {
  harness = await PanelHarness.start();
});
afterAll(async () => {
  await harness?.stop();
  await removeTrees();
});

/** Whether the keyboard is on a row of the changes. */
const onRow = "document.activeElement?.classList.contains('diff-row') === true";

describe('where the keyboard is after', () => {
  it('decisions by mouse: on the row of the change', async () => {
    const { host, page } = await openReview(harness);
    const press = async (label: string, until: string): Promise<void> => {
      await page.locator('.row-hunk .small-button', { hasText: label }).first().click();
      await host.panel.until(until);
      await host.panel.until(onRow);
    };
    await press('Accept', "document.querySelector('.row-hunk.decided-accept')");
    await press('Undo', "!document.querySelector('.row-hunk.decided-accept')");
    await press('Reject', "document.querySelector('.row-hunk.decided-reject')");
    await press('Undo', "!document.querySelector('.row-hunk.decided-reject')");
    await press('Lines', "document.querySelector('.row-line .choose')");
    await press('Done', "!document.querySelector('.row-line .choose')");
    await page.locator('#accept-file').click();
    await host.panel.until("!document.querySelector('#accept-file')");
    await host.panel.until(onRow);
    expect(host.panel.errors).toEqual([]);
    await host.close();
  });

  it('a form: on what it stood under', async () => {
    const { host, page, key } = await openReview(harness);
    await key('n');
    await key('e');
    await page.locator('#edit-text').waitFor();
    await key('Escape');
    await host.panel.until("!document.querySelector('#edit-text')");
    await host.panel.until(`${onRow} && document.activeElement.innerText.startsWith('Change 1')`);
    await key('e');
    await page.locator('#edit-text').fill('const line10 = mine;\n');
    await key('Control+Enter');
    await host.panel.until("document.querySelector('.row-hunk')?.innerText.includes('Edited by you')");
    await host.panel.until(onRow);
    await key('j');
    await key('j');
    await key('c');
    await page.locator('#comment-text').fill('Why?');
    await key('Control+Enter');
    await page.locator('.row-comment').waitFor();
    await host.panel.until(`${onRow} && document.activeElement.classList.contains('row-line')`);
    expect(host.panel.errors).toEqual([]);
    await host.close();
  });

  it('the buttons on the whole set: on their group, so that no key held too long undoes what it did', async () => {
    const { t, answer, host, page, key } = await openReview(harness, {}, { 'src/a.ts': changed });
    const onGroup = "document.activeElement?.classList.contains('set-actions') === true";
    await page.locator('#accept-all').focus();
    await key('Enter');
    await answer;
    await page.locator('#undo').waitFor();
    await host.panel.until(onGroup);
    await key('Enter');
    await key('Tab');
    await host.panel.until("document.activeElement?.id === 'undo'");
    await key('Enter');
    await page.locator('#redo').waitFor();
    await host.panel.until(onGroup);
    expect(await t.read('src/a.ts')).toBe(base);
    await host.close();
  });

  it('Shift+C: in a remark on the side before the change', async () => {
    const { t, set, host, page, key } = await openReview(harness, { settings: { layout: 'split' } });
    await page.locator('.row-line', { hasText: 'compute(10)' }).focus();
    await key('Shift+C');
    await page.locator('#comment-text').fill('This was right');
    await key('Control+Enter');
    await page.locator('.row-comment').waitFor();
    expect((await t.desk.state(set)).comments[0]).toMatchObject({ side: 'base', line: 11, excerpt: 'const line10 = 10;' });
    await host.close();
  });
});

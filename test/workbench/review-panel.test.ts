import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filler, makeRepository } from './harness/fixtures.ts';
import { artifacts, vsix } from './harness/paths.ts';
import { eventsOf } from './harness/review.ts';
import { ReviewPanelPage } from './harness/review-panel.ts';
import { Session } from './harness/session.ts';

const committed = filler(60, 'n');
const changed = committed.replace('n10 = 10;', 'n10 = ten();').replace('n30 = 30;', 'n30 = thirty();').replace('n50 = 50;', 'n50 = fifty();');
const wanted = committed.replace('n10 = 10;', 'n10 = ten();').replace('n50 = 50;', 'n50 = 5 * ten();');

describe('a working tree reviewed in the panel', () => {
  let session: Session;
  let folder: string;
  let panel: ReviewPanelPage;

  beforeAll(async () => {
    folder = await makeRepository('numbers', { 'src/numbers.ts': committed });
    await writeFile(join(folder, 'src/numbers.ts'), changed);
    session = await Session.start({ name: 'review-panel', extensions: [vsix], folder, settings: { 'casebook.review.openIn': 'panel' } });
    panel = new ReviewPanelPage(session.workbench, /working tree/iu);
  });

  afterAll(async () => {
    const left = await session?.stop();
    await rm(dirname(folder), { recursive: true, force: true });
    expect(left).toEqual([]);
  });

  const onDisk = (): Promise<string> => readFile(join(folder, 'src/numbers.ts'), 'utf8');
  const events = (kind: string) => eventsOf(session.server.casebookHome, kind);

  it('opens with the changes, one accepted and one rejected, with a comment', async () => {
    await session.step('open', async ({ workbench }) => {
      await workbench.showContainer('Casebook');
      await workbench.tree('Reviews').pane.waitFor();
      await workbench.runCommand('Casebook: Review Working Tree…');
      await workbench.quickInput.pick(/Since the last commit/u);
      await panel.show();
      await expect.poll(() => panel.content.locator('.row-hunk').count()).toBe(3);
      await panel.line('ten()').waitFor();
    });
    await session.step('decide', async ({ page }) => {
      await panel.press(1, 'Accept');
      await panel.hunk(1).locator('.chip', { hasText: 'Accepted' }).waitFor();
      await panel.press(2, 'Reject');
      await panel.hunk(2).locator('.chip', { hasText: 'Rejected' }).waitFor();
      await panel.line('thirty()').focus();
      await page.keyboard.press('c');
      await panel.content.locator('#comment-text').fill('Why not 30?');
      await page.keyboard.press('Control+Enter');
      await panel.content.locator('.row-comment', { hasText: 'Why not 30?' }).waitFor();
      expect(await events('changeset.settled')).toEqual([]);
      expect(await onDisk()).toBe(changed);
    });
  });

  it('D16: is there again, as it was, after the window is reloaded in between', async () => {
    await session.step('reload', async ({ workbench }) => {
      await workbench.reloadAndOpen('Reviews', 'Working tree against HEAD');
      await panel.show();
      await panel.hunk(1).locator('.chip', { hasText: 'Accepted' }).waitFor();
      await panel.hunk(2).locator('.chip', { hasText: 'Rejected' }).waitFor();
      await panel.content.locator('.row-comment', { hasText: 'Why not 30?' }).waitFor();
      expect(await onDisk()).toBe(changed);
    });
  });

  it('D01: writes the edited change, restores the rejected one, keeps the accepted one, and records exactly that', async () => {
    await session.step('edit', async ({ page }) => {
      await panel.press(3, 'Edit');
      await panel.content.locator('#edit-text').fill('export const n50 = 5 * ten();\n');
      await page.keyboard.press('Control+Enter');
      await panel.hunk(3).locator('.chip', { hasText: 'Edited by you' }).waitFor();
      expect(await onDisk()).toBe(changed);
      await mkdir(artifacts, { recursive: true });
      await session.screenshot(join(artifacts, 'review-panel-edited.png'));
      await panel.press(3, 'Accept');
      await panel.content.locator('.chip', { hasText: 'Partly accepted' }).waitFor();
      expect(await onDisk()).toBe(wanted);
      const [settled] = await events('changeset.settled');
      expect(settled?.body).toMatchObject({ outcome: 'partly_accepted', comments: [{ text: 'Why not 30?', file: 'numbers/src/numbers.ts' }] });
      expect((await events('hunks.decided')).map(({ actor }) => actor.via)).toEqual(['review-panel', 'review-panel', 'review-panel']);
    });
    await session.step('undo', async () => {
      await panel.content.locator('#undo').click();
      await panel.content.locator('#redo').waitFor();
      expect(await onDisk()).toBe(changed);
    });
  });

  it('D30: opens the same set in the diff editor by one button of the panel’s title', async () => {
    await session.step('native', async ({ page }) => {
      await page.locator('.part.editor .editor-group-container.active .editor-actions').getByRole('button', { name: 'Review in the Diff Editor' }).click();
      await page.locator('.part.editor .monaco-diff-editor').first().waitFor();
    });
  });
});

import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { artifacts } from './harness/paths.ts';
import { NativeReview } from './harness/review.ts';
import { numbered, ReviewScene } from './harness/review-scene.ts';

const before = numbered(40);
const written = numbered(40, { 5: 'five, by an agent', 25: 'twenty-five, by an agent' });
const patch = `--- a/src/patched.txt\n+++ b/src/patched.txt\n@@ -4,3 +4,3 @@\n line 4\n-line 5\n+line five\n line 6\n`;

describe('changes that nobody asked about', () => {
  let scene: ReviewScene;
  let review: NativeReview;

  beforeAll(async () => {
    scene = await ReviewScene.start({
      name: 'review-changes',
      files: { 'src/numbers.txt': before, 'src/other.txt': before, 'src/patched.txt': numbered(10) },
      settings: { 'casebook.review.openIn': 'diffEditor', 'diffEditor.codeLens': true },
    });
    review = new NativeReview(scene.session.workbench);
  });

  afterAll(() => scene?.stop());

  it('watching has a lasting sign; what changed is not under review until it was looked at', async () => {
    await scene.session.step('watch', async ({ workbench }) => {
      await workbench.runCommand('Casebook: Start Watching for Changes');
      await workbench.tree('Reviews').item(/watching began/u).waitFor();
      await workbench.tree('Reviews').item(/nothing has changed/u).waitFor();
      await workbench.statusItem(/Casebook: watching\s*$/u).waitFor();
      await scene.write('src/numbers.txt', written);
      await scene.write('src/new.txt', 'new\n');
      await workbench.tree('Reviews').item('Not Under Review').waitFor();
      await workbench.tree('Reviews').item(/watching began.*2 files/u).waitFor();
      await workbench.statusItem('2 not under review').waitFor();
    });
  });

  it('opens all files in one multi-file diff, restores one change and keeps the rest', async () => {
    await scene.session.step('review', async ({ workbench, page }) => {
      await workbench.runCommand('Casebook: Review What Changed');
      const all = page.locator('.part.editor .multiDiffEditor, .part.editor .monaco-component.multiDiffEditor').first();
      await all.waitFor();
      await all.getByText('five, by an agent').first().waitFor();
      await all.getByText('new.txt').first().waitFor();
      await page.screenshot({ path: join(artifacts, 'review-multi-file.png') });
    });
    await scene.session.step('restore', async ({ workbench }) => {
      await workbench.tree('Reviews').open(/What changed/u);
      await workbench.openFromList('Reviews', 'numbers.txt');
      await review.cursorAt('twenty-five, by an agent');
      await workbench.runCommand('Casebook: Reject Change at the Cursor');
      await review.lens('Rejected').waitFor();
      expect(await scene.onDisk('src/numbers.txt')).toBe(written);
      await workbench.runCommand('Casebook: Accept All of a Review');
      await expect.poll(() => scene.onDisk('src/numbers.txt')).toBe(numbered(40, { 5: 'five, by an agent' }));
      expect(await scene.onDisk('src/new.txt')).toBe('new\n');
      await expect.poll(async () => (await scene.events('changeset.settled')).at(-1)?.body).toMatchObject({ outcome: 'partly_accepted' });
    });
  });

  it('tells of a line who decided it', async () => {
    await scene.session.step('line', async ({ workbench, page }) => {
      await workbench.runCommand('View: Close All Editors');
      await workbench.openFile('numbers.txt');
      await page.locator('.part.editor .view-line').filter({ hasText: 'five, by an agent' }).first().click();
      await workbench.runCommand('Casebook: Who Decided This Line?');
      const hover = page.locator('.monaco-hover:visible').filter({ hasText: 'Who decided this line?' });
      await hover.getByText(/accepted\sby/iu).waitFor();
      await hover.getByText('Open Review').waitFor();
    });
  });

  it('reviews a patch file, and writes what was accepted of it', async () => {
    await scene.session.step('patch', async ({ workbench }) => {
      const file = join(dirname(scene.folder), 'words.patch');
      await writeFile(file, patch);
      await workbench.runCommand('Casebook: Review Patch File…');
      await workbench.quickInput.chooseFile(file);
      await review.line('line five').waitFor();
      expect(await scene.onDisk('src/patched.txt')).toBe(numbered(10));
      await review.cursorAt('line five');
      await workbench.runCommand('Casebook: Accept Whole File');
      await expect.poll(() => scene.onDisk('src/patched.txt')).toBe(numbered(10, { 5: 'line five' }));
    });
  });
});

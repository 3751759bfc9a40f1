import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NativeReview } from './harness/review.ts';
import { ReviewPanelPage } from './harness/review-panel.ts';
import { numbered, ReviewScene } from './harness/review-scene.ts';

const before = numbered(20);
const wanted = (words: string): string => numbered(20, { 5: words });

describe('what settings make of a review', () => {
  let scene: ReviewScene;
  let review: NativeReview;

  beforeAll(async () => {
    const files = ['none', 'panel', 'native', 'close', 'finish', 'exact', 'trimmed', 'docs/one', 'docs/two', 'docs/long'].map((name): [string, string] => [`src/${name}.txt`, before]);
    scene = await ReviewScene.start({ name: 'review-settings', files: Object.fromEntries(files), settings: { 'casebook.review.openIn': 'none', 'diffEditor.codeLens': true } });
    review = new NativeReview(scene.session.workbench);
  });

  afterAll(() => scene?.stop());

  const propose = (name: string, title: string, more: Record<string, unknown> = {}): Promise<void> =>
    scene.calls.make(name.replaceAll('/', '-'), { path: scene.path(`src/${name}.txt`), new_text: wanted(title), title, client: 'codex', ...more });

  it('openIn: nothing opens by itself and one notice tells of it where nothing of Casebook is visible; then the panel; then the diff editor', async () => {
    await scene.session.step('none', async ({ workbench }) => {
      await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
      await propose('none', 'Nowhere');
      await workbench.notification('waits for your decision').waitFor();
      expect(await workbench.editor.tab('Nowhere').count()).toBe(0);
      await workbench.press('Review');
      await new ReviewPanelPage(workbench, 'Nowhere').show();
      await workbench.runCommand('View: Close All Editors');
      await workbench.showContainer('Casebook');
    });
    await scene.session.step('panel', async ({ workbench }) => {
      await scene.configure({ 'casebook.review.openIn': 'panel' });
      await propose('panel', 'In the panel');
      await new ReviewPanelPage(workbench, 'In the panel').show();
      await workbench.runCommand('View: Close All Editors');
    });
    await scene.session.step('native', async ({ workbench }) => {
      await scene.configure({ 'casebook.review.openIn': 'diffEditor' });
      await propose('native', 'In the diff editor');
      await workbench.editor.tab('In the diff editor').click();
      await review.line('In the diff editor').waitFor();
      await workbench.runCommand('View: Close All Editors');
    });
  });

  it('D02: closing the tab rejects where the setting says so, and the record says that it was the tab', async () => {
    await scene.session.step('close', async ({ workbench }) => {
      await scene.configure({ 'casebook.review.closeTab': 'reject' });
      await propose('close', 'Closed unseen');
      await workbench.editor.tab('Closed unseen').click();
      await review.line('Closed unseen').waitFor();
      await workbench.runCommand('View: Close Editor');
      expect(await scene.calls.answer('close')).toMatchObject({ verdict: 'reject', outcome: 'rejected' });
      await workbench.notification('is rejected').waitFor();
      expect((await scene.events('hunks.decided')).at(-1)?.actor.via).toBe('closed tab');
      expect(await scene.onDisk('src/close.txt')).toBe(before);
      await scene.configure({ 'casebook.review.closeTab': 'keepPending' });
    });
  });

  it('D12: Ctrl+S keeps what was typed, whatever runs on save; a setting lets that have a say', async () => {
    await scene.session.step('save', async ({ workbench, page }) => {
      await scene.configure({ 'files.trimTrailingWhitespace': true });
      const accepted = async (name: string): Promise<string> => {
        const edits = (await scene.events('file.edited')).length;
        await propose(name, `Saved ${name}`);
        await workbench.editor.tab(`Saved ${name}`).click();
        await review.append(`Saved ${name}`, ' and blanks   ');
        await page.keyboard.press('Control+s');
        await expect.poll(async () => (await scene.events('file.edited')).length).toBe(edits + 1);
        await workbench.runCommand('Casebook: Accept Whole File');
        expect(await scene.calls.answer(name)).toMatchObject({ verdict: 'accept', outcome: 'accepted' });
        return scene.onDisk(`src/${name}.txt`);
      };
      expect(await accepted('exact')).toBe(wanted('Saved exact and blanks   '));
      await scene.configure({ 'casebook.review.saveParticipants': true });
      expect(await accepted('trimmed')).toBe(wanted('Saved trimmed and blanks'));
    });
  });

  it('finish: a set with everything decided waits until it is finished', async () => {
    await scene.session.step('finish', async ({ workbench }) => {
      await scene.configure({ 'casebook.review.finish': 'ask' });
      await propose('finish', 'Decided, then finished');
      await workbench.editor.tab('Decided, then finished').click();
      await review.lens('Accept').first().click();
      await review.lens('Accepted').waitFor();
      await workbench.tree('Reviews').item(/decided, not finished/u).waitFor();
      expect(await scene.settled('Decided, then finished')).toEqual([]);
      expect(await scene.onDisk('src/finish.txt')).toBe(before);
      await workbench.tree('Reviews').menu(/decided, not finished/u, 'Finish Review');
      expect(await scene.calls.answer('finish')).toMatchObject({ verdict: 'accept' });
      expect(await scene.onDisk('src/finish.txt')).toBe(wanted('Decided, then finished'));
      await scene.configure({ 'casebook.review.finish': 'whenDecided' });
    });
  });

  it('a policy accepts what it covers, is named as the decider, and is undone as a group', async () => {
    await scene.session.step('policy', async ({ workbench }) => {
      await scene.configure({ 'casebook.review.policies': [{ name: 'small docs', globs: ['src/docs/**'], maxLines: 4 }] });
      await propose('docs/one', 'Covered');
      await propose('docs/two', 'Covered too');
      await propose('docs/long', 'Too long', { new_text: numbered(40) });
      for (const name of ['docs-one', 'docs-two']) expect(await scene.calls.answer(name)).toMatchObject({ verdict: 'accept', reviewed: false });
      await workbench.tree('Reviews').item('Too long').waitFor();
      expect(scene.calls.answered('docs-long')).toBe(false);
      for (const title of ['Covered', 'Covered too']) expect(await scene.settled(title)).toMatchObject([{ policy: 'small docs', deciders: [{ kind: 'policy', name: 'small docs' }] }]);
      expect(await scene.onDisk('src/docs/two.txt')).toBe(wanted('Covered too'));
    });
    await scene.session.step('undo', async ({ workbench }) => {
      await workbench.runCommand('Casebook: Undo What a Policy Accepted');
      await workbench.quickInput.pick('small docs');
      await workbench.notification('2 change sets undone').waitFor();
      for (const name of ['one', 'two']) expect(await scene.onDisk(`src/docs/${name}.txt`)).toBe(before);
      expect(await scene.onDisk('src/docs/long.txt')).toBe(before);
    });
  });
});

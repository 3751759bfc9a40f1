import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReviewPanelPage } from './harness/review-panel.ts';
import { numbered, ReviewScene } from './harness/review-scene.ts';
import { Workbench } from './harness/workbench.ts';

const before = numbered(40);

describe('several callers, windows and terminals at one desk', () => {
  let scene: ReviewScene;

  beforeAll(async () => {
    const names = ['same', 'one', 'two', 'race-0', 'race-1', 'race-2', 'window'];
    scene = await ReviewScene.start({ name: 'review-shared', files: Object.fromEntries(names.map((name) => [`src/${name}.txt`, before])), settings: { 'casebook.review.openIn': 'none' } });
  });

  afterAll(() => scene?.stop());

  it('D06, D07, D40: five callers at once, three of them on one file; everything that was accepted is there', async () => {
    const wishes = [
      { file: 'same', line: 5, title: 'Number 5' },
      { file: 'same', line: 15, title: 'Number 15' },
      { file: 'same', line: 25, title: 'Number 25' },
      { file: 'one', line: 5, title: 'Another file' },
      { file: 'two', line: 5, title: 'And another' },
    ];
    await scene.session.step('many', async ({ workbench }) => {
      await Promise.all(wishes.map(({ file, line, title }, index) => scene.calls.make(`many-${index}`, { path: scene.path(`src/${file}.txt`), new_text: numbered(40, { [line]: title }), title, client: `agent-${index}` })));
      for (const { title } of wishes) await workbench.tree('Reviews').item(title).waitFor();
      expect(await scene.onDisk('src/same.txt')).toBe(before);
      for (const [index, { title }] of wishes.entries()) {
        // Not from the list: it is drawn again for each of the five, also under an open menu.
        await workbench.runCommand('Casebook: Accept All of a Review');
        await workbench.quickInput.pick(title);
        expect(await scene.calls.answer(`many-${index}`)).toMatchObject({ verdict: 'accept', outcome: 'accepted' });
        await workbench.tree('Reviews').item(title).waitFor({ state: 'detached' });
      }
    });
    expect(await scene.onDisk('src/same.txt')).toBe(numbered(40, { 5: 'Number 5', 15: 'Number 15', 25: 'Number 25' }));
    expect(await scene.onDisk('src/one.txt')).toBe(numbered(40, { 5: 'Another file' }));
    expect(await scene.onDisk('src/two.txt')).toBe(numbered(40, { 5: 'And another' }));
    for (const { title } of wishes) expect(await scene.settled(title)).toHaveLength(1);
  });

  it('a window accepts while a terminal rejects: one outcome, and everybody hears that one', async () => {
    for (const race of [0, 1, 2]) {
      await scene.session.step(`race-${race}`, async ({ workbench }) => {
        const title = `Race ${race}`;
        const wanted = numbered(40, { 5: title });
        await scene.calls.make(`race-${race}`, { path: scene.path(`src/race-${race}.txt`), new_text: wanted, title, client: 'codex' });
        await workbench.openFromList('Reviews', title);
        const panel = new ReviewPanelPage(workbench, title);
        await panel.show();
        const terminal = scene.cli('review', 'reject', await scene.set(title));
        // When the terminal was first there is nothing to press any more.
        await Promise.all([terminal, panel.content.locator('#accept-all').click({ timeout: 5_000 }).catch(() => undefined)]);
        const answer = (await scene.calls.answer(`race-${race}`)) as { verdict: 'accept' | 'reject' };
        const settled = await scene.settled(title);
        expect(settled).toHaveLength(1);
        expect(settled[0]).toMatchObject({ answer: { verdict: answer.verdict }, heard: true });
        expect(await scene.onDisk(`src/race-${race}.txt`)).toBe(answer.verdict === 'accept' ? wanted : before);
        // The terminal says so when the set was decided otherwise than it was asked to.
        expect((await terminal).code === 0).toBe(answer.verdict === 'reject');
        await workbench.runCommand('View: Close All Editors');
      });
    }
  });

  it('a second window on the same folder shows what waits, and its decision is heard where the caller waits', async () => {
    const title = 'Asked in the first window';
    const wanted = numbered(40, { 5: 'five' });
    await scene.calls.make('window', { path: scene.path('src/window.txt'), new_text: wanted, title, client: 'codex' });
    await scene.session.workbench.tree('Reviews').item(title).waitFor();
    const page: Page = await scene.session.context.newPage();
    try {
      await scene.session.step('second window', async () => {
        const second = new Workbench(page);
        await second.open(scene.session.server.url, scene.folder);
        await second.openFromList('Reviews', title);
        const panel = new ReviewPanelPage(second, title);
        await panel.show();
        await panel.content.locator('#accept-all').click();
        await panel.content.locator('.chip', { hasText: 'Accepted' }).first().waitFor();
        expect(await scene.calls.answer('window')).toMatchObject({ verdict: 'accept', outcome: 'accepted' });
        expect(await scene.onDisk('src/window.txt')).toBe(wanted);
        const [decided, settled] = await Promise.all([scene.events('hunks.decided'), scene.events('changeset.settled')]);
        // Decided by one process, settled by the one that owns the set.
        expect(sessionOf(decided.at(-1))).not.toBe(sessionOf(settled.at(-1)));
        await scene.session.workbench.tree('Reviews').item(title).waitFor({ state: 'detached' });
      });
    } finally {
      await page.close();
    }
  });
});

function sessionOf(event: unknown): string {
  const { session } = event as { session: string };
  expect(session).toMatch(/\w/u);
  return session;
}

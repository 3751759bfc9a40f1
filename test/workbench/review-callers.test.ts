import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReviewPanelPage } from './harness/review-panel.ts';
import { numbered, ReviewScene } from './harness/review-scene.ts';

/** What a caller can do and hear, as far as a row of the table says it; the rest it can. */
interface Capabilities {
  writer: 'casebook' | 'agent';
  canEdit?: boolean;
  canPartial?: boolean;
  canEmpty?: boolean;
  canExplain?: boolean;
}

interface Row {
  title: string;
  can: Capabilities;
  decided: 'all' | 'part' | 'edited' | 'emptied' | 'nothing';
  verdict: 'accept' | 'reject';
  /** Who writes the decided text: Casebook before the answer, the agent after it, nobody. */
  writes: 'casebook' | 'agent' | 'nobody';
  outcome: string;
  /** In what the caller is told, or a person can copy for its next prompt. */
  words?: string;
}

const before = numbered(30);
const proposed = numbered(30, { 3: 'line three', 23: 'line twenty-three' });
const decidedTexts: Record<Row['decided'], string> = {
  all: proposed,
  part: numbered(30, { 3: 'line three' }),
  edited: numbered(30, { 3: 'line 3, by hand', 23: 'line twenty-three' }),
  emptied: '',
  nothing: before,
};

const rows: Row[] = [
  { title: 'Casebook writes all', can: { writer: 'casebook' }, decided: 'all', verdict: 'accept', writes: 'casebook', outcome: 'accepted' },
  { title: 'Casebook writes a part', can: { writer: 'casebook', canEdit: false, canPartial: true }, decided: 'part', verdict: 'accept', writes: 'casebook', outcome: 'partly_accepted' },
  { title: 'A part cannot be said', can: { writer: 'casebook', canEdit: false, canPartial: false }, decided: 'part', verdict: 'reject', writes: 'casebook', outcome: 'partly_accepted', words: '1 hunk accepted, 1 hunk rejected' },
  { title: 'The agent writes all', can: { writer: 'agent' }, decided: 'all', verdict: 'accept', writes: 'agent', outcome: 'accepted' },
  { title: 'The agent writes a part', can: { writer: 'agent', canEdit: false, canPartial: true }, decided: 'part', verdict: 'accept', writes: 'agent', outcome: 'partly_accepted' },
  { title: 'The agent hears of no part', can: { writer: 'agent', canEdit: false, canPartial: false }, decided: 'part', verdict: 'reject', writes: 'casebook', outcome: 'partly_accepted', words: '1 hunk accepted, 1 hunk rejected' },
  { title: 'The agent writes an edit', can: { writer: 'agent', canEdit: true }, decided: 'edited', verdict: 'accept', writes: 'agent', outcome: 'accepted' },
  { title: 'The agent hears of no edit', can: { writer: 'agent', canEdit: false, canPartial: true }, decided: 'edited', verdict: 'reject', writes: 'casebook', outcome: 'accepted', words: 'line 3, by hand' },
  { title: 'The agent empties a file', can: { writer: 'agent', canEmpty: true }, decided: 'emptied', verdict: 'accept', writes: 'agent', outcome: 'accepted' },
  { title: 'The agent cannot empty a file', can: { writer: 'agent', canEmpty: false }, decided: 'emptied', verdict: 'reject', writes: 'casebook', outcome: 'accepted' },
  { title: 'A rejection with its reason', can: { writer: 'agent', canExplain: true }, decided: 'nothing', verdict: 'reject', writes: 'nobody', outcome: 'rejected', words: 'Only up to twenty' },
  { title: 'A rejection without a reason', can: { writer: 'agent', canExplain: false }, decided: 'nothing', verdict: 'reject', writes: 'nobody', outcome: 'rejected', words: 'Only up to twenty' },
];

describe('what each kind of caller is told, and who writes', () => {
  let scene: ReviewScene;

  beforeAll(async () => {
    scene = await ReviewScene.start({
      name: 'review-callers',
      files: Object.fromEntries(rows.map((row, index) => [`src/${index}.txt`, row.decided === 'emptied' ? 'line 1\n' : before])),
      settings: { 'casebook.review.openIn': 'none' },
    });
  });

  afterAll(() => scene?.stop());

  async function decide({ title, decided }: Row): Promise<void> {
    const { workbench, page } = scene.session;
    await workbench.openFromList('Reviews', title);
    const panel = new ReviewPanelPage(workbench, title);
    await panel.show();
    const edit = async (text: string): Promise<void> => {
      await panel.press(1, 'Edit');
      await panel.content.locator('#edit-text').fill(text);
      await page.keyboard.press('Control+Enter');
      await panel.content.locator('#edit-text').waitFor({ state: 'detached' });
    };
    if (decided === 'part') {
      await panel.press(1, 'Accept');
      await panel.hunk(1).locator('.chip', { hasText: 'Accepted' }).waitFor();
      await panel.press(2, 'Reject');
    } else if (decided === 'nothing') {
      await panel.line('line three').focus();
      await page.keyboard.press('c');
      await panel.content.locator('#comment-text').fill('Only up to twenty');
      await page.keyboard.press('Control+Enter');
      await panel.content.locator('.row-comment').waitFor();
      await panel.content.locator('#reject-all').click();
      await panel.content.locator('#confirm-accept').click();
    } else {
      if (decided === 'edited') await edit('line 3, by hand\n');
      if (decided === 'emptied') await edit('');
      await panel.content.locator('#accept-all').click();
    }
    await panel.content.locator('#accept-all').waitFor({ state: 'detached' });
  }

  for (const [index, row] of rows.entries()) {
    it(`${row.title}: ${row.decided} is decided, the caller hears ${row.verdict}, ${row.writes} writes`, async () => {
      await scene.session.step(`row-${index}`, async ({ workbench }) => {
        const file = `src/${index}.txt`;
        const original = await scene.onDisk(file);
        await scene.calls.make(`row-${index}`, { path: scene.path(file), new_text: row.decided === 'emptied' ? 'line one\n' : proposed, title: row.title, client: 'codex', capabilities: row.can });
        await decide(row);
        const answer = (await scene.calls.answer(`row-${index}`)) as { text?: string; words?: string };
        const final = decidedTexts[row.decided];
        expect(answer).toMatchObject({ verdict: row.verdict, reviewed: true, surface: 'editor', outcome: row.outcome });
        expect(await scene.onDisk(file)).toBe(row.writes === 'casebook' ? final : original);
        if (row.words !== undefined) expect(answer.words).toContain(row.words);
        const [settled] = await scene.settled(row.title);
        expect(settled).toMatchObject({ outcome: row.outcome, heard: true, answer: { verdict: row.verdict, writes: row.writes } });
        if (row.writes === 'agent') {
          const text = answer.text ?? proposed;
          expect(text).toBe(final);
          await scene.write(file, text);
          const set = await scene.set(row.title);
          await expect.poll(async () => (await scene.events('changeset.observed')).find((event) => event.set === set)?.body).toMatchObject({ result: 'matches' });
        }
        await workbench.runCommand('View: Close All Editors');
      });
    });
  }

  it('D05: an agent that writes something else than what was accepted is shown at once', async () => {
    await scene.session.step('differs', async ({ workbench }) => {
      const title = 'Says one thing and does another';
      await scene.calls.make('differs', { path: scene.path('src/0.txt'), new_text: before, title, client: 'codex', capabilities: { writer: 'agent' } });
      await workbench.tree('Reviews').menu(title, 'Accept All of a Review');
      expect(await scene.calls.answer('differs')).toMatchObject({ verdict: 'accept' });
      await scene.write('src/0.txt', 'something else\n');
      const set = await scene.set(title);
      await expect.poll(async () => (await scene.events('changeset.observed')).find((event) => event.set === set)?.body).toMatchObject({ result: 'differs' });
      await workbench.tree('Reviews').open('Settled');
      await workbench.tree('Reviews').item(/but the file differs/).waitFor();
    });
  });
});

import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRepository, packFixture } from './harness/fixtures.ts';
import { artifacts, vsix } from './harness/paths.ts';
import { Calls, eventsOf, NativeReview } from './harness/review.ts';
import { Session } from './harness/session.ts';

const numbered = (count: number, changed: Record<number, string> = {}): string => Array.from({ length: count }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join('');
const before = numbered(30);
const proposed = numbered(30, { 3: 'line three', 13: 'line thirteen', 23: 'line twenty-three' });
const title = 'Numbers in words';
/** The extension host, and with it the documents under review, are back some time after the window. Milliseconds. */
const afterReload = 120_000;

describe('a change reviewed in the diff editor', () => {
  let session: Session;
  let folder: string;
  let calls: Calls;
  let review: NativeReview;

  beforeAll(async () => {
    folder = await makeRepository('numbers', { 'src/numbers.txt': before, 'src/notes.txt': 'notes\n', 'src/other.txt': numbered(10) });
    calls = new Calls(join(await realpath(await mkdtemp(join(tmpdir(), 'casebook-calls-'))), 'calls'));
    session = await Session.start({
      name: 'review-native',
      extensions: [vsix, await packFixture('scripted-caller')],
      folder,
      settings: { 'casebook.review.openIn': 'diffEditor', 'diffEditor.codeLens': true, 'diffEditor.renderSideBySide': true, 'files.autoSave': 'off' },
      env: { CASEBOOK_TEST_CALLS: calls.folder },
    });
    review = new NativeReview(session.workbench);
    await session.workbench.showContainer('Casebook');
    await session.workbench.tree('Reviews').pane.waitFor();
  });

  afterAll(async () => {
    const left = await session?.stop();
    await Promise.all([rm(dirname(folder), { recursive: true, force: true }), rm(dirname(calls.folder), { recursive: true, force: true })]);
    expect(left).toEqual([]);
  });

  const onDisk = (name: string): Promise<string> => readFile(join(folder, 'src', name), 'utf8');
  const settled = async (): Promise<Record<string, unknown>[]> => (await eventsOf(session.server.casebookHome, 'changeset.settled')).map(({ body }) => body);

  it('D02, D03, D04, D16: one hunk accepted, one rejected, one edited, a comment, the tab closed and reopened, the window reloaded', async () => {
    await session.step('arrives', async ({ workbench }) => {
      await calls.make('first', { path: join(folder, 'src/numbers.txt'), new_text: proposed, title, client: 'codex' });
      await workbench.editor.tab(title).waitFor();
      await workbench.editor.tab(title).click();
      await review.line('line three').waitFor();
      await review.baseLine('line 3').waitFor();
      expect(await onDisk('numbers.txt')).toBe(before);
    });
    await session.step('decide', async ({ workbench }) => {
      await review.lens('Accept').first().waitFor();
      await review.lens('Accept').first().click();
      await review.lens('Accepted').waitFor();
      await review.cursorAt('line thirteen');
      await workbench.runCommand('Casebook: Reject Change at the Cursor');
      await review.lens('Rejected').waitFor();
      expect(await onDisk('numbers.txt')).toBe(before);
    });
    await session.step('edit', async ({ workbench, page }) => {
      await review.append('line twenty-three', ', by hand');
      await page.keyboard.press('Control+s');
      await expect.poll(async () => (await eventsOf(session.server.casebookHome, 'file.edited')).length).toBe(1);
      await expect.poll(() => workbench.editor.activeTab().getAttribute('class')).not.toMatch(/dirty/);
      expect(await onDisk('numbers.txt')).toBe(before);
      expect(await settled()).toEqual([]);
    });
    await session.step('comment', async ({ workbench, page }) => {
      await review.cursorAt('line twenty-three');
      await workbench.runCommand('Casebook: Comment on a Review');
      const box = page.locator('.review-widget .monaco-editor');
      await box.first().waitFor();
      await page.keyboard.type('Words only up to twenty, please');
      await page.locator('.review-widget').getByRole('button', { name: 'Comment on a Review' }).first().click();
      await page.locator('.review-widget .review-comment').filter({ hasText: 'up to twenty' }).waitFor();
      expect(await eventsOf(session.server.casebookHome, 'comment.made')).toHaveLength(1);
    });
    await session.step('close', async ({ workbench, page }) => {
      await workbench.runCommand('View: Close Editor');
      await workbench.editor.tab(title).waitFor({ state: 'detached' });
      await workbench.openFromList('Reviews', title);
      await review.line('by hand').waitFor();
      await review.lens('Accepted').waitFor();
      await page.screenshot({ path: join(artifacts, 'review-native-reopened.png') });
      expect(await settled()).toEqual([]);
      expect(calls.answered('first')).toBe(false);
    });
    await session.step('reload', async ({ workbench }) => {
      await review.append('line 20', ' (unsaved)');
      // The editor keeps unsaved text a moment after it was typed; in a browser window a reload before that would ask first.
      await expect.poll(() => session.backups()).toContainEqual(expect.stringContaining('line 20 (unsaved)'));
      await workbench.reload();
      // Nothing of Casebook is opened: it knows by itself that something was pending.
      await workbench.statusItem('Casebook').waitFor({ timeout: afterReload });
      await workbench.openFromList('Reviews', title);
      await workbench.editor.tab(title).waitFor();
      await review.line('line 20 (unsaved)').waitFor({ timeout: afterReload });
      await review.line('by hand').waitFor();
      expect(await settled()).toEqual([]);
      expect(await onDisk('numbers.txt')).toBe(before);
    });
    await session.step('last hunks', async ({ workbench }) => {
      await review.cursorAt('by hand');
      await workbench.runCommand('Casebook: Accept Change at the Cursor');
      await workbench.runCommand('Casebook: Accept Whole File');
      await expect.poll(async () => (await settled()).length).toBe(1);
      await expect.poll(() => onDisk('numbers.txt')).toBe(numbered(30, { 3: 'line three', 23: 'line twenty-three, by hand', 20: 'line 20 (unsaved)' }));
      await workbench.editor.tab(title).waitFor({ state: 'detached' });
    });
    await session.step('event', async () => {
      const [event] = await settled();
      expect(event).toMatchObject({ outcome: 'partly_accepted', heard: false, comments: [{ text: 'Words only up to twenty, please', side: 'proposed', line: 23, excerpt: 'line twenty-three, by hand' }] });
      const files = (event?.['files'] ?? []) as { path: string; personsPatch: string; decided: { decision: string; hunks: string[] }[] }[];
      expect(files.map(({ path }) => path)).toEqual(['src/numbers.txt']);
      expect(files.flatMap(({ decided }) => decided.flatMap(({ decision, hunks }) => hunks.map(() => decision))).sort()).toEqual(['accept', 'edited', 'reject']);
      expect(files[0]?.personsPatch).toContain('-line 20\n+line 20 (unsaved)\n line 21\n line 22\n-line twenty-three\n+line twenty-three, by hand\n');
    });
    // A whole session of a person, with a reload in it: on a busy machine it takes its time.
  }, 600_000);

  it('D03: auto-save keeps what is typed and decides nothing; the caller hears the decision, and undo restores the file', async () => {
    const [edits, outcomes] = await Promise.all([eventsOf(session.server.casebookHome, 'file.edited'), settled()]);
    await session.step('auto-save', async ({ workbench }) => {
      await workbench.runCommand('File: Toggle Auto Save');
      await calls.make('second', { path: join(folder, 'src/notes.txt'), new_text: 'notes\nmore\n', title: 'More notes', client: 'codex' });
      await workbench.openFromList('Reviews', 'More notes');
      await review.append('more', ' and more');
      await expect.poll(async () => (await eventsOf(session.server.casebookHome, 'file.edited')).length).toBeGreaterThan(edits.length);
      await workbench.showContainer('Casebook');
      await workbench.tree('Reviews').item('More notes').waitFor();
      expect(calls.answered('second')).toBe(false);
      expect(await settled()).toHaveLength(outcomes.length);
      expect(await onDisk('notes.txt')).toBe('notes\n');
      await workbench.runCommand('File: Toggle Auto Save');
    });
    await session.step('answer', async ({ workbench }) => {
      await workbench.editor.tab('More notes').click();
      await review.button('Accept Change at the Cursor').waitFor();
      await review.cursorAt('more and more');
      await review.button('Accept Change at the Cursor').click();
      expect(await calls.answer('second')).toMatchObject({ verdict: 'accept', reviewed: true, surface: 'editor', outcome: 'accepted' });
      expect(await onDisk('notes.txt')).toBe('notes\nmore and more\n');
    });
    await session.step('undo', async ({ workbench }) => {
      await workbench.runCommand('Casebook: Undo a Review…');
      await workbench.quickInput.pick('More notes');
      await workbench.dialog().waitFor();
      await workbench.press('Undo');
      await expect.poll(() => onDisk('notes.txt')).toBe('notes\n');
    });
  });

  it('I36: five changes arrive while somebody types in another file, and no character is lost', async () => {
    const text = 'The quick brown fox jumps over the lazy dog while five reviews arrive. ';
    await session.step('typing', async ({ workbench, page }) => {
      await workbench.openFile('other.txt');
      await page.keyboard.press('Control+End');
      await expect.poll(() => workbench.editor.line()).toBe(11);
      let typed = 0;
      for (const character of text) {
        await page.keyboard.type(character, { delay: 25 });
        typed += 1;
        if (typed % 12 === 0 && typed <= 60) await calls.make(`many-${typed / 12}`, { path: join(folder, `src/new-${typed / 12}.txt`), new_text: `${typed}\n`, title: `New file ${typed / 12}`, client: 'codex' });
      }
      await workbench.showContainer('Casebook');
      for (const number of [1, 2, 3, 4, 5]) await workbench.tree('Reviews').item(`New file ${number}`).waitFor();
      await workbench.editor.tab('other.txt').click();
      await page.keyboard.press('Control+s');
      await expect.poll(() => onDisk('other.txt')).toBe(`${numbered(10)}${text}`);
      expect(await workbench.editor.tab(/New file/).count()).toBeLessThanOrEqual(1);
      expect(await page.locator('.part.editor .editor-group-container').count()).toBeLessThanOrEqual(2);
    });
  });

  it('takes over no key that the editor has', async () => {
    await session.step('keys', async () => {
      await calls.make('keys', { keybindings: true });
      const text = String(await calls.answer('keys'));
      const bindings = [...text.matchAll(/"key": "([^"]+)",\s*"command": "([^"]+)"/gu)].map(([, key = '', command = '']) => ({ key, command }));
      const ours = bindings.filter(({ command }) => command.startsWith('casebook.review.'));
      expect(ours.map(({ key }) => key).sort()).toEqual(['ctrl+k alt+a', 'ctrl+k alt+j', 'ctrl+k alt+k', 'ctrl+k alt+r']);
      const others = bindings.filter(({ command }) => !command.startsWith('casebook.'));
      expect(others.length).toBeGreaterThan(300);
      // Ctrl+K begins many chords of the editor's own; what else is bound to it alone concerns those as much as ours.
      expect(others.filter(({ key }) => ours.some((own) => own.key === key))).toEqual([]);
      expect(others.filter(({ key }) => key.startsWith('ctrl+k ')).length).toBeGreaterThan(20);
    });
  });

  it('looks right in light, dark and high contrast', async () => {
    for (const theme of ['light', 'dark', 'hc-dark'] as const) {
      await session.step(`theme-${theme}`, async ({ workbench, page }) => {
        await workbench.setTheme(theme);
        await workbench.openFromList('Reviews', 'New file 1');
        await review.lens('Accept').first().waitFor();
        await page.mouse.move(0, 0);
        await page.screenshot({ path: join(artifacts, `review-native-${theme}.png`) });
      });
    }
  });
});

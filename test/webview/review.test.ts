import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainCaller, table } from '../unit/review/desk-harness.ts';
import { removeTrees } from '../unit/review/trees.ts';
import { PanelHarness } from './harness.ts';
import { ReviewHost } from './review-host.ts';
import { base, changed, numbered, openReview } from './review-scene.ts';

let harness: PanelHarness;
beforeAll(async () => {
  harness = await PanelHarness.start();
});
afterAll(async () => {
  await harness?.stop();
  await removeTrees();
});

const opened = (options?: Parameters<typeof openReview>[1], files?: Record<string, string>) => openReview(harness, options, files);

/** A change that is on disk: one file that a person saved meanwhile, and one new one. */
async function applied() {
  const t = await table({ 'src/a.ts': changed, 'src/new.ts': 'made();\n' });
  const text = (content: string) => ({ kind: 'file' as const, bytes: Buffer.from(content) });
  const files = [
    { root: 'w', path: 'src/a.ts', base: text(base), proposed: text(changed), by: 'person' as const },
    { root: 'w', path: 'src/new.ts', base: { kind: 'absent' as const }, proposed: text('made();\n') },
  ];
  const set = (await t.desk.add({ title: 'Since lunch', origin: { client: 'checkpoint' }, disk: 'applied', files }, 'test')) ?? '';
  const host = await ReviewHost.open(harness, t.desk, set);
  await host.drawn();
  return { t, set, host, page: host.panel.page };
}

describe('looking at a set', () => {
  it('shows its changes with colours, what differs within lines, and more lines when asked', async () => {
    const { host, page } = await opened();
    await host.panel.until("document.querySelector('.scope-keyword')");
    expect(await page.locator('.row-hunk').count()).toBe(3);
    expect(await page.locator('.added .changed-text').first().innerText()).toBe('compute');
    await page.locator('.row-gap .small-button', { hasText: 'Show More Above' }).first().click();
    await host.panel.until("[...document.querySelectorAll('.row-line')].some((row) => row.innerText.includes('line20 = 20'))");
    expect(await host.panel.violations()).toEqual([]);
    expect(host.panel.errors).toEqual([]);
    await host.close();
  });

  it('stands side by side where there is room, remembers it, and falls back to one column where there is none', async () => {
    const { host, page, key } = await opened();
    await key('s');
    await host.panel.until("document.querySelector('.diff-scroll.split')");
    expect(host.settings.layout).toBe('split');
    await page.setViewportSize({ width: 600, height: 800 });
    await host.panel.until("document.querySelector('.diff-scroll.unified')");
    expect(await host.panel.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await host.close();
  });

  it('D29: holds 500 files and 50,000 changed lines in a bounded page, in messages that do not grow, and goes to the end at once', async () => {
    const rows = numbered(100);
    const t = await table({ 'big.ts': numbered(20_000) });
    const files: Record<string, string> = { 'big.ts': numbered(20_000, (index) => `export const changed${index} = ${index * 7};`) };
    for (let index = 0; index < 499; index++) files[`many/file${index}.ts`] = rows;
    const { set } = await t.propose(files);
    const host = await ReviewHost.open(harness, t.desk, set);
    await host.drawn();
    expect(await host.panel.domSize()).toBeLessThan(4000);
    host.reveal('w/many/file498.ts');
    await host.panel.until("document.querySelector('.file-title h2')?.innerText === 'w/many/file498.ts' && document.querySelector('.row-line')");
    host.reveal('w/big.ts');
    await host.panel.until("document.querySelector('.file-title h2')?.innerText === 'w/big.ts' && document.querySelector('.row-line')");
    await host.panel.page.evaluate("document.querySelector('.diff-scroll').scrollTop = 1e9");
    await host.panel.until("[...document.querySelectorAll('.row-line')].some((row) => row.innerText.includes('changed19999'))");
    expect(await host.panel.domSize()).toBeLessThan(4000);
    // The snapshot names 500 files; whatever else is sent is a slice.
    expect(host.largest).toBeLessThan(500_000);
    await host.close();
  });

  it('D29: shows sizes and hashes of what is too large, and the beginning of a line that is too long, without sending them', async () => {
    const t = await table({ 'min.js': 'a();\n' });
    const { set } = await t.propose({ 'min.js': `var x="${'y'.repeat(2_000_000)}";\n`, 'huge.txt': 'z'.repeat(9 * 1024 * 1024) });
    const host = await ReviewHost.open(harness, t.desk, set);
    await host.drawn();
    await host.panel.until("document.querySelector('.added .text')?.innerText.includes('2,000,009 characters in all')");
    host.reveal('w/huge.txt');
    await host.panel.until("document.querySelector('.row-hunk')?.innerText.includes('9.0 MB')");
    expect(await host.panel.page.locator('.row-hunk').innerText()).toMatch(/too large.*SHA-256/su);
    expect(host.largest).toBeLessThan(50_000);
    await host.close();
  });

  it('filters by path and finds text in changed lines', async () => {
    const { host, page, key } = await opened();
    await page.locator('#filter-path').fill('B.TS');
    await host.panel.until("document.querySelectorAll('.file-row').length === 1");
    await page.locator('h1').click();
    await key('/');
    await page.keyboard.type('OTHER');
    await key('Enter');
    await host.panel.until("document.querySelectorAll('.hit').length === 2");
    await page.locator('.hit').nth(1).click();
    await host.panel.until("document.querySelector('.file-title h2').innerText === 'w/src/b.ts' && document.activeElement.innerText?.includes('other')");
    await host.close();
  });
});

describe('deciding', () => {
  it('accepts, rejects, edits and comments by keyboard alone, and settles with exactly that on disk', async () => {
    const { t, set, answer, host, page, key } = await opened({}, { 'src/a.ts': changed });
    await key('n');
    await host.panel.until("document.activeElement.innerText?.startsWith('Change 1')");
    await key('a');
    await host.panel.until("document.activeElement.innerText?.startsWith('Change 2') && document.querySelector('.row-hunk.decided-accept')");
    await key('j');
    await key('j');
    await key('c');
    await page.locator('#comment-text').fill('Why this name?');
    await key('Control+Enter');
    await page.locator('.row-comment').waitFor();
    await key('p');
    await key('e');
    await page.locator('#edit-text').fill("const other = 'mine';\n");
    await key('Control+Enter');
    await host.panel.until("[...document.querySelectorAll('.row-hunk')].some((row) => row.innerText.includes('Edited by you'))");
    await page.locator('.row-hunk', { hasText: 'Edited by you' }).focus();
    await key('a');
    await host.panel.until("document.activeElement.innerText?.startsWith('Change 3')");
    await key('r');
    const outcome = await answer;
    expect(outcome.outcome).toBe('partly_accepted');
    expect(await t.read('src/a.ts')).toBe(base.replace('const line10 = 10;', 'const line10 = compute(10);').replace('const line40 = 40;', "const other = 'mine';"));
    expect((await t.desk.state(set)).comments[0]).toMatchObject({ file: 'w/src/a.ts', text: 'Why this name?' });
    await host.panel.until("document.querySelector('[role=status].visually-hidden').innerText.includes('settled')");
    await host.close();
  });

  it('decides single lines of a change', async () => {
    const { t, set, answer, host, page } = await opened({}, { 'src/a.ts': base.replace('const line40 = 40;\n', "// gone\nconst other = 'text';\n") });
    await page.locator('.row-hunk .small-button', { hasText: 'Lines' }).click();
    await page.locator('.row-line', { hasText: '// gone' }).locator('.choose').check();
    await page.locator('.small-button', { hasText: 'Accept Chosen' }).click();
    await host.panel.until("document.querySelector('.row-hunk').innerText.includes('1 of 3 lines decided')");
    expect((await t.desk.state(set)).status).toBe('pending');
    await page.locator('.row-hunk .small-button', { hasText: 'Reject' }).click();
    expect((await answer).outcome).toBe('partly_accepted');
    expect(await t.read('src/a.ts')).toBe(base.replace('const line40 = 40;\n', 'const line40 = 40;\n// gone\n'));
    await host.close();
  });

  it('edits a change that was decided in parts, from what was decided of it so far', async () => {
    const { t, set, answer, host, page } = await opened({}, { 'src/a.ts': base.replace('const line40 = 40;\n', "// gone\nconst other = 'text';\n") });
    await page.locator('.row-hunk .small-button', { hasText: 'Lines' }).click();
    await page.locator('.row-line', { hasText: '// gone' }).locator('.choose').check();
    await page.locator('.small-button', { hasText: 'Reject Chosen' }).click();
    await host.panel.until("document.querySelector('.row-hunk').innerText.includes('1 of 3 lines decided')");
    await page.locator('.row-hunk .small-button', { hasText: 'Edit' }).click();
    expect(await page.locator('#edit-text').inputValue()).toBe("const other = 'text';\n");
    expect(await page.locator('.inline-form').innerText()).toContain('the change is decided anew');
    await page.locator('#edit-text').fill("const other = 'mine';\n");
    await page.locator('#keep-edit').click();
    await host.panel.until("document.querySelector('.row-hunk').innerText.includes('Edited by you')");
    expect((await t.desk.state(set)).files[0]?.left).toBe(1);
    await page.locator('#accept-all').click();
    expect((await answer).outcome).toBe('accepted');
    expect(await t.read('src/a.ts')).toBe(base.replace('const line40 = 40;\n', "const other = 'mine';\n"));
    await host.close();
  });

  it('D28: a double click decides once', async () => {
    const { t, set, host, page } = await opened();
    await page.locator('.row-hunk .small-button', { hasText: 'Accept' }).first().dblclick();
    await host.panel.until("document.querySelector('.row-hunk.decided-accept')");
    expect((await host.panel.posted()).filter((message) => message.name === 'decide')).toHaveLength(1);
    expect(Object.values((await t.desk.state(set)).files[0]?.decisions ?? {})).toHaveLength(1);
    await host.close();
  });

  it('D33: a rewrite that looks cut short warns with numbers, and is accepted only after a question', async () => {
    const { t, answer, host, page } = await opened({}, { 'src/a.ts': `${numbered(20)}// ... rest of the code unchanged\n` });
    await host.panel.until("document.querySelector('.file-header .notice')?.innerText.includes('% fewer')");
    await page.locator('#accept-file').click();
    await page.locator('#confirm[open]').waitFor();
    expect(await page.locator('#confirm').innerText()).toContain('left out');
    await page.keyboard.press('Escape');
    await host.panel.until("!document.querySelector('#confirm').open");
    expect(await t.read('src/a.ts')).toBe(base);
    await page.locator('#accept-all').click();
    await page.locator('#confirm-accept').click();
    expect((await answer).outcome).toBe('accepted');
    await host.close();
  });

  it('marks a file as reviewed, and loses the mark when the file changes again', async () => {
    const { t, set, host, key } = await opened();
    await key('v');
    await host.panel.until("document.querySelector('#reviewed[aria-pressed=true]')");
    await t.desk.edit(set, 'w/src/a.ts', `${changed}// more\n`, { via: 'test', revision: 0 });
    await host.panel.until("document.querySelector('#reviewed[aria-pressed=false]')");
    await host.close();
  });

  it('says before deciding what the caller cannot be told, and that it is gone', async () => {
    const t = await table({ 'src/a.ts': base });
    const gone = new AbortController();
    const { set } = await t.propose({ 'src/a.ts': changed }, { capabilities: { ...plainCaller, canPartial: false, canExplain: false }, signal: gone.signal });
    const host = await ReviewHost.open(harness, t.desk, set);
    await host.drawn();
    expect(await host.panel.page.locator('.notes').innerText()).toMatch(/all or nothing.*reasons and comments cannot be sent/su);
    gone.abort();
    await host.panel.until("document.querySelector('.notes').innerText.includes('not waiting any more')");
    await host.close();
  });

  it('shows both sides of a conflict, and takes the decision on the new form only', async () => {
    const { t, set, host, page } = await opened({}, { 'src/a.ts': changed });
    await writeFile(join(t.root, 'src/a.ts'), base.replace('const line10 = 10;', 'const line10 = -10;'));
    await t.desk.refresh(set);
    await host.panel.until("document.querySelector('.conflict')");
    expect(await page.locator('.chip', { hasText: 'On newer files, version 2' }).count()).toBe(1);
    await host.panel.until("[...document.querySelectorAll('.removed .text')].some((text) => text.innerText.includes('-10'))");
    await host.close();
  });

  it('says how many conflicts are left when everything is accepted', async () => {
    const { t, set, host, page } = await opened();
    await writeFile(join(t.root, 'src/a.ts'), base.replace('const line10 = 10;', 'const line10 = -10;'));
    await t.desk.refresh(set);
    await host.panel.until("document.querySelector('.conflict')");
    await page.locator('#accept-all').click();
    await host.panel.until("document.querySelector('.notes')?.innerText.includes('One conflict is left')");
    await host.panel.until("document.querySelector('[role=status].visually-hidden').innerText.includes('One conflict is left')");
    await page.locator('.row-hunk', { hasText: 'Conflict' }).locator('.small-button', { hasText: 'Reject' }).click();
    await page.locator('#undo').waitFor();
    expect(await page.locator('.notes').innerText()).not.toContain('conflict');
    await host.close();
  });

  it('undoes and redoes a settled set', async () => {
    const { t, answer, host, page } = await opened({}, { 'src/a.ts': changed });
    await page.locator('#accept-all').click();
    await answer;
    await page.locator('#undo').click();
    await page.locator('#redo').waitFor();
    expect(await t.read('src/a.ts')).toBe(base);
    await page.locator('#redo').click();
    await page.locator('#undo').waitFor();
    expect(await t.read('src/a.ts')).toBe(changed);
    await host.close();
  });
});

describe('rejecting', () => {
  it('everything asks first, with how much, what is deleted and whose work goes', async () => {
    const { t, set, host, page } = await applied();
    await page.locator('#reject-all').click();
    await page.locator('#confirm[open]').waitFor();
    expect(await page.locator('#confirm').innerText()).toMatch(/Reject everything that is undecided\?.*4 changes in 2 files.*1 new file will be deleted.*saved 1 file meanwhile.*w\/src\/a\.ts/su);
    await page.keyboard.press('Escape');
    await host.panel.until("!document.querySelector('#confirm').open");
    expect((await t.desk.state(set)).status).toBe('pending');
    await page.locator('#reject-all').click();
    await page.locator('#confirm-accept').click();
    await expect.poll(async () => (await t.desk.state(set)).settled?.outcome).toBe('rejected');
    expect(await t.read('src/a.ts')).toBe(base);
    await host.close();
  });

  it('one file asks only where a person saved it meanwhile', async () => {
    const { t, set, host, page } = await applied();
    await page.locator('#reject-file').click();
    await page.locator('#confirm[open]').waitFor();
    await page.locator('#confirm-cancel').click();
    await host.panel.until("!document.querySelector('#confirm').open");
    expect((await t.desk.state(set)).files.map((file) => file.left)).toEqual([3, 1]);
    host.reveal('w/src/new.ts');
    await host.panel.until("document.querySelector('.file-title h2')?.innerText === 'w/src/new.ts'");
    await page.locator('#reject-file').click();
    await expect.poll(async () => (await t.desk.state(set)).files.map((file) => file.left)).toEqual([3, 0]);
    await host.close();
  });
});

describe('the page itself', () => {
  it('shows at least four files where it is narrow, and lets the header go out of sight', async () => {
    const t = await table({});
    const { set } = await t.propose(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`many/file${index}.ts`, base])));
    const host = await ReviewHost.open(harness, t.desk, set, { width: 600 });
    await host.drawn();
    const { page } = host.panel;
    await page.setViewportSize({ width: 600, height: 560 });
    await host.panel.until("document.querySelector('.files-scroll').clientHeight >= 4 * document.querySelector('.file-row').offsetHeight");
    expect(await page.evaluate("document.querySelector('casebook-review-diff').clientHeight > 150")).toBe(true);
    await page.evaluate("document.querySelector('.review').scrollTop = 1e6");
    await host.panel.until("document.querySelector('.review-header').getBoundingClientRect().bottom <= 1");
    await host.close();
  });

  it('draws on without an error when its lists become shorter', async () => {
    const t = await table({});
    const { set } = await t.propose(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`many/file${index}.ts`, base])));
    const host = await ReviewHost.open(harness, t.desk, set);
    await host.drawn();
    const { page } = host.panel;
    await page.evaluate("document.querySelector('.files-scroll').scrollTop = 1e6; document.querySelector('.diff-scroll').scrollTop = 1e6");
    await host.panel.until("[...document.querySelectorAll('.file-row')].some((row) => row.innerText.includes('file99.ts') || row.dataset.fileRow === '199')");
    await page.locator('#filter-path').fill('file7.ts');
    await host.panel.until("document.querySelectorAll('.file-row').length === 1");
    expect(host.panel.errors).toEqual([]);
    await host.close();
  });

  it('runs and loads nothing of what an agent wrote, and shows what cannot be seen', async () => {
    const t = await table({ 'src/a.ts': base });
    const evil = '<img src="https://evil.example/a.png" onerror="window.hit=1"><script>window.hit=1</script>';
    let set = '';
    void t.desk.propose({ title: evil, explanation: `${evil} ![x](https://evil.example/b.png) [c](javascript:window.hit=1)`, origin: { client: evil }, disk: 'proposed', files: [{ root: 'w', path: 'src/a.ts', proposed: { kind: 'text', text: base.replace('const line10 = 10;', `const line10 = "\u202e${evil}";`) } }] }, { name: 'evil', capabilities: plainCaller, signal: new AbortController().signal, onSet: (id) => (set = id) });
    await expect.poll(() => set).not.toBe('');
    const host = await ReviewHost.open(harness, t.desk, set);
    await host.drawn();
    expect(await host.panel.page.evaluate('window.hit')).toBeUndefined();
    expect(host.panel.requests).toEqual([]);
    expect(await host.panel.page.locator('casebook-review-app img, casebook-review-app script, casebook-review-app [href^="javascript"]').count()).toBe(0);
    expect(await host.panel.page.locator('.added .text').first().innerText()).toContain('⟦U+202E⟧');
    expect(await host.panel.violations()).toEqual([]);
    await host.close();
  });

  it('D30: says what to do when its script breaks, and keeps what is typed through a reload', async () => {
    const broken = await harness.open({ page: 'review', before: async (page) => void (await page.route('**/review.js', (route) => route.fulfill({ contentType: 'text/javascript', body: "throw new Error('broken')" }))), broken: true });
    expect(await broken.page.locator('#fallback').innerText()).toContain('diff editor');
    await broken.close();
    const { host, page, key } = await opened();
    await key('n');
    await key('e');
    await page.locator('#edit-text').fill('half a thought');
    await page.reload();
    await host.drawn();
    await key('n');
    await key('e');
    await host.panel.until("document.querySelector('#edit-text')?.value === 'half a thought'");
    await host.close();
  });

  it('has a list of its keys, and one tab stop in each list', async () => {
    const { host, page, key } = await opened();
    expect(await page.locator('.diff-row[tabindex="0"]').count()).toBe(1);
    expect(await page.locator('.file-row[tabindex="0"]').count()).toBe(1);
    await key('?');
    await page.locator('#keys[open]').waitFor();
    await key('Escape');
    await host.panel.until("!document.querySelector('#keys').open");
    await key(']');
    await host.panel.until("document.querySelector('.file-title h2').innerText === 'w/src/b.ts'");
    await host.close();
  });
});

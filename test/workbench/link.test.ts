import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isolated } from '../agents/claude-harness.ts';
import type { TerminalAgent } from '../agents/link-harness.ts';
import type { FakeReply } from '../fixtures/fake-anthropic.ts';
import { makeRepository } from './harness/fixtures.ts';
import { ClaudeUser, type Lock, lockOf, toldOfEditor } from './harness/link.ts';
import { artifacts, vsix } from './harness/paths.ts';
import { eventsOf } from './harness/review.ts';
import { ReviewPanelPage } from './harness/review-panel.ts';
import { Session } from './harness/session.ts';

const nonce = `NONCE-${randomBytes(8).toString('hex')}`;
const secret = `SECRET-${randomBytes(8).toString('hex')}`;
const before = `line one\nline two\n${nonce}\n`;

describe('Claude Code, started in the folder of a window', () => {
  let session: Session;
  let folder: string;
  let user: ClaudeUser;
  let agent: TerminalAgent;
  let lock: Lock;
  /** What the model does next, one reply for each request; afterwards it is done. */
  const plan: FakeReply[] = [];

  const edit = (file: string, from: string, to: string): FakeReply => ({ blocks: [{ tool: 'Edit', input: { file_path: join(folder, file), old_string: from, new_string: to } }] });
  const read = (file: string): FakeReply => ({ blocks: [{ tool: 'Read', input: { file_path: join(folder, file) } }] });
  const onDisk = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
  const events = (kind: string) => eventsOf(session.server.casebookHome, kind);
  const count = async (kind: string): Promise<number> => (await events(kind)).length;

  beforeAll(async () => {
    if (!isolated()) throw new Error('Run this suite without a network: unshare -n sh -c "ip link set lo up && exec vitest run --project workbench"');
    folder = await makeRepository('numbers', { 'a.txt': before, 'b.txt': 'other\n', 'c.txt': 'third\n', '.env': `API_KEY=${secret}\n` });
    user = new ClaudeUser(() => plan.shift() ?? { blocks: [{ text: 'All done here.' }] });
    await user.start();
    session = await Session.start({ name: 'link', extensions: [vsix], folder });
  });

  afterAll(async () => {
    await user?.stop();
    const left = await session?.stop();
    await rm(dirname(folder), { recursive: true, force: true });
    expect(left).toEqual([]);
  });

  it('I01, I24: finds it by --ide, sees what was selected before it came, and an edit accepted in the panel is written as decided', async () => {
    await session.step('select', async ({ workbench, page, server }) => {
      lock = await lockOf(server);
      expect(lock).toMatchObject({ workspaceFolders: [folder], ideName: 'Casebook' });
      await workbench.openFile('a.txt');
      await page.locator('.part.editor .view-line', { hasText: nonce }).click();
      await page.keyboard.press('Home');
      await page.keyboard.press('Shift+End');
    });
    await session.step('propose', async ({ workbench, server }) => {
      agent = await user.claude(server, folder);
      plan.push(read('a.txt'), edit('a.txt', 'line two', 'line 2'));
      const request = await user.ask(agent, 'Please change line two.', /1 line selected/u);
      expect(toldOfEditor(request)).toEqual([expect.stringContaining(`from ${folder}/a.txt:\\n${nonce}`)]);
      await expect.poll(() => count('changeset.proposed'), { timeout: 60_000 }).toBe(1);
      expect(await onDisk('a.txt')).toBe(before);
      await workbench.statusItem('claude-code').waitFor();
    });
    await session.step('accept', async ({ workbench, page }) => {
      const panel = new ReviewPanelPage(workbench, 'a.txt');
      await panel.line('line 2').waitFor();
      await page.screenshot({ path: join(artifacts, 'link-review.png') });
      await panel.press(1, 'Accept');
      await expect.poll(() => onDisk('a.txt')).toBe(before.replace('line two', 'line 2'));
      await expect.poll(async () => (await events('changeset.observed')).map(({ body }) => body['result'])).toEqual(['matches']);
      expect((await events('changeset.settled'))[0]?.body).toMatchObject({ outcome: 'accepted', heard: true, answer: { verdict: 'accept', writes: 'agent' } });
      await expect.poll(() => user.model.requests.length).toBe(3);
      expect(user.model.requests[2]?.results.at(-1)).toMatchObject({ isError: false, text: expect.stringContaining('updated successfully') as string });
    });
  });

  it('I21: of a .env file that is in front and selected, nothing arrives, and the window says that it is not shared', async () => {
    await session.step('env', async ({ workbench, page }) => {
      await workbench.openFile('.env');
      await page.locator('.part.editor .editor-group-container.active .view-line', { hasText: secret }).first().click();
      await page.keyboard.press('Control+a');
      await workbench.statusItem('not shared').waitFor();
      await workbench.showContainer('Casebook');
      await workbench.tree('Link').expand();
      await workbench.tree('Link').item('Not shared').waitFor();
      expect(await workbench.tree('Link').labels()).toContainEqual(expect.stringMatching(/^Not shared\. \.env\. Agents do not see \.env/u));
      await page.screenshot({ path: join(artifacts, 'link-denied.png') });
      const request = await user.ask(agent, 'What do I look at?');
      expect(toldOfEditor(request).join('\n')).not.toMatch(/\.env|SECRET/u);
      expect(JSON.stringify(user.model.requests)).not.toContain(secret);
      expect(JSON.stringify(await events('context.shared'))).not.toContain('.env');
    });
  });

  it('I23: with the focus in a diff’s older side, a terminal or a list, the file is still the last one that was edited', async () => {
    await session.step('diff', async ({ workbench, page }) => {
      await workbench.openFile('b.txt');
      await workbench.openFile('a.txt');
      await workbench.runCommand('Git: Open Changes');
      const older = page.locator('.part.editor .editor-group-container.active .monaco-diff-editor .editor.original .view-line', { hasText: 'line two' });
      await older.first().click();
      const request = await user.ask(agent, 'And what is it now?', /In a\.txt|lines? selected/u);
      const told = toldOfEditor(request);
      expect(told.at(-1)).toContain(`${folder}/a.txt`);
      expect(told.join('\n')).not.toMatch(/git:|\.git/u);
    });
    await session.step('terminal', async ({ workbench, page }) => {
      await workbench.openFile('b.txt');
      await workbench.runCommand('Terminal: Create New Terminal');
      await page.locator('.part.panel .xterm').first().waitFor();
      const request = await user.ask(agent, 'With the focus in a terminal?');
      expect(toldOfEditor(request).at(-1)).toContain(`${folder}/b.txt`);
      await workbench.runCommand('Terminal: Kill All Terminals');
    });
  });

  it('I36: a diff that arrives takes no keystroke from the file that somebody types in', async () => {
    await session.step('type', async ({ workbench, page }) => {
      const earlier = await count('changeset.proposed');
      await workbench.runCommand('View: Close All Editors');
      await workbench.openFile('b.txt');
      await page.locator('.part.editor .editor-group-container.active .view-line', { hasText: 'other' }).first().click();
      await page.keyboard.press('Control+Home');
      plan.push(read('c.txt'), edit('c.txt', 'third', 'drittens'));
      await user.ask(agent, 'Please change the third.');
      let typed = '';
      while ((await count('changeset.proposed')) === earlier || typed.length < 60) {
        typed += 'abcdefghij';
        await page.keyboard.type('abcdefghij');
      }
      await workbench.editor.tab('c.txt').waitFor();
      await page.keyboard.type('klmnop');
      await page.keyboard.press('Control+s');
      await expect.poll(() => onDisk('b.txt')).toBe(`${typed}klmnopother\n`);
      await expect.poll(() => workbench.editor.activeTab().textContent()).toContain('b.txt');
      expect(await onDisk('c.txt')).toBe('third\n');
    });
  });

  it('reloaded with that diff open: the set stays pending without its caller, and accepted later it is Casebook that writes it; I08: Claude comes back to the same port', async () => {
    await session.step('reload', async ({ workbench, server }) => {
      const connected = await count('client.connected');
      await workbench.reload();
      await expect.poll(() => count('changeset.detached'), { timeout: 120_000 }).toBe(1);
      expect((await events('changeset.detached'))[0]?.body).toEqual({ why: 'reload' });
      await expect.poll(() => count('client.connected'), { timeout: 120_000 }).toBe(connected + 1);
      expect(await lockOf(server)).toMatchObject({ port: lock.port, authToken: lock.authToken, workspaceFolders: [folder] });
    });
    await session.step('accept later', async ({ workbench }) => {
      await workbench.openFromList('Reviews', 'c.txt');
      const panel = new ReviewPanelPage(workbench, 'c.txt');
      await panel.line('drittens').waitFor({ timeout: 120_000 });
      await panel.press(1, 'Accept');
      await expect.poll(() => onDisk('c.txt'), { timeout: 60_000 }).toBe('drittens\n');
      expect((await events('changeset.settled')).at(-1)?.body).toMatchObject({ outcome: 'accepted', heard: false });
    });
  });

  it('I08: after Developer: Restart Extension Host the port and the token are the same, and Claude is back by itself', async () => {
    await session.step('restart', async ({ workbench, server }) => {
      const connected = await count('client.connected');
      await workbench.runCommand('Developer: Restart Extension Host');
      await expect.poll(() => count('client.connected'), { timeout: 120_000 }).toBe(connected + 1);
      expect(await lockOf(server)).toMatchObject({ port: lock.port, authToken: lock.authToken });
      await workbench.statusItem('claude-code').waitFor({ timeout: 60_000 });
    });
  });
});

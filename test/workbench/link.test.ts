import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isolated } from '../agents/claude-harness.ts';
import type { Terminal } from '../agents/terminal.ts';
import type { FakeReply } from '../fixtures/fake-anthropic.ts';
import { makeRepository } from './harness/fixtures.ts';
import { ClaudeUser, type Lock, lockOf, locksIn, toldOfEditor } from './harness/link.ts';
import { vsix } from './harness/paths.ts';
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
  let agent: Terminal;
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
      plan.push(read('a.txt'), edit('a.txt', 'line two', 'second'));
      const request = await user.ask(agent, 'Please change line two.', /1 line selected/u);
      expect(toldOfEditor(request)).toEqual([expect.stringContaining(`from ${folder}/a.txt:\\n${nonce}`)]);
      await expect.poll(() => count('changeset.proposed'), { timeout: 60_000 }).toBe(1);
      expect(await onDisk('a.txt')).toBe(before);
      await workbench.statusItem('claude-code').waitFor();
    });
    await session.step('accept', async ({ workbench }) => {
      const panel = new ReviewPanelPage(workbench, 'a.txt');
      await panel.line('second').waitFor();
      await panel.press(1, 'Accept');
      await expect.poll(() => onDisk('a.txt')).toBe(before.replace('line two', 'second'));
      await expect.poll(async () => (await events('changeset.observed')).map(({ body }) => body['result'])).toEqual(['matches']);
      await expect.poll(async () => (await events('changeset.settled'))[0]?.body).toMatchObject({ outcome: 'accepted', heard: true, answer: { verdict: 'accept', writes: 'agent' } });
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
      const request = await user.ask(agent, 'What do I look at?');
      expect(toldOfEditor(request).join('\n')).not.toMatch(/\.env|SECRET/u);
      expect(JSON.stringify(user.model.requests)).not.toContain(secret);
      expect(JSON.stringify(await events('context.shared'))).not.toContain('.env');
    });
  });

  it('reloaded with a diff open: the set stays pending without its caller, and accepted later it is Casebook that writes it; I08: the port and the token are the same', async () => {
    await session.step('propose', async ({ workbench }) => {
      await workbench.openFile('b.txt');
      plan.push(read('c.txt'), edit('c.txt', 'third', 'drittens'));
      await user.ask(agent, 'Please change the third.');
      await expect.poll(() => count('changeset.proposed'), { timeout: 60_000 }).toBe(2);
    });
    await session.step('reload', async ({ workbench, server }) => {
      await workbench.reload();
      await expect.poll(() => count('changeset.detached'), { timeout: 120_000 }).toBe(1);
      expect((await events('changeset.detached'))[0]?.body).toEqual({ why: 'reload' });
      await expect.poll(async () => (await count('client.disconnected')) > 0 && (await locksIn(server.home)), { timeout: 120_000 }).toEqual([expect.objectContaining({ port: lock.port, authToken: lock.authToken, workspaceFolders: [folder] })]);
    });
    await session.step('accept later', async ({ workbench }) => {
      await workbench.openFromList('Reviews', 'c.txt');
      const panel = new ReviewPanelPage(workbench, 'c.txt');
      await panel.line('drittens').waitFor({ timeout: 120_000 });
      await panel.press(1, 'Accept');
      await expect.poll(() => onDisk('c.txt'), { timeout: 60_000 }).toBe('drittens\n');
      await expect.poll(async () => (await events('changeset.settled')).at(-1)?.body).toMatchObject({ outcome: 'accepted', heard: false });
    });
  });
});

import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isolated } from '../agents/claude-harness.ts';
import type { FakeReply } from '../fixtures/fake-anthropic.ts';
import { makeRepository } from './harness/fixtures.ts';
import { ClaudeUser, lockOf, toldOfEditor } from './harness/link.ts';
import { vsix } from './harness/paths.ts';
import { eventsOf } from './harness/review.ts';
import { Session } from './harness/session.ts';

const nonce = `NONCE-${randomBytes(8).toString('hex')}`;
const before = `line one\nline two\n${nonce}\n`;
const after = `line one\nline 2\n${nonce}\n`;

describe('Claude Code, started in the folder of a window', () => {
  let session: Session;
  let folder: string;
  let user: ClaudeUser;

  /** Each conversation: read, propose, done. */
  const script = (_request: unknown, turn: number): FakeReply => {
    const file = join(folder, 'a.txt');
    if (turn === 0) return { blocks: [{ tool: 'Read', input: { file_path: file } }] };
    if (turn === 1) return { blocks: [{ tool: 'Edit', input: { file_path: file, old_string: 'line two', new_string: 'line 2' } }] };
    return { blocks: [{ text: 'All done here.' }] };
  };

  beforeAll(async () => {
    if (!isolated()) throw new Error('Run this suite without a network: unshare -n sh -c "ip link set lo up && exec vitest run --project workbench"');
    folder = await makeRepository('numbers', { 'a.txt': before, 'b.txt': 'other\n', '.env': 'API_KEY=abc\n' });
    user = new ClaudeUser(script);
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
      const lock = await lockOf(server);
      expect(lock).toMatchObject({ workspaceFolders: [folder], ideName: 'Casebook' });
      await workbench.openFile('a.txt');
      await page.locator('.part.editor .view-line', { hasText: nonce }).click();
      await page.keyboard.press('Home');
      await page.keyboard.press('Shift+End');
    });
    await session.step('propose', async ({ workbench, server }) => {
      const agent = await user.claude(server, folder);
      const request = await user.ask(agent, 'Please change line two.', /1 line selected/u);
      expect(toldOfEditor(request)).toEqual([expect.stringContaining(`from ${folder}/a.txt:\\n${nonce}`)]);
      await expect.poll(async () => (await eventsOf(server.casebookHome, 'changeset.proposed')).length, { timeout: 60_000 }).toBe(1);
      expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe(before);
      await workbench.editor.tab('a.txt').first().waitFor();
    });
    await session.step('accept', async ({ workbench, server }) => {
      await workbench.runCommand('Casebook: Accept All of a Review');
      await expect.poll(() => readFile(join(folder, 'a.txt'), 'utf8')).toBe(after);
      await expect.poll(async () => (await eventsOf(server.casebookHome, 'changeset.observed')).map(({ body }) => body['result'])).toEqual(['matches']);
      expect((await eventsOf(server.casebookHome, 'changeset.settled'))[0]?.body).toMatchObject({ outcome: 'accepted', heard: true, answer: { verdict: 'accept', writes: 'agent' } });
      await expect.poll(() => user.model.requests.length).toBe(3);
    });
  });
});

import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyEvent } from '../../extension/core/journal/port.ts';
import { openJournalReader } from '../../extension/core/journal/reader.ts';
import { FakeGitHub, type FakeIssue } from '../fixtures/github-server.ts';
import { CasePanelPage } from './harness/case-panel.ts';
import { filler, makeRepository } from './harness/fixtures.ts';
import { vsix } from './harness/paths.ts';
import { Session } from './harness/session.ts';

const repository = 'acme/rocket';
const title = 'Launch is refused though the code is right';
const token = 'token-of-a-test';
const guard = `import { launchCode } from './codes.ts';

export function checkLaunch(typed: string): void {
  if (typed !== launchCode) {
    throw new Error('launch refused: wrong code');
  }
}
`;
const body = `Since this morning every start fails. What we get:

    Error: launch refused: wrong code
        at checkLaunch (/srv/rocket/src/launch-guard.ts:45:11)
        at start (/srv/rocket/src/start.ts:12:3)
`;

describe('tickets of a GitHub server', () => {
  const github = new FakeGitHub();
  let folder: string;
  let session: Session;
  let panel: CasePanelPage;
  let issue: FakeIssue;

  beforeAll(async () => {
    github.tokens = [token];
    await github.start();
    github.add(repository, { number: 1, title: 'Launch takes long', body: 'About a minute.', labels: ['severity: low'], updatedAt: '2026-02-20T00:00:00Z' });
    github.add(repository, { number: 2, title: 'Launch sound is missing', body: 'No sound.', labels: ['severity: high'], updatedAt: '2026-02-01T00:00:00Z' });
    github.add(repository, { number: 3, title: 'Launch log is empty', body: 'Nothing in it.', labels: ['severity: high'], updatedAt: '2026-02-02T00:00:00Z' });
    for (let number = 4; number <= 50; number++) github.add(repository, { number, title: `Launch note ${number}`, body: 'A note.' });
    // On the second page, and the most severe of all.
    issue = github.add(repository, { number: 51, title, body, labels: ['severity: critical'], updatedAt: '2026-01-02T00:00:00Z' });
    github.add(repository, { number: 52, title: 'Launch note 52', body: 'A note.' });
    folder = await makeRepository('rocket', {
      'src/launch-guard.ts': filler(40, 'guard') + guard,
      'src/codes.ts': "export const launchCode = 'of last year';\n",
      'src/start.ts': filler(10, 'start') + "import { checkLaunch } from './launch-guard.ts';\ncheckLaunch(process.argv[2] ?? '');\n",
    });
    session = await Session.start({
      name: 'github',
      extensions: [vsix],
      folder,
      settings: {
        'casebook.engine': 'scout',
        'casebook.github.baseUrl': `${github.baseUrl}/api/v3`,
        'casebook.github.queries': [{ label: 'Launches', query: `repo:${repository} is:open launch` }],
      },
      env: { GH_ENTERPRISE_TOKEN: token, GH_TOKEN: 'token-of-github-com' },
    });
    panel = new CasePanelPage(session.workbench, title.slice(0, 20));
  });

  afterAll(async () => {
    const left = await session?.stop();
    await github.stop();
    await rm(dirname(folder), { recursive: true, force: true });
    expect(left).toEqual([]);
  });

  it('shows the saved queries, and the tickets of one by severity and then recency', async () => {
    await session.step('list', async ({ workbench }) => {
      await workbench.showContainer('Casebook');
      const tickets = workbench.tree('Tickets');
      await tickets.item('Assigned to me').waitFor();
      await tickets.item('Launches').click();
      await tickets.item('Launch takes long').waitFor();
      expect((await ticketsShown()).slice(0, 4)).toEqual(['acme/rocket#3, High', 'acme/rocket#2, High', 'acme/rocket#1, Low', 'acme/rocket#10, Unknown severity']);
    });
  });

  it('loads the next page, whose most severe ticket goes to the top', async () => {
    await session.step('more', async ({ workbench }) => {
      const tickets = workbench.tree('Tickets');
      const pages = (): (string | null)[] => github.requests.filter((request) => request.path === '/search/issues').map((request) => request.query.get('page'));
      await tickets.press('End');
      await tickets.item('Load More').filter({ hasText: '2 left' }).waitFor();
      expect(pages()).toEqual(['1']);
      await tickets.press('End', 'Enter');
      await tickets.item('Load More').waitFor({ state: 'detached' });
      expect(pages()).toEqual(['1', '2']);
      await tickets.press('Home');
      await expect.poll(async () => (await ticketsShown())[0]).toBe('acme/rocket#51, Critical');
    });
  });

  it('filters what is loaded', async () => {
    await session.step('filter', async ({ workbench }) => {
      await workbench.runCommand('Casebook: Filter Tickets…');
      await workbench.quickInput.answer('high log');
      await expect.poll(() => ticketsShown()).toEqual(['acme/rocket#3, High']);
      await workbench.runCommand('Casebook: Filter Tickets…');
      await workbench.quickInput.answer('');
      await expect.poll(async () => (await ticketsShown()).length).toBeGreaterThan(3);
    });
  });

  it('investigates a ticket from its tree item', async () => {
    await session.step('investigate', async ({ workbench }) => {
      await workbench.tree('Tickets').menu(title, 'Investigate This Ticket');
      await panel.show();
      await panel.part('verdict');
      await expect.poll(() => panel.chips().innerText()).toMatch(/Bug, suspected/);
      await expect.poll(() => panel.chips().innerText()).toMatch(/Proof holds/);
    });
  });

  it('posts the reply only when its exact text was approved, once, and reads it back', async () => {
    await session.step('reply', async ({ workbench }) => {
      const reply = await panel.part('reply');
      const text = await reply.locator('#reply-text').inputValue();
      const post = reply.locator('#reply-post');
      await post.click();
      await workbench.dialog().waitFor();
      expect(squeeze(await workbench.dialog().innerText())).toContain(squeeze(text));
      await workbench.press('Cancel');
      await workbench.dialog().waitFor({ state: 'detached' });
      await panel.show();
      await expect.poll(() => reply.innerText()).toMatch(/nothing was sent/);
      expect(writes()).toEqual([]);

      await post.click();
      await workbench.press('Post This Text');
      await panel.show();
      await expect.poll(() => reply.innerText()).toMatch(/Posted/);
      expect(writes()).toEqual([`POST /repos/${repository}/issues/51/comments`]);
      expect(issue.comments).toHaveLength(1);
      expect(issue.comments?.[0]?.body.startsWith(text)).toBe(true);
      const { method, path } = github.requests.at(-1) ?? {};
      expect({ method, path }).toEqual({ method: 'GET', path: `/repos/${repository}/issues/comments/${issue.comments?.[0]?.id}` });
      expect(await gates('post_reply')).toEqual(['refused', 'approved', 'confirmed']);
    });
  });

  it('sets labels only when the whole list was approved', async () => {
    await session.step('labels', async ({ workbench }) => {
      const ask = async (): Promise<void> => {
        await workbench.runCommand('Casebook: Set Labels of Ticket…');
        await expect.poll(() => workbench.quickInput.input().inputValue()).toBe('severity: critical');
        await workbench.quickInput.answer('confirmed, launch');
        await workbench.dialog().waitFor();
      };
      const before = writes();
      await ask();
      expect(await workbench.dialog().innerText()).toMatch(/confirmed\s+launch\s+Taken away: severity: critical/);
      await workbench.press('Cancel');
      await workbench.dialog().waitFor({ state: 'detached' });
      await expect.poll(() => gates('set_labels')).toEqual(['refused']);
      expect(writes()).toEqual(before);
      await ask();
      await workbench.press('Set These Labels');
      await expect.poll(() => gates('set_labels')).toEqual(['refused', 'approved', 'confirmed']);
      expect(writes()).toEqual([...before, `PUT /repos/${repository}/issues/51/labels`]);
      expect(issue.labels).toEqual(['confirmed', 'launch']);
    });
  });

  it('shows the last list with its age while the server is out of reach', async () => {
    await session.step('offline', async ({ workbench }) => {
      const tickets = workbench.tree('Tickets');
      github.fault = () => 'drop';
      await workbench.runCommand('Casebook: Refresh Tickets');
      await tickets.item('Last known list, ').waitFor({ timeout: 120_000 });
      await tickets.item('Launch log is empty').waitFor();
      github.fault = () => undefined;
      await tickets.item('Last known list, ').click();
      await tickets.item('Last known list, ').waitFor({ state: 'detached' });
      await tickets.item('Launch log is empty').waitFor();
    });
  });

  it("never hands the server a token that is not its own, and the journal holds", async () => {
    await session.step('record', async () => {
      expect([...new Set(github.requests.map((request) => request.authorization))]).toEqual([`Bearer ${token}`]);
      const reader = await openJournalReader({ home: session.server.casebookHome, workspace: folder });
      expect((await reader.verify()).problems).toEqual([]);
      await reader.close();
    });
  });

  /** Key and severity of the ticket rows in sight, as a screen reader says them. */
  async function ticketsShown(): Promise<string[]> {
    return (await session.workbench.tree('Tickets').labels()).flatMap((label) => /acme\/rocket#\d+, [A-Z][a-z ]+/.exec(label)?.[0] ?? []);
  }

  function writes(): string[] {
    return github.requests.filter((request) => request.method !== 'GET').map((request) => `${request.method} ${request.path}`);
  }

  /** Decisions and outcomes of an action's gates, from the record on disk. */
  async function gates(action: string): Promise<string[]> {
    const reader = await openJournalReader({ home: session.server.casebookHome, workspace: folder });
    const events: AnyEvent[] = [];
    for await (const item of reader.read({})) if (!('gap' in item)) events.push(item);
    await reader.close();
    const ids = new Set(events.flatMap((event) => (event.kind === 'gate.opened' && event.body?.action === action ? [event.body.id] : [])));
    return events.flatMap((event) => {
      if (event.kind === 'gate.decided' && event.body !== null && ids.has(event.body.id)) return [event.body.decision];
      return event.kind === 'gate.carried_out' && event.body !== null && ids.has(event.body.id) ? [event.body.outcome] : [];
    });
  }
});

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

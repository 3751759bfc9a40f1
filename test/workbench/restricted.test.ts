import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeGitHub } from '../fixtures/github-server.ts';
import { CasePanelPage, investigateFile } from './harness/case-panel.ts';
import { filler, makeRepository, packFixture } from './harness/fixtures.ts';
import { node, root, vsix } from './harness/paths.ts';
import { Calls, eventsOf } from './harness/review.ts';
import { ReviewPanelPage } from './harness/review-panel.ts';
import { Session } from './harness/session.ts';

const title = 'Launch is refused though the code is right';
const second = 'Launch is refused on Sundays';
const trace = `    Error: launch refused: wrong code\n        at checkLaunch (/srv/rocket/src/launch-guard.ts:45:11)\n`;
const restricted = 'In Restricted Mode Casebook only reads its journal.';

describe('I40: a folder whose authors are not trusted', () => {
  const github = new FakeGitHub();
  let base: string;
  let folder: string;
  let session: Session;

  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'casebook-restricted-'));
    await github.start();
    github.add('acme/rocket', { number: 1, title: 'Launch takes long', body: 'About a minute.' });
    const programs = await recordingPrograms(base, ['git', 'rg', 'claude', 'theirs']);
    // The extension host takes its search path from a login shell.
    await mkdir(join(base, 'home'));
    await writeFile(join(base, 'home/.profile'), `export PATH="${programs}:$PATH"\n`);
    folder = await makeRepository('rocket', {
      'src/launch-guard.ts': `${filler(44, 'guard')}throw new Error('launch refused: wrong code');\n`,
      'tickets/launch.md': `---\nid: OPS-7\ntitle: ${title}\n---\n\n${trace}`,
      'tickets/sunday.md': `---\nid: OPS-8\ntitle: ${second}\n---\n\nThe week's last day alone.\n\n    RangeError: Sunday has no window\n        at checkLaunch (/srv/rocket/src/launch-guard.ts:12:11)\n`,
      // What a hostile repository would bring.
      '.vscode/settings.json': JSON.stringify({ 'casebook.engine': 'claude', 'casebook.claude.path': join(programs, 'theirs'), 'casebook.journal.location': 'workspace', 'casebook.files.folders': ['tickets'], 'casebook.github.queries': [{ label: 'Theirs', query: 'launch' }] }),
    });
    const cli = (...args: string[]): Promise<unknown> => promisify(execFile)(node, [join(root, 'dist/cli.js'), ...args, '--home', join(base, 'casebook')]);
    await cli('investigate', '--ticket', join(folder, 'tickets/launch.md'), '--repo', folder, '--engine', 'scout', '--quiet');
    await writeFile(join(base, 'words.patch'), '--- a/src/launch-guard.ts\n+++ b/src/launch-guard.ts\n@@ -1,2 +1,2 @@\n-export const guard1 = 1;\n+export const guard1 = one();\n export const guard2 = 2;\n');
    await cli('review', 'patch', join(base, 'words.patch'), '--repo', folder);
    session = await Session.start({
      name: 'restricted',
      extensions: [vsix, await packFixture('scripted-caller')],
      folder,
      trusted: false,
      settings: { 'casebook.github.baseUrl': `${github.baseUrl}/api/v3` },
      env: { HOME: join(base, 'home'), CASEBOOK_HOME: join(base, 'casebook'), CASEBOOK_TEST_CALLS: join(base, 'calls'), GH_ENTERPRISE_TOKEN: 'token-of-a-test', PATH: `${programs}:${process.env['PATH'] ?? ''}` },
    });
  });

  afterAll(async () => {
    const left = await session?.stop();
    await github.stop();
    await Promise.all([dirname(folder), base].map((path) => rm(path, { recursive: true, force: true })));
    expect(left).toEqual([]);
  });

  it('shows its earlier cases, their verdict and their citations', async () => {
    await session.step('read', async ({ workbench }) => {
      await workbench.showContainer('Casebook');
      await workbench.tree('Tickets').pane.getByText('In Restricted Mode only earlier cases can be read.').waitFor();
      await workbench.openFromList('Cases', title.slice(0, 20));
      const panel = new CasePanelPage(workbench, title.slice(0, 20));
      await panel.show();
      await expect.poll(() => panel.chips().innerText()).toMatch(/Bug, suspected/);
      await panel.part('evidence');
      await panel.content.locator('.citation-open').first().click();
      await workbench.editor.tab('launch-guard.ts').waitFor();
      await expect.poll(() => workbench.editor.line()).toBe(45);
    });
  });

  it('offers no investigation, and refuses one in one sentence', async () => {
    await session.step('refuse', async ({ workbench, page }) => {
      await workbench.quickInput.openPalette();
      await workbench.quickInput.type('>Casebook: ');
      await workbench.quickInput.row('Casebook: Export Case').waitFor();
      const first = await workbench.quickInput.labels();
      // The list draws what fits; up from its first entry is its end.
      await page.keyboard.press('ArrowUp');
      await workbench.quickInput.row('Casebook: Verify Journal').waitFor();
      const shown = [...first, ...(await workbench.quickInput.labels())];
      expect(shown.filter((label) => /Investigate|Run|Engine|Erase|Moved|Accept|Reject|Undo|Watching/.test(label))).toEqual([]);
      await page.keyboard.press('Escape');
      const panel = new CasePanelPage(workbench, title.slice(0, 20));
      await panel.show();
      await panel.content.locator('#run-again').click();
      await panel.content.getByText(restricted).first().waitFor();
    });
  });

  it('shows a pending review without anything to decide with, and tells a program that nobody looked', async () => {
    await session.step('review', async ({ workbench }) => {
      await workbench.openFromList('Reviews', 'words.patch');
      const panel = new ReviewPanelPage(workbench, 'words.patch');
      await panel.show();
      await panel.content.locator('.chip', { hasText: 'Restricted Mode: looking only' }).waitFor();
      await panel.line('one()').waitFor();
      for (const label of ['Accept', 'Reject', 'Edit']) expect(await panel.content.locator('.small-button, vscode-button', { hasText: new RegExp(String.raw`^\s*${label}\b`, 'u') }).count(), label).toBe(0);
      const calls = new Calls(join(base, 'calls'));
      await calls.make('one', { path: join(folder, 'src/launch-guard.ts'), new_text: 'nothing\n', title: 'Asked in Restricted Mode' });
      expect(await calls.answer('one')).toEqual({ verdict: null, reviewed: false, surface: 'none' });
      expect(await eventsOf(join(base, 'casebook'), 'hunks.decided')).toEqual([]);
      expect(await readFile(join(folder, 'src/launch-guard.ts'), 'utf8')).toContain('guard1 = 1;');
    });
  });

  it('has started no program, read no ticket and written nothing into the folder', async () => {
    expect(await started()).toEqual([]);
    expect(github.requests).toEqual([]);
    expect(existsSync(join(folder, '.casebook'))).toBe(false);
  });

  it('works as soon as trust is given, without the settings that only a machine may set', async () => {
    await session.step('trust', async ({ workbench, page }) => {
      await workbench.runCommand('Workspaces: Manage Workspace Trust');
      await page.locator('.workspace-trust-editor').getByRole('button', { name: /^Trust\b/ }).first().click();
      // It is shown over the workbench.
      await page.locator('.workspace-trust-editor.trusted').waitFor();
      await page.locator('.monaco-modal-editor-block').getByRole('button', { name: /^Close/ }).first().click();
      await page.locator('.monaco-modal-editor-block').waitFor({ state: 'detached' });
      await workbench.showContainer('Casebook');
      await workbench.tree('Tickets').item('Theirs').waitFor();
      await workbench.tree('Tickets').open('Theirs');
      await workbench.tree('Tickets').item('Launch takes long').waitFor();
      await investigateFile(workbench, join(folder, 'tickets/sunday.md'));
      await workbench.quickInput.row('Open a new case').waitFor();
      await workbench.quickInput.pick('Open a new case');
      // The repository wished for Claude Code at a path of its own; a person is asked what to do instead.
      await workbench.press('Use the Scout Alone');
      const panel = new CasePanelPage(workbench, second.slice(0, 20));
      await panel.show();
      await panel.part('verdict');
      // As only Casebook calls git.
      expect((await started()).filter((line) => /^git .*--literal-pathspecs /.test(line)).length).toBeGreaterThan(0);
      expect((await started()).filter((line) => line.startsWith('theirs'))).toEqual([]);
    });
  });

  /** Programs that were started through the search path, with their arguments. */
  async function started(): Promise<string[]> {
    return (await readFile(join(base, 'started'), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  }
});

/** A folder for the search path whose programs write down that they were started, then do what the real one does. */
async function recordingPrograms(base: string, names: readonly string[]): Promise<string> {
  const folder = join(base, 'bin');
  await mkdir(folder);
  for (const name of names) {
    const real = ['/usr/bin', '/bin', '/usr/local/bin'].map((path) => join(path, name)).find((path) => existsSync(path));
    await writeFile(join(folder, name), `#!/bin/sh\necho "${name} $*" >> "${join(base, 'started')}"\n${real === undefined ? 'exit 127' : `exec ${real} "$@"`}\n`);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}

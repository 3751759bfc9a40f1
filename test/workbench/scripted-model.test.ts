import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CasePanelPage, investigateFile } from './harness/case-panel.ts';
import { filler, makeRepository, packFixture } from './harness/fixtures.ts';
import { vsix } from './harness/paths.ts';
import { Session } from './harness/session.ts';

const title = 'Launch is refused though the code is right';
const line = 61;

/** A workspace with a nonce that no prompt, ticket or earlier run can know: only who reads the file can quote it. */
async function workspaceWithNonce(): Promise<{ folder: string; nonce: string }> {
  const nonce = `NONCE-${randomBytes(8).toString('hex')}`;
  const folder = await makeRepository('rocket', {
    'src/settings.ts': `${filler(60, 'setting')}const launchCode = '${nonce}';\n${filler(60, 'other')}`,
    'src/start.ts': filler(40, 'start'),
    'tickets/launch.md': `---\nid: OPS-7\ntitle: ${title}\n---\n\nSince this morning every start is refused.\n`,
  });
  return { folder, nonce };
}

describe('a ticket investigated with a model of the editor', () => {
  let session: Session | undefined;
  let folder = '';

  afterEach(async () => {
    const left = await session?.stop();
    await rm(dirname(folder), { recursive: true, force: true });
    expect(left).toEqual([]);
  });

  async function investigate(name: string, script: Record<string, unknown>): Promise<{ session: Session; panel: CasePanelPage; nonce: string }> {
    const made = await workspaceWithNonce();
    folder = made.folder;
    session = await Session.start({
      name,
      extensions: [vsix, await packFixture('lm-provider')],
      folder,
      settings: { 'casebook.engine': 'vscode-lm' },
      env: { CASEBOOK_TEST_SCRIPT: JSON.stringify({ file: `${basename(folder)}/src/settings.ts`, line, search: 'launchCode', pattern: "const launchCode = 'NONCE-[0-9a-f]{16}';", ...script }) },
    });
    const panel = new CasePanelPage(session.workbench, title.slice(0, 20));
    await session.step('start', async ({ workbench }) => {
      await investigateFile(workbench, join(folder, 'tickets/launch.md'));
      await workbench.dialog().waitFor();
      await workbench.press('Allow for This Workspace');
      await panel.show();
    });
    return { session, panel, nonce: made.nonce };
  }

  it('quotes what only a tool could read, after its question was answered', async () => {
    const run = await investigate('model', { ask: true });
    await run.session.step('verdict', async () => {
      await run.panel.answer('The old one');
      await run.panel.part('verdict');
      await run.panel.part('evidence');
      const verified = run.panel.citations().filter({ hasText: run.nonce });
      await verified.waitFor();
      expect(await verified.innerText()).toMatch(/verified/i);
      expect(await run.panel.chips().innerText()).toMatch(/Proof holds/);
    });
  });

  it('T20/T25: is interrupted by a reload, stopped by a person, and run again to its end', async () => {
    const { session: window, panel } = await investigate('interrupted', { ask: true });
    const openQuestion = () => panel.content.locator('#part-questions .question-set');
    await window.step('reload', async ({ workbench }) => {
      await openQuestion().waitFor();
      await workbench.reloadAndOpen('Cases', title.slice(0, 20));
      await panel.show();
      await expect.poll(() => panel.chips().innerText()).toMatch(/Interrupted/);
      expect(await openQuestion().count()).toBe(0);
    });
    await window.step('stop', async () => {
      await panel.content.locator('#run-again').click();
      await openQuestion().waitFor();
      await panel.content.locator('#stop').click();
      await panel.content.locator('#run-again').waitFor();
      await panel.part('steps');
      await expect.poll(() => panel.content.locator('#part-steps').innerText()).toMatch(/Stopped/);
    });
    await window.step('again', async () => {
      await panel.content.locator('#run-again').click();
      await panel.answer('The old one');
      await expect.poll(() => panel.chips().innerText()).toMatch(/Proof holds/);
    });
  });

  it('proves nothing when the tool call is withheld', async () => {
    const run = await investigate('withheld', { withhold: true });
    await run.session.step('verdict', async () => {
      await run.panel.part('verdict');
      await run.panel.part('evidence');
      // What really stands there is shown beside the made-up quote; it is no proof.
      expect(await run.panel.citations().filter({ hasText: /Verified/ }).count()).toBe(0);
      expect(await run.panel.chips().innerText()).toMatch(/Proof does not hold/);
    });
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CasePanelPage } from './harness/case-panel.ts';
import { filler, makeRepository } from './harness/fixtures.ts';
import { node, root, vsix } from './harness/paths.ts';
import { Session } from './harness/session.ts';

const title = 'Launch is refused though the code is right';
const trace = `    Error: launch refused: wrong code\n        at checkLaunch (/srv/rocket/src/launch-guard.ts:45:11)\n`;

describe('J13: a project that was renamed since its cases were investigated', () => {
  let home: string;
  let before: string;
  let folder: string;
  let session: Session;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'casebook-moved-'));
    before = await makeRepository('rocket', {
      'src/launch-guard.ts': `${filler(44, 'guard')}throw new Error('launch refused: wrong code');\n`,
      'tickets/launch.md': `---\nid: OPS-7\ntitle: ${title}\n---\n\n${trace}`,
    });
    await promisify(execFile)(node, [join(root, 'dist/cli.js'), 'investigate', '--ticket', join(before, 'tickets/launch.md'), '--repo', before, '--engine', 'scout', '--home', home, '--quiet']);
    folder = join(dirname(before), 'rocket-next');
    await rename(before, folder);
    session = await Session.start({ name: 'moved', extensions: [vsix], folder, env: { CASEBOOK_HOME: home } });
  });

  afterAll(async () => {
    const left = await session?.stop();
    await Promise.all([dirname(before), home].map((path) => rm(path, { recursive: true, force: true })));
    expect(left).toEqual([]);
  });

  it('is offered its history once the view is opened; taken, the case is there with its evidence', async () => {
    await session.step('bring', async ({ workbench }) => {
      await workbench.showContainer('Casebook');
      const offer = workbench.notification(`1 case of ${before}: this repository was there before. Bring the history here?`);
      await offer.waitFor();
      expect(await workbench.tree('Cases').item(title.slice(0, 20)).count()).toBe(0);
      await workbench.press('Bring Here');
      await offer.waitFor({ state: 'detached' });
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

  it('is not asked again after a reload, and the case is still there', async () => {
    await session.step('again', async ({ workbench }) => {
      await workbench.reloadAndOpen('Cases', title.slice(0, 20));
      await new CasePanelPage(workbench, title.slice(0, 20)).show();
      expect(await workbench.notification('Bring the history here?').count()).toBe(0);
      await workbench.runCommand('Casebook: Bring History of a Moved Project Here');
      await workbench.notification(/no history of this repository/).waitFor();
    });
  });
});

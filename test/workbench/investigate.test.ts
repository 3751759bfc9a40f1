import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CasePanelPage, investigateFile } from './harness/case-panel.ts';
import { filler, makeRepository } from './harness/fixtures.ts';
import { vsix } from './harness/paths.ts';
import { Session } from './harness/session.ts';

const title = 'Launch is refused though the code is right';
const guard = `import { launchCode } from './codes.ts';

export function checkLaunch(typed: string): void {
  if (typed !== launchCode) {
    throw new Error('launch refused: wrong code');
  }
}
`;
const ticket = `---
id: OPS-7
title: ${title}
severity: high
---

Since this morning every start fails. What we get:

    Error: launch refused: wrong code
        at checkLaunch (/srv/rocket/src/launch-guard.ts:45:11)
        at start (/srv/rocket/src/start.ts:12:3)
`;

describe('a ticket investigated with the scout', () => {
  let folder: string;
  let session: Session;
  let panel: CasePanelPage;

  beforeAll(async () => {
    folder = await makeRepository('rocket', {
      'src/launch-guard.ts': filler(40, 'guard') + guard,
      'src/codes.ts': `export const launchCode = '${randomBytes(8).toString('hex')}';\n`,
      'src/start.ts': filler(10, 'start') + "import { checkLaunch } from './launch-guard.ts';\ncheckLaunch(process.argv[2] ?? '');\n",
      'src/fuel.ts': filler(200, 'fuel'),
      'tickets/launch.md': ticket,
    });
    session = await Session.start({ name: 'scout', extensions: [vsix], folder, settings: { 'casebook.engine': 'scout' } });
    panel = new CasePanelPage(session.workbench, title.slice(0, 20));
  });

  afterAll(async () => {
    const left = await session?.stop();
    await rm(dirname(folder), { recursive: true, force: true });
    expect(left).toEqual([]);
  });

  it('opens a case from the palette and shows its steps and a verdict', async () => {
    await session.step('investigate', async ({ workbench }) => {
      await investigateFile(workbench, join(folder, 'tickets/launch.md'));
      await panel.show();
      await expect.poll(() => panel.heading().textContent()).toBe(title);
      await panel.part('verdict');
      await panel.part('steps');
      await panel.steps().first().waitFor();
      expect(await panel.steps().count()).toBeGreaterThan(1);
    });
  });

  it('opens a citation at its line', async () => {
    await session.step('citation', async ({ workbench }) => {
      await panel.part('evidence');
      const pinned = panel.content.locator('#part-evidence .file').filter({ hasText: 'launch-guard.ts' }).locator('.citation-open').first();
      const line = Number(/Line (\d+)/.exec(await pinned.innerText())?.[1]);
      await pinned.click();
      await workbench.editor.tab('launch-guard.ts').waitFor();
      await expect.poll(() => workbench.editor.line()).toBe(line);
      expect(line).toBe(45);
    });
  });

  it('takes an override of the verdict, with its reason', async () => {
    await session.step('override', async () => {
      await panel.show();
      await panel.override({ classification: 'answerable', confidence: 'low', reason: 'They typed the code of last year.' });
      await expect.poll(() => panel.chips().textContent()).toMatch(/Overridden/);
    });
  });

  it('shows everything as it was after the window is reloaded', async () => {
    await session.step('reload', async ({ workbench }) => {
      const before = { chips: await panel.chips().innerText(), citations: await panel.citations().count(), steps: await stepCount() };
      await workbench.reloadAndOpen('Cases', title.slice(0, 20));
      await panel.show();
      await expect.poll(() => panel.chips().innerText()).toBe(before.chips);
      await panel.part('evidence');
      expect(await panel.citations().count()).toBe(before.citations);
      expect(await stepCount()).toBe(before.steps);
      const verdict = await panel.part('verdict');
      expect(await verdict.innerText()).toContain('They typed the code of last year.');
    });
  });

  async function stepCount(): Promise<string | null> {
    await panel.part('steps');
    return await panel.steps().first().locator('..').getAttribute('aria-setsize');
  }
});

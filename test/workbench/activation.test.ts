import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vsix } from './harness/paths.ts';
import { Session } from './harness/session.ts';

describe('the packaged extension in the editor', () => {
  let folder: string;
  let session: Session;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'casebook-ws-'));
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'src/a.ts'), 'export const a = 1;\n');
    session = await Session.start({ name: 'activation', extensions: [vsix], folder });
  });

  afterAll(async () => {
    const left = await session?.stop();
    await rm(folder, { recursive: true, force: true });
    expect(left).toEqual([]);
  });

  it('shows its container with both views', async () => {
    await session.step('container', async ({ workbench }) => {
      await workbench.showContainer('Casebook');
      await workbench.tree('Tickets').pane.waitFor();
      await workbench.tree('Cases').pane.waitFor();
    });
  });

  it('offers its commands under its category', async () => {
    await session.step('commands', async ({ workbench }) => {
      await workbench.quickInput.openPalette();
      await workbench.quickInput.type('>Casebook: Investigate');
      await expect.poll(() => workbench.quickInput.labels()).toContainEqual(expect.stringMatching(/Casebook: Investigate Ticket/));
      await workbench.page.keyboard.press('Escape');
    });
  });

  it('activates without an error', async () => {
    await session.step('errors', async ({ workbench }) => {
      await workbench.statusItem('Casebook').waitFor();
      const errors = (await session.extensionLog()).filter((line) => /error/i.test(line) && /casebook/i.test(line));
      expect(errors).toEqual([]);
    });
  });
});

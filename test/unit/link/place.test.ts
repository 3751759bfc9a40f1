import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { linkTable } from './harness.ts';

it('I08: the place is kept for the next life of the window before anybody can find it', async () => {
  const home = await mkdtemp(join(tmpdir(), 'casebook-place-'));
  const locks = (): Promise<string[]> => readdir(join(home, '.claude', 'ide')).then((names) => names.filter((name) => name.endsWith('.lock')), () => []);
  const kept: { port: number; token: string; found: string[] }[] = [];
  const { link } = await linkTable({ 'a.txt': 'one\n' }, { home, env: { TMPDIR: home }, keep: async (place) => void kept.push({ ...place, found: await locks() }) });
  expect(kept).toEqual([{ port: link.port, token: link.token, found: [] }]);
  expect(await locks()).toEqual([`${link.port}.lock`]);
  await link.close('shutdown');
  await rm(home, { recursive: true, force: true });
});

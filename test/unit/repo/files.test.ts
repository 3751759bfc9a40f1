import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ensurePrivateFolder } from '../../../extension/core/base/files.ts';
import { tempFolder } from './helpers.ts';

describe('a private folder', () => {
  it('is made with its parents, also by several at once, and narrowed when it is there', async () => {
    const folder = tempFolder();
    const deep = join(folder, 'a/b/c');
    await Promise.all([1, 2, 3].map(() => ensurePrivateFolder(deep)));
    expect([folder, join(folder, 'a'), deep].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(['700', '700', '700']);
    mkdirSync(join(folder, 'wide'), { mode: 0o755 });
    await ensurePrivateFolder(join(folder, 'wide'));
    expect(statSync(join(folder, 'wide')).mode & 0o777).toBe(0o700);
  });

  it('fails where no folder can be made, and does not try for ever', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), '');
    await expect(ensurePrivateFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(ensurePrivateFolder(join(folder, 'file/below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    if (process.platform === 'linux') await expect(ensurePrivateFolder('/proc/nope/deeper')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findLinkPlace } from '../../../extension/core/link/paths.ts';
import type { Root } from '../../../extension/core/repo/roots.ts';

let all: string;
let roots: Root[];
beforeEach(async () => {
  all = await realpath(await mkdtemp(join(tmpdir(), 'casebook-places-')));
  for (const folder of ['a/src', 'b/src', 'a-secret', 'outside']) await mkdir(join(all, folder), { recursive: true });
  for (const file of ['a/src/only.ts', 'a/src/both.ts', 'b/src/both.ts', 'a-secret/x.ts', 'outside/x.ts']) await writeFile(join(all, file), file);
  roots = ['a', 'b'].map((name) => ({ name, path: join(all, name) }));
});
const find = async (input: string): Promise<string> => {
  const { root, path, exists } = await findLinkPlace(roots, input);
  return `${root.name}/${path}${exists ? '' : ' (new)'}`;
};

describe('I11: a relative path in a workspace of several folders', () => {
  it('is the file of the only folder that has it', async () => {
    expect(await find('src/only.ts')).toBe('a/src/only.ts');
    expect(await find('b/src/both.ts')).toBe('b/src/both.ts');
  });
  it('is never guessed where several have it, or a new file could be in several', async () => {
    await expect(find('src/both.ts')).rejects.toMatchObject({ reason: 'ambiguous', message: expect.stringContaining('a/src/both.ts or b/src/both.ts') as string });
    await expect(find('src/new.ts')).rejects.toMatchObject({ reason: 'ambiguous' });
  });
});

describe('I13: a folder reached through a link', () => {
  it('is the folder that it leads to, also for a file that is not there yet', async () => {
    await symlink(join(all, 'a'), join(all, 'linked'));
    expect(await find(join(all, 'linked/src/only.ts'))).toBe('a/src/only.ts');
    expect(await find(join(all, 'linked/new/x.ts'))).toBe('a/new/x.ts (new)');
  });
});

describe('I39: a path that leads out of the workspace', () => {
  it('is refused with what was compared, however it leads out', async () => {
    await symlink(join(all, 'outside'), join(all, 'a', 'way-out'));
    for (const path of ['../outside/x.ts', join(all, 'a/../outside/x.ts'), join(all, 'a-secret/x.ts'), 'a/way-out/x.ts', join(all, 'a/way-out/new.ts'), '/etc/passwd', `file://${all}/outside/x.ts`, join(all, 'a')]) {
      await expect(find(path), path).rejects.toMatchObject({ reason: 'outside', message: expect.stringContaining(join(all, 'a')) as string });
    }
  });
  it('holds no NUL and is not empty', async () => {
    for (const path of ['', 'a\0b']) await expect(find(path)).rejects.toMatchObject({ reason: 'bad_path' });
  });
});

describe('a file URI', () => {
  it('is understood raw and percent-encoded', async () => {
    const name = 'a b é#100%.ts';
    await writeFile(join(all, 'a', name), '');
    expect(await find(`file://${all}/a/${name}`)).toBe(`a/${name}`);
    expect(await find(`file://${all}/a/${encodeURIComponent(name)}`)).toBe(`a/${name}`);
    expect(await find(`file://localhost${all}/a/a%20new.ts`)).toBe('a/a new.ts (new)');
  });
  it('that is spelled like a file that is there means that file', async () => {
    await writeFile(join(all, 'a', 'x%20y.ts'), '');
    expect(await find(`file://${all}/a/x%20y.ts`)).toBe('a/x%20y.ts');
  });
  it('finds a name in the other Unicode form', async () => {
    await writeFile(join(all, 'a', 'caf\u0065\u0301.ts'), '');
    expect(await find('a/caf\u00e9.ts')).toBe('a/caf\u0065\u0301.ts');
  });
});

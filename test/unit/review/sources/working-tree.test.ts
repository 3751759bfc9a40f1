import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workingTreeProposal } from '../../../../extension/core/review/sources/working-tree.ts';
import { canary, never, repository, tempFolder, userGit, write } from '../../repo/helpers.ts';
import { rejectAll, sceneOf, told } from './scene.ts';

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index}\n`).join('');

describe('the working tree as a change set', () => {
  it('holds every kind of change with exact bytes, and rejecting all of it gives the revision back', async () => {
    const folder = repository({ 'a.txt': 'one\ntwo\n', 'gone.txt': 'gone\n', 'old.txt': lines(20), 'run.sh': '#!/bin/sh\n', 'crlf.txt': 'x\r\ny\r\n', 'bin.dat': new Uint8Array([0, 1, 2, 255]), 'deep/latin.txt': Buffer.from('caf\u00e9\n', 'latin1') });
    symlinkSync('a.txt', join(folder, 'link'));
    userGit(folder, 'add', '-A');
    userGit(folder, 'commit', '-qm', 'link');
    write(folder, { 'a.txt': 'one\n2\n', 'new.txt': 'new', 'crlf.txt': 'x\r\nz\r\n', 'bin.dat': new Uint8Array([0, 9]), 'deep/latin.txt': Buffer.from('th\u00e9\n', 'latin1') });
    rmSync(join(folder, 'gone.txt'));
    renameSync(join(folder, 'old.txt'), join(folder, 'moved.txt'));
    write(folder, { 'moved.txt': `${lines(20)}more\n` });
    chmodSync(join(folder, 'run.sh'), 0o755);
    rmSync(join(folder, 'link'));
    symlinkSync('new.txt', join(folder, 'link'));
    const scene = await sceneOf(folder);
    const found = await workingTreeProposal(scene.roots, undefined, scene.deps, never);
    expect(found.left).toEqual([]);
    expect(found.proposal).toMatchObject({ disk: 'applied', origin: { client: 'working-tree', against: 'HEAD' } });
    expect(told(found)).toEqual([
      'modify a.txt: "one\\ntwo\\n" → "one\\n2\\n"',
      'binary bin.dat: "\\u0000\\u0001\\u0002\u00ff" → "\\u0000\\t"',
      'modify crlf.txt: "x\\r\\ny\\r\\n" → "x\\r\\nz\\r\\n"',
      'modify deep/latin.txt: "café\\n" → "thé\\n"',
      'delete gone.txt: "gone\\n" → absent',
      'symlink link: link a.txt → link new.txt',
      expect.stringMatching(/^rename old.txt → moved.txt: /),
      'create new.txt: absent → "new" 644',
      'mode run.sh: "#!/bin/sh\\n" 644 → "#!/bin/sh\\n" 755',
    ]);
    await rejectAll(scene, found);
    expect(userGit(folder, 'status', '--porcelain')).toBe('');
  });

  it('compares with any revision, several roots and a folder inside a repository', async () => {
    const folder = repository({ 'top.txt': 'top\n', 'app/src/a.ts': 'one\n' });
    userGit(folder, 'tag', 'start');
    write(folder, { 'app/src/a.ts': 'two\n', 'top.txt': 'TOP\n' });
    userGit(folder, 'commit', '-qam', 'second');
    write(folder, { 'app/src/b.ts': 'new\n' });
    const other = repository({ 'x.txt': 'x\n' });
    write(other, { 'x.txt': 'y\n' });
    const scene = await sceneOf(join(folder, 'app'), other);
    const found = await workingTreeProposal(scene.roots, 'start', scene.deps, never);
    expect(told(found)).toEqual(['modify src/a.ts: "one\\n" → "two\\n"', 'create src/b.ts: absent → "new\\n" 644']);
    expect(found.left).toEqual([{ root: scene.roots[1]?.name, path: '', why: 'it has no revision start' }]);
    expect(told(await workingTreeProposal(scene.roots, undefined, scene.deps, never))).toEqual(['create src/b.ts: absent → "new\\n" 644', 'modify x.txt: "x\\n" → "y\\n"']);
    await expect(workingTreeProposal(scene.roots, 'never-was', scene.deps, never)).rejects.toMatchObject({ reason: 'no_such_revision' });
    await expect(workingTreeProposal(scene.roots, '--output=/tmp/x', scene.deps, never)).rejects.toMatchObject({ reason: 'no_such_revision' });
  });

  it('takes a repository without a commit for one that begins empty', async () => {
    const folder = tempFolder();
    userGit(folder, 'init', '-q', '-b', 'main');
    write(folder, { 'a.txt': 'a' });
    const scene = await sceneOf(folder);
    expect(told(await workingTreeProposal(scene.roots, undefined, scene.deps, never))).toEqual(['create a.txt: absent → "a" 644']);
  });

  it('gives back the line ends that lie on disk where git stores others', async () => {
    const folder = repository({ '.gitattributes': 'win.txt text eol=crlf\n', 'win.txt': 'one\r\ntwo\r\n' });
    write(folder, { 'win.txt': 'one\r\n2\r\n' });
    const scene = await sceneOf(folder);
    const found = await workingTreeProposal(scene.roots, undefined, scene.deps, never);
    expect(told(found)).toEqual(['modify win.txt: "one\\r\\ntwo\\r\\n" → "one\\r\\n2\\r\\n"']);
    await rejectAll(scene, found);
    expect(readFileSync(join(folder, 'win.txt'), 'latin1')).toBe('one\r\ntwo\r\n');
  });

  it('names what it cannot review, leaves ignored files alone, and runs nothing that the repository brings', async () => {
    const folder = repository({ 'a.txt': 'a\n', '.gitignore': 'ignored\n', '.gitattributes': '*.big filter=big\n', 'x.big': 'pointer\n' });
    const trap = canary(tempFolder(), 'filter');
    userGit(folder, 'config', 'filter.big.smudge', trap.program);
    userGit(folder, 'config', 'filter.big.clean', trap.program);
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    userGit(inner, 'init', '-q', '-b', 'main');
    write(folder, { 'inner/z.txt': 'z', 'ignored': 'i', 'x.big': 'other content\n' });
    writeFileSync(join(folder, 'huge.bin'), 'x');
    truncateSync(join(folder, 'huge.bin'), 33 * 1024 * 1024);
    const scene = await sceneOf(folder, tempFolder());
    const found = await workingTreeProposal(scene.roots, undefined, scene.deps, never);
    expect(found.proposal).toBeUndefined();
    expect(found.left.map(({ path, why }) => `${path}: ${why}`)).toEqual([
      'x.big: behind a content filter (such as git-lfs): git holds other bytes than the disk',
      'inner: a repository of its own inside this one; open it as a folder to review it',
      'huge.bin: larger than 32 MiB',
      ': there is no git here to compare with; a checkpoint shows what changes from now on',
    ]);
    expect(() => readFileSync(trap.mark)).toThrow();
  });

  it('names files whose names are not UTF-8: changed, new, deleted, or different from the revision', async () => {
    const folder = repository({ 'a.txt': 'a\n' });
    const named = (start: string): Buffer => Buffer.concat([Buffer.from(`${folder}/${start}`), Buffer.from([0xff]), Buffer.from('.txt')]);
    for (const start of ['bad', 'gone', 'staged', 'both']) writeFileSync(named(start), 'one\n');
    userGit(folder, 'add', '-A');
    userGit(folder, 'commit', '-qm', 'names');
    for (const start of ['staged', 'both']) writeFileSync(named(start), 'two\n');
    userGit(folder, 'add', '-A');
    for (const start of ['bad', 'new', 'both']) writeFileSync(named(start), 'three\n');
    rmSync(named('gone'));
    write(folder, { 'real\uFFFD.txt': 'a name that is so\n' });
    const scene = await sceneOf(folder);
    const found = await workingTreeProposal(scene.roots, undefined, scene.deps, never);
    expect(told(found)).toEqual(['create real\uFFFD.txt: absent → "a name that is so\\n" 644']);
    expect(found.left.map(({ path, why }) => `${path}: ${why}`).toSorted()).toEqual(['bad', 'both', 'gone', 'new', 'staged'].map((start) => `${start}\uFFFD.txt: its name is not UTF-8`));
  });

  it('reads what differs and nothing else', async () => {
    const folder = repository(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}.txt`, `${index}\n`])));
    write(folder, { 'f7.txt': 'changed\n' });
    const scene = await sceneOf(folder);
    let hashed = 0;
    const deps = { ...scene.deps, count: (_what: 'hashed', by: number) => void (hashed += by) };
    expect(told(await workingTreeProposal(scene.roots, undefined, deps, never))).toHaveLength(1);
    expect(hashed).toBe(1);
  });
});

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FakeClock, systemClock } from '../../../extension/core/base/clock.ts';
import { nameRoots } from '../../../extension/core/repo/roots.ts';
import { SnapshotReader } from '../../../extension/core/repo/snapshot-reader.ts';
import { takeSnapshot } from '../../../extension/core/repo/snapshot.ts';
import { withoutUserInfo } from '../../../extension/core/repo/checkout.ts';
import { canary, never, repository, safeGit, tempFolder, userGit, write } from './helpers.ts';

function everyByte(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(folder, name);
    const stats = lstatSync(path);
    // Git itself freshens the time of a shared index whenever it reads one.
    const time = name.includes('sharedindex') ? '' : stats.mtimeMs;
    found[name] = stats.isFile() ? `${time} ${createHash('sha256').update(readFileSync(path)).digest('hex')}` : stats.isDirectory() ? `dir` : 'other';
  }
  return found;
}

async function take(folders: string[], state = tempFolder()) {
  let hashed = 0;
  const git = safeGit();
  const snapshot = await takeSnapshot(await nameRoots(folders), { git, folder: state, clock: systemClock, count: (_what, by) => { hashed += by; } }, never);
  const reader = new SnapshotReader(snapshot, { git, folder: state });
  const read = async (path: string): Promise<string | undefined> => {
    const bytes = await reader.read(path);
    return bytes && new TextDecoder().decode(bytes);
  };
  return { snapshot, reader, read, hashed: () => hashed, state, root: snapshot.roots[0]! };
}

describe('a snapshot of a repository', () => {
  it('holds tracked, changed, staged and untracked files, not ignored or deleted ones', async () => {
    const folder = repository({ 'same.txt': 'same\n', 'dirty.txt': 'old\n', 'gone.txt': 'gone\n', '.gitignore': 'secret/\n', 'dir/deep.txt': 'deep\n' });
    write(folder, { 'dirty.txt': 'new\n', 'staged.txt': 'staged\n', 'ünter wegs.txt': 'un\n', 'secret/x': 'x' });
    userGit(folder, 'add', 'staged.txt');
    rmSync(join(folder, 'gone.txt'));
    const { root, read, reader } = await take([folder]);
    const name = root.name;
    expect(await reader.list(name)).toEqual(['.gitignore', 'dir/deep.txt', 'dirty.txt', 'same.txt', 'staged.txt', 'ünter wegs.txt']);
    expect(await read(`${name}/dirty.txt`)).toBe('new\n');
    expect(await read(`${name}/same.txt`)).toBe('same\n');
    expect(await read(`${name}/ünter wegs.txt`)).toBe('un\n');
    expect(await read(`${name}/gone.txt`)).toBeUndefined();
    expect(root).toMatchObject({ kind: 'git', branch: 'main', dirtyCount: 4, dirty: ['dirty.txt', 'gone.txt', 'staged.txt', 'ünter wegs.txt'] });
  });

  it('stays readable after the files changed', async () => {
    const folder = repository({ 'a.txt': 'one\n' });
    write(folder, { 'a.txt': 'two\n', 'b.txt': 'untracked\n' });
    const { root, read } = await take([folder]);
    write(folder, { 'a.txt': 'three\n' });
    rmSync(join(folder, 'b.txt'));
    expect([await read(`${root.name}/a.txt`), await read(`${root.name}/b.txt`)]).toEqual(['two\n', 'untracked\n']);
  });

  it('leaves every byte and time of the repository as it was', async () => {
    const folder = repository({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    userGit(folder, 'config', 'core.splitIndex', 'true');
    userGit(folder, 'update-index', '--split-index');
    write(folder, { 'a.txt': 'ONE\n', 'new.txt': 'new\n' });
    const before = everyByte(folder);
    await take([folder]);
    expect(everyByte(folder)).toEqual(before);
  });

  it('sees a change of the same size made in the same instant as the index', async () => {
    const folder = repository({ 'a.txt': 'one\n' });
    userGit(folder, 'reset', '-q', '--hard');
    write(folder, { 'a.txt': 'two\n' });
    const { root, read } = await take([folder]);
    expect(await read(`${root.name}/a.txt`)).toBe('two\n');
  });

  it('hashes only what changed', async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}.txt`, `${index}\n`]));
    const folder = repository(many);
    write(folder, { 'f7.txt': 'changed seven\n', 'untracked.txt': 'u' });
    const { hashed } = await take([folder]);
    expect(hashed()).toBe(2);
  });

  it('runs no filter, and keeps filtered files as they lie on disk', async () => {
    const { program, mark } = canary(tempFolder(), 'clean');
    const folder = repository({ 'a.txt': 'plain text\n', '.gitattributes': '*.txt filter=evil\n' });
    userGit(folder, 'config', 'filter.evil.clean', program);
    write(folder, { 'a.txt': 'PLAIN TEXT\n', 'b.txt': 'new\n' });
    const { root, read } = await take([folder]);
    expect(await read(`${root.name}/a.txt`)).toBe('PLAIN TEXT\n');
    expect(await read(`${root.name}/b.txt`)).toBe('new\n');
    expect(existsSync(mark)).toBe(false);
  });

  it('works for a subfolder, a worktree, a fresh repository and an unmerged file', async () => {
    const folder = repository({ 'top.txt': 'top\n', 'pkg/in.txt': 'in\n' });
    write(folder, { 'pkg/new.txt': 'new\n', 'outside.txt': 'out\n' });
    const sub = await take([join(folder, 'pkg')]);
    expect(await sub.reader.list('pkg')).toEqual(['in.txt', 'new.txt']);
    expect(sub.root).toMatchObject({ kind: 'git', dirty: ['new.txt'], dirtyCount: 1 });
    const linked = join(tempFolder(), 'linked');
    userGit(folder, 'worktree', 'add', '-q', '-b', 'side', linked);
    const side = await take([linked]);
    expect(side.root.branch).toBe('side');
    expect(await side.read('linked/top.txt')).toBe('top\n');
    const fresh = tempFolder();
    userGit(fresh, 'init', '-q');
    write(fresh, { 'a b.txt': 'x\n' });
    const start = await take([fresh]);
    expect(start.root.commit).toBeUndefined();
    expect(await start.read(`${start.root.name}/a b.txt`)).toBe('x\n');
    write(linked, { 'top.txt': 'side\n' });
    userGit(linked, 'commit', '-qam', 'side');
    write(folder, { 'top.txt': 'main\n' });
    userGit(folder, 'commit', '-qam', 'main');
    expect(() => userGit(folder, 'merge', 'side')).toThrow();
    const merging = await take([folder]);
    expect(await merging.read(`${merging.root.name}/top.txt`)).toContain('<<<<<<<');
  });

  it('notes submodules and inner repositories without reading them, and follows links inside the root only', async () => {
    const inner = repository({ 'x.txt': 'x\n' });
    const folder = repository({ 'real/a.txt': 'a\n' });
    userGit(folder, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'sub');
    mkdirSync(join(folder, 'nested'));
    userGit(join(folder, 'nested'), 'init', '-q');
    write(folder, { 'nested/y.txt': 'y\n' });
    symlinkSync('real', join(folder, 'link'));
    symlinkSync('/etc', join(folder, 'etc'));
    symlinkSync('../..', join(folder, 'real/up'));
    symlinkSync('round', join(folder, 'round'));
    const { root, read, reader } = await take([folder]);
    expect(root.nested).toEqual([{ path: 'sub', kind: 'submodule' }, { path: 'nested', kind: 'repository' }]);
    expect(await read(`${root.name}/link/a.txt`)).toBe('a\n');
    expect(await reader.resolve(`${root.name}/etc/passwd`)).toMatchObject({ ok: false, why: 'a link leads out of the root' });
    expect(await reader.resolve(`${root.name}/real/up/x`)).toMatchObject({ ok: false, why: 'a link leads out of the root' });
    expect(await reader.resolve(`${root.name}/round`)).toMatchObject({ ok: false });
    expect(await read(`${root.name}/nested/y.txt`)).toBeUndefined();
  });

  it('does not believe a repository that claims a working tree elsewhere', async () => {
    const victim = tempFolder();
    write(victim, { 'private.txt': 'private\n' });
    const folder = repository({ 'a.txt': 'one\n' });
    userGit(folder, 'config', 'core.worktree', victim);
    const { root, reader } = await take([folder]);
    expect(root.kind).toBe('plain');
    expect(await reader.list(root.name)).toEqual(['a.txt']);
  });

  it('tells how the checkout stands to its upstream, as last fetched', async () => {
    const origin = repository({ 'a.txt': 'one\n' });
    const folder = join(tempFolder(), 'clone');
    userGit(tempFolder(), 'clone', '-q', origin, folder);
    write(origin, { 'a.txt': 'two\n' });
    userGit(origin, 'commit', '-qam', 'second');
    userGit(folder, 'remote', 'set-url', 'origin', origin);
    expect((await take([folder])).root).toMatchObject({ behind: 0, upstream: 'origin/main' });
    userGit(folder, 'fetch', '-q');
    userGit(folder, 'remote', 'set-url', 'origin', 'https://user:token@forge.test/x/y.git?key=1');
    write(folder, { 'mine.txt': 'm\n' });
    userGit(folder, 'add', '-A');
    userGit(folder, 'commit', '-qm', 'mine');
    const { root } = await take([folder]);
    expect(root).toMatchObject({ behind: 1, ahead: 1, remote: 'https://forge.test/x/y.git', dirtyCount: 0 });
    expect(Date.parse(root.lastFetch ?? '')).toBeCloseTo(statSync(join(folder, '.git/FETCH_HEAD')).mtimeMs, -1);
  });
});

describe('a snapshot without git', () => {
  it('keeps small files, and gives others only while they are the same', async () => {
    const folder = tempFolder();
    const big = 'x'.repeat(300 * 1024);
    write(folder, { 'a.txt': 'one\n', 'big.txt': big, 'node_modules/m.js': 'm' });
    const { root, read, reader } = await take([folder]);
    expect(root).toMatchObject({ kind: 'plain', dirtyCount: 0 });
    expect(await reader.list(root.name)).toEqual(['a.txt', 'big.txt']);
    expect(await read(`${root.name}/big.txt`)).toBe(big);
    write(folder, { 'a.txt': 'two\n', 'big.txt': `${big}!` });
    expect(await read(`${root.name}/a.txt`)).toBe('one\n');
    const again = new SnapshotReader((await take([folder])).snapshot, { git: safeGit(), folder: tempFolder() });
    expect(await again.read(`${root.name}/a.txt`)).toBeUndefined();
  });

  it('reads an unchanged folder once', async () => {
    const folder = tempFolder();
    write(folder, { 'a.txt': 'one\n', 'b.txt': 'two\n' });
    const state = tempFolder();
    const roots = await nameRoots([folder]);
    const clock = new FakeClock(Date.now() + 60_000);
    let hashed = 0;
    const deps = { git: safeGit(), folder: state, clock, count: (_what: 'hashed', by: number) => { hashed += by; } };
    const first = await takeSnapshot(roots, deps, never);
    expect(hashed).toBe(2);
    const second = await takeSnapshot(roots, deps, never);
    expect(hashed).toBe(2);
    expect(second.roots[0]?.listing).toBe(first.roots[0]?.listing);
    write(folder, { 'b.txt': 'TWO\n' });
    const third = await takeSnapshot(roots, deps, never);
    expect(hashed).toBe(3);
    expect(third.roots[0]?.listing).not.toBe(first.roots[0]?.listing);
  });
});

describe('names of roots', () => {
  it('are unique and fit into a path', async () => {
    const base = tempFolder();
    for (const path of ['a/api', 'b/api', 'c/my app', 'c/My-App']) mkdirSync(join(base, path), { recursive: true });
    symlinkSync(join(base, 'a/api'), join(base, 'again'));
    const names = (await nameRoots([join(base, 'a/api'), join(base, 'b/api'), join(base, 'c/my app'), join(base, 'c/My-App'), join(base, 'again')])).map((root) => root.name);
    expect(names).toEqual(['a-api', 'b-api', 'c-my-app', 'c-My-App-2']);
  });
});

describe('a remote', () => {
  it.each([
    ['https://u:p@h.test/a/b.git', 'https://h.test/a/b.git'],
    ['https://u:p@x@h.test:8443/a@b', 'https://h.test:8443/a@b'],
    ['ssh://git@h.test/a', 'ssh://h.test/a'],
    ['git@h.test:a/b.git', 'h.test:a/b.git'],
    ['/srv/a@b:c.git', '/srv/a@b:c.git'],
    ['https://h.test/a?token=1#x', 'https://h.test/a'],
  ])('%s is shown as %s', (url, shown) => {
    expect(withoutUserInfo(url)).toBe(shown);
  });
});

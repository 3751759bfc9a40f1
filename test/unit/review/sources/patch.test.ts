import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Gathered } from '../../../../extension/core/review/sources/gathered.ts';
import { patchProposal } from '../../../../extension/core/review/sources/patch.ts';
import { never, repository, tempFolder, userEnvironment, userGit, write } from '../../repo/helpers.ts';
import { execFileSync } from 'node:child_process';
import { acceptAll, type Scene, sceneOf, told } from './scene.ts';

const numbered = (count: number, change: Record<number, string> = {}): string => Array.from({ length: count }, (_, index) => `${change[index + 1] ?? `line ${index + 1}`}\n`).join('');

const propose = (scene: Scene, patch: string | Uint8Array): Promise<Gathered> => patchProposal({ bytes: typeof patch === 'string' ? Buffer.from(patch) : patch, name: 'x.patch' }, scene.roots, scene.deps, never);

/** The bytes of a git command's output. */
const gitBytes = (folder: string, ...args: string[]): Uint8Array => execFileSync('git', args, { cwd: folder, env: userEnvironment(), maxBuffer: 1e8 });

describe('a patch as a change set', () => {
  it('carries whatever git writes into a patch: the tree afterwards is the one the patch was made of', async () => {
    const noise = Uint8Array.from({ length: 5000 }, (_, index) => (index * 7919) % 251);
    const folder = repository({ 'a.txt': numbered(30), 'crlf.txt': 'x\r\ny\r\nz', 'latin.txt': Buffer.from('caf\u00e9\nth\u00e9\n', 'latin1'), 'bin.dat': noise, 'gone.bin': new Uint8Array([0, 1]), 'gone.txt': 'g\n', 'from.txt': numbered(12), 'run.sh': '#!/bin/sh\n', 'ünter wegs/"q" t.txt': 'q\n', 'empty.txt': '' });
    symlinkSync('a.txt', join(folder, 'link'));
    userGit(folder, 'add', '-A');
    userGit(folder, 'commit', '-qm', 'base');
    const grown = Buffer.concat([noise.subarray(0, 3000), Buffer.from([0, 1, 2]), noise.subarray(3000)]);
    write(folder, { 'a.txt': numbered(30, { 2: 'two', 29: 'twenty-nine' }), 'crlf.txt': 'x\r\nY\r\nz\r\n', 'latin.txt': Buffer.from('caf\u00e9\nTH\u00c9\n', 'latin1'), 'bin.dat': grown, 'new.bin': new Uint8Array([0, 255, 3]), 'dir/new.txt': 'no end', 'ünter wegs/"q" t.txt': 'Q\n', 'empty2.txt': '', 'empty.txt': 'filled\n' });
    for (const gone of ['gone.bin', 'gone.txt', 'link']) rmSync(join(folder, gone));
    symlinkSync('run.sh', join(folder, 'link'));
    renameSync(join(folder, 'from.txt'), join(folder, 'to b.txt'));
    write(folder, { 'to b.txt': numbered(12, { 7: 'seven' }) });
    chmodSync(join(folder, 'run.sh'), 0o755);
    userGit(folder, 'add', '-A');
    const patch = gitBytes(folder, 'diff', '--cached', '--binary', '-M');
    userGit(folder, 'commit', '-qm', 'changed');
    userGit(folder, 'checkout', '-q', 'HEAD~1');
    const scene = await sceneOf(folder);
    const found = await propose(scene, patch);
    expect(found.left).toEqual([]);
    expect(found.proposal).toMatchObject({ disk: 'proposed', origin: { client: 'patch', against: 'x.patch' } });
    expect(told(found).find((line) => line.startsWith('rename'))).toMatch(/^rename from.txt → to b.txt/);
    await acceptAll(scene, found);
    userGit(folder, 'add', '-A');
    expect(userGit(folder, 'diff', '--cached', '--stat', 'main')).toBe('');
  });

  it('names hunks that do not apply and takes the others', async () => {
    const folder = repository({ 'a.txt': numbered(60) });
    write(folder, { 'a.txt': numbered(60, { 5: 'five', 30: 'thirty', 55: 'fifty-five' }) });
    const patch = userGit(folder, 'diff');
    write(folder, { 'a.txt': `new first line\n${numbered(60, { 29: 'somebody was here' })}` });
    const scene = await sceneOf(folder);
    const found = await propose(scene, patch);
    expect(found.left).toEqual([{ root: scene.roots[0]?.name, path: 'a.txt', why: 'hunk 2 does not apply (it was made for line 27)' }]);
    await acceptAll(scene, found);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(`new first line\n${numbered(60, { 5: 'five', 29: 'somebody was here', 55: 'fifty-five' })}`);
  });

  it('does not choose between two places that look alike', async () => {
    const folder = repository({ 'a.txt': 'x\nx\nx\nmiddle\nsame\na\nsame\n' });
    const scene = await sceneOf(folder);
    const twice = '--- a/a.txt\n+++ b/a.txt\n@@ -20,1 +20,1 @@\n-x\n+y\n';
    expect((await propose(scene, twice)).left.map(({ why }) => why)).toEqual(['hunk 1 does not apply (it was made for line 20)', 'none of its hunks applies']);
    const insertion = '--- a/a.txt\n+++ b/a.txt\n@@ -2,0 +3,1 @@\n+y\n';
    expect((await propose(scene, insertion)).proposal).toBeUndefined();
  });

  it('reads mails of format-patch, also a series that changes a file twice', async () => {
    const folder = repository({ 'a.txt': numbered(9) });
    write(folder, { 'a.txt': numbered(9, { 2: 'two' }), 'n.txt': 'n\n' });
    userGit(folder, 'add', '-A');
    userGit(folder, 'commit', '-qm', 'second');
    write(folder, { 'a.txt': numbered(9, { 2: 'two', 9: 'nine' }), 'n.txt': 'n\nn\n' });
    userGit(folder, 'commit', '-qam', 'third');
    const mails = userGit(folder, 'format-patch', '--stdout', 'HEAD~2');
    userGit(folder, 'checkout', '-q', 'HEAD~2');
    const scene = await sceneOf(folder);
    const found = await propose(scene, mails);
    expect(found.left).toEqual([]);
    await acceptAll(scene, found);
    userGit(folder, 'add', '-A');
    expect(userGit(folder, 'diff', '--cached', '--stat', 'main')).toBe('');
  });

  it('reads plain unified diffs, without git at all', async () => {
    const folder = tempFolder();
    write(folder, { 'a.txt': 'one\ntwo\n', 'old.txt': 'x\n' });
    const scene = await sceneOf(folder);
    const found = await propose(scene, '--- a.txt.orig\t2026-01-01\n+++ a.txt\t2026-01-02\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n--- old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n--- /dev/null\n+++ n.txt\n@@ -0,0 +1 @@\n+n\n\\ No newline at end of file\n');
    expect(told(found)).toEqual(['modify a.txt: "one\\ntwo\\n" 644 → "one\\n2\\n" 644', 'delete old.txt: "x\\n" 644 → absent', 'create n.txt: absent → "n"']);
  });

  it('finds the one folder that is meant, and asks where several could be', async () => {
    const folder = repository({ 'app/a.txt': 'a\n', 'lib/b.txt': 'b\n' });
    const other = repository({ 'c.txt': 'c\n' });
    write(folder, { 'app/a.txt': 'A\n', 'lib/b.txt': 'B\n' });
    const patch = userGit(folder, 'diff');
    userGit(folder, 'checkout', '-q', '.');
    const scene = await sceneOf(join(folder, 'app'), other);
    const found = await propose(scene, patch);
    expect(told(found)).toEqual(['modify a.txt: "a\\n" 644 → "A\\n" 644']);
    expect(found.left).toEqual([{ root: '', path: 'lib/b.txt', why: 'there is no such file here' }]);
    mkdirSync(join(other, 'd'));
    const both = await sceneOf(other, tempFolder());
    expect((await propose(both, 'diff --git a/n.txt b/n.txt\nnew file mode 100644\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+n\n')).left[0]?.why).toContain('several folders could be meant');
  });

  it('goes nowhere outside of the roots, and takes no binary change on trust', async () => {
    const folder = repository({ 'a.txt': 'a\n', 'b.bin': new Uint8Array([0, 1, 2]) });
    write(folder, { 'b.bin': new Uint8Array([0, 1, 3]) });
    const binary = gitBytes(folder, 'diff', '--binary');
    const textual = gitBytes(folder, 'diff');
    write(folder, { 'b.bin': new Uint8Array([0, 9, 9]) });
    const scene = await sceneOf(folder);
    expect((await propose(scene, binary)).left[0]?.why).toBe('its binary change was made on other content');
    expect((await propose(scene, textual)).left[0]?.why).toBe('a binary change without its content (made without --binary)');
    expect((await propose(scene, '--- /dev/null\n+++ b/../x.txt\n@@ -0,0 +1 @@\n+n\n')).left[0]?.why).toBe('its path leads out of the folders that are open here');
    expect((await propose(scene, '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+n\n')).left[0]?.why).toBe('it would be a new file, but there is one already');
    await expect(propose(scene, 'no patch at all')).rejects.toMatchObject({ reason: 'bad_patch' });
    await expect(propose(scene, '--- a/a.txt\n+++ b/a.txt\n@@ -1,5 +1,5 @@\n-a\n')).rejects.toMatchObject({ reason: 'bad_patch' });
    const half = await propose(scene, 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/z b/z\n--- a/z\n+++ b/z\n@@ -1,9 +1 @@\n-x\n');
    expect([told(half), half.left.map(({ path }) => path)]).toEqual([['modify a.txt: "a\\n" 644 → "b\\n" 644'], ['diff --git a/z b/z']]);
  });
});

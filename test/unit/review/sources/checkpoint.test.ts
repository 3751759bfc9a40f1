import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeSnapshot } from '../../../../extension/core/repo/snapshot.ts';
import { checkpointProposal } from '../../../../extension/core/review/sources/checkpoint.ts';
import type { Gathered, SavedByPerson } from '../../../../extension/core/review/sources/gathered.ts';
import { never, repository, tempFolder, userGit, write } from '../../repo/helpers.ts';
import { treeOf } from '../trees.ts';
import { fileOf, rejectAll, type Scene, sceneOf, told } from './scene.ts';

async function since(scene: Scene, act: () => void, savedByPerson?: SavedByPerson): Promise<Gathered> {
  const snapshot = await takeSnapshot(scene.roots, scene.deps, never);
  act();
  const base = { snapshot, title: 'Since the checkpoint', origin: { client: 'checkpoint', against: 'cp_1' } };
  return checkpointProposal(base, { ...scene.deps, ...(savedByPerson === undefined ? {} : { savedByPerson }) }, never);
}

const content = (folder: string): Promise<Record<string, string>> => treeOf(folder).then((tree) => Object.fromEntries(Object.entries(tree).filter(([path]) => !path.startsWith('.git/'))));

describe('what changed since a checkpoint', () => {
  it("D21: an untracked file with the user's own lines comes back exactly when an agent's rewrite is rejected", async () => {
    const folder = repository({ 'a.txt': 'a\n' });
    write(folder, { 'mine.txt': 'my own\r\nlines', 'a.txt': 'my edit\n' });
    const scene = await sceneOf(folder);
    const before = await content(folder);
    const found = await since(scene, () => {
      rmSync(join(folder, 'mine.txt'));
      write(folder, { 'mine.txt': 'theirs\n', 'a.txt': 'theirs too\n', 'b.txt': 'b' });
    });
    expect(told(found)).toEqual(['modify a.txt: "my edit\\n" → "theirs too\\n"', 'create b.txt: absent → "b" 644', 'modify mine.txt: "my own\\r\\nlines" → "theirs\\n"']);
    await rejectAll(scene, found);
    expect(await content(folder)).toEqual(before);
  });

  it('counts commits, resets, renames and links by what they did to the files', async () => {
    const folder = repository({ 'a.txt': 'one\n', 'b.txt': Array.from({ length: 9 }, (_, index) => `b${index}\n`).join('') });
    write(folder, { 'a.txt': 'my work\n' });
    const scene = await sceneOf(folder);
    const before = await content(folder);
    const found = await since(scene, () => {
      userGit(folder, 'reset', '-q', '--hard');
      renameSync(join(folder, 'b.txt'), join(folder, 'c.txt'));
      symlinkSync('c.txt', join(folder, 'l'));
      userGit(folder, 'add', '-A');
      userGit(folder, 'commit', '-qm', 'theirs');
    });
    expect(told(found)).toEqual(['modify a.txt: "my work\\n" → "one\\n"', expect.stringMatching(/^rename b.txt → c.txt/), 'symlink l: absent → link c.txt']);
    await rejectAll(scene, found);
    expect(await content(folder)).toEqual(before);
  });

  it('gives clean files back with the line ends of the working tree, files that were changed with their own', async () => {
    const folder = repository({ '.gitattributes': '* text eol=crlf\n', 'clean.txt': 'a\r\nb\r\n', 'dirty.txt': 'a\r\nb\r\n' });
    write(folder, { 'dirty.txt': 'a\nmixed\r\n' });
    const scene = await sceneOf(folder);
    const before = await content(folder);
    const found = await since(scene, () => write(folder, { 'clean.txt': 'a\r\n2\r\n', 'dirty.txt': 'x' }));
    expect(told(found)).toEqual(['modify clean.txt: "a\\r\\nb\\r\\n" → "a\\r\\n2\\r\\n"', 'modify dirty.txt: "a\\nmixed\\r\\n" → "x"']);
    await rejectAll(scene, found);
    expect(await content(folder)).toEqual(before);
  });

  it('D34: a file that the user saved meanwhile is told apart', async () => {
    const folder = repository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const scene = await sceneOf(folder);
    const found = await since(scene, () => write(folder, { 'a.txt': 'A\n', 'b.txt': 'B\n' }), (_root, path) => path === 'b.txt');
    expect([fileOf(found, 'a.txt').by, fileOf(found, 'b.txt').by]).toEqual(['origin', 'person']);
  });

  it('never takes a file for new of which the checkpoint knew no content', async () => {
    const folder = repository({ 'a.txt': 'a\n' });
    writeFileSync(join(folder, 'big.bin'), 'x');
    truncateSync(join(folder, 'big.bin'), 33 * 1024 * 1024);
    const scene = await sceneOf(folder);
    const found = await since(scene, () => write(folder, { 'big.bin': 'small now' }));
    expect(found).toEqual({ left: [{ root: scene.roots[0]?.name, path: 'big.bin', why: 'it was too large to be kept when the comparison began' }] });
  });

  it('works without git, with what was small enough to be kept', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'd'));
    write(folder, { 'a.txt': 'one\n', 'd/gone.txt': 'gone', 'move.txt': 'moves', 'large.txt': 'x'.repeat(300 * 1024) });
    symlinkSync('a.txt', join(folder, 'l'));
    const scene = await sceneOf(folder);
    const before = await content(folder);
    const found = await since(scene, () => {
      write(folder, { 'a.txt': 'two\n', 'new.txt': 'new' });
      rmSync(join(folder, 'd/gone.txt'));
      renameSync(join(folder, 'move.txt'), join(folder, 'moved.txt'));
      rmSync(join(folder, 'l'));
    });
    expect(told(found)).toEqual(['modify a.txt: "one\\n" → "two\\n"', 'delete d/gone.txt: "gone" → absent', 'delete l: link a.txt → absent'.replace('delete', 'symlink'), 'rename move.txt → moved.txt: "moves" → "moves"', 'create new.txt: absent → "new"']);
    await rejectAll(scene, found);
    expect(await content(folder)).toEqual(before);
    expect((await since(scene, () => write(folder, { 'large.txt': 'small' }))).left).toEqual([{ root: scene.roots[0]?.name, path: 'large.txt', why: 'its earlier content was too large to be kept' }]);
    expect(readFileSync(join(folder, 'large.txt'), 'utf8')).toBe('small');
  });

  it('is nothing when nothing changed', async () => {
    const folder = repository({ 'a.txt': 'a\n' });
    write(folder, { 'b.txt': 'untracked' });
    const scene = await sceneOf(folder, tempFolder());
    expect(await since(scene, () => undefined)).toEqual({ left: [] });
  });
});

import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { watchTree } from '../../../extension/core/evidence/tree-guard.ts';
import { never, repository, safeGit, tempFolder, userGit, write } from '../repo/helpers.ts';

async function changesDuring(folder: string, act: () => void): Promise<string[]> {
  const watch = await watchTree([{ name: 'r', path: folder }], { git: safeGit() }, never);
  act();
  return (await watch.changes(never)).map(({ root, path, change }) => `${change} ${root}/${path}`);
}

describe('what changed in the tree during a run', () => {
  it('is told file by file, earlier changes of the user left aside', async () => {
    const folder = repository({ 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': 'three\n', 'd.txt': 'four\n', 'mine.txt': 'x\n' });
    write(folder, { 'mine.txt': 'my own change\n', 'notes.txt': 'my notes\n', 'both.txt': 'mine\n' });
    const changes = await changesDuring(folder, () => {
      write(folder, { 'a.txt': 'ONE\n', 'new/deep.txt': 'new\n', 'both.txt': 'theirs\n' });
      rmSync(join(folder, 'b.txt'));
      rmSync(join(folder, 'notes.txt'));
      chmodSync(join(folder, 'd.txt'), 0o755);
    });
    expect(changes).toEqual(['modified r/a.txt', 'deleted r/b.txt', 'modified r/both.txt', 'modified r/d.txt', 'added r/new/deep.txt', 'deleted r/notes.txt']);
  });

  it('is nothing when nothing was changed', async () => {
    const folder = repository({ 'a.txt': 'one\n' });
    write(folder, { 'a.txt': 'dirty\n', 'b.txt': 'untracked\n' });
    expect(await changesDuring(folder, () => {})).toEqual([]);
    expect(await changesDuring(folder, () => { userGit(folder, 'add', '-A'); userGit(folder, 'commit', '-qm', 'same bytes'); })).toEqual([]);
  });

  it('shows a reset, a stash and commits that change files', async () => {
    const folder = repository({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    write(folder, { 'a.txt': 'my work\n' });
    expect(await changesDuring(folder, () => { userGit(folder, 'reset', '-q', '--hard'); })).toEqual(['modified r/a.txt']);
    write(folder, { 'a.txt': 'my work\n' });
    expect(await changesDuring(folder, () => { userGit(folder, 'stash', '-q'); })).toEqual(['modified r/a.txt']);
    expect(await changesDuring(folder, () => {
      write(folder, { 'new.txt': 'new\n', 'b.txt': 'TWO\n' });
      userGit(folder, 'add', '-A');
      userGit(folder, 'commit', '-qm', 'theirs');
    })).toEqual(['modified r/b.txt', 'added r/new.txt']);
  });

  it('works without git', async () => {
    const folder = tempFolder();
    write(folder, { 'a.txt': 'one\n', 'b.txt': 'two\n' });
    expect(await changesDuring(folder, () => { write(folder, { 'a.txt': 'changed\n', 'n.txt': 'n' }); rmSync(join(folder, 'b.txt')); })).toEqual(['modified r/a.txt', 'deleted r/b.txt', 'added r/n.txt']);
  });
});

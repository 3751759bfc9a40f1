import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canary, tempFolder, userGit, write } from '../../unit/repo/helpers.ts';
import { workspace, type Workspace } from './harness.ts';

const numbered = (count: number, change: Record<number, string> = {}): string => Array.from({ length: count }, (_, index) => `${change[index + 1] ?? `line ${index + 1}`}\n`).join('');
const threeChanges = { 3: 'three', 15: 'fifteen', 27: 'twenty-seven' };

async function withSet(): Promise<Workspace & { set: string; text: () => string }> {
  const place = workspace({ 'a.txt': numbered(30) });
  write(place.folder, { 'a.txt': numbered(30, threeChanges) });
  const { set } = await place.json('working-tree');
  return { ...place, set: String(set), text: () => readFileSync(join(place.folder, 'a.txt'), 'utf8') };
}

describe('the terminal surface', () => {
  it('takes y, n and e hunk by hunk; an edit decides nothing, and the editor gets the lines', async () => {
    const { at, set, text } = await withSet();
    let edited = '';
    const editor = async (_command: string, args: readonly string[]): Promise<number> => {
      edited = readFileSync(args.at(-1)!, 'utf8');
      writeFileSync(args.at(-1)!, 'my words\n');
      return 0;
    };
    const done = await at({ keys: 'yney', run: editor }, {}, 'open', set);
    expect([edited, text()]).toEqual(['twenty-seven\n', numbered(30, { 3: 'three', 27: 'my words' })]);
    expect(done.shown.match(/Accept this hunk/gu)).toHaveLength(4);
    expect(done).toMatchObject({ code: 1, out: `${set}: rejected (partly accepted); terminal\n` });
  });

  it('goes back, leaves undecided, explains itself, splits, and loses nothing when left', async () => {
    const { at, json, set, text } = await withSet();
    const left = await at({ keys: 'jy?knq' }, {}, 'open', set, '--json');
    expect(left.shown).toContain('k  go back to the one before');
    expect(JSON.parse(left.out)).toEqual({ verdict: null, reviewed: true, surface: 'terminal', set });
    const { hunks } = (await json('show', set)) as unknown as { hunks: { hunks: { decision?: string }[] }[] };
    expect(hunks[0]!.hunks.map(({ decision }) => decision)).toEqual([undefined, 'reject', undefined]);
    expect(text()).toBe(numbered(30, threeChanges));
    await at({ keys: 'a' }, {}, 'open', set);
    expect(text()).toBe(numbered(30, { 3: 'three', 27: 'twenty-seven' }));
  });

  it('says that the editor failed; nothing is changed by it', async () => {
    const { at, set } = await withSet();
    expect((await at({ keys: 'eq', run: async () => 1 }, {}, 'open', set)).shown).toContain('The editor ended with code 1; nothing was changed.');
    expect((await at({ keys: 'eq' }, { EDITOR: 'nowhere' }, 'open', set)).shown).toContain('The editor nowhere could not be started; nothing was changed.');
  });

  it('shows a set anew that was re-based while it was on the screen; the answer to what was there before is not taken', async () => {
    const { folder, home, at, review, json } = workspace({ 'a.txt': numbered(30) });
    write(folder, { 'a.txt': numbered(30, threeChanges) });
    writeFileSync(join(home, 'x.patch'), userGit(folder, 'diff'));
    write(folder, { 'a.txt': numbered(30) });
    const set = /set_\w+/u.exec((await review('patch', join(home, 'x.patch'))).out)?.[0] ?? '';
    const keys = ['y', 'y', 'y', 'q'];
    const key = async (): Promise<string | undefined> => {
      // Somebody saves the file while the last question is on the screen.
      if (keys.length === 2) write(folder, { 'a.txt': numbered(30, { 3: 'mine' }) });
      return keys.shift();
    };
    const { shown } = await at({ keys: '', key }, { NO_COLOR: '1' }, 'open', set);
    expect(shown).toContain('The files have changed meanwhile; this is the set as it is now.');
    expect(shown.split('this is the set as it is now.')[1]).toContain('-mine\n+three\n');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(numbered(30, { 3: 'mine' }));
    expect(await json('show', set)).toMatchObject({ status: 'pending', revision: 1 });
  });

  it('splits a hunk and decides its parts', async () => {
    const { folder, json, at } = workspace({ 'a.txt': 'one\ntwo\nthree\n' });
    write(folder, { 'a.txt': 'ONE\nTWO\nTHREE\n' });
    const { set } = await json('working-tree');
    const done = await at({ keys: 'synssy' }, {}, 'open', String(set));
    expect(done.shown).toContain('This hunk has no smaller parts.');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('ONE\ntwo\nTHREE\n');
  });

  it('colours only where it is wanted, and says the same with signs', async () => {
    const { at, set } = await withSet();
    const escape = String.fromCharCode(27);
    const coloured = (await at({ keys: 'q' }, {}, 'open', set)).shown;
    const plain = (await at({ keys: 'q' }, { NO_COLOR: '1' }, 'open', set)).shown;
    expect(coloured).toContain(`${escape}[31m-line 3${escape}[0m`);
    expect(plain).not.toContain(escape);
    expect(plain).toContain('-line 3\n+three\n');
  });

  it('answers who has only {path, new_text}: accept writes, reject and leaving do not', async () => {
    const { folder, home, at, json, review } = workspace({ 'a.txt': 'a\n' });
    writeFileSync(join(home, 'new.txt'), 'A\n');
    const open = ['open', '--path', 'a.txt', '--new', join(home, 'new.txt'), '--json'];
    const verdict = async (keys: string): Promise<unknown> => (JSON.parse((await at({ keys }, {}, ...open)).out) as { verdict: unknown }).verdict;
    expect(await verdict('q')).toBeNull();
    expect(await json('list')).toMatchObject({ pending: [{ status: 'pending' }] });
    expect(await verdict('n')).toBe('reject');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('a\n');
    const accepted = await at({ keys: 'y' }, {}, ...open);
    expect([accepted.code, JSON.parse(accepted.out)]).toMatchObject([0, { verdict: 'accept', reviewed: true, surface: 'terminal', outcome: 'accepted' }]);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('A\n');
    expect(await review(...open)).toMatchObject({ code: 0 });
  });

  it('a diff program only shows: it yields no verdict; where there is none, nothing is claimed', async () => {
    const { folder, home, json, at, set } = await withSet();
    expect(JSON.parse((await at({ keys: 'q' }, {}, 'open', set, '--json')).out)).toMatchObject({ surface: 'terminal' });
    const none = await json('open', set);
    expect(none).toEqual({ verdict: null, reviewed: false, surface: 'none', set });
    // What a repository names as its diff program is not started.
    const trap = canary(tempFolder(), 'difftool');
    userGit(folder, 'config', 'diff.tool', 'evil');
    userGit(folder, 'config', 'difftool.evil.cmd', trap.program);
    expect(await json('open', set)).toMatchObject({ surface: 'none' });
    expect(() => readFileSync(trap.mark)).toThrow();
    const viewer = join(home, 'viewer.sh');
    writeFileSync(viewer, `#!/bin/sh\ncat "$1" "$2" > '${home}/seen'\nexit 1\n`);
    chmodSync(viewer, 0o755);
    writeFileSync(join(home, '.gitconfig'), `[diff]\n\ttool = mine\n[difftool "mine"]\n\tcmd = ${viewer} \\"$LOCAL\\" \\"$REMOTE\\"\n`);
    expect(await json('open', set)).toEqual({ verdict: null, reviewed: true, surface: 'difftool', set });
    expect(readFileSync(join(home, 'seen'), 'utf8')).toBe(numbered(30) + numbered(30, threeChanges));
    expect(await json('list')).toMatchObject({ pending: [{ set }] });
  });

  it('opens what differs from a revision, only the paths that are asked for', async () => {
    const { folder, at } = workspace({ 'a.txt': 'a\n', 'd/b.txt': 'b\n', 'd/c.txt': 'c\n' });
    write(folder, { 'a.txt': 'A\n', 'd/b.txt': 'B\n', 'd/c.txt': 'C\n' });
    const done = await at({ keys: 'yy' }, {}, 'open', '--base', 'HEAD', 'd', '--json');
    expect(JSON.parse(done.out)).toMatchObject({ verdict: 'accept', surface: 'terminal', outcome: 'accepted' });
    expect(done.shown).not.toContain('a.txt');
  });

  it('lists a large set by file, shows what is named, and everything only when asked; pending and settled', async () => {
    const files = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`many/f${index}.txt`, numbered(3)]));
    const { folder, review, json } = workspace(files);
    write(folder, Object.fromEntries(Object.keys(files).map((path) => [path, numbered(3, { 2: `two of ${path}` })])));
    const set = String((await json('working-tree'))['set']);
    const lines = async (...args: string[]): Promise<string[]> => (await review('show', set, ...args)).out.trimEnd().split('\n');
    const brief = await lines();
    expect(brief.length).toBeLessThan(80);
    expect(brief.filter((line) => line.includes('1 of 1 undecided'))).toHaveLength(70);
    expect(brief.at(-1)).toContain('--all');
    expect(brief.join('\n')).not.toContain('two of');
    expect((await lines('many/f7.txt')).filter((line) => line.startsWith('+'))).toEqual(['+two of many/f7.txt']);
    expect((await lines('--all')).filter((line) => line.startsWith('+'))).toHaveLength(70);
    await review('accept', set);
    const settled = await lines();
    expect(settled.filter((line) => line.includes('1 accepted, 0 edited, 0 rejected; bytes verified; replayed: the same bytes'))).toHaveLength(70);
    expect((await lines('--all')).filter((line) => line.startsWith('+'))).toHaveLength(70);
  });
});

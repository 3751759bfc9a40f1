import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalPath, findMovedHistories, resolveHome, workspaceKey } from '../../../extension/core/journal/home.ts';
import { openJournal } from '../../../extension/core/journal/journal.ts';
import { mergeCausally, type SeenMark } from '../../../extension/core/journal/order.ts';
import type { AnyEvent } from '../../../extension/core/journal/port.ts';
import { agent, events, open, person, temporaryFolder, until } from './harness.ts';
import { opened } from './samples.ts';

describe('where the journal lives (J19, J21)', () => {
  it('is one documented root per platform, outside any work tree', () => {
    expect(resolveHome({ CASEBOOK_HOME: '/data/cb' }, 'linux', '/home/u')).toBe('/data/cb');
    expect(resolveHome({}, 'linux', '/home/u')).toBe('/home/u/.local/state/casebook');
    expect(resolveHome({ XDG_STATE_HOME: '/var/state' }, 'linux', '/home/u')).toBe('/var/state/casebook');
    expect(resolveHome({ XDG_STATE_HOME: 'relative' }, 'linux', '/home/u')).toBe('/home/u/.local/state/casebook');
    expect(resolveHome({}, 'darwin', '/Users/u')).toBe('/Users/u/Library/Application Support/casebook');
    expect(resolveHome({ LOCALAPPDATA: '/c/Local' }, 'win32', '/c/u')).toBe('/c/Local/casebook');
  });

  it('gives every path its own readable key', () => {
    expect(workspaceKey('/home/u/my project')).toMatch(/^my-project-[0-9a-f]{16}$/);
    expect(workspaceKey('/a-b/c')).not.toBe(workspaceKey('/a/b-c'));
    expect(workspaceKey('/')).toMatch(/^root-/);
    expect(workspaceKey('/x/..hidden')).toMatch(/^hidden-/);
    fc.assert(fc.property(fc.string(), (path) => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(workspaceKey(`/${path}`))));
  });

  it('is the same through a symbolic link', async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, 'real'));
    await symlink(join(home, 'real'), join(home, 'link'));
    expect(await canonicalPath(join(home, 'link'))).toBe(await canonicalPath(join(home, 'real')));
  });

  it('offers the history of a project that was moved (J13), and no other', async () => {
    const home = await temporaryFolder();
    const identity = { firstCommit: 'c0ffee', remote: 'https://example.com/a.git' };
    const workspace = join(home, 'old-name');
    await mkdir(workspace);
    const journal = await open(home, { workspace, identity });
    await journal.append({ kind: 'case.opened', case: 'case_a', actor: person, body: opened('Old') });
    await journal.close();
    await (await open(home, { workspace: join(home, 'other'), identity: { firstCommit: 'beef' } })).close();
    const moved = join(home, 'new-name');
    expect(await findMovedHistories(home, moved, identity)).toEqual([]);
    await rename(workspace, moved);
    const found = await findMovedHistories(home, moved, { firstCommit: 'c0ffee' });
    expect(found).toMatchObject([{ folder: journal.folder, path: workspace, same: 'firstCommit' }]);
    expect(await findMovedHistories(home, moved, { remote: identity.remote })).toMatchObject([{ same: 'remote' }]);
    expect(await findMovedHistories(home, moved, { firstCommit: '0' })).toEqual([]);
    const old = await open(home, { workspace: moved, folder: found[0]?.folder ?? '' });
    expect(await old.listCases()).toMatchObject([{ title: 'Old' }]);
    expect(JSON.parse(await readFile(join(journal.folder, 'workspace.json'), 'utf8'))).toMatchObject({ path: moved, identity });
  });
});

describe('a journal inside the work tree (J21)', () => {
  it.each(['at the top', 'in a folder below', 'in a linked work tree'])('never shows up in git status: %s', async (where) => {
    const home = await temporaryFolder();
    const git = async (cwd: string, ...args: string[]): Promise<string> => (await promisify(execFile)('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd })).stdout;
    const repository = join(home, 'repository');
    await mkdir(join(repository, 'below'), { recursive: true });
    await git(repository, 'init', '-q');
    await git(repository, 'commit', '-q', '--allow-empty', '-m', 'first');
    if (where === 'in a linked work tree') await git(repository, 'worktree', 'add', '-q', join(home, 'linked'));
    const workspace = where === 'at the top' ? repository : where === 'in a folder below' ? join(repository, 'below') : join(home, 'linked');
    for (let round = 0; round < 2; round += 1) await (await open(home, { workspace, folder: join(workspace, '.casebook', 'journal') })).close();
    expect(await git(workspace, 'status', '--porcelain', '--untracked-files=all')).toBe('');
    const exclude = await readFile(join(repository, '.git', 'info', 'exclude'), 'utf8');
    expect(exclude.match(/\.casebook\/journal\//g)).toHaveLength(1);
  });
});

describe('causal order', () => {
  it('puts an answer after what it answers, though its clock is behind', async () => {
    const home = await temporaryFolder();
    const ahead = { now: () => Date.UTC(2030, 0, 1) };
    const behind = { now: () => Date.UTC(2020, 0, 1) };
    const one = await open(home, { clock: ahead, pollMs: 20 });
    const two = await open(home, { clock: behind, pollMs: 20 });
    const answers: Promise<AnyEvent>[] = [];
    // Answered from the listener, which is the earliest moment there is.
    two.onEvent((event) => event.kind === 'case.opened' && answers.push(two.append({ kind: 'case.closed', case: 'case_a', actor: person, body: { why: 'answered' } })));
    const question = await one.append({ kind: 'case.opened', case: 'case_a', actor: person, body: opened('Question') });
    await until(() => answers.length > 0);
    const [answer] = await Promise.all(answers);
    expect(answer?.seen?.[one.session]?.count).toBe(question.seq);
    await until(async () => (await events(one, { case: 'case_a' })).length === 2);
    for (const reader of [one, two]) expect((await events(reader, { case: 'case_a' })).map((event) => event.kind)).toEqual(['case.opened', 'case.closed']);
    await one.append({ kind: 'run.noted', case: 'case_a', run: 'run_1', actor: agent, body: { level: 'info', text: 'unrelated' } });
    expect((await one.verify()).problems).toEqual([]);
  });

  it('keeps every session in its own order and every mark, for any clocks', () => {
    const writers = ['a', 'b', 'c'];
    fc.assert(
      fc.property(fc.array(fc.record({ writer: fc.constantFrom(...writers), ts: fc.integer({ min: 10, max: 40 }), looks: fc.constantFrom('a', 'b', 'c', 'none') }), { maxLength: 40 }), (steps) => {
        const counts: Record<string, number> = { a: 0, b: 0, c: 0 };
        const items: { session: string; seq: number; ts: string }[] = [];
        const marks: SeenMark[] = [];
        for (const { writer, ts, looks } of steps) {
          const seq = (counts[writer] = (counts[writer] ?? 0) + 1);
          items.push({ session: writer, seq, ts: String(ts) });
          const count = looks === 'none' || looks === writer ? 0 : (counts[looks] ?? 0);
          if (count > 0) marks.push({ session: writer, seq, other: looks, count });
        }
        const merged = mergeCausally(items, marks);
        const at = (session: string, seq: number): number => merged.findIndex((item) => item.session === session && item.seq === seq);
        return merged.length === items.length && writers.every((writer) => items.filter((item) => item.session === writer).every((item) => item.seq === 1 || at(writer, item.seq) > at(writer, item.seq - 1))) && marks.every((mark) => at(mark.session, mark.seq) > at(mark.other, mark.count));
      }),
    );
  });

  it('is not stopped by marks that contradict each other', () => {
    const items = [1, 2].flatMap((seq) => ['a', 'b'].map((session) => ({ session, seq, ts: `${seq}` })));
    const marks = [
      { session: 'a', seq: 1, other: 'b', count: 2 },
      { session: 'b', seq: 1, other: 'a', count: 2 },
    ];
    expect(mergeCausally(items, marks)).toHaveLength(4);
  });
});

describe('a folder that cannot be made', () => {
  it('is an error in one sentence that names it', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    await expect(openJournal({ home: join(file, 'home'), workspace: '/w', program: 'test', version: '0' })).rejects.toMatchObject({ reason: 'io', message: expect.stringContaining(join(file, 'home')) as string });
  });
});

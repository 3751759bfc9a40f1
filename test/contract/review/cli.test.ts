import { readFileSync, writeFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notAsAsked } from '../../../extension/cli/review/asked.ts';
import type { Outcome } from '../../../extension/core/review/port.ts';
import { userGit, write } from '../../unit/repo/helpers.ts';
import { me, workspace } from './harness.ts';

const numbered = (count: number, change: Record<number, string> = {}): string => Array.from({ length: count }, (_, index) => `${change[index + 1] ?? `line ${index + 1}`}\n`).join('');
const nasty = 'rm -rf \u001b[2J\u202egnp\r';

describe('casebook review', () => {
  it('reviews the working tree: list, show, keep one hunk, restore another, undo and redo', async () => {
    const { folder, review, json } = workspace({ 'a.txt': numbered(30), 'b.txt': 'b\n' });
    write(folder, { 'a.txt': numbered(30, { 3: 'three', 27: nasty }), 'b.txt': 'B\n', 'new.txt': 'new\n' });
    const made = await json('working-tree');
    expect(made).toMatchObject({ files: [expect.stringMatching(/\/a.txt$/u), expect.stringMatching(/\/b.txt$/u), expect.stringMatching(/\/new.txt$/u)], left: [] });
    const set = String(made['set']);
    expect(await json('list')).toMatchObject({ pending: [{ set, status: 'pending', disk: 'applied' }], settled: [] });
    expect((await review('list')).out).toContain(`${set}  `);
    const shown = await review('show', set);
    expect(shown.out).toContain('+three');
    expect(shown.out).toContain('⟦U+001B⟧[2J⟦U+202E⟧gnp');
    expect(shown.out).not.toMatch(/[\u001b\u202e\r]/u);
    const { hunks } = await json('show', set) as { hunks: { file: string; hunks: { hunk: string }[] }[] };
    const [three = '', other = ''] = hunks[0]!.hunks.map(({ hunk }) => hunk);
    expect((await review('accept', set, '--hunk', three)).out).toContain('3 hunks undecided');
    expect((await review('reject', set, '--hunk', other)).code).toBe(0);
    expect((await review('reject', set, 'b.txt')).out).toContain('1 hunk undecided');
    const done = await review('accept', set, 'new.txt', '--reason', 'as agreed');
    expect(done).toMatchObject({ code: 0, out: `${set}: partly accepted (hunks: 2 accepted, 0 edited, 2 rejected) as agreed\n` });
    const after = numbered(30, { 3: 'three' });
    expect([readFileSync(join(folder, 'a.txt'), 'utf8'), readFileSync(join(folder, 'b.txt'), 'utf8')]).toEqual([after, 'b\n']);
    expect((await review('accept', set)).error).toContain('outcome already');
    expect((await review('undo', set)).code).toBe(0);
    expect([readFileSync(join(folder, 'a.txt'), 'utf8'), readFileSync(join(folder, 'b.txt'), 'utf8')]).toEqual([numbered(30, { 3: 'three', 27: nasty }), 'B\n']);
    expect((await review('redo', set)).code).toBe(0);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(after);
    writeFileSync(join(folder, 'b.txt'), 'somebody else\n');
    expect(await review('undo', set)).toMatchObject({ code: 1 });
    expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('somebody else\n');
  });

  it('re-opens a settled set from its blobs, says who decided each hunk, and notices damage', async () => {
    const { folder, home, review, json } = workspace({ 'a.txt': numbered(9) });
    write(folder, { 'a.txt': numbered(9, { 5: 'five' }) });
    const patch = userGit(folder, 'diff');
    userGit(folder, 'checkout', '-q', '.');
    await writeFile(join(home, 'x.patch'), `${patch}diff --git a/none.txt b/none.txt\n--- a/none.txt\n+++ b/none.txt\n@@ -1 +1 @@\n-x\n+y\n`);
    const made = await review('patch', join(home, 'x.patch'));
    expect(made.error).toContain('not in the review: none.txt: there is no such file here');
    const set = /set_\w+/u.exec(made.out)?.[0] ?? '';
    expect((await review('accept', set)).out).toContain('accepted (hunks: 1 accepted');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(numbered(9, { 5: 'five' }));
    const shown = await review('show', set);
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.out).toContain('bytes verified; replayed: the same bytes');
    expect(shown.out).toContain(`accepted by ${me}`);
    expect((await review('line', 'a.txt:5')).out).toMatch(new RegExp(`^Decided:\n {2}accepted by ${me} on .* in ${set}, hunk h`, 'u'));
    expect(await review('line', 'a.txt:1')).toMatchObject({ code: 1 });
    const { settled } = (await json('show', set)) as { settled: { files: { final: { hash: string } }[] } };
    const blob = settled.files[0]!.final.hash;
    const [workspaceFolder = ''] = await readdir(join(home, 'state', 'workspaces'));
    await writeFile(join(home, 'state', 'workspaces', workspaceFolder, 'blobs', blob.slice(0, 2), blob), 'other bytes');
    const damaged = await review('show', set);
    expect(damaged.code).toBe(1);
    expect(damaged.out).toContain('BAD: kept bytes do not match their hash');
    expect((await review('trailers', '--branch', '--base', 'HEAD')).out).toBe(`Casebook-Set: ${set}\n`);
    expect((await review('summary')).out).toContain('1 change set; hunks: 1 accepted, 0 edited, 0 rejected.');
    expect((await review('summary', '--html', '--branch', '--base', 'HEAD')).out).toMatch(/^<!doctype html>/u);
  });

  it('watches: checkpoint start, changes, review', async () => {
    const { folder, review, json } = workspace({ 'a.txt': 'a\n' });
    const { checkpoint } = await json('checkpoint', 'start', '--label', 'lunch');
    expect((await review('checkpoint', 'changes')).out).toBe('Nothing changed.\n');
    write(folder, { 'a.txt': 'A\n', 'mine.txt': 'mine\n' });
    expect((await review('checkpoint', 'changes', String(checkpoint))).out).toMatch(/^modified {2}\S+\/a.txt\nadded {5}\S+\/mine.txt\n$/u);
    expect((await review('list')).out).toContain('watching since lunch');
    const { set } = await json('checkpoint', 'review');
    expect((await review('reject', String(set))).out).toContain('rejected');
    expect([readFileSync(join(folder, 'a.txt'), 'utf8'), (await readdir(folder)).toSorted()]).toEqual(['a\n', ['.git', 'a.txt']]);
    expect(await review('checkpoint', 'list')).toMatchObject({ out: 'No checkpoint is open.\n' });
    expect(await review('checkpoint', 'review')).toMatchObject({ code: 2 });
  });

  it('a decision about a set of another process is recorded here, settled there, and this process says what became of it', async () => {
    const { folder, review, window } = workspace({ 'a.txt': 'a\n' });
    const other = await window();
    const caller = new AbortController();
    let heard: Promise<Outcome> | undefined;
    const set = await new Promise<string>((onSet) => {
      const capabilities = { writer: 'casebook', canEdit: false, canPartial: false, canEmpty: true, redelivers: false, canExplain: false } as const;
      const file = { root: other.roots()[0]!.name, path: 'a.txt', proposed: { kind: 'text', text: 'A\n' } } as const;
      heard = other.review.propose({ title: 'A change', origin: { client: 'codex' }, disk: 'proposed', files: [file] }, { name: 'codex', signal: caller.signal, capabilities, onSet });
    });
    expect((await review('accept', set)).out).toBe(`${set}: accepted (hunks: 1 accepted, 0 edited, 0 rejected)\n`);
    expect(await heard).toMatchObject({ outcome: 'accepted', answer: { verdict: 'accept' } });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('A\n');
    const settled = await other.review.state(set);
    expect(settled.owner).toBe(other.journal.session);
    expect(settled.settled?.by).toEqual([{ kind: 'person', name: me, via: 'cli' }]);
    await other.close();
  });

  it('tells what it could not wait for, and takes over what a closed process left', async () => {
    const { folder, review, window } = workspace({ 'a.txt': 'a\n' });
    write(folder, { 'a.txt': 'A\n' });
    const other = await window();
    const { proposal } = await other.changes.workingTree(undefined, new AbortController().signal);
    const set = (await other.review.add(proposal!, 'panel'))!;
    const waiting = await review('accept', set, '--wait', '0');
    // The owner may be quicker than no wait at all; both answers are true ones.
    expect(waiting.out).toMatch(/decision is on record, and the window or terminal it belongs to|: accepted \(/u);
    await other.close();
    expect((await review('show', set)).out).toContain(set);
    const again = await window();
    write(folder, { 'a.txt': 'AA\n' });
    const next = await again.changes.workingTree(undefined, new AbortController().signal);
    const left = (await again.review.add(next.proposal!, 'panel'))!;
    await again.close();
    expect((await review('reject', left)).out).toContain('rejected');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('a\n');
  });

  it('refuses a malformed --wait or --revision before anything is decided', async () => {
    const { folder, review, json } = workspace({ 'a.txt': 'a\n' });
    write(folder, { 'a.txt': 'A\n' });
    const set = String((await json('working-tree'))['set']);
    for (const wrong of [['--wait', 'x'], ['--wait', ''], ['--wait=-1'], ['--revision', 'x'], ['--revision', '1.5'], ['--revision=-1']]) expect([wrong, (await review('accept', set, ...wrong)).code]).toEqual([wrong, 2]);
    expect(await json('list')).toMatchObject({ pending: [{ set, files: [{ left: 1 }] }] });
  });

  it('accepts only what is on record: where the files have changed since, nothing is written and the person is sent to look again', async () => {
    const { folder, home, review, json } = workspace({ 'a.txt': numbered(30) });
    write(folder, { 'a.txt': numbered(30, { 3: 'three' }) });
    await writeFile(join(home, 'x.patch'), userGit(folder, 'diff'));
    write(folder, { 'a.txt': numbered(30) });
    const set = /set_\w+/u.exec((await review('patch', join(home, 'x.patch'))).out)?.[0] ?? '';
    const mine = numbered(30, { 3: 'mine' });
    write(folder, { 'a.txt': mine });
    expect(await review('accept', set)).toMatchObject({ code: 1, error: `The files have changed; look again with "casebook review show ${set}".\n` });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(mine);
    expect(await json('show', set)).toMatchObject({ status: 'pending', revision: 1 });
    expect(await review('accept', set, '--revision', '0')).toMatchObject({ code: 1 });
    expect(await review('accept', set, '--revision', '1')).toMatchObject({ code: 1, error: expect.stringContaining('--hunk ID') as string });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(mine);
    const { hunks } = (await json('show', set)) as { hunks: { hunks: { hunk: string; conflict?: boolean }[] }[] };
    const conflict = hunks[0]?.hunks.find((one) => one.conflict === true)?.hunk ?? '';
    expect(await review('accept', set, '--hunk', conflict)).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(numbered(30, { 3: 'three' }));
  });

  it('says that a set was decided otherwise, and by whom', async () => {
    const { folder, review, window } = workspace({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    write(folder, { 'a.txt': 'A\n', 'b.txt': 'B\n' });
    const other = await window();
    const { proposal } = await other.changes.workingTree(undefined, new AbortController().signal);
    const set = (await other.review.add(proposal!, 'panel'))!;
    expect((await review('accept', set, 'a.txt')).code).toBe(0);
    const state = await other.review.state(set);
    await other.review.decideAll(set, 'reject', { via: 'panel', revision: 0 });
    const settled = await other.review.state(set);
    const asked = { decision: 'accept', before: state, files: [], hunks: [] } as const;
    expect(notAsAsked(settled, { ...asked, files: [state.files[1]!.key] })).toBe(`${set}: it was decided otherwise than you asked (accept), by ${me} (panel).`);
    // What had been decided before was not asked for, whichever way it went.
    expect(notAsAsked(settled, { ...asked, decision: 'reject' })).toBeUndefined();
    await other.close();
  });

  it('accept and reject at once: whoever was not followed ends with exit code 1', async () => {
    const { folder, review, json } = workspace({ 'a.txt': 'a\n' });
    write(folder, { 'a.txt': 'A\n' });
    const set = String((await json('working-tree'))['set']);
    const [accepted, rejected] = await Promise.all([review('accept', set), review('reject', set)]);
    const { outcome } = await json('show', set);
    expect([accepted.code, rejected.code]).toEqual(outcome === 'accepted' ? [0, 1] : [1, 0]);
    expect((outcome === 'accepted' ? rejected : accepted).error).toMatch(new RegExp(`decided otherwise than you asked .*, by ${me} \\(cli\\)|outcome already`, 'u'));
  });

  it('names a file that cannot be read in one sentence', async () => {
    const { review } = workspace({ 'a.txt': 'a\n' });
    await expect(review('patch', 'nofile')).rejects.toMatchObject({ reason: 'unreadable_file', message: 'There is no such file: nofile' });
    await expect(review('patch', '.')).rejects.toMatchObject({ reason: 'unreadable_file', message: 'That is a folder, not a file: .' });
    await expect(review('open', '--path', 'a.txt', '--new', 'nofile')).rejects.toMatchObject({ reason: 'unreadable_file', message: 'There is no such file: nofile' });
  });

  it('says how it is used, and that there is nothing where there is nothing', async () => {
    const { review } = workspace({ 'a.txt': 'a\n' });
    for (const args of [[], ['destroy'], ['show'], ['accept'], ['line', 'a.txt'], ['open'], ['open', '--path', 'a.txt'], ['checkpoint'], ['open', '--path', 'a.txt', '--new', 'a.txt', 'more'], ['working-tree', 'extra'], ['list', 'extra'], ['checkpoint', 'start', 'extra'], ['checkpoint', 'list', 'extra'], ['line', 'a.txt:0'], ['line', '.git:1']]) {
      const answer = await review(...args);
      expect([args, answer.code]).toEqual([args, 2]);
    }
    expect(await review('list')).toMatchObject({ code: 0, out: 'No change sets are pending.\n' });
    expect(await review('working-tree')).toMatchObject({ code: 0, out: 'Nothing differs that could be reviewed.\n' });
    expect(await review('show', 'set_none')).toMatchObject({ code: 1 });
    expect(await review('working-tree', '--base', 'nowhere')).toMatchObject({ code: 1 });
  });
});

import { writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hunksOf, plainCaller, table } from './desk-harness.ts';
import { removeTrees } from './trees.ts';

const lines = (count: number, change: Record<number, string> = {}): string => Array.from({ length: count }, (_none, index) => `${change[index + 1] ?? `line ${index + 1}`}\n`).join('');
const act = (revision = 0, reason?: string) => ({ via: 'test', revision, ...(reason === undefined ? {} : { reason }) });
const base = lines(40);
const three = lines(40, { 2: 'two', 20: 'twenty', 38: 'last' });

afterEach(removeTrees);

describe('a set on the desk', () => {
  it('is written as decided, hunk by hunk, and tells the caller exactly that', async () => {
    const t = await table({ 'a.txt': base });
    const { set, answer } = await t.propose({ 'a.txt': three });
    const [first = '', second = '', third = ''] = await hunksOf(t.desk, set, 'w/a.txt');
    await t.desk.decide(set, [{ file: 'w/a.txt', hunk: first, decision: 'accept' }], act());
    await t.desk.decide(set, [{ file: 'w/a.txt', hunk: second, decision: 'reject' }], act());
    expect(await t.read('a.txt')).toBe(base);
    await t.desk.editHunk(set, 'w/a.txt', third, 'my own\nwords\n', act());
    const view = await t.desk.file(set, 'w/a.txt');
    expect([...view.decisions.values()]).toEqual(['accept', 'reject']);
    const [mine = ''] = [...view.edited];
    const state = await t.desk.decide(set, [{ file: 'w/a.txt', hunk: mine, decision: 'accept' }], act());
    expect(state.settled?.outcome).toBe('partly_accepted');
    expect(await t.read('a.txt')).toBe(lines(40, { 2: 'two', 38: 'my own\nwords' }));
    const heard = await answer;
    expect(heard.outcome).toBe('partly_accepted');
    expect(heard.decisions.map((one) => one.decision)).toEqual(['accept', 'reject', 'edited']);
    expect(heard.answer?.verdict).toBe('accept');
    const final = await t.journal.blobs.get(heard.final['w/a.txt'] ?? '');
    expect(Buffer.from(final ?? []).toString()).toBe(await t.read('a.txt'));
    expect(state.settled?.files[0]?.personsPatch).toContain('+my own');
  });

  it('takes a decision back while it is pending, also one on the whole file', async () => {
    const t = await table({ 'a.txt': base, 'b.txt': base });
    const { set } = await t.propose({ 'a.txt': three, 'b.txt': three });
    await t.desk.decide(set, [{ file: 'w/a.txt', hunk: '*', decision: 'accept' }], act());
    const [first = '', second = ''] = await hunksOf(t.desk, set, 'w/a.txt');
    let state = await t.desk.decide(set, [{ file: 'w/a.txt', hunk: second, decision: 'undone' }], act());
    expect(state.files[0]).toMatchObject({ left: 1 });
    expect([...(await t.desk.file(set, 'w/a.txt')).decisions.keys()]).not.toContain(second);
    state = await t.desk.decide(set, [{ file: 'w/a.txt', hunk: second, decision: 'reject' }, { file: 'w/a.txt', hunk: first, decision: 'reject' }], act());
    expect(state.status).toBe('pending');
    state = await t.desk.decideAll(set, 'reject', act());
    expect(await t.read('a.txt')).toBe(lines(40, { 38: 'last' }));
    expect(await t.read('b.txt')).toBe(base);
    expect(state.settled?.outcome).toBe('partly_accepted');
  });

  it('is undone and redone exactly, and not over what came later (D15, D17)', async () => {
    const t = await table({ 'a.txt': base });
    const { set } = await t.propose({ 'a.txt': three, 'new/b.txt': 'hello\n' });
    await t.desk.decideAll(set, 'accept', act());
    expect(await t.read('a.txt')).toBe(three);
    await t.desk.undo(set, 'test');
    expect(await t.read('a.txt')).toBe(base);
    await expect(t.read('new/b.txt')).rejects.toThrow();
    await expect(t.desk.undo(set, 'test')).rejects.toMatchObject({ reason: 'nothing_to_undo' });
    await t.desk.redo(set, 'test');
    expect(await t.read('new/b.txt')).toBe('hello\n');
    await writeFile(join(t.root, 'a.txt'), 'mine now\n');
    await expect(t.desk.undo(set, 'test')).rejects.toMatchObject({ reason: 'changed_since' });
    expect(await t.read('a.txt')).toBe('mine now\n');
    expect(await t.read('new/b.txt')).toBe('hello\n');
  });

  it('says at once that nothing would change, and creates an empty file (D27)', async () => {
    const t = await table({ 'a.txt': base });
    const same = await t.propose({ 'a.txt': base });
    expect(await same.answer).toMatchObject({ set: '', outcome: 'accepted', answer: { writes: 'nobody' } });
    const { set, answer } = await t.propose({ 'empty.txt': '' });
    await t.desk.decideAll(set, 'accept', act());
    expect((await answer).outcome).toBe('accepted');
    expect(await t.read('empty.txt')).toBe('');
  });

  it('is rejected without a byte written (D05)', async () => {
    const t = await table({ 'a.txt': base });
    const { set, answer } = await t.propose([{ root: 'w', path: 'a.txt', proposed: { kind: 'absent' } }, { root: 'w', path: 'b.txt', proposed: { kind: 'text', text: 'x' } }]);
    await t.desk.decideAll(set, 'reject', act(0, 'not now'));
    expect(await answer).toMatchObject({ outcome: 'rejected', reason: 'not now', answer: { verdict: 'reject', writes: 'nobody', words: 'not now' } });
    expect(await t.read('a.txt')).toBe(base);
    await expect(t.read('b.txt')).rejects.toThrow();
  });

  it('refuses paths that no review may touch (I39)', async () => {
    const t = await table({ 'a.txt': base });
    for (const path of ['../x', '.git/hooks/pre-commit', '/etc/passwd']) await expect(t.propose({ [path]: 'x' })).rejects.toMatchObject({ reason: 'bad_proposal' });
    expect(await t.pending()).toEqual([]);
  });
});

describe('callers', () => {
  it('leave the set pending when they are gone, and the later acceptance is written (D16)', async () => {
    const t = await table({ 'a.txt': base });
    const caller = new AbortController();
    const { set, answer } = await t.propose({ 'a.txt': three }, { signal: caller.signal, capabilities: { ...plainCaller, writer: 'agent' } });
    caller.abort();
    expect((await answer).outcome).toBe('abandoned');
    expect((await t.desk.state(set)).caller.attached).toBe(false);
    const state = await t.desk.decideAll(set, 'accept', act());
    expect(state.settled).toMatchObject({ outcome: 'accepted', heard: false });
    expect(await t.read('a.txt')).toBe(three);
  });

  it('join the pending set with the same proposal, and hear a missed answer once', async () => {
    const t = await table({ 'a.txt': base });
    const gone = new AbortController();
    const capabilities = { ...plainCaller, redelivers: true };
    const first = await t.propose({ 'a.txt': three }, { signal: gone.signal, capabilities, call: '1' });
    gone.abort();
    const second = await t.propose({ 'a.txt': three }, { capabilities, call: '2' });
    expect(second.set).toBe(first.set);
    expect(await t.pending()).toHaveLength(1);
    await t.desk.decideAll(first.set, 'reject', act());
    expect((await second.answer).outcome).toBe('rejected');
    const again = new AbortController();
    const third = await t.propose({ 'a.txt': three }, { capabilities, signal: again.signal });
    expect(third.set).not.toBe(first.set);
    again.abort();
    await third.answer;
    await t.desk.decideAll(third.set, 'reject', act());
    const fourth = await t.propose({ 'a.txt': three }, { capabilities });
    expect(await fourth.answer).toMatchObject({ set: third.set, outcome: 'rejected' });
  });

  it('that write themselves are watched after their answer', async () => {
    const capabilities = { ...plainCaller, writer: 'agent' as const, canPartial: false };
    const t = await table({ 'a.txt': base, 'b.txt': base, 'c.txt': base });
    const writes = await t.propose({ 'a.txt': three }, { capabilities });
    await t.desk.decideAll(writes.set, 'accept', act());
    expect((await writes.answer).answer).toMatchObject({ verdict: 'accept', writes: 'agent' });
    expect(await t.read('a.txt')).toBe(base);
    await writeFile(join(t.root, 'a.txt'), three);
    await expect.poll(async () => (await t.desk.state(writes.set)).settled?.observed?.result).toBe('matches');
    await t.desk.undo(writes.set, 'test');
    expect(await t.read('a.txt')).toBe(base);

    const differs = await t.propose({ 'b.txt': three }, { capabilities });
    await t.desk.decideAll(differs.set, 'accept', act());
    await differs.answer;
    await writeFile(join(t.root, 'b.txt'), 'something else\n');
    await expect.poll(async () => (await t.desk.state(differs.set)).settled?.observed?.result).toBe('differs');

    const silent = await t.propose({ 'c.txt': three }, { capabilities });
    await t.desk.decideAll(silent.set, 'accept', act());
    await expect.poll(async () => (await t.desk.state(silent.set)).settled?.observed?.result).toBe('not_seen');
    await t.desk.redo(silent.set, 'test');
    expect(await t.read('c.txt')).toBe(three);
  });

  it('that cannot hear of a part are told a rejection, and Casebook writes what was decided', async () => {
    const t = await table({ 'a.txt': base });
    const { set, answer } = await t.propose({ 'a.txt': three }, { capabilities: { writer: 'agent', canEdit: false, canPartial: false, canEmpty: true, redelivers: false, canExplain: false } });
    const [first = ''] = await hunksOf(t.desk, set, 'w/a.txt');
    await t.desk.comment(set, { file: 'w/a.txt', side: 'proposed', line: 20, text: 'Why twenty?' }, 'test');
    await t.desk.decide(set, [{ file: 'w/a.txt', hunk: first, decision: 'accept' }], act());
    await t.desk.decideAll(set, 'reject', act());
    const heard = await answer;
    expect(heard).toMatchObject({ outcome: 'partly_accepted', answer: { verdict: 'reject', writes: 'casebook' } });
    expect(heard.answer?.nextPrompt).toContain('Why twenty?');
    expect(await t.read('a.txt')).toBe(lines(40, { 2: 'two' }));
    expect(await t.desk.wordsForAgent(set)).toContain('1 hunk accepted, 2 hunks rejected');
  });
});

describe('the world moves', () => {
  it('puts a pending set on what was decided before (D07)', async () => {
    const t = await table({ 'a.txt': base });
    const first = await t.propose({ 'a.txt': lines(40, { 2: 'two' }) });
    const second = await t.propose({ 'a.txt': lines(40, { 20: 'twenty' }) }, { client: 'other' });
    await t.desk.decideAll(first.set, 'accept', act());
    await expect.poll(async () => (await t.desk.state(second.set)).revision).toBe(1);
    const view = await t.desk.file(second.set, 'w/a.txt');
    expect(view.review.hunks).toHaveLength(1);
    expect(view.conflicts.size).toBe(0);
    await expect(t.desk.decideAll(second.set, 'accept', act(0))).rejects.toMatchObject({ reason: 'stale_revision' });
    await t.desk.decideAll(second.set, 'accept', act(1));
    expect(await t.read('a.txt')).toBe(lines(40, { 2: 'two', 20: 'twenty' }));
    expect((await second.answer).answer?.edited).toHaveProperty(['w/a.txt']);
  });

  it('comes back as a conflict when the same lines changed on disk, and nothing is overwritten (D14)', async () => {
    const t = await table({ 'a.txt': base });
    const { set, answer } = await t.propose({ 'a.txt': three });
    const onDisk = lines(40, { 20: 'somebody else' });
    await writeFile(join(t.root, 'a.txt'), onDisk);
    const state = await t.desk.decideAll(set, 'accept', act());
    expect(state).toMatchObject({ status: 'pending', revision: 1, rebased: 'changed_on_disk' });
    expect(state.files[0]?.conflicts).toHaveLength(1);
    expect(await t.read('a.txt')).toBe(onDisk);
    const view = await t.desk.file(set, 'w/a.txt');
    expect([...view.origins.values()]).toEqual([['line 20']]);
    // What met nothing keeps its decision.
    expect(view.decisions.size).toBe(2);
    await t.desk.decideAll(set, 'reject', act(1));
    expect(await t.read('a.txt')).toBe(lines(40, { 2: 'two', 20: 'somebody else', 38: 'last' }));
    expect((await answer).outcome).toBe('partly_accepted');
  });

  it('never loses somebody\u2019s lines to an acceptance of everything, and rejecting everything keeps them (D39)', async () => {
    const t = await table({ 'a.txt': base });
    const mine = lines(40, { 20: 'my work' });
    for (const last of ['accept', 'reject'] as const) {
      await writeFile(join(t.root, 'a.txt'), base);
      const { set } = await t.propose({ 'a.txt': three }, { client: last });
      await writeFile(join(t.root, 'a.txt'), mine);
      expect((await t.desk.refresh(set)).revision).toBe(1);
      const rest = await t.desk.decideAll(set, 'accept', act(1));
      expect(rest).toMatchObject({ status: 'pending', files: [{ left: 1 }] });
      expect(await t.read('a.txt')).toBe(mine);
      expect((await t.desk.decideAll(set, 'accept', act(1))).status).toBe('pending');
      const [conflict = ''] = rest.files[0]?.conflicts ?? [];
      if (last === 'reject') await t.desk.decideAll(set, 'reject', act(1));
      else await t.desk.decide(set, [{ file: 'w/a.txt', hunk: conflict, decision: 'accept' }], act(1));
      expect(await t.read('a.txt')).toBe(last === 'reject' ? lines(40, { 2: 'two', 20: 'my work', 38: 'last' }) : three);
    }
  });

  it('ends a set as decided elsewhere when all of it is there already', async () => {
    const t = await table({ 'a.txt': base });
    const { set, answer } = await t.propose({ 'a.txt': three });
    await writeFile(join(t.root, 'a.txt'), three);
    expect((await t.desk.refresh(set)).settled?.outcome).toBe('decided_elsewhere');
    expect((await answer).outcome).toBe('decided_elsewhere');
  });

  it('is not disturbed by a changed time alone (D14)', async () => {
    const t = await table({ 'a.txt': base });
    const { set } = await t.propose({ 'a.txt': three });
    await writeFile(join(t.root, 'a.txt'), base);
    expect((await t.desk.refresh(set)).revision).toBe(0);
    expect((await t.desk.decideAll(set, 'accept', act())).settled?.outcome).toBe('accepted');
  });

  it('sees one changed byte, also where the length stays the same, and only in the files it is asked to look at (D14)', async () => {
    const t = await table({ 'a.txt': base, 'b.txt': base });
    const { set } = await t.propose({ 'a.txt': three, 'b.txt': three });
    await writeFile(join(t.root, 'a.txt'), base.replace('line 30', 'lime 30'));
    expect((await t.desk.refresh(set, new Set(['w/b.txt']))).revision).toBe(0);
    expect((await t.desk.refresh(set, new Set(['w/a.txt']))).revision).toBe(1);
    await t.desk.decideAll(set, 'accept', act(1));
    expect(await t.read('a.txt')).toBe(three.replace('line 30', 'lime 30'));
  });

  it('waits as decided when it cannot be written, and says so', async () => {
    const t = await table({ 'a.txt': base });
    const { set } = await t.propose({ 'a.txt': three });
    await rm(join(t.root, 'a.txt'));
    await writeFile(join(t.root, 'b'), '');
    const state = await t.desk.decideAll(set, 'accept', act());
    expect(state).toMatchObject({ status: 'pending', revision: 1 });
    expect(state.files[0]?.conflicts).toHaveLength(1);
  });
});

describe('a change that is on disk already', () => {
  const applied = async () => {
    const t = await table({ 'a.txt': three, 'new.txt': 'made by the agent\n' });
    const set = await t.desk.add(
      {
        title: 'Since the checkpoint',
        origin: { client: 'checkpoint' },
        disk: 'applied',
        files: [
          { root: 'w', path: 'a.txt', base: { kind: 'file', bytes: Buffer.from(base) }, proposed: { kind: 'file', bytes: Buffer.from(three) } },
          { root: 'w', path: 'new.txt', base: { kind: 'absent' }, proposed: { kind: 'file', bytes: Buffer.from('made by the agent\n') } },
          { root: 'w', path: 'gone.txt', base: { kind: 'file', bytes: Buffer.from('precious\n') }, proposed: { kind: 'absent' } },
        ],
      },
      'test',
    );
    return { t, set: set ?? '' };
  };

  it('is kept where it is accepted and restored where it is rejected', async () => {
    const { t, set } = await applied();
    const [first = ''] = await hunksOf(t.desk, set, 'w/a.txt');
    await t.desk.decide(set, [{ file: 'w/a.txt', hunk: first, decision: 'accept' }], act());
    const state = await t.desk.decideAll(set, 'reject', act());
    expect(state.settled?.outcome).toBe('partly_accepted');
    expect(await t.read('a.txt')).toBe(lines(40, { 2: 'two' }));
    await expect(t.read('new.txt')).rejects.toThrow();
    expect(await t.read('gone.txt')).toBe('precious\n');
    await t.desk.undo(set, 'test');
    expect(await t.read('a.txt')).toBe(three);
    expect(await t.read('new.txt')).toBe('made by the agent\n');
    await expect(t.read('gone.txt')).rejects.toThrow();
  });

  it('is not called accepted when it is no longer there (D05)', async () => {
    const { t, set } = await applied();
    await writeFile(join(t.root, 'a.txt'), 'somebody else\n');
    const state = await t.desk.decideAll(set, 'accept', act());
    expect(state).toMatchObject({ status: 'pending', revision: 1 });
    expect((await t.desk.decideAll(set, 'accept', act(1))).settled?.files[0]?.final).toMatchObject({ size: 'somebody else\n'.length });
  });

  it('is compared again when it went on changing', async () => {
    const { t, set } = await applied();
    await writeFile(join(t.root, 'a.txt'), lines(40, { 2: 'two', 20: 'twenty again', 38: 'last' }));
    const state = await t.desk.decideAll(set, 'reject', act());
    expect(state).toMatchObject({ status: 'pending', revision: 1 });
    await t.desk.decideAll(set, 'reject', act(1));
    expect(await t.read('a.txt')).toBe(base);
  });
});

describe('unsaved text', () => {
  const editor = (open: Map<string, string>) => ({
    unsaved: (path: string) => open.get(path),
    replace: async (path: string, expected: string, text: string) => {
      if (open.get(path) !== expected) return false;
      open.set(path, text);
      return true;
    },
  });

  it('stays: the change is merged into the buffer, not written under it (D13)', async () => {
    const open = new Map<string, string>();
    const t = await table({ 'a.txt': base }, { buffers: editor(open) });
    const place = join(t.root, 'a.txt');
    open.set(place, lines(40, { 10: 'typing' }));
    const { set } = await t.propose({ 'a.txt': three });
    const state = await t.desk.decideAll(set, 'accept', act());
    expect(state.settled?.written?.buffers).toEqual(['w/a.txt']);
    expect(open.get(place)).toBe(lines(40, { 2: 'two', 10: 'typing', 20: 'twenty', 38: 'last' }));
    expect(await t.read('a.txt')).toBe(base);
    await t.desk.undo(set, 'test');
    expect(open.get(place)).toBe(lines(40, { 10: 'typing' }));
  });

  it('is a conflict where it is in the same lines, and the whole set waits (D13)', async () => {
    const open = new Map<string, string>();
    const t = await table({ 'a.txt': base, 'b.txt': base }, { buffers: editor(open) });
    open.set(join(t.root, 'a.txt'), lines(40, { 20: 'typing' }));
    const { set } = await t.propose({ 'a.txt': three, 'b.txt': three });
    const state = await t.desk.decideAll(set, 'accept', act());
    expect(state).toMatchObject({ status: 'pending', revision: 1 });
    expect(await t.read('b.txt')).toBe(base);
    // Accepting all does not take what stands against somebody's own lines; that is a decision of its own (D39).
    const rest = await t.desk.decideAll(set, 'accept', act(1));
    expect(rest).toMatchObject({ status: 'pending', files: [{ left: 1 }, { left: 0 }] });
    const [conflict = ''] = rest.files[0]?.conflicts ?? [];
    await t.desk.decide(set, [{ file: 'w/a.txt', hunk: conflict, decision: 'accept' }], act(1));
    expect(open.get(join(t.root, 'a.txt'))).toBe(three);
    expect(await t.read('b.txt')).toBe(three);
  });
});

describe('policies', () => {
  it('decide only what they cover, are named as the decider, and are undone as a group', async () => {
    const policies = [{ name: 'docs', globs: ['docs/**'], maxLines: 10 }];
    const t = await table({ 'docs/a.md': base, 'docs/b.md': base, 'src/c.ts': base }, { policies: () => policies });
    const covered = await t.propose({ 'docs/a.md': lines(40, { 2: 'two' }) });
    expect(await covered.answer).toMatchObject({ outcome: 'accepted' });
    expect((await t.desk.state(covered.set)).settled).toMatchObject({ policy: 'docs', by: [{ kind: 'policy', name: 'docs' }] });
    const mixed = await t.propose({ 'docs/b.md': lines(40, { 2: 'two' }), 'src/c.ts': lines(40, { 2: 'two' }) });
    // Behind the policy, had it decided.
    expect((await t.desk.refresh(mixed.set)).status).toBe('pending');
    expect(await t.desk.undoPolicy('docs', 'test')).toEqual({ undone: [covered.set], failed: [] });
    expect(await t.read('docs/a.md')).toBe(base);
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../../extension/core/journal/port.ts';
import { answerTo } from '../../../extension/core/review/desk/answer.ts';
import { hunksOf, plainCaller, table } from './desk-harness.ts';
import { removeTrees } from './trees.ts';

const numbered = (count: number, change: Record<number, string> = {}): string => Array.from({ length: count }, (_none, index) => `${change[index + 1] ?? `line ${index + 1}`}\n`).join('');
const act = (revision = 0) => ({ via: 'test', revision });

afterEach(removeTrees);

describe('an agent that writes itself', () => {
  const capabilities = { ...plainCaller, writer: 'agent' as const };

  it('is not told yes while its file is no longer what it was made on', async () => {
    const t = await table({ 'a.txt': numbered(30) });
    const { set, answer } = await t.propose({ 'a.txt': numbered(30, { 2: 'two' }) }, { capabilities });
    await writeFile(join(t.root, 'a.txt'), numbered(30, { 25: 'by somebody' }));
    const state = await t.desk.decideAll(set, 'accept', act());
    expect(state).toMatchObject({ status: 'pending', revision: 1 });
    await t.desk.decideAll(set, 'accept', act(1));
    // What it writes now is the merged text, which it is given; its own would take the other change back.
    const heard = await answer;
    expect(heard.answer).toMatchObject({ verdict: 'accept', writes: 'agent' });
    const given = await t.journal.blobs.get(heard.answer?.edited?.['w/a.txt'] ?? '');
    expect(Buffer.from(given ?? []).toString()).toBe(numbered(30, { 2: 'two', 25: 'by somebody' }));
  });

  it('does not write under unsaved text: it hears a rejection, and the change goes into the buffer (D13)', async () => {
    const open = new Map<string, string>();
    const buffers = { unsaved: (path: string) => open.get(path), replace: async (path: string, _expected: string, text: string) => open.set(path, text) !== undefined };
    const t = await table({ 'a.txt': numbered(30) }, { buffers });
    open.set(join(t.root, 'a.txt'), numbered(30, { 20: 'typing' }));
    const { set, answer } = await t.propose({ 'a.txt': numbered(30, { 2: 'two' }) }, { capabilities });
    await t.desk.decideAll(set, 'accept', act());
    expect((await answer).answer).toMatchObject({ verdict: 'reject', writes: 'casebook' });
    expect(open.get(join(t.root, 'a.txt'))).toBe(numbered(30, { 2: 'two', 20: 'typing' }));
    expect(await t.read('a.txt')).toBe(numbered(30));
  });
});

describe('a set with a file in an editor', () => {
  it('goes back as a whole when the buffer changes in the last moment', async () => {
    const open = new Map<string, string>();
    const buffers = { unsaved: (path: string) => open.get(path), replace: async () => false };
    const t = await table({ 'a.txt': numbered(30), 'b.txt': numbered(3) }, { buffers });
    open.set(join(t.root, 'a.txt'), numbered(30, { 20: 'typing' }));
    const { set } = await t.propose({ 'a.txt': numbered(30, { 2: 'two' }), 'b.txt': 'new\n' });
    const state = await t.desk.decideAll(set, 'accept', act());
    expect(state).toMatchObject({ status: 'pending', writeFailed: { reason: 'base_changed' } });
    expect(await t.read('b.txt')).toBe(numbered(3));
    expect(open.get(join(t.root, 'a.txt'))).toBe(numbered(30, { 20: 'typing' }));
  });
});

describe('decisions', () => {
  it('of another process on a form of the set that no longer exists are void', async () => {
    const t = await table({ 'a.txt': numbered(30) });
    const { set } = await t.propose({ 'a.txt': numbered(30, { 2: 'two', 20: 'twenty' }) });
    const [first = ''] = await hunksOf(t.desk, set, 'w/a.txt');
    await writeFile(join(t.root, 'a.txt'), numbered(30, { 2: 'by somebody' }));
    expect((await t.desk.refresh(set)).revision).toBe(1);
    const template = t.journal.events.at(-1) as unknown as JournalEvent<'hunks.decided'>;
    t.journal.receive({ ...template, id: 'ses_other/1', session: 'ses_other', seq: 1, kind: 'hunks.decided', set, actor: { kind: 'person', name: 'late' }, body: { revision: 0, decisions: [{ file: 'w/a.txt', hunk: '*', decision: 'accept' }, { file: 'w/a.txt', hunk: first, decision: 'accept' }], left: { 'w/a.txt': 0 } } });
    const state = await t.desk.state(set);
    expect(state.status).toBe('pending');
    expect(state.files[0]?.rest).toBeUndefined();
    expect(await t.read('a.txt')).toBe(numbered(30, { 2: 'by somebody' }));
  });

  it('on hunks that are alike are asked again after the file has changed, never moved to a twin', async () => {
    const block = 'start\nold\nend\n';
    const t = await table({ 'a.txt': `${block}${block}${block}` });
    const { set } = await t.propose({ 'a.txt': `${block}${block}${block}`.replaceAll('old', 'new') });
    const hunks = await hunksOf(t.desk, set, 'w/a.txt');
    expect(hunks).toHaveLength(3);
    await t.desk.decide(set, [{ file: 'w/a.txt', hunk: hunks[1] ?? '', decision: 'reject' }], act());
    // The first of the three is there already: what was the second would now be the first.
    await writeFile(join(t.root, 'a.txt'), `${block.replace('old', 'new')}${block}${block}`);
    const state = await t.desk.refresh(set);
    expect(state.revision).toBe(1);
    expect((await t.desk.file(set, 'w/a.txt')).decisions.size).toBe(0);
  });

  it('stay with hunks that are still there when the person edits another, and leave the edited one open', async () => {
    const t = await table({ 'a.txt': numbered(30) });
    const { set } = await t.propose({ 'a.txt': numbered(30, { 2: 'two', 20: 'twenty' }) });
    const [first = '', second = ''] = await hunksOf(t.desk, set, 'w/a.txt');
    await t.desk.decide(set, [{ file: 'w/a.txt', hunk: first, decision: 'accept' }], act());
    await t.desk.editHunk(set, 'w/a.txt', second, 'zwanzig\n', act());
    const view = await t.desk.file(set, 'w/a.txt');
    expect([...view.decisions]).toEqual([[first, 'accept']]);
    expect(view.file.left).toBe(1);
    await t.desk.edit(set, 'w/a.txt', undefined, act());
    expect((await t.desk.state(set)).files[0]?.draft).toBeUndefined();
  });

  it('of a person who puts everything back, or deletes a line of a new file, are what they say (D19)', async () => {
    const t = await table({ 'a.txt': numbered(5) });
    const back = await t.propose({ 'a.txt': numbered(5, { 2: 'two' }) });
    await t.desk.edit(back.set, 'w/a.txt', numbered(5), act());
    expect((await t.desk.decideAll(back.set, 'accept', act())).settled?.outcome).toBe('rejected');
    const made = await t.propose({ 'b.txt': 'one\ntwo\n' });
    await t.desk.edit(made.set, 'w/b.txt', 'two\n', act());
    expect((await t.desk.state(made.set)).status).toBe('pending');
    const state = await t.desk.decideAll(made.set, 'accept', act());
    expect(state.settled?.files[0]?.decided.map((group) => group.decision)).toEqual(['edited']);
    expect(await t.read('b.txt')).toBe('two\n');
  });

  it('are finished by a person where that is a step of its own', async () => {
    const t = await table({ 'a.txt': numbered(5) }, { finish: () => 'ask' });
    const { set } = await t.propose({ 'a.txt': numbered(5, { 2: 'two' }) });
    await expect(t.desk.finish(set, act())).rejects.toMatchObject({ reason: 'undecided' });
    expect((await t.desk.decideAll(set, 'accept', act())).status).toBe('pending');
    expect(await t.read('a.txt')).toBe(numbered(5));
    expect((await t.desk.finish(set, act())).settled?.outcome).toBe('accepted');
    expect(await t.read('a.txt')).toBe(numbered(5, { 2: 'two' }));
  });
});

describe('reviewed marks', () => {
  it('go when the file changes again', async () => {
    const t = await table({ 'a.txt': numbered(30) });
    const { set } = await t.propose({ 'a.txt': numbered(30, { 2: 'two' }) });
    await t.desk.markReviewed(set, 'w/a.txt', true, 'test');
    expect((await t.desk.state(set)).files[0]?.reviewed).toBe(true);
    await writeFile(join(t.root, 'a.txt'), numbered(30, { 25: 'other' }));
    expect((await t.desk.refresh(set)).files[0]?.reviewed).toBe(false);
  });
});

describe('answers', () => {
  const all = { writer: 'agent', canEdit: true, canPartial: true, canEmpty: true, redelivers: false, canExplain: true } as const;
  const none = { writer: 'agent', canEdit: false, canPartial: false, canEmpty: false, redelivers: false, canExplain: false } as const;
  const file = { key: 'w/a', partial: false, edited: false, empty: false, final: 'h' };

  it.each([
    ['all of it', 'accepted', {}, none, 'accept', 'agent'],
    ['a part, sayable', 'partly_accepted', { partial: true }, all, 'accept', 'agent'],
    ['a part as a final text', 'partly_accepted', { partial: true }, { ...none, canEdit: true }, 'accept', 'agent'],
    ['a part, unsayable', 'partly_accepted', { partial: true }, none, 'reject', 'casebook'],
    ['an edit, unsayable', 'accepted', { edited: true }, { ...none, canPartial: true }, 'reject', 'casebook'],
    ['an emptied file, unsayable', 'accepted', { edited: true, empty: true }, { ...all, canEmpty: false }, 'reject', 'casebook'],
    ['a rename that was refused', 'partly_accepted', { partial: true, final: undefined }, all, 'reject', 'casebook'],
    ['nothing', 'rejected', { partial: true }, all, 'reject', 'nobody'],
  ] as const)('%s', (_name, outcome, what, capabilities, verdict, writes) => {
    const { final, ...rest } = { ...file, ...what };
    expect(answerTo(outcome, [{ ...rest, ...(final === undefined ? {} : { final }) }], capabilities, 'because')).toMatchObject({ verdict, writes, ...(capabilities.canExplain && verdict === 'accept' ? { words: 'because' } : {}) });
  });
});

import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeDisk } from '../../../extension/core/review/apply/disk.ts';
import { hunksOf, table, tableOn } from './desk-harness.ts';
import { codings, textArbitrary, toBytes } from './samples.ts';
import { newTree, quickDisk, removeTrees, treeOf, watched } from './trees.ts';

const act = (revision = 0) => ({ via: 'test', revision });

afterEach(removeTrees);

describe('a write that fails', () => {
  it('at any step leaves nothing of the set on disk, says so, and can be finished later', async () => {
    const files = { 'a.txt': 'one\ntwo\n', 'old.txt': 'gone soon\n' };
    let failing = 0;
    let seen = 0;
    const disk = watched(quickDisk(nodeDisk()), ({ changingNumber }) => {
      if (changingNumber === 0) return;
      seen += 1;
      if (seen === failing) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    });
    for (failing = 1; ; failing += 1) {
      const t = await table(files, { disk });
      const before = await treeOf(t.root);
      seen = 0;
      const { set } = await t.propose([
        { root: 'w', path: 'a.txt', proposed: { kind: 'text', text: 'one\n2\n' } },
        { root: 'w', path: 'new/b.txt', proposed: { kind: 'text', text: 'new\n' } },
        { root: 'w', path: 'old.txt', proposed: { kind: 'absent' } },
      ]);
      const decided = await t.desk.decideAll(set, 'accept', act()).catch((error: unknown) => error);
      const state = await t.desk.state(set);
      if (seen < failing) break;
      if (state.status === 'settled') {
        // What fails once the set is written is only tidying up.
        expect(await t.read('new/b.txt')).toBe('new\n');
        continue;
      }
      expect(decided).toMatchObject({ reason: 'io' });
      expect([failing, await treeOf(t.root)]).toEqual([failing, before]);
      expect(state.writeFailed?.message).toContain('no space');
      expect((await t.desk.finish(set, act(state.revision))).settled?.outcome).toBe('accepted');
      expect(await t.read('a.txt')).toBe('one\n2\n');
    }
    expect(failing).toBeGreaterThan(10);
  });

  it('by a folder in the way, or a file that may not be written, is told by its reason', async () => {
    const t = await table({ 'a.txt': 'one\n' });
    const { set } = await t.propose({ 'b.txt': 'new\n' });
    await mkdir(join(t.root, 'b.txt'));
    await expect(t.desk.decideAll(set, 'accept', act())).rejects.toMatchObject({ reason: expect.stringMatching(/bad_proposal|in_the_way/u) as string });
    expect((await t.desk.state(set)).status).toBe('pending');
    await chmod(join(t.root, 'a.txt'), 0o444);
    const second = await t.propose({ 'a.txt': 'two\n' });
    if (process.getuid?.() !== 0) await expect(t.desk.decideAll(second.set, 'accept', act())).rejects.toMatchObject({ reason: 'read_only' });
    else expect((await t.desk.decideAll(second.set, 'accept', act())).settled?.outcome).toBe('accepted');
  });
});

describe('one outcome', () => {
  it('however often and from however many places the button is pressed (D28)', async () => {
    const t = await table({ 'a.txt': 'one\n' });
    const { set, answer } = await t.propose({ 'a.txt': 'two\n' });
    const pressed = await Promise.allSettled(Array.from({ length: 8 }, (_none, index) => t.desk.decideAll(set, index % 2 === 0 ? 'accept' : 'reject', act())));
    expect(pressed.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    expect(pressed.filter((one) => one.status === 'rejected').every((one) => (one.reason as { reason: string }).reason === 'settled')).toBe(true);
    expect((await answer).outcome).toBe('accepted');
    expect(t.journal.events.filter((event) => event.kind === 'changeset.settled')).toHaveLength(1);
  });

  it('waits while nothing can be recorded, and no caller hears before the record does (J09)', async () => {
    const t = await table({ 'a.txt': 'one\n' });
    const { set, answer } = await t.propose({ 'a.txt': 'two\n' });
    t.journal.setRecording(false, 'disk full');
    let heard = false;
    void answer.then(() => (heard = true));
    const deciding = t.desk.decideAll(set, 'accept', act());
    // Whatever could go on without the record has gone on by then.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(t.journal.events.some((event) => event.kind === 'hunks.decided')).toBe(false);
    expect(heard).toBe(false);
    expect(await t.read('a.txt')).toBe('one\n');
    t.journal.setRecording(true);
    expect((await deciding).settled?.outcome).toBe('accepted');
    expect((await answer).outcome).toBe('accepted');
    expect(t.journal.events.filter((event) => event.kind === 'hunks.decided')).toHaveLength(1);
  });

  it('hears only what is on record: a caller whose answer cannot be written goes on waiting (J09)', async () => {
    const t = await table({ 'a.txt': 'one\n' });
    const append = t.journal.append.bind(t.journal);
    t.journal.append = async (event, signal) => {
      if (event.kind === 'changeset.settled') throw new Error('the disk is gone');
      return append(event, signal);
    };
    const { set, answer } = await t.propose({ 'a.txt': 'two\n' });
    let heard = false;
    void answer.then(() => (heard = true));
    await expect(t.desk.decideAll(set, 'reject', act())).rejects.toThrow('the disk is gone');
    expect(heard).toBe(false);
    t.journal.append = append;
    expect((await t.desk.finish(set, act())).settled?.outcome).toBe('rejected');
    expect((await answer).outcome).toBe('rejected');
  });

  it('is given to two callers of the same set both, and closing detaches who still waits', async () => {
    const t = await table({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    const one = await t.propose({ 'a.txt': 'two\n' });
    const two = await t.propose({ 'a.txt': 'two\n' });
    const waits = await t.propose({ 'b.txt': 'two\n' });
    await t.desk.decideAll(one.set, 'accept', act());
    expect([(await one.answer).outcome, (await two.answer).outcome]).toEqual(['accepted', 'accepted']);
    await t.desk.close('reload');
    expect((await waits.answer).outcome).toBe('abandoned');
    expect((await t.desk.state(waits.set)).status).toBe('pending');
    await expect(t.propose({ 'b.txt': 'three\n' })).rejects.toMatchObject({ reason: 'closed' });
  });
});

describe('many at once', () => {
  it('callers on the same file and on others all end, and every accepted change is there', async () => {
    const lines = Array.from({ length: 60 }, (_none, index) => `line ${index}`);
    const text = (changed: number): string => `${lines.map((line, index) => (index === changed ? `${line} changed` : line)).join('\n')}\n`;
    const t = await table({ 'a.txt': `${lines.join('\n')}\n`, 'b.txt': 'b\n' });
    const callers = await Promise.all([5, 15, 25, 35, 45].map((changed) => t.propose({ 'a.txt': text(changed) }, { client: `agent ${changed}` })));
    const other = await t.propose({ 'b.txt': 'bb\n' });
    for (const { set } of [...callers, other]) {
      await expect
        .poll(async () => {
          const { revision, status } = await t.desk.refresh(set);
          if (status === 'pending') await t.desk.decideAll(set, 'accept', act(revision)).catch(() => undefined);
          return (await t.desk.state(set)).status;
        })
        .toBe('settled');
    }
    expect(await t.read('a.txt')).toBe(`${lines.map((line, index) => ([5, 15, 25, 35, 45].includes(index) ? `${line} changed` : line)).join('\n')}\n`);
    expect(await t.read('b.txt')).toBe('bb\n');
    for (const { answer } of callers) expect((await answer).outcome).toBe('accepted');
  });
});

describe('random reviews', () => {
  it('give what their decisions say whatever their order and however often they are changed, and undo gives every byte back', async () => {
    const sample = fc.constantFrom(...codings).chain((coding) => fc.record({ coding: fc.constant(coding), base: textArbitrary(coding), proposed: textArbitrary(coding), seed: fc.nat() }));
    await fc.assert(
      fc.asyncProperty(sample, fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), async ({ coding, base, proposed, seed }, picks) => {
        const { root, state } = await newTree({ 'f.txt': '' });
        const bytes = toBytes(base, coding);
        await writeFile(join(root, 'f.txt'), bytes);
        const t = tableOn(root, state);
        const { set } = await t.propose([{ root: 'w', path: 'f.txt', proposed: { kind: 'text', text: proposed } }]);
        if (set === '') return;
        const hunks = await hunksOf(t.desk, set, 'w/f.txt');
        const before = await treeOf(root);
        const wanted = hunks.map((hunk, index) => ({ file: 'w/f.txt', hunk, decision: picks[index % picks.length] === true ? ('accept' as const) : ('reject' as const) }));
        const shuffled = wanted.toSorted((a, b) => (seed ^ a.hunk.charCodeAt(3)) - (seed ^ b.hunk.charCodeAt(3)) || (a.hunk < b.hunk ? 1 : -1));
        // The first is decided the other way round, taken back, and decided as wanted at the end.
        const [first, ...rest] = shuffled;
        if (first === undefined) return;
        if (rest.length > 0) {
          await t.desk.decide(set, [{ ...first, decision: first.decision === 'accept' ? 'reject' : 'accept' }], act());
          await t.desk.decide(set, [{ ...first, decision: 'undone' }], act());
        }
        for (const decision of rest) await t.desk.decide(set, [decision], act());
        const settled = (await t.desk.decide(set, [first], act())).settled;
        const once = await table({});
        await writeFile(join(once.root, 'f.txt'), bytes);
        const again = await once.propose([{ root: 'w', path: 'f.txt', proposed: { kind: 'text', text: proposed } }]);
        await once.desk.decide(again.set, wanted, act());
        expect(await treeOf(root)).toEqual(await treeOf(once.root));
        if (wanted.every((one) => one.decision === 'reject')) expect(await treeOf(root)).toEqual(before);
        if (settled?.standing === true) await t.desk.undo(set, 'test');
        expect(await treeOf(root)).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });
});

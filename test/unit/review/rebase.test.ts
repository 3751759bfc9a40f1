import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../extension/core/review/files/document.ts';
import { type FileReview, reviewFileNow } from '../../../extension/core/review/files/file-review.ts';
import { type Merge, mergeBytes, mergeLines } from '../../../extension/core/review/files/merge.ts';
import { rebaseFile } from '../../../extension/core/review/files/rebase.ts';
import { decideAll, resolveFile } from '../../../extension/core/review/files/resolve.ts';
import { runNow } from '../../../extension/core/review/files/slices.ts';
import { textArbitrary } from './samples.ts';

const merge = (base: string, ours: string, theirs: string): Merge => runNow(mergeBytes(Buffer.from(base), Buffer.from(ours), Buffer.from(theirs)));
const clean = (base: string, ours: string, theirs: string): string => {
  const merged = merge(base, ours, theirs);
  return merged.kind === 'clean' ? Buffer.from(merged.bytes).toString() : `<${merged.kind}>`;
};
const rebase = (base: string, current: string, proposed: string, asText = true): ReturnType<typeof rebaseFile> =>
  rebaseFile({ root: 'w', path: 'a.ts', base: Buffer.from(base), current: Buffer.from(current), proposed: asText ? { text: proposed } : { bytes: Buffer.from(proposed) } });
const accepted = (review: FileReview, decision: 'accept' | 'reject' = 'accept'): string => {
  const { after } = resolveFile(review, decideAll(review.hunks, decision));
  return after.kind === 'file' ? Buffer.from(after.bytes).toString() : `<${after.kind}>`;
};
const coding = { encoding: 'utf-8', bom: false } as const;

describe('three-way merge', () => {
  it('keeps what each side did alone, whatever the other is', () => {
    fc.assert(
      fc.property(textArbitrary(coding), textArbitrary(coding), (base, other) => {
        expect(clean(base, base, other)).toBe(other);
        expect(clean(base, other, base)).toBe(other);
        expect(clean(base, other, other)).toBe(other);
      }),
      { numRuns: 300 },
    );
  });

  it('loses no line of any side: regions put together are ours, theirs and base again', () => {
    fc.assert(
      fc.property(textArbitrary(coding), textArbitrary(coding), textArbitrary(coding), (base, ours, theirs) => {
        const [b, o, t] = [linesOf(base), linesOf(ours), linesOf(theirs)];
        const regions = runNow(mergeLines(b, o, t));
        for (const region of regions) {
          if (region.kind !== 'conflict') continue;
          expect(region.base).toEqual(b.slice(...region.at.base));
          expect(region.ours).toEqual(o.slice(...region.at.ours));
          expect(region.theirs).toEqual(t.slice(...region.at.theirs));
        }
        // Every line that only one side has added is in the result.
        const all = JSON.stringify(regions);
        for (const line of [...o, ...t]) if (!b.some((other) => other.text === line.text && other.end === line.end)) expect(all).toContain(JSON.stringify(line));
      }),
      { numRuns: 500 },
    );
  });

  it('joins changes that are apart and reports those that meet', () => {
    expect(clean('a\nb\nc\nd\ne\n', 'A\nb\nc\nd\ne\n', 'a\nb\nc\nd\nE\n')).toBe('A\nb\nc\nd\nE\n');
    expect(clean('a\nb\nc\n', 'a\nb\nc\nmine\n', 'theirs\na\nb\nc\n')).toBe('theirs\na\nb\nc\nmine\n');
    expect(merge('a\nb\nc\n', 'a\nours\nc\n', 'a\ntheirs\nc\n')).toMatchObject({ kind: 'conflict', regions: [{ from: 'base' }, { kind: 'conflict', base: [{ text: 'b' }], ours: [{ text: 'ours' }], theirs: [{ text: 'theirs' }] }, { from: 'base' }] });
    expect(merge('a\n', 'a\nx\n', 'a\ny\n').kind).toBe('conflict');
    expect(clean('a\nb\nc', 'a\nb\nc\n', 'A\nb\nc')).toBe('A\nb\nc\n');
    expect(clean('\uFEFFa\nb\nc\n', 'a\nb\nc\n', '\uFEFFa\nb\nC\n')).toBe('a\nb\nC\n');
    expect(merge('a\0', 'b\0', 'c\0')).toEqual({ kind: 'whole', why: 'binary' });
  });
});

describe('re-basing a queued proposal', () => {
  const base = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

  it('D40: two proposals on the same base, both accepted, are both there', async () => {
    const first = base.replace('two', '2');
    const second = base.replace('six', '6');
    const rebased = await rebase(base, first, second);
    expect(rebased.conflicts).toEqual([]);
    expect(rebased.review.hunks).toHaveLength(1);
    expect(accepted(rebased.review)).toBe(base.replace('two', '2').replace('six', '6'));
  });

  it('D07: a proposal made on the one before shows only what it adds', async () => {
    const first = base.replace('two', '2');
    const second = first.replace('six', '6\n6b');
    const rebased = await rebase(first, first, second);
    expect(rebased.review.hunks).toMatchObject([{ kind: 'lines', removed: [{ text: 'six' }], added: [{ text: '6' }, { text: '6b' }] }]);
  });

  it('D17: what was rejected of the first stays rejected, what was accepted stays, when the second is taken or refused', async () => {
    const first = base.replace('two', '2').replace('five', '5');
    const decided = base.replace('two', '2');
    const second = first.replace('seven', '7');
    const rebased = await rebase(first, decided, second);
    expect(rebased.conflicts).toEqual([]);
    expect(accepted(rebased.review)).toBe(decided.replace('seven', '7'));
    expect(accepted(rebased.review, 'reject')).toBe(decided);
  });

  it('D15, D39: what changed under a pending proposal is kept, and where both changed a line both are shown', async () => {
    const current = base.replace('two', 'other work').replace('six', 'later');
    const rebased = await rebase(base, current, base.replace('two', '2').replace('four', '4'));
    expect(rebased.conflicts).toMatchObject([{ base: [{ text: 'two' }], current: [{ text: 'other work' }], proposed: [{ text: '2' }] }]);
    const [conflict] = rebased.conflicts;
    expect(conflict?.hunks).toHaveLength(1);
    expect(rebased.review.hunks).toHaveLength(2);
    expect(accepted(rebased.review, 'reject')).toBe(current);
    expect(accepted(rebased.review)).toBe(current.replace('other work', '2').replace('four', '4'));
    const decisions = new Map(decideAll(rebased.review.hunks, 'accept')).set(conflict?.hunks[0] ?? '', { decision: 'reject' });
    const { after } = resolveFile(rebased.review, decisions);
    expect(after.kind === 'file' && Buffer.from(after.bytes).toString()).toBe(current.replace('four', '4'));
  });

  it('for any three versions, refusing all keeps the present and no conflict is without a hunk', async () => {
    await fc.assert(
      fc.asyncProperty(textArbitrary(coding, 12), textArbitrary(coding, 12), textArbitrary(coding, 12), fc.boolean(), async (one, current, proposed, asText) => {
        const rebased = await rebase(one, current, proposed, asText);
        expect(accepted(rebased.review, 'reject')).toBe(current);
        for (const conflict of rebased.conflicts) expect(conflict.hunks.length).toBeGreaterThan(0);
      }),
      { numRuns: 400, examples: [['', 'if (x) {', 'if (x) {\r\n', false]] },
    );
  });

  it.each([
    ['', 'if (x) {', 'if (x) {\r\n'],
    ['', 'x', 'x\n'],
    ['', 'x\n', 'x'],
    ['', 'x\n', 'x\r\n'],
  ])('two versions of a file that was empty may differ in their last line end alone: %j, %j, %j', async (one, current, proposed) => {
    const rebased = await rebase(one, current, proposed, false);
    expect(rebased.review.hunks).toHaveLength(1);
    expect(accepted(rebased.review, 'reject')).toBe(current);
    expect(accepted(rebased.review)).toBe(proposed);
    for (const conflict of rebased.conflicts) expect(conflict.hunks).toHaveLength(1);
  });

  it('binaries stand against each other as wholes', async () => {
    const rebased = await rebase('a\0', 'b\0', 'c\0', false);
    expect(rebased).toMatchObject({ whole: true, review: { hunks: [{ kind: 'entry', what: 'content' }] } });
    expect(accepted(rebased.review)).toBe('c\0');
  });

  it('hunks that come again have the id they had', async () => {
    const first = reviewFileNow({ root: 'w', path: 'a.ts', base: { kind: 'file', bytes: Buffer.from(base) }, proposed: { kind: 'text', text: base.replace('two', '2').replace('six', '6') } });
    const rebased = await rebase(base, base.replace('two', '2'), base.replace('two', '2').replace('six', '6'));
    expect(rebased.review.hunks.map((hunk) => hunk.id)).toEqual([first.hunks[1]?.id]);
  });
});

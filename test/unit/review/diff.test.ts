import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Change, diffLines } from '../../../extension/core/review/files/diff.ts';
import { type Line, linesOf } from '../../../extension/core/review/files/document.ts';
import { runInSlices, runNow } from '../../../extension/core/review/files/slices.ts';

const lines = (texts: readonly string[]): Line[] => texts.map((text) => ({ text, end: '\n' }));
const diff = (a: readonly string[], b: readonly string[]): Change[] => runNow(diffLines(lines(a), lines(b), 'bytes'));

/** What the changes make of the base; throws where they do not fit together. */
function applied(a: readonly string[], b: readonly string[], changes: readonly Change[]): string[] {
  const out: string[] = [];
  let at = 0;
  for (const change of changes) {
    if (change.baseStart < at) throw new Error('changes overlap');
    out.push(...a.slice(at, change.baseStart));
    if (out.length !== change.proposedStart) throw new Error('changes do not line up');
    out.push(...b.slice(change.proposedStart, change.proposedEnd));
    at = change.baseEnd;
  }
  return [...out, ...a.slice(at)];
}

/** Length of a longest common subsequence, by the table. */
function common(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const left of a) {
    const next = [0];
    for (const [index, right] of b.entries()) next.push(left === right ? (row[index] ?? 0) + 1 : Math.max(next[index] ?? 0, row[index + 1] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

const cost = (changes: readonly Change[]): number => changes.reduce((sum, change) => sum + change.baseEnd - change.baseStart + change.proposedEnd - change.proposedStart, 0);

describe('line diff', () => {
  it('always turns the base into the proposal, with changes apart from each other', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', '', '}');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), fc.array(word, { maxLength: 60 }), (a, b) => {
        const changes = diff(a, b);
        expect(applied(a, b, changes)).toEqual(b);
        for (const [index, change] of changes.entries()) {
          const next = changes[index + 1];
          if (next) expect(next.baseStart).toBeGreaterThan(change.baseEnd);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('is as short as can be where no line is unique', () => {
    const word = fc.constantFrom('a', 'b');
    fc.assert(
      fc.property(fc.array(word, { minLength: 4, maxLength: 40 }), fc.array(word, { minLength: 4, maxLength: 40 }), (a, b) => {
        // Doubled, so that patience finds no anchor and the whole is Myers' work.
        const [left, right] = [[...a, 'a', 'b', ...a, 'b', 'a'], [...b, 'b', 'a', ...b, 'a', 'b']];
        expect(cost(diff(left, right))).toBe(left.length + right.length - 2 * common(left, right));
      }),
      { numRuns: 400 },
    );
  });

  it('stays valid when the search is cut off', () => {
    const random = fc.sample(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3000, maxLength: 3000 }), { numRuns: 2, seed: 7 });
    const [a = [], b = []] = random.map((numbers) => numbers.map(String));
    expect(applied(a, b, diff(a, b))).toEqual(b);
  });

  it('shows a moved function as one block', () => {
    const one = ['function one() {', '  return 1;', '}', ''];
    const two = ['function two() {', '  return 2;', '}', ''];
    const three = ['function three() {', '  return 3;', '}', ''];
    expect(diff([...one, ...two], [...one, ...three, ...two])).toEqual([{ baseStart: 4, baseEnd: 4, proposedStart: 4, proposedEnd: 8 }]);
  });

  it('takes no line end for a change when only text counts', () => {
    const base = linesOf('a\r\nb\r\nc\r\n');
    expect(runNow(diffLines(base, linesOf('a\nB\nc\n'), 'text'))).toEqual([{ baseStart: 1, baseEnd: 2, proposedStart: 1, proposedEnd: 2 }]);
    expect(runNow(diffLines(base, linesOf('a\nb\nc\n'), 'bytes'))).toHaveLength(1);
  });

  it('works in many small steps, also on 20 000 rewritten, repeated or shuffled lines', () => {
    const size = 20_000;
    const numbers = Array.from({ length: size }, (_value, index) => index);
    const shuffled = numbers.map((index) => numbers[(index * 7919) % size] ?? 0);
    const cases: [string[], string[]][] = [
      [numbers.map((index) => `old ${index}`), numbers.map((index) => `new ${index}`)],
      [numbers.map((index) => `line ${(index * 31) % 50}`), numbers.map((index) => `line ${(index * 17) % 53}`)],
      [numbers.map(String), shuffled.map(String)],
      [numbers.map(() => ''), numbers.map((index) => (index % 2 === 0 ? '' : '}'))],
    ];
    for (const [a, b] of cases) {
      const work = diffLines(lines(a), lines(b), 'bytes');
      let steps = 0;
      let step = work.next();
      for (; !step.done; step = work.next()) steps += 1;
      expect(steps).toBeGreaterThan(4);
      expect(applied(a, b, step.value)).toEqual(b);
    }
  });

  it('D29: lets others in while it works, and stops when told', async () => {
    const a = lines(Array.from({ length: 20_000 }, (_value, index) => `line ${(index * 31) % 50}`));
    const b = lines(Array.from({ length: 20_000 }, (_value, index) => `line ${(index * 17) % 53}`));
    let turns = 0;
    let running = true;
    const tick = (): void => {
      turns += 1;
      if (running) setImmediate(tick);
    };
    setImmediate(tick);
    await runInSlices(diffLines(a, b, 'bytes'), { sliceMs: 0 });
    running = false;
    expect(turns).toBeGreaterThan(10);
    await expect(runInSlices(diffLines(a, b, 'bytes'), { signal: AbortSignal.abort() })).rejects.toMatchObject({ reason: 'cancelled' });
  });
});

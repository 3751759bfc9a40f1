import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { splitHunk } from '../../../../extension/core/review/files/hunks.ts';
import { reviewFileNow } from '../../../../extension/core/review/files/file-review.ts';
import type { FileView } from '../../../../extension/core/review/port.ts';
import { addressOf, partsOf, schemes } from '../../../../extension/host/review/addresses.ts';
import { decisionOn, hunkAt, placesOf, stepFrom } from '../../../../extension/host/review/hunk-at.ts';
import { lineEdits } from '../../../../extension/host/review/minimal-edits.ts';

vi.mock('vscode', async () => import('../fake-vscode.ts'));

type Seen = Pick<FileView, 'review' | 'decisions'>;

function view(base: string | undefined, proposed: string | undefined, decisions: [string, 'accept' | 'reject'][] = []): Seen & { decisions: Map<string, 'accept' | 'reject'> } {
  const content = (text: string | undefined) => (text === undefined ? { kind: 'absent' as const } : { kind: 'file' as const, bytes: Buffer.from(text) });
  return { review: reviewFileNow({ root: 'app', path: 'a.ts', base: content(base), proposed: content(proposed) }), decisions: new Map(decisions) };
}

const lines = (...numbers: (number | string)[]): string => numbers.map((number) => `${number}\n`).join('');
const idOf = (seen: Seen, index: number): string => seen.review.hunks[index]?.id ?? 'none';

describe('addresses', () => {
  it('name set, file and side, and give back what they were made of', () => {
    for (const side of ['base', 'proposed'] as const) {
      const address = { set: 'set_1', file: 'app/需求/年 中.html', side };
      expect(addressOf(partsOf(address))).toEqual(address);
    }
    expect(partsOf({ set: 's', file: 'app/a.ts', side: 'proposed' })).toMatchObject({ scheme: schemes.proposed, path: '/app/a.ts' });
    expect(addressOf({ scheme: 'file', path: '/app/a.ts', query: 'set=s' })).toBeUndefined();
    expect(addressOf({ scheme: schemes.base, path: '/app/a.ts', query: '' })).toBeUndefined();
  });

  it('D38: keep files of one name in different folders and sets apart', () => {
    const all = [partsOf({ set: 'set_1', file: 'app/x/a.ts', side: 'proposed' }), partsOf({ set: 'set_1', file: 'app/y/a.ts', side: 'proposed' }), partsOf({ set: 'set_2', file: 'app/x/a.ts', side: 'proposed' })];
    expect(new Set(all.map((parts) => JSON.stringify(parts))).size).toBe(3);
  });
});

describe('the hunk at the cursor', () => {
  const seen = view(lines(1, 2, 3, 4, 5, 6, 7, 8, 9), lines(1, 'two', 3, 4, 6, 7, 8, 'new', 9));

  it('is the one whose lines hold it, on either side', () => {
    expect(seen.review.hunks).toHaveLength(3);
    expect(hunkAt(seen, 'proposed', 1)?.id).toBe(idOf(seen, 0));
    expect(hunkAt(seen, 'base', 1)?.id).toBe(idOf(seen, 0));
    expect(hunkAt(seen, 'base', 4)?.id).toBe(idOf(seen, 1));
    expect(hunkAt(seen, 'proposed', 7)?.id).toBe(idOf(seen, 2));
  });

  it('is a deletion also at the lines around it', () => {
    expect(hunkAt(seen, 'proposed', 3)?.id).toBe(idOf(seen, 1));
    expect(hunkAt(seen, 'proposed', 4)?.id).toBe(idOf(seen, 1));
  });

  it('is none on an unchanged line, so that nothing is decided by accident', () => {
    expect(hunkAt(seen, 'proposed', 0)).toBeUndefined();
    expect(hunkAt(seen, 'proposed', 6)).toBeUndefined();
  });

  it('is the whole of a new file, a deleted one or a binary', () => {
    expect(hunkAt(view(undefined, lines(1, 2)), 'proposed', 1)).toMatchObject({ what: 'create' });
    expect(hunkAt(view(lines(1, 2), undefined), 'base', 1)).toMatchObject({ what: 'delete' });
    expect(hunkAt(view('a\0b', 'a\0c'), 'proposed', 0)).toMatchObject({ what: 'content' });
  });

  it('is the end of the last line where only that changes', () => {
    expect(hunkAt(view('1\n2', '1\n2\n'), 'proposed', 1)).toMatchObject({ kind: 'final_newline' });
  });

  it('is decided when all of its parts are, alike', () => {
    const whole = view(lines(1, 2, 3), lines('a', 'b', 3));
    const hunk = whole.review.hunks[0];
    if (hunk?.kind !== 'lines') throw new Error('one hunk of lines was expected');
    const parts = splitHunk(hunk, 'pairs');
    expect(decisionOn({ decisions: new Map([[parts[0]?.id ?? '', 'accept']]) }, hunk)).toBeUndefined();
    expect(decisionOn({ decisions: new Map(parts.map((part) => [part.id, 'accept'])) }, hunk)).toBe('accept');
    expect(decisionOn({ decisions: new Map(parts.map((part, index) => [part.id, index === 0 ? 'accept' : 'reject'])) }, hunk)).toBeUndefined();
  });

  it('next and previous go round, and can leave out what is decided', () => {
    expect(placesOf(seen, 'proposed').map(({ first }) => first)).toEqual([1, 3, 7]);
    expect(stepFrom(seen, 'proposed', 1, 'next')?.hunk.id).toBe(idOf(seen, 1));
    expect(stepFrom(seen, 'proposed', 8, 'next')?.hunk.id).toBe(idOf(seen, 0));
    expect(stepFrom(seen, 'proposed', 1, 'previous')?.hunk.id).toBe(idOf(seen, 2));
    const decided = { ...seen, decisions: new Map([[idOf(seen, 1), 'accept' as const]]) };
    expect(stepFrom(decided, 'proposed', 1, 'next', true)?.hunk.id).toBe(idOf(seen, 2));
    expect(stepFrom({ ...seen, decisions: new Map(seen.review.hunks.map((hunk) => [hunk.id, 'accept'])) }, 'proposed', 1, 'next', true)).toBeUndefined();
  });
});

describe('edits of changed lines', () => {
  const apply = (before: string, after: string): string => {
    const kept = before.split('\n');
    for (const { start, end, lines: made } of lineEdits(before, after)) kept.splice(start, end - start, ...made);
    return kept.join('\n');
  };

  it('make one text of the other, for any two texts', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '', 'c c'), { maxLength: 12 }).map((parts) => parts.join('\n'));
    fc.assert(fc.property(text, text, (before, after) => apply(before, after) === after));
  });

  it('leave unchanged lines alone', () => {
    expect(lineEdits(lines(1, 2, 3, 4, 5, 6), lines(1, 'x', 3, 4, 5, 'y', 6))).toEqual([
      { start: 5, end: 5, lines: ['y'] },
      { start: 1, end: 2, lines: ['x'] },
    ]);
  });
});

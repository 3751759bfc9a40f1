import { describe, expect, it } from 'vitest';
import type { FileBody, HunkView } from '../../../extension/shared/review-protocol.ts';
import { languageOf, loadLanguage, tokensOf } from '../../../webview/review/highlight.ts';
import { differencesIn } from '../../../webview/review/intraline.ts';
import { callerNotes, fileStatus, idsToDecide, isOpen } from '../../../webview/review/model.ts';
import { parseToReview } from '../../../webview/review/parse.ts';
import { statusLook } from '../../../webview/review/parts/file-status.ts';
import { type Row, rowsOf, type RowOptions } from '../../../webview/review/rows.ts';
import { growsWithin } from '../../fixtures/growth.ts';

const hunk = (id: string, baseStart: number, baseEnd: number, proposedStart: number, proposedEnd: number, over: Partial<HunkView> = {}): HunkView => ({ id, kind: 'lines', baseStart, baseEnd, proposedStart, proposedEnd, ...over });
const body = (hunks: HunkView[], base = 100, proposed = 100): FileBody => ({ file: 'w/a', revision: 0, content: 'c', lines: { base, proposed }, base: { kind: 'file' }, proposed: { kind: 'file' }, hunks, hunkCount: hunks.length, warnings: [] });
const options: RowOptions = { layout: 'unified', hideWhitespace: false, expanded: new Map(), comments: [] };
const short = (row: Row): string => (row.kind === 'line' ? `${row.base ?? ''}|${row.proposed ?? ''}` : row.kind === 'gap' ? `gap ${row.count}` : row.kind);

describe('the rows of a file', () => {
  it('are hunks with three lines around them and gaps between, in both layouts', () => {
    const file = body([hunk('a', 10, 12, 10, 11), hunk('b', 15, 15, 14, 15)]);
    expect(rowsOf(file, options).map(short)).toEqual(['gap 7', '7|7', '8|8', '9|9', 'hunk', '10|', '11|', '|10', '12|11', '13|12', '14|13', 'hunk', '|14', '15|15', '16|16', '17|17', 'gap 82']);
    expect(rowsOf(file, { ...options, layout: 'split' }).map(short).slice(4, 7)).toEqual(['hunk', '10|10', '11|']);
  });

  it('cover every line of both sides once, whatever is expanded', () => {
    const file = body([hunk('a', 0, 1, 0, 3), hunk('b', 50, 60, 52, 52)], 100, 92);
    for (const layout of ['unified', 'split'] as const) {
      const rows = rowsOf(file, { ...options, layout, expanded: new Map([['b', { head: 5, tail: 9 }], ['end', { head: 1000, tail: 0 }]]) });
      const seen = { base: new Set<number>(), proposed: new Set<number>() };
      const add = (side: 'base' | 'proposed', line: number): void => {
        expect(seen[side].has(line), `${side} ${line}`).toBe(false);
        seen[side].add(line);
      };
      for (const row of rows) {
        if (row.kind === 'line') {
          if (row.base !== undefined) add('base', row.base);
          if (row.proposed !== undefined) add('proposed', row.proposed);
        } else if (row.kind === 'gap') {
          for (let index = 0; index < row.count; index++) {
            add('base', row.base + index);
            add('proposed', row.proposed + index);
          }
        }
      }
      expect([seen.base.size, seen.proposed.size]).toEqual([100, 92]);
    }
  });

  it('show comments after their line, also one in a gap, and D37: count what is hidden instead of dropping it', () => {
    const file = body([hunk('a', 10, 11, 10, 11, { whitespace: true })]);
    const rows = rowsOf(file, { ...options, hideWhitespace: true, comments: [{ id: '1', file: 'w/a', side: 'proposed', line: 9, text: 'x' }, { id: '2', file: 'w/a', side: 'base', line: 50, text: 'y' }] });
    expect(rows.map(short)).toEqual(['gap 7', '7|7', '8|8', 'comment', '9|9', 'hidden', '11|11', '12|12', '13|13', 'gap 86', 'comment']);
  });
});

describe('differences within a line', () => {
  it('are the words that changed, as offsets', () => {
    expect(differencesIn('return a + b;', 'return a - b;')).toEqual({ base: [[9, 10]], proposed: [[9, 10]] });
    expect(differencesIn('same', 'same')).toBeUndefined();
    expect(differencesIn('const first = load();', 'throw new Error("no")')).toBeUndefined();
  });

  it('take time with the words and not with their square', () => {
    const run = (size: number): void => {
      const words = Array.from({ length: size }, (_, index) => `w${index}`).join(' ');
      expect(differencesIn(words, words.replace(`w${size / 2} `, 'other '))?.proposed).toHaveLength(1);
    };
    // Linear is twenty times, a square four hundred.
    expect(growsWithin(120, run, 1000, 20_000)).toBe(true);
  });
});

describe('colours', () => {
  it('give the text back letter by letter, line by line', async () => {
    expect([languageOf('w/src/a.tsx'), languageOf('w/Dockerfile'), languageOf('w/a.unknown'), languageOf('w/constructor')]).toEqual(['typescript', 'dockerfile', undefined, undefined]);
    expect(await loadLanguage('typescript')).toBe(true);
    const lines = ['const a = "<b> & \'c\'"; // &amp;', '/* two', 'lines */ let x = `${a}`;', ''];
    const tokens = tokensOf(lines, 'typescript');
    expect(tokens?.map((line) => line.map(({ text }) => text).join(''))).toEqual(lines);
    expect(tokens?.[0]?.[0]).toEqual({ text: 'const', scope: 'keyword' });
    expect(tokens?.[2]?.[0]).toEqual({ text: 'lines */', scope: 'comment' });
    expect(tokensOf(['x'.repeat(70_000)], 'typescript')).toBeUndefined();
  });
});

describe('what is said of a set', () => {
  const person = { kind: 'person' as const, name: 'a' };
  const decided = (decision: 'accept' | 'reject') => ({ decision, by: person, at: '' });

  it('tells a file’s state by all of its decisions', () => {
    const counts = { added: 2, removed: 0, hunks: 2 };
    expect(fileStatus({ counts, left: 1, decisions: { a: decided('accept') } })).toBe('undecided');
    expect(fileStatus({ counts, left: 0, decisions: { a: decided('accept') }, rest: decided('reject') })).toBe('mixed');
    expect(fileStatus({ counts, left: 0, decisions: {}, rest: decided('reject') })).toBe('rejected');
  });

  it('does not count a decision on all the rest where nothing was left for it', () => {
    const counts = { added: 2, removed: 0, hunks: 2 };
    expect(fileStatus({ counts, left: 0, decisions: { a: decided('accept'), b: decided('accept') }, rest: decided('reject') })).toBe('accepted');
    expect(fileStatus({ counts, left: 0, decisions: { a: decided('accept'), 'b.l1': decided('accept') }, rest: decided('reject') })).toBe('mixed');
  });

  it('draws no two states of a file alike', () => {
    expect(new Set(Object.values(statusLook).map(({ icon }) => icon)).size).toBe(4);
    expect(new Set(Object.values(statusLook).map(({ tone }) => tone)).size).toBe(4);
  });

  it('names what the caller cannot be told, and nothing of a caller that is not there', () => {
    const none = { writer: 'agent' as const, canEdit: false, canPartial: false, canEmpty: true, redelivers: false, canExplain: false };
    expect(callerNotes({ caller: { name: 'x', capabilities: none, attached: true }, disk: 'proposed', status: 'pending' })).toEqual(['writes_itself', 'no_part', 'no_edit', 'no_words']);
    expect(callerNotes({ caller: { name: 'x', capabilities: none, attached: false }, disk: 'proposed', status: 'pending' })).toEqual(['gone']);
    expect(callerNotes({ caller: { name: '', capabilities: none, attached: false }, disk: 'applied', status: 'pending' })).toEqual(['applied']);
    expect(callerNotes({ caller: { name: '', capabilities: none, attached: false }, disk: 'proposed', status: 'pending' })).toEqual(['nobody_waits']);
  });

  it('decides what is left of a hunk in parts, never what was decided already', () => {
    const parts = [{ ...hunk('h.l1', 0, 1, 0, 0), decision: 'accept' as const }, hunk('h.l2', 1, 1, 0, 1)];
    const inParts = hunk('h', 0, 1, 0, 1, { parts });
    expect([isOpen(inParts), idsToDecide(inParts), idsToDecide(hunk('k', 0, 1, 0, 1))]).toEqual([true, ['h.l2'], ['k']]);
  });

  it('takes the protocol and ignores everything else', () => {
    expect(parseToReview({ type: 'set', state: { id: 'set_1' }, settings: {}, citations: [] })).toBeUndefined();
    expect(parseToReview({ type: 'reveal', file: 'w/a', hunk: 'h' })).toEqual({ type: 'reveal', file: 'w/a', hunk: 'h' });
    for (const odd of [undefined, null, 'set', [], { type: 'reveal' }]) expect(parseToReview(odd)).toBeUndefined();
  });
});

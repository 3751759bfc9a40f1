import { describe, expect, it } from 'vitest';
import { reviewFileNow } from '../../../extension/core/review/files/file-review.ts';
import { type Warning, warningsOf, whitespaceOnly } from '../../../extension/core/review/files/warnings.ts';

const file = (base: string | undefined, text: string): ReturnType<typeof reviewFileNow> =>
  reviewFileNow({ root: 'w', path: 'a.ts', base: base === undefined ? { kind: 'absent' } : { kind: 'file', bytes: Buffer.from(base) }, proposed: { kind: 'text', text } });
const warn = (base: string | undefined, text: string): Warning[] => warningsOf(file(base, text));
const long = Array.from({ length: 40 }, (_value, index) => `function f${index}() { return ${index}; }`);
const whole = `${long.join('\n')}\n`;

describe('D33: a proposal that was cut short is not accepted unseen', () => {
  it('counts lines that are gone beyond 30 %', () => {
    expect(warn(whole, `${long.slice(0, 27).join('\n')}\n`)).toEqual([{ kind: 'drops_lines', from: 40, to: 27, share: 13 / 40 }]);
    expect(warn(whole, `${long.slice(0, 28).join('\n')}\n`)).toEqual([]);
  });

  it.each([
    '// ... rest of the file unchanged ...',
    '# ... existing code ...',
    '/* rest of the implementation stays the same */',
    '<!-- ... -->',
    '// …',
    '    // (unchanged)'.replace(/[()]/gu, ''),
    '  // remaining methods unchanged',
    '-- existing code here',
    '{/* ... rest of the component remains ... */}',
    '... (rest of file unchanged)',
  ])('sees the placeholder %s', (line) => {
    expect(warn(whole, `${long.slice(0, 35).join('\n')}\n${line}\n`)).toMatchObject([{ kind: 'placeholder', line: 36 }]);
    expect(warn(undefined, `${line}\n`)).toMatchObject([{ kind: 'placeholder', line: 1 }]);
  });

  it.each(['  ...rest,', 'const [first, ...others] = list;', '// the remaining budget in cents', '...', 'The rest is unchanged by this.', '// existing users keep their key', 'def f(): ...', '// loads the other tests of the folder'])(
    'takes %s for what it is',
    (line) => {
      expect(warn(whole, whole.replace('function f5() { return 5; }', line))).toEqual([]);
    },
  );

  it('does not warn of a placeholder that was there before', () => {
    const base = `${whole}// ... existing code ...\n`;
    expect(warn(base, base.replace('return 3;', 'return 33;'))).toEqual([]);
  });

  it('sees an end in the middle of something', () => {
    expect(warn(whole, `${long.slice(0, 38).join('\n')}\nfunction f38() { return par`)).toMatchObject([{ kind: 'cut_off', line: 39, unclosed: 1 }]);
    expect(warn(whole, `${long.slice(0, 39).join('\n')}\nconst x = some`)).toMatchObject([{ kind: 'cut_off', line: 40 }]);
    expect(warn(whole, `${long.slice(0, 39).join('\n')}\nconst x = [1,\n`)).toMatchObject([{ kind: 'cut_off' }]);
    expect(warn(undefined, 'export function f() {\n  return 1;\n')).toMatchObject([{ kind: 'cut_off', unclosed: 1 }]);
    expect(warn(undefined, 'export function f() {\n  return 1;\n}\n')).toEqual([]);
    expect(warn(whole, `${whole}// done`)).toMatchObject([{ kind: 'cut_off' }]);
    expect(warn('a\nb', 'a\nc')).toEqual([]);
  });

  it('names lines whose characters were lost', () => {
    expect(warn('plain\nold\n', 'plain\nl\uFFFDst\n')).toEqual([{ kind: 'lost_characters', lines: [2] }]);
  });
});

describe('D37: changes of blanks only', () => {
  it('are counted by hunk', () => {
    const review = file('a\n  b\nc\nd\ne', 'a\n\tb\nc\n\nd\nE\n');
    expect(whitespaceOnly(review.hunks)).toEqual([review.hunks[0]?.id, review.hunks[1]?.id, review.hunks[3]?.id]);
  });
});

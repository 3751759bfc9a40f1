import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planMarks } from '../../../extension/host/marks-plan.ts';
import { resolveCitation, rootsOf } from '../../../extension/host/roots.ts';
import { aCase } from './fakes.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'casebook-roots-')));
  mkdirSync(join(base, 'app/src'), { recursive: true });
  mkdirSync(join(base, 'app-secret'));
  writeFileSync(join(base, 'app/src/a.ts'), 'a\nb\nc\n');
  writeFileSync(join(base, 'app-secret/key'), 'secret');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('roots', () => {
  it('gives real paths and unique names without slashes', () => {
    symlinkSync(join(base, 'app'), join(base, 'link'));
    const roots = rootsOf([
      { name: 'app', fsPath: join(base, 'app') },
      { name: 'linked', fsPath: join(base, 'link') },
      { name: 'app', fsPath: join(base, 'app-secret') },
      { name: 'gone', fsPath: join(base, 'gone') },
      { name: 'a/b', fsPath: base },
    ]);
    expect(roots).toEqual([
      { name: 'app', path: join(base, 'app') },
      { name: 'app-2', path: join(base, 'app-secret') },
      { name: 'a-b', path: base },
    ]);
  });
});

describe('citations as paths', () => {
  const roots = (): { name: string; path: string }[] => [
    { name: 'app', path: join(base, 'app') },
    { name: 'app/src', path: join(base, 'app/src') },
  ];

  it('resolves inside of the root with the longest name', () => {
    expect(resolveCitation('app/src/a.ts', [{ name: 'app', path: join(base, 'app') }])).toBe(join(base, 'app/src/a.ts'));
    expect(resolveCitation('app/src/a.ts', roots())).toBe(join(base, 'app/src/a.ts'));
  });

  it.each(['app/../app-secret/key', 'app/../../etc/passwd', 'app//etc/passwd', 'other/a.ts', '/etc/passwd', 'app'])('refuses %s', (file) => {
    expect(() => resolveCitation(file, roots())).toThrow(expect.objectContaining({ reason: 'outside_roots' }));
  });

  it('refuses a link that leaves the root', () => {
    symlinkSync(join(base, 'app-secret/key'), join(base, 'app/key'));
    expect(() => resolveCitation('app/key', roots())).toThrow(expect.objectContaining({ reason: 'outside_roots' }));
  });

  it('says when the file is gone', () => {
    expect(() => resolveCitation('app/src/b.ts', [{ name: 'app', path: join(base, 'app') }])).toThrow(expect.objectContaining({ reason: 'file_gone' }));
  });
});

describe('marks of cited lines', () => {
  it('marks lines where they are now, with words, and skips what has no place', () => {
    const state = aCase({
      snapshot: { takenAt: '', roots: [{ name: 'app', path: join(base, 'app'), kind: 'plain', dirty: [], dirtyCount: 0 }] },
      citations: [
        { file: 'app/src/a.ts', line: 1, endLine: 2, origin: 'verdict', state: 'verified', note: 'the [bad](command:x) line' },
        { file: 'app/src/a.ts', line: 1, endLine: 2, movedTo: 3, origin: 'report', state: 'moved' },
        { file: 'app/src/a.ts', origin: 'scout', state: 'located' },
        { file: 'app/gone.ts', line: 4, origin: 'scout', state: 'missing' },
        { file: 'app/../app-secret/key', line: 1, origin: 'report', state: 'verified' },
      ],
    });
    const plan = planMarks(state);
    expect([...plan.keys()]).toEqual([join(base, 'app/src/a.ts')]);
    const marks = plan.get(join(base, 'app/src/a.ts')) ?? [];
    expect(marks.map(({ state: kind, first, last }) => [kind, first, last])).toEqual([
      ['verified', 0, 1],
      ['moved', 2, 3],
    ]);
    expect(marks[0]?.hover).toContain('Verified: the quote was found at this place.');
    expect(marks[0]?.hover).toContain('the [bad](command:x) line');
  });
});

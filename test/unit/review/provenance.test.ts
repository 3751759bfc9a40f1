import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LineOrigin, lineOrigin } from '../../../extension/core/review/provenance/line-origin.ts';
import { never, repository, safeGit, tempFolder, userGit, write } from '../repo/helpers.ts';
import { hunksOf, type Table, tableOn } from './desk-harness.ts';

const numbered = (count: number, change: Record<number, string> = {}): string => Array.from({ length: count }, (_, index) => `${change[index + 1] ?? `line ${index + 1}`}\n`).join('');

interface Scene extends Table {
  origin: (path: string, line: number, text?: string) => Promise<LineOrigin>;
  /** Proposes one file's text and decides each hunk, in file order. */
  review: (path: string, text: string, decisions: readonly ('accept' | 'reject')[], client?: string) => Promise<string>;
}

function scene(files: Record<string, string>): Scene {
  const folder = repository(files);
  const table = tableOn(folder, tempFolder());
  return {
    ...table,
    origin: (path, line, text) => lineOrigin({ root: 'w', path, line, text: text ?? readFileSync(join(folder, path), 'utf8') }, { journal: table.journal, git: safeGit(), roots: () => [{ name: 'w', path: folder }] }, never),
    async review(path, text, decisions, client = 'codex') {
      const { set, answer } = await table.propose({ [path]: text }, { client });
      const hunks = await hunksOf(table.desk, set, `w/${path}`);
      await table.desk.decide(set, hunks.map((hunk, index) => ({ file: `w/${path}`, hunk, decision: decisions[index] ?? 'accept' })), { via: 'panel', revision: 0 });
      await answer;
      return set;
    },
  };
}

const told = ({ state, steps }: LineOrigin): string[] => [state, ...steps.map((step) => (step.kind === 'decided' ? `${step.earlier ? 'earlier ' : ''}${step.decision} ${step.origin.client} ${step.by.map(({ name }) => name).join()} ${step.path}:${step.line} ${step.text}` : `${step.earlier ? 'earlier ' : ''}${step.kind}`))];

describe('who decided this line', () => {
  it('names set, hunk, decision, person and agent, for accepted, kept and untouched lines', async () => {
    const { origin, review } = scene({ 'a.txt': numbered(30) });
    const set = await review('a.txt', numbered(30, { 5: 'five', 25: 'twenty-five' }), ['accept', 'reject']);
    const five = await origin('a.txt', 5);
    expect(told(five)).toEqual(['decided', 'accept codex tester a.txt:5 five']);
    expect(five.steps[0]).toMatchObject({ set, title: 'A change', by: [{ kind: 'person', name: 'tester', via: 'panel' }], origin: { client: 'codex' } });
    expect(five.steps[0]?.kind === 'decided' && five.steps[0].hunk).toMatch(/^h/u);
    expect(told(await origin('a.txt', 25))).toEqual(['decided', 'reject codex tester a.txt:25 line 25']);
    const untouched = await origin('a.txt', 10);
    expect([told(untouched), untouched.commit?.summary]).toEqual([['unknown'], 'first']);
  });

  it('follows a line through later edits of the file, and tells what it replaced', async () => {
    const { root, origin, review } = scene({ 'a.txt': numbered(10) });
    await review('a.txt', numbered(10, { 5: 'five' }), [], 'codex');
    write(root, { 'a.txt': `by hand\n${numbered(10, { 5: 'five' })}` });
    await review('a.txt', `by hand\n${numbered(10, { 5: 'FIVE', 9: 'nine' })}`, [], 'claude');
    expect(told(await origin('a.txt', 6))).toEqual(['decided', 'accept claude tester a.txt:6 FIVE', 'earlier accept codex tester a.txt:5 five']);
    expect(told(await origin('a.txt', 1))).toEqual(['changed_since', 'changed_since']);
  });

  it('says "changed since" of a line that was decided and then became other, never attributes it', async () => {
    const { root, origin, review } = scene({ 'a.txt': numbered(10) });
    await review('a.txt', numbered(10, { 5: 'five' }), []);
    write(root, { 'a.txt': numbered(10, { 5: 'somebody else' }) });
    expect(told(await origin('a.txt', 5))).toEqual(['changed_since', 'changed_since', 'earlier accept codex tester a.txt:5 five']);
    expect(told(await origin('a.txt', 5, numbered(10, { 5: 'unsaved' })))).toEqual(['changed_since', 'changed_since', 'earlier accept codex tester a.txt:5 five']);
    expect((await origin('a.txt', 5)).commit).toBeUndefined();
    expect(told(await origin('a.txt', 99))).toEqual(['unknown']);
  });

  it("marks the person's own words as edited", async () => {
    const { desk, propose, origin } = scene({ 'a.txt': numbered(10) });
    const { set, answer } = await propose({ 'a.txt': numbered(10, { 5: 'five' }) }, { client: 'codex' });
    const [hunk = ''] = await hunksOf(desk, set, 'w/a.txt');
    await desk.editHunk(set, 'w/a.txt', hunk, 'my words\n', { via: 'panel', revision: 0 });
    await desk.decideAll(set, 'accept', { via: 'panel', revision: 0 });
    await answer;
    expect(told(await origin('a.txt', 5))).toEqual(['decided', 'edited codex tester a.txt:5 my words']);
  });

  it('goes through renames by a set and by a commit, and through a new file', async () => {
    const { root, desk, propose, origin, review } = scene({ 'old.txt': numbered(20) });
    await review('old.txt', numbered(20, { 3: 'three' }), []);
    const bytes = readFileSync(join(root, 'old.txt'));
    const { set, answer } = await propose([{ root: 'w', path: 'moved.txt', from: 'old.txt', proposed: { kind: 'file', bytes } }], { client: 'claude' });
    await desk.decideAll(set, 'accept', { via: 'panel', revision: 0 });
    await answer;
    expect(told(await origin('moved.txt', 3))).toEqual(['decided', 'accept codex tester old.txt:3 three']);
    userGit(root, 'add', '-A');
    userGit(root, 'commit', '-qm', 'work\n\nCasebook-Set: set_far_away');
    userGit(root, 'mv', 'moved.txt', 'final.txt');
    userGit(root, 'commit', '-qm', 'move');
    const far = await origin('final.txt', 3);
    expect(told(far)).toEqual(['decided', 'accept codex tester old.txt:3 three']);
    expect(far.commit).toMatchObject({ author: 'Ada', summary: 'work', sets: ['set_far_away'], place: { path: 'moved.txt', line: 3 } });
    await review('new.txt', 'n1\nn2\n', []);
    expect(told(await origin('new.txt', 2))).toEqual(['decided', 'accept codex tester new.txt:2 n2']);
  });

  it('does not attribute what was taken back, and says so when the bytes are gone', async () => {
    const { journal, desk, origin, review } = scene({ 'a.txt': numbered(10) });
    const set = await review('a.txt', numbered(10, { 5: 'five' }), []);
    await desk.undo(set, 'panel');
    expect(told(await origin('a.txt', 5))).toEqual(['unknown']);
    await desk.redo(set, 'panel');
    expect(told(await origin('a.txt', 5))).toEqual(['decided', 'accept codex tester a.txt:5 five']);
    const erased = { ...journal, read: journal.read.bind(journal), blobs: { ...journal.blobs, get: async () => undefined } };
    const found = await lineOrigin({ root: 'w', path: 'a.txt', line: 5, text: numbered(10, { 5: 'five' }) }, { journal: erased, git: safeGit(), roots: () => [] }, never);
    expect(told(found)).toEqual(['unknown', 'unreadable']);
  });
});

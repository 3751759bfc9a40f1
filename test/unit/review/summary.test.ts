import { describe, expect, it } from 'vitest';
import { branchFacts, isOfBranch } from '../../../extension/core/review/provenance/branch.ts';
import { summary } from '../../../extension/core/review/provenance/summary.ts';
import { trailers } from '../../../extension/core/review/provenance/trailers.ts';
import { never, repository, safeGit, tempFolder, userGit, write } from '../repo/helpers.ts';
import { hunksOf, tableOn } from './desk-harness.ts';

const nasty = 'Ping @everyone | [x](http://evil.test) <img src=x onerror=alert(1)> `tick` \u202eright\u001b[31m\n# heading';

describe('a summary of decisions', () => {
  it('says what was decided, and lets no text of an agent do anything where it is read', async () => {
    const folder = repository({ 'a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n' });
    const { desk, propose } = tableOn(folder, tempFolder());
    const { set, answer } = await propose({ 'a.txt': 'one\n2\n3\n4\n5\n6\n7\n8\nnine\n' }, { title: nasty, client: 'codex' });
    const [first = '', second = ''] = await hunksOf(desk, set, 'w/a.txt');
    await desk.comment(set, { file: 'w/a.txt', side: 'proposed', line: 1, text: nasty }, 'panel');
    await desk.decide(set, [{ file: 'w/a.txt', hunk: first, decision: 'accept' }, { file: 'w/a.txt', hunk: second, decision: 'reject' }], { via: 'panel', revision: 0, reason: nasty });
    await answer;
    const states = [await desk.state(set)];
    const markdown = summary(states, { title: 'case 7', format: 'markdown' });
    expect(markdown).toContain('1 change set; hunks: 1 accepted, 0 edited, 1 rejected.');
    expect(markdown).toContain('| partly accepted | `tester` |');
    expect(markdown).toContain('- `w/a.txt`: 1 accepted, 1 rejected');
    expect(markdown).toContain(`    Casebook-Set: ${set}`);
    // Outside of code spans nothing of the agent's is left.
    const outside = markdown.replaceAll(/(`+)[^\n]*?[^`\n]\1(?!`)/gu, '');
    expect(outside).not.toMatch(/@everyone|evil|<img|heading/u);
    expect(markdown).not.toMatch(/\u202e|\u001b/u);
    const html = summary(states, { title: nasty, format: 'html' });
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<img|<script|<[^>]*\s(?:href|src)=/u);
    expect(html).not.toMatch(/\u202e|\u001b/u);
    expect(html).toContain('&lt;img');
    expect(trailers([...states, ...states])).toEqual([`Casebook-Set: ${set}`]);
  });

  it('finds the sets of a branch by what its commits say and by what it changed', async () => {
    const folder = repository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const { desk, propose } = tableOn(folder, tempFolder());
    userGit(folder, 'checkout', '-q', '-b', 'work');
    const accept = async (path: string): Promise<string> => {
      const { set, answer } = await propose({ [path]: 'changed\n' });
      await desk.decideAll(set, 'accept', { via: 'panel', revision: 0 });
      await answer;
      return set;
    };
    const mine = await accept('a.txt');
    const { set: other } = await propose({ 'b.txt': 'never accepted\n' });
    write(folder, { 'new.txt': 'n' });
    const root = { name: 'w', path: folder };
    const facts = await branchFacts(safeGit(), root, undefined, never);
    expect(facts).toMatchObject({ name: 'work', sets: [], paths: new Set(['a.txt', 'new.txt']) });
    expect([isOfBranch(await desk.state(mine), root, facts!), isOfBranch(await desk.state(other), root, facts!)]).toEqual([true, false]);
    userGit(folder, 'commit', '-qam', `work\n\nCasebook-Set: ${other}`);
    expect(isOfBranch(await desk.state(other), root, (await branchFacts(safeGit(), root, 'main', never))!)).toBe(true);
    expect(await branchFacts(safeGit(), { name: 'x', path: tempFolder() }, undefined, never)).toBeUndefined();
  });
});

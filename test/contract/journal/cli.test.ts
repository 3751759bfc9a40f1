import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import { journalCommand } from '../../../extension/cli/journal.ts';
import { layoutOf } from '../../../extension/core/journal/layout.ts';
import { agent, open, person, temporaryFolder } from '../../unit/journal/harness.ts';
import { opened } from '../../unit/journal/samples.ts';

interface Answer {
  code: number;
  out: string;
  error: string;
}

async function casebook(home: string, ...args: string[]): Promise<Answer> {
  let out = '';
  let error = '';
  const code = await journalCommand.run(args, {
    write: (text) => (out += text),
    writeError: (text) => (error += text),
    readStdin: () => Promise.resolve(''),
    cwd: join(home, 'project'),
    env: { CASEBOOK_HOME: home },
    signal: new AbortController().signal,
    logger: nullLogger,
  });
  return { code, out, error };
}

const nasty = '<script>alert(1)</script> & "quotes" \u202eright to left\u001b[31m';

async function filled(): Promise<{ home: string; folder: string; session: string }> {
  const home = await temporaryFolder();
  await mkdir(join(home, 'project'));
  const journal = await open(home);
  await journal.append({ kind: 'case.opened', case: 'case_a', actor: person, body: opened(nasty, 'words about a walrus') });
  await journal.append({ kind: 'run.noted', case: 'case_a', run: 'run_1', actor: agent, body: { level: 'info', text: nasty } });
  await journal.append({ kind: 'verdict.overridden', case: 'case_a', actor: person, body: { classification: 'answerable', confidence: 'low', reason: 'known' } });
  await journal.append({ kind: 'case.opened', case: 'case_b', actor: person, body: opened('Other') });
  await journal.close();
  return { home, folder: journal.folder, session: journal.session };
}

describe('casebook journal', () => {
  it('lists, shows and searches, for people and as JSON', async () => {
    const { home, folder } = await filled();
    const listed = await casebook(home, 'list', '--json');
    expect(listed.code).toBe(0);
    expect(JSON.parse(listed.out)).toMatchObject({ folder, cases: [{ case: 'case_b' }, { case: 'case_a', classification: 'answerable', events: 3 }] });
    const plain = await casebook(home, 'list');
    expect(plain.out).toMatch(/^case_b .*\ncase_a .*\[answerable\]/);
    expect(plain.out).not.toContain('\u001b');
    expect(plain.out).not.toContain('\u202e');
    const shown = await casebook(home, 'show', 'case_a', '--json');
    expect((JSON.parse(shown.out) as { items: { kind: string }[] }).items.map((item) => item.kind)).toEqual(['case.opened', 'run.noted', 'verdict.overridden']);
    expect((await casebook(home, 'show', 'case_a')).out.split('\n')).toHaveLength(4);
    expect((await casebook(home, 'show', 'case_x')).code).toBe(1);
    expect(JSON.parse((await casebook(home, 'search', 'walrus', '--json')).out)).toMatchObject({ events: [{ case: 'case_a', kind: 'case.opened' }] });
    expect((await casebook(home, 'search', 'absent')).out).toBe('Nothing found.\n');
    expect((await casebook(home, 'list', '--limit', '1')).out.split('\n')).toHaveLength(2);
  });

  it('verifies, and names the first bad place with exit code 1', async () => {
    const { home, folder, session } = await filled();
    expect(await casebook(home, 'verify')).toMatchObject({ code: 0, out: 'The journal holds: 6 events of 1 sessions.\n' });
    const path = layoutOf(folder).segment(session, '0001.jsonl');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"reason":"known"', '"reason":"other"'));
    const found = await casebook(home, 'verify');
    expect(found.code).toBe(1);
    expect(found.out).toContain(`First bad place: ${session}/0001.jsonl line 4`);
    expect(JSON.parse((await casebook(home, 'verify', '--json')).out)).toMatchObject({ ok: false, problems: [{ line: 4, seq: 4 }] });
  });

  it('exports JSON lines and one safe, self-contained page', async () => {
    const { home } = await filled();
    const lines = (await casebook(home, 'export', 'case_a')).out.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { event: { kind: string } }).event.kind)).toEqual(['case.opened', 'run.noted', 'verdict.overridden']);
    const file = join(home, 'report.html');
    expect((await casebook(home, 'export', 'case_a', '--format', 'html', '--output', file)).code).toBe(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const page = await readFile(file, 'utf8');
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`);
    expect(page).not.toMatch(/<script|<img|<link|<iframe|\ssrc=|\shref=|\son\w+=/i);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('[U+202E]');
    expect(page).not.toContain('\u202e');
    expect((await casebook(home, 'export', 'case_x')).code).toBe(1);
    expect((await casebook(home, 'export', 'case_a', '--format', 'pdf')).code).toBe(2);
  });

  it('erases only when told so twice, and keeps the reason', async () => {
    const { home, folder } = await filled();
    expect((await casebook(home, 'erase', 'case_a')).code).toBe(2);
    expect((await casebook(home, 'erase', 'case_a', '--reason', 'asked')).code).toBe(2);
    expect(JSON.parse((await casebook(home, 'search', 'walrus', '--json')).out)).toMatchObject({ events: [{}] });
    const erased = await casebook(home, 'erase', 'case_a', '--reason', 'asked', '--yes', '--json');
    expect(JSON.parse(erased.out)).toMatchObject({ events: 3, pending: [] });
    expect(JSON.parse((await casebook(home, 'search', 'walrus', '--json')).out)).toEqual({ events: [] });
    expect((await casebook(home, 'verify')).out).toContain('Erased: 3 bodies');
    expect(JSON.parse((await casebook(home, 'list', '--json')).out)).toMatchObject({ cases: [{ case: 'case_a', title: 'case_a' }, { case: 'case_b', title: 'Other' }] });
    expect((await casebook(home, 'erase', 'case_x', '--reason', 'asked', '--yes')).code).toBe(1);
    expect(await readdir(folder)).toContain('erasures');
  });

  it('J13: lists the history of a moved project, and brings it here by its key', async () => {
    const home = await temporaryFolder();
    const git = async (cwd: string, ...args: string[]): Promise<unknown> => promisify(execFile)('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd });
    const before = join(home, 'before');
    await mkdir(before);
    await git(before, 'init', '-q');
    await git(before, 'commit', '-q', '--allow-empty', '-m', 'first');
    const firstCommit = (await promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: before })).stdout.trim();
    const journal = await open(home, { workspace: before, identity: { firstCommit } });
    await journal.append({ kind: 'case.opened', case: 'case_a', actor: person, body: opened('Walrus') });
    await journal.close();
    expect((await casebook(home, 'list', '--moved')).out).toContain('No history');
    await rename(before, join(home, 'project'));
    const listed = await casebook(home, 'list', '--moved', '--json');
    const { histories } = JSON.parse(listed.out) as { histories: { key: string; path: string; cases: number }[] };
    expect(histories).toMatchObject([{ path: before, cases: 1, unfinished: false }]);
    expect((await casebook(home, 'list', '--moved')).out).toContain(`1 case  ${before}`);
    expect((await casebook(home, 'adopt')).code).toBe(2);
    expect(await casebook(home, 'adopt', 'other-0')).toMatchObject({ code: 1, error: expect.stringContaining('There is no history other-0') as string });
    expect(await casebook(home, 'adopt', histories[0]?.key ?? '')).toMatchObject({ code: 0, out: 'Brought here; this journal now has 1 case.\n' });
    expect((await casebook(home, 'list')).out).toContain('Walrus');
    expect((await casebook(home, 'verify')).code).toBe(0);
    expect(JSON.parse((await casebook(home, 'list', '--moved', '--json')).out)).toEqual({ histories: [] });
  });

  it('says how it is used when called wrongly, and reads an absent journal as an empty one without making it', async () => {
    const home = await temporaryFolder();
    for (const args of [[], ['destroy'], ['show'], ['search'], ['list', '--limit', 'many'], ['list', '--unknown']]) {
      const answer = await casebook(home, ...args);
      expect(answer.code).toBe(2);
      expect(answer.error).toContain('casebook journal list');
    }
    expect(await casebook(home, 'list')).toMatchObject({ code: 0, out: 'No cases.\n' });
    expect(await casebook(home, 'verify')).toMatchObject({ code: 0 });
    expect(await readdir(home)).toEqual([]);
  });
});

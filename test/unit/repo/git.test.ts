import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NodeProcesses } from '../../../extension/core/base/node-processes.ts';
import { Git } from '../../../extension/core/repo/git.ts';
import { canary, never, repository, safeGit, tempFolder, userGit, write } from './helpers.ts';

/** A repository whose configuration names a program in every place that git would run one from. */
function hostile(): { folder: string; marks: Record<string, string> } {
  const traps = tempFolder();
  const folder = repository({ 'a.txt': 'one\n', 'b.txt': 'two\n', '.gitattributes': '*.txt filter=evil diff=evil\nb.txt filter=e=v.il\n' });
  const marks: Record<string, string> = {};
  const trap = (name: string, ...keys: string[]): void => {
    const { program, mark } = canary(traps, name);
    marks[name] = mark;
    for (const key of keys) userGit(folder, 'config', key, program);
  };
  trap('fsmonitor', 'core.fsmonitor');
  trap('clean', 'filter.evil.clean', 'filter.e=v.il.clean');
  trap('process', 'filter.evil.process');
  trap('smudge', 'filter.evil.smudge');
  userGit(folder, 'config', 'filter.evil.required', 'true');
  trap('external', 'diff.external', 'diff.evil.command');
  trap('textconv', 'diff.evil.textconv');
  trap('ssh', 'core.sshCommand', 'core.gitProxy');
  trap('gpg', 'gpg.program');
  userGit(folder, 'config', 'log.showSignature', 'true');
  trap('pager', 'core.pager', 'pager.log');
  trap('editor', 'core.editor');
  trap('credential', 'credential.helper');
  trap('refs', 'core.alternateRefsCommand');
  const hooks = join(traps, 'hooks');
  mkdirSync(hooks);
  userGit(folder, 'config', 'core.hooksPath', hooks);
  for (const hook of ['post-index-change', 'pre-commit', 'reference-transaction']) {
    const made = canary(hooks, hook);
    symlinkSync(made.program, join(hooks, hook));
    marks[hook] = made.mark;
  }
  // Same size, other content, and a time that makes git look inside.
  writeFileSync(join(folder, 'a.txt'), 'ONE\n');
  writeFileSync(join(folder, 'b.txt'), 'two\n');
  utimesSync(join(folder, 'b.txt'), new Date(), new Date());
  return { folder, marks };
}

const looking: readonly string[][] = [
  ['status', '--porcelain=v2', '-z', '--untracked-files=all'],
  ['diff'],
  ['diff-files', '-p'],
  ['diff-index', '-p', 'HEAD'],
  ['log', '-p', '--all'],
  ['show', 'HEAD'],
  ['blame', 'a.txt'],
  ['blame', 'HEAD', '--', 'a.txt'],
  ['ls-files', '-m', '-z'],
  ['cat-file', 'blob', 'HEAD:a.txt'],
];

describe('git on a hostile repository', () => {
  it('runs nothing that the repository names', async () => {
    const { folder, marks } = hostile();
    for (const args of looking) await safeGit().run(folder, args, { signal: never });
    await safeGit().run(folder, ['hash-object', '-w', '--no-filters', '--stdin-paths'], { signal: never, stdin: 'a.txt\n', env: { GIT_OBJECT_DIRECTORY: tempFolder() } });
    const ran = Object.entries(marks).filter(([, mark]) => existsSync(mark)).map(([name]) => name);
    expect(ran).toEqual([]);
  });

  it('would run them when git is called without the guards, so the traps are real', () => {
    const { folder, marks } = hostile();
    // A required filter that speaks no protocol fails the command; it has run by then.
    expect(() => userGit(folder, 'status')).toThrow(/filter/u);
    userGit(folder, 'config', '--unset', 'filter.evil.process');
    userGit(folder, 'status');
    userGit(folder, 'log', '-p', '--ext-diff');
    userGit(folder, 'log', '-p', '--no-ext-diff', '--textconv');
    const ran = Object.entries(marks).filter(([, mark]) => existsSync(mark)).map(([name]) => name);
    expect(ran).toEqual(expect.arrayContaining(['fsmonitor', 'process', 'clean', 'smudge', 'textconv', 'external', 'post-index-change']));
  });

  it('fetches no missing object, even where the repository allows the transport itself', async () => {
    const traps = tempFolder();
    const folder = repository({ 'a.txt': 'one\n' });
    const { program, mark } = canary(traps, 'transport', 'exit 1');
    userGit(folder, 'config', 'extensions.partialClone', 'origin');
    userGit(folder, 'config', 'core.repositoryFormatVersion', '1');
    userGit(folder, 'config', 'remote.origin.promisor', 'true');
    userGit(folder, 'config', 'remote.origin.url', `ext::sh ${program}`);
    userGit(folder, 'config', 'protocol.ext.allow', 'always');
    const missing = '1234567890123456789012345678901234567890';
    await expect(safeGit().run(folder, ['cat-file', 'blob', missing], { signal: never })).rejects.toMatchObject({ name: 'Failure' });
    expect(existsSync(mark)).toBe(false);
    expect(() => userGit(folder, 'cat-file', 'blob', missing)).toThrow();
    expect(existsSync(mark)).toBe(true);
  });

  it('reads submodules without running what their configuration names', async () => {
    const traps = tempFolder();
    const inner = repository({ 'x.txt': 'x\n', '.gitattributes': '* filter=sub\n' });
    const folder = repository({ 'a.txt': 'one\n' });
    userGit(folder, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'sub');
    userGit(folder, 'commit', '-q', '-m', 'sub');
    const { program, mark } = canary(traps, 'submodule');
    userGit(join(folder, 'sub'), 'config', 'filter.sub.clean', program);
    userGit(join(folder, 'sub'), 'config', 'core.fsmonitor', program);
    write(folder, { 'sub/x.txt': 'X\n' });
    await safeGit().run(folder, ['status', '--porcelain=v2', '-z', '--ignore-submodules=dirty'], { signal: never });
    expect(existsSync(mark)).toBe(false);
    userGit(folder, 'status');
    expect(existsSync(mark)).toBe(true);
  });
});

describe('git failures', () => {
  it('names its reasons', async () => {
    const git = safeGit();
    const folder = repository({ 'a.txt': 'one\n' });
    await expect(git.run(tempFolder(), ['rev-parse', '--git-dir'], { signal: never })).rejects.toMatchObject({ reason: 'not_a_repository' });
    await expect(git.run(folder, ['cat-file', 'blob', 'HEAD:nope'], { signal: never })).rejects.toMatchObject({ reason: 'no_such_object' });
    await expect(git.run(join(folder, 'nope'), ['status'], { signal: never })).rejects.toMatchObject({ reason: 'no_folder' });
    await expect(git.run(folder, ['log', '-p'], { signal: never, maxBytes: 10 })).rejects.toMatchObject({ reason: 'too_large' });
    expect((await git.run(folder, ['log', '-p'], { signal: never, maxBytes: 10, cut: true })).stdout.length).toBe(10);
    await expect(git.run(folder, ['log'], { signal: AbortSignal.abort() })).rejects.toMatchObject({ reason: 'cancelled' });
    await expect(new Git({ processes: new NodeProcesses(), env: process.env, path: () => '/nonexistent/git' }).run(folder, ['log'], { signal: never })).rejects.toMatchObject({ reason: 'git_missing' });
  });

  it('refuses a repository of another user instead of trusting it', async () => {
    const folder = repository({ 'a.txt': 'one\n' });
    // Git's own switch for testing ownership, so that the test needs no second account.
    const git = new Git({ processes: { spawn: (command, args, options) => new NodeProcesses().spawn(command, args, { ...options, env: { ...options.env, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1', HOME: '/nonexistent' } }) }, env: process.env });
    await expect(git.run(folder, ['rev-parse', '--git-dir'], { signal: never })).rejects.toMatchObject({ reason: 'unsafe_ownership' });
  });

  it.each([['commit', '-m', 'x'], ['reset', '--hard'], ['clean', '-fdx'], ['checkout', '--', '.'], ['stash'], ['gc'], ['fetch'], ['push'], ['config-x']])('does not run git %s', async (...args) => {
    const folder = repository({ 'a.txt': 'one\n' });
    await expect(safeGit().run(folder, args, { signal: never })).rejects.toMatchObject({ reason: 'failed' });
  });
});

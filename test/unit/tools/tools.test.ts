import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NodeProcesses } from '../../../extension/core/base/node-processes.ts';
import { deskTools } from '../../../extension/core/agents/tools/desk-tools.ts';
import { readToolNames, toolRegistry } from '../../../extension/core/agents/tools/registry.ts';
import { Sharing } from '../../../extension/core/repo/sharing.ts';
import type { ToolContext, ToolResult } from '../../../extension/core/agents/tools/tool.ts';
import { never, repository, safeGit, tempFolder, userGit, write } from '../repo/helpers.ts';

const ripgrep = execFileSync('sh', ['-c', 'command -v rg || true'], { encoding: 'utf8' }).trim();

function contextFor(folders: Record<string, string>, more: Partial<ToolContext> = {}): ToolContext {
  return {
    roots: Object.entries(folders).map(([name, path]) => ({ name, path })),
    git: safeGit(),
    processes: new NodeProcesses(),
    env: process.env,
    sharing: new Sharing(),
    mask: (text) => text.replaceAll(/tok_[a-z0-9]+/gu, '[masked]'),
    ...(ripgrep === '' ? {} : { ripgrep }),
    ...more,
  };
}

function call(context: ToolContext, name: string, input: unknown, signal = never): Promise<ToolResult> {
  const tool = toolRegistry(readToolNames).find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool.run(input, context, signal);
}

const secret = 'NOT-FOR-MODELS';

/** `/w` with a sibling `/w-secret`, links out of it, and secrets inside and in the history. */
function trapped(): { base: string; folder: string } {
  const base = tempFolder();
  const folder = join(base, 'w');
  mkdirSync(folder);
  userGit(folder, 'init', '-q', '-b', 'main');
  write(base, { 'w-secret/x.txt': `${secret}\n` });
  write(folder, {
    'src/a.ts': 'const a = 1;\nconst find = "needle";\nconst t = "tok_abc123";\n',
    '.env': `KEY=${secret} needle\n`,
    'conf/.ENV.local': `KEY=${secret} needle\n`,
    'keys/server.pem': `${secret} needle\n`,
    '.aws/config': `${secret} needle\n`,
    'bin.dat': new Uint8Array([0, 1, 2, 0, 3]),
  });
  symlinkSync('../w-secret', join(folder, 'out'));
  symlinkSync('/etc', join(folder, 'etc'));
  symlinkSync('../.env', join(folder, 'src/innocent.txt'));
  symlinkSync('.aws', join(folder, 'cloud'));
  userGit(folder, 'add', '-A');
  userGit(folder, 'commit', '-q', '-m', 'first needle');
  return { base, folder };
}

describe('paths of the read tools', () => {
  const escapes = (base: string): string[] => ['../w-secret/x.txt', 'w/../w-secret/x.txt', join(base, 'w-secret/x.txt'), 'out/x.txt', 'w/out/x.txt', 'etc/passwd', '/etc/passwd', 'out', 'src/../../w-secret/x.txt', 'w-secret/x.txt'];
  const denied = ['.env', 'w/.env', 'conf/.ENV.local', 'keys/server.pem', '.aws/config', 'cloud/config', 'cloud', 'src/innocent.txt', '.git/config', 'w/.git/config'];

  it('never lead out of a root, nor to what is not shared', async () => {
    const { base, folder } = trapped();
    const context = contextFor({ w: folder });
    for (const path of [...escapes(base), ...denied, join(folder, '.env')]) {
      for (const [name, input] of [['read', { path }], ['list', { path }], ['grep', { pattern: 'e', path }], ['git_blame', { path, line: 1 }]] as const) {
        const result = await call(context, name, input);
        expect(result, `${name} ${path}`).toMatchObject({ isError: true });
        expect(result.text).not.toContain(secret);
        expect(result.text).not.toContain('root:');
      }
    }
    for (const path of denied) expect((await call(context, 'read', { path })).text).toContain('not shared');
  });

  it('may come with or without the root, or absolute within it', async () => {
    const { folder } = trapped();
    const other = repository({ 'src/b.ts': 'b\n', 'src/a.ts': 'other a\n', 'other/deep.ts': 'deep\n' });
    const one = contextFor({ w: folder });
    for (const path of ['src/a.ts', './src/a.ts', 'w/src/a.ts', join(folder, 'src/a.ts')]) expect((await call(one, 'read', { path, limit: 1 })).text).toContain('1\tconst a = 1;');
    const two = contextFor({ w: folder, other });
    expect((await call(two, 'read', { path: 'src/b.ts' })).text).toBe('1\tb');
    expect((await call(two, 'read', { path: 'src/a.ts' })).text).toContain('w/src/a.ts, other/src/a.ts');
    expect((await call(two, 'read', { path: 'other/src/a.ts' })).text).toBe('1\tother a');
    expect((await call(two, 'read', { path: 'other/deep.ts' })).text).toBe('1\tdeep');
  });
});

describe('read and list', () => {
  it('number lines, mask secrets, cut what is too long and say so', async () => {
    const folder = repository({ 'long.txt': Array.from({ length: 30_000 }, (_, index) => `line ${index + 1} ${'é'.repeat(20)}`).join('\r\n'), 'wide.txt': 'x'.repeat(5000), 'bin': new Uint8Array([0, 0, 1]), 'a.ts': 'const t = "tok_abc123";\n' });
    const context = contextFor({ r: folder });
    const long = await call(context, 'read', { path: 'long.txt', limit: 30_000 });
    expect(long.bytes).toBeLessThanOrEqual(256 * 1024);
    expect(long.text).toMatch(/read on with offset \d+/u);
    expect((await call(context, 'read', { path: 'long.txt', offset: 29_999, limit: 5 })).text).toMatch(/^29999\tline 29999 .*\n30000\tline 30000/u);
    expect((await call(context, 'read', { path: 'wide.txt' })).text).toContain('3000 more characters');
    expect((await call(context, 'read', { path: 'a.ts' })).text).toBe('1\tconst t = "[masked]";');
    for (const input of [{ path: 'bin' }, { path: 'a.ts', offset: 5 }, { path: 'nope' }, { path: '.' }, {}, { path: 3 }]) expect((await call(context, 'read', input)).isError).toBe(true);
  });

  it('list names without showing what is not shared', async () => {
    const { folder } = trapped();
    const text = (await call(contextFor({ w: folder }), 'list', { path: 'w' })).text;
    expect(text.split('\n')).toEqual(expect.arrayContaining(['src/', '.env (not shared)', 'etc (link)', '.git/ (not shared)']));
    expect((await call(contextFor({ w: folder }), 'list', {})).text).toBe('w/');
  });

  it('glob keeps to files that git does not ignore', async () => {
    const folder = repository({ 'src/a.test.ts': '', 'src/b.ts': '', '.gitignore': 'dist\n', '.env': '' });
    write(folder, { 'dist/a.test.ts': '', 'new.test.ts': '' });
    const context = contextFor({ r: folder });
    expect((await call(context, 'glob', { pattern: '**/*.test.ts' })).text).toBe('r/new.test.ts\nr/src/a.test.ts');
    expect((await call(context, 'glob', { pattern: 'r/src/*' })).text).toBe('r/src/a.test.ts\nr/src/b.ts');
    expect((await call(context, 'glob', { pattern: '.env' })).text).toContain('1 more not shared');
  });
});

describe.each([['ripgrep', true], ['no ripgrep', false]])('grep with %s', (_name, fast) => {
  const withTool = (folder: string): ToolContext => {
    const { ripgrep: path, ...rest } = contextFor({ w: folder });
    return fast && path !== undefined ? { ...rest, ripgrep: path } : rest;
  };

  it('finds lines in shared files only', async () => {
    expect(ripgrep).not.toBe('');
    const { folder } = trapped();
    const result = await call(withTool(folder), 'grep', { pattern: 'needle', literal: true });
    expect(result.text).toBe('w/src/a.ts:2:const find = "needle";');
    expect((await call(withTool(folder), 'grep', { pattern: 'NEEDLE', ignoreCase: true, literal: true, glob: '*.ts' })).text).toContain('w/src/a.ts:2:');
    expect((await call(withTool(folder), 'grep', { pattern: 'tok_', literal: true, path: 'src' })).text).toBe('w/src/a.ts:3:const t = "[masked]";');
    expect((await call(withTool(folder), 'grep', { pattern: 'needle', glob: '.env*', literal: true })).text).toBe('No line matches.');
    expect((await call(withTool(folder), 'grep', { pattern: '--files', literal: true })).text).toBe('No line matches.');
  });

  it('ends soon on an expression that could run away', async () => {
    const folder = repository({ 'a.txt': `${'a'.repeat(50_000)}!\n` });
    // One that did would run into the limit of the test.
    expect((await call(withTool(folder), 'grep', { pattern: '^(a+)+$' })).isError).toBe(false);
  });
});

it('grep says what is wrong with an expression', async () => {
  const folder = repository({ 'a.txt': 'a\n' });
  expect(await call(contextFor({ w: folder }), 'grep', { pattern: '(' })).toMatchObject({ isError: true });
});

describe('history', () => {
  it('shows commits without files that are not shared, in any of their versions', async () => {
    const { folder } = trapped();
    userGit(folder, 'mv', '.env', 'plain.txt');
    userGit(folder, 'commit', '-qm', 'rename');
    write(folder, { 'src/a.ts': 'const a = 2;\n' });
    userGit(folder, 'commit', '-qam', 'change a, tok_abc123');
    const context = contextFor({ w: folder });
    expect((await call(context, 'git_log', {})).text).toMatch(/^\w+ 2026-01-02 Ada: change a, \[masked\]\n\w+ .*rename\n\w+ .*first needle$/u);
    expect((await call(context, 'git_log', { path: 'src/a.ts' })).text.split('\n')).toHaveLength(2);
    expect((await call(context, 'git_log', { text: 'NEEDLE' })).text).toContain('first needle');
    const last = await call(context, 'git_show', { rev: 'HEAD' });
    expect(last.text).toContain('+const a = 2;');
    expect(last.text).toContain('[masked]');
    const first = await call(context, 'git_show', { rev: 'HEAD~2' });
    expect(first.text).toContain('files of this commit are not shared');
    expect(first.text).not.toContain(secret);
    expect((await call(context, 'git_show', { rev: 'HEAD~2', path: 'w/src/a.ts', limit: 1 })).text).toContain('1\tconst a = 1;');
    expect(await call(context, 'git_show', { rev: 'HEAD~2', path: '.env' })).toMatchObject({ isError: true });
    expect((await call(context, 'git_blame', { path: 'src/a.ts', line: 1 })).text).toContain('const a = 2;');
  });

  it.each(['--output=/tmp/x', '-p', 'HEAD:.env', 'HEAD --', ':/first', '$(id)', 'nope'])('takes no revision %j', async (rev) => {
    const { folder } = trapped();
    expect(await call(contextFor({ w: folder }), 'git_show', { rev })).toMatchObject({ isError: true });
  });

  it('says that a plain folder has none', async () => {
    const folder = tempFolder();
    write(folder, { 'a.txt': 'a' });
    const context = contextFor({ p: folder });
    expect(await call(context, 'git_log', {})).toMatchObject({ isError: true, text: 'p is in no git repository.' });
    expect((await call(context, 'glob', { pattern: '*.txt' })).text).toBe('p/a.txt');
  });
});

describe('what the tools can do at all', () => {
  it('T13: is only to read: nothing but the granted tools, and no change to tree, index or log whatever they are given', async () => {
    const { folder } = trapped();
    const context = contextFor({ w: folder });
    write(folder, { 'src/a.ts': 'work in progress\n', 'new.txt': 'new\n' });
    const state = (): string => ['status --porcelain=v2 --untracked-files=all', 'reflog', 'stash list', 'ls-files --stage', 'for-each-ref'].map((args) => userGit(folder, ...args.split(' '))).join('\n');
    const before = state();
    for (const order of ['reset --hard', '; git stash', '`rm -rf .`', '--exec=rm -rf .']) {
      for (const tool of deskTools({ ...context, mask: (text) => ({ text, count: 0 }) })) {
        for (const input of [{ path: order, pattern: order, rev: order, text: order, line: 1 }, { pattern: order }, { rev: order }, { path: order }, { root: order }, order, null]) await tool.call(input, never);
      }
    }
    expect(state()).toBe(before);
    expect(toolRegistry(['read', 'bash', 'write']).map((tool) => tool.name)).toEqual(['read']);
    expect(new Set(toolRegistry(readToolNames).map((tool) => tool.effect))).toEqual(new Set(['read']));
  });

  it('stops with its signal', async () => {
    const { folder } = trapped();
    await expect(call(contextFor({ w: folder }), 'grep', { pattern: 'a' }, AbortSignal.abort())).rejects.toMatchObject({ reason: 'cancelled' });
  });
});

import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composeCore, type Core, type CorePorts } from '../../../extension/compose.ts';
import { nullLogger } from '../../../extension/core/base/logger.ts';

const root = resolve(import.meta.dirname, '../../..');
const never = new AbortController().signal;
const trace = 'Every start fails.\n\n    Error: launch refused\n        at checkLaunch (/srv/rocket/src/guard.ts:2:9)\n';

let base: string;
const cores: Core[] = [];
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'casebook-compose-')));
  await mkdir(join(base, 'dist'));
  await symlink(join(root, 'extension/library'), join(base, 'dist/library'));
  await symlink(join(root, 'node_modules/@vscode/tree-sitter-wasm/wasm'), join(base, 'dist/grammars'));
});
afterEach(async () => {
  for (const core of cores.splice(0)) await core.close();
  await rm(base, { recursive: true, force: true });
});

async function compose(folder: string, over: Partial<CorePorts> = {}): Promise<Core> {
  const core = await composeCore({
    program: 'cli',
    version: '0.0.0',
    dist: join(base, 'dist'),
    env: { ...process.env, CASEBOOK_HOME: join(base, 'casebook') },
    node: { command: process.execPath, env: {} },
    logger: nullLogger,
    roots: () => [{ name: folder, path: join(base, folder) }],
    cwd: join(base, folder),
    attended: false,
    limits: () => ({}),
    model: () => undefined,
    github: { token: async () => undefined },
    ticketFolders: () => [],
    claudePath: () => undefined,
    openaiCompatible: { baseUrl: () => undefined, model: () => undefined, key: async () => undefined },
    ...over,
  });
  cores.push(core);
  return core;
}

async function repository(folder: string): Promise<void> {
  const path = join(base, folder);
  await mkdir(join(path, 'src'), { recursive: true });
  await writeFile(join(path, 'src/guard.ts'), "export const code = 1;\nthrow new Error('launch refused');\n");
  const git = async (...args: string[]): Promise<unknown> => promisify(execFile)('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd: path });
  await git('init', '-q');
  await git('add', '.');
  await git('commit', '-q', '-m', 'First');
  // Not committed: only Casebook's own store holds these bytes.
  await writeFile(join(path, 'src/guard.ts'), "export const code = 2;\nthrow new Error('launch refused');\n");
}

describe('I40: a core in a workspace that is not trusted', () => {
  it('starts no program, and finds its programs and the repository once trust is given', async () => {
    await repository('rocket');
    const log = join(base, 'started');
    const recorder = async (name: string): Promise<string> => {
      const path = join(base, name);
      await writeFile(path, `#!/bin/sh\necho "${name} $1" >> "${log}"\nexec ${name} "$@"\n`);
      await chmod(path, 0o755);
      return path;
    };
    const programs = { git: await recorder('git'), ripgrep: await recorder('rg') };
    let trusted = false;
    const core = await compose('rocket', { trusted: () => trusted, findPrograms: async () => programs });
    expect(await core.cases.list()).toEqual([]);
    expect((await core.records.verify(never)).ok).toBe(true);
    await core.recognise();
    await expect(core.cases.open(core.ticketFromText(trace, 'pasted'), { via: 'test' })).rejects.toMatchObject({ reason: 'not_trusted' });
    expect(core.programs).toEqual({ git: undefined, ripgrep: undefined });
    expect(await readFile(log, 'utf8').catch(() => '')).toBe('');
    trusted = true;
    await core.recognise();
    expect(core.programs.git).toMatch(/^git version/);
    expect(await core.cases.open(core.ticketFromText(trace, 'pasted'), { via: 'test' })).toMatch(/^case_/);
    expect((await readFile(log, 'utf8')).split('\n')).toContain('git --version');
  });
});

describe('a reply', () => {
  it('that names a customer of another case is stopped, and one that names its own is not', async () => {
    await repository('rocket');
    const core = await compose('rocket');
    const from = (company: string): ReturnType<Core['ticketFromText']> => core.ticketFromText(`---\ntitle: Start fails\ncustomer:\n  company: ${company}\n---\n${trace}`, 'pasted');
    await core.cases.open(from('Northwind Traders'), { via: 'test' });
    const caseId = await core.cases.open(from('Adventure Works'), { via: 'test' });
    await core.cases.investigate(caseId, { via: 'test', engine: 'scout' }, never);
    await core.cases.editReply(caseId, 'Thank you, Adventure Works. We see the same at Northwind Traders.', 'test');
    const { reply } = await core.cases.state(caseId);
    expect(reply?.findings.filter(({ rule }) => rule === 'other_customer').map(({ span }) => reply.text.slice(...(span ?? [0, 0])))).toEqual(['Northwind Traders']);
    expect(reply?.blockers.join(' ')).toContain('another customer');
  });
});

describe('J13: a project that was renamed', () => {
  it('gets its cases back, and their citations are still checked against the code as it was then', async () => {
    await repository('old-name');
    const before = await compose('old-name');
    const caseId = await before.cases.open(before.ticketFromText(trace, 'pasted'), { via: 'test' });
    const done = await before.cases.investigate(caseId, { via: 'test', engine: 'scout' }, never);
    expect(done.citations.map((citation) => citation.state)).toContain('verified');
    await before.close();
    await rename(join(base, 'old-name'), join(base, 'new-name'));
    const after = await compose('new-name');
    expect(await after.cases.list()).toEqual([]);
    const offers = await after.records.moved();
    expect(offers).toMatchObject([{ path: join(base, 'old-name'), cases: 1, unfinished: false }]);
    await after.records.bringHere(offers[0]?.key ?? '', 'test');
    expect(await after.cases.list()).toMatchObject([{ case: caseId }]);
    expect(await after.records.verify(never)).toMatchObject({ ok: true });
    const again = await after.cases.recheck(caseId, 'asked');
    expect(again.citations.map((citation) => citation.state)).toEqual(done.citations.map((citation) => citation.state));
    await writeFile(join(base, 'new-name/src/guard.ts'), 'nothing\n');
    expect((await after.cases.recheck(caseId, 'asked')).citations.map((citation) => citation.state)).toContain('stale');
    expect(await after.records.moved()).toEqual([]);
    await expect(after.records.bringHere('old-name-0', 'test')).rejects.toMatchObject({ reason: 'not_found' });
  });
});

import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Diagnostic, FileDiagnostics } from '../../../../extension/core/link/editor.ts';
import { installedAgents } from '../../../../extension/host/link/agents.ts';
import { Companions, type InstalledExtension } from '../../../../extension/host/link/companions.ts';
import { capProblems } from '../../../../extension/host/link/problem-caps.ts';
import { WindowSharing } from '../../../../extension/host/link/sharing.ts';
import { SettingsReader } from '../../../../extension/host/settings.ts';
import { settings } from '../../../../extension/shared/ids.ts';

const at = { line: 0, character: 0 };
const problemsOf = (path: string, count: number, severity: Diagnostic['severity'] = 'Warning'): FileDiagnostics => ({ path, diagnostics: Array.from({ length: count }, (_, index) => ({ message: `${index}`, severity, start: at, end: at })) });

describe('problems that are told', () => {
  it('are all of them where they are few', () => {
    const files = [problemsOf('/a', 3), problemsOf('/b', 200)];
    expect(capProblems(files)).toEqual(files);
  });

  it('are the worst of a file with thousands, with a mark that counts the others', () => {
    const many = { path: '/a', diagnostics: [...problemsOf('/a', 5000, 'Hint').diagnostics, ...problemsOf('/a', 2, 'Error').diagnostics] };
    const [told] = capProblems([many]);
    expect(told?.diagnostics).toHaveLength(201);
    expect(told?.diagnostics.slice(0, 3).map(({ severity }) => severity)).toEqual(['Error', 'Error', 'Hint']);
    expect(told?.diagnostics.at(-1)).toMatchObject({ source: 'Casebook', message: '4802 more problems of this file are not listed.' });
  });

  it('end with one mark where there are too many files', () => {
    const told = capProblems(Array.from({ length: 20 }, (_, index) => problemsOf(`/f${index}`, 100)));
    expect(told).toHaveLength(11);
    expect(told.at(-1)).toMatchObject({ path: '/f10', diagnostics: [{ message: '1000 more problems in 10 more files are not listed; ask for one file.' }] });
  });
});

describe('other extensions that serve an agent', () => {
  const extension = (id: string, packageJSON: Record<string, unknown> = {}): InstalledExtension => ({ id, packageJSON });
  const made = (installed: readonly InstalledExtension[], decided: Record<string, 'casebook' | 'other'> = {}): Companions => new Companions((id) => installed.find((one) => one.id.toLowerCase() === id), () => decided);

  it('are kept out of the way of, until somebody chooses Casebook', () => {
    const installed = [extension('anthropic.claude-code', { displayName: 'Claude Code for VS Code' })];
    expect(made([]).serves('claude')).toBe(true);
    expect(made(installed).serves('claude')).toBe(false);
    expect(made(installed).serves('gemini')).toBe(true);
    expect(made(installed, { claude: 'casebook' }).serves('claude')).toBe(true);
    expect(made(installed, { claude: 'other' }).serves('claude')).toBe(false);
    // Whoever was chosen once and is gone does not leave the agent alone.
    expect(made([], { claude: 'other' }).serves('claude')).toBe(true);
  });

  it('are asked about once they were installed by somebody, and never those that came with the editor', () => {
    const installed = [extension('anthropic.claude-code', { displayName: 'Claude Code for VS Code' }), extension('GitHub.copilot-chat', { displayName: 'GitHub Copilot', isBuiltin: true })];
    expect(made(installed).undecided()).toEqual([{ family: 'claude', id: 'anthropic.claude-code', name: 'Claude Code for VS Code', builtIn: false }]);
    expect(made(installed).all().map(({ family }) => family)).toEqual(['claude', 'copilot']);
    expect(made(installed, { claude: 'other' }).undecided()).toEqual([]);
  });
});

describe('what a window shares', () => {
  const memory = (): { values: Map<string, unknown>; get<T>(key: string, fallback: T): T; update(key: string, value: unknown): Promise<void> } => {
    const values = new Map<string, unknown>();
    return { values, get: <T>(key: string, fallback: T) => (values.get(key) as T | undefined) ?? fallback, update: async (key, value) => void values.set(key, value) };
  };
  const sharing = (given: Partial<Record<string, unknown[]>>, kept = memory()): WindowSharing => new WindowSharing(new SettingsReader((id) => given[id]?.at(-1), undefined, (id) => given[id] ?? []), kept);

  it('I21: denied files are those of the defaults, the user, the workspace and its folders together', () => {
    const files = sharing({ [settings.linkDenyGlobs]: [['*.secret'], ['private/**'], ['', 5, '*.local']] }).files();
    expect(['.env.production', 'deep/id_rsa', 'a.secret', 'private/notes.md', 'x.local', 'src/a.ts'].map((path) => files.isShared(path))).toEqual([false, false, false, false, false, true]);
  });

  it('is nothing while any level says paused, or the command did', async () => {
    expect(sharing({ [settings.linkShareContext]: ['paused', 'on'] }).paused()).toBe(true);
    const kept = memory();
    const here = sharing({}, kept);
    let told = 0;
    here.onChange(() => (told += 1));
    expect(here.paused()).toBe(false);
    await here.pause(true);
    expect([here.paused(), sharing({}, kept).paused()]).toEqual([true, true]);
    await here.pause(false);
    expect([here.paused(), told]).toEqual([false, 2]);
  });

  it('compiles the patterns again only when they change', () => {
    const given: Partial<Record<string, unknown[]>> = { [settings.linkDenyGlobs]: [['*.a']] };
    const made = sharing(given);
    const first = made.files();
    expect(made.files()).toBe(first);
    given[settings.linkDenyGlobs] = [['*.a'], ['*.b']];
    expect(made.files().isShared('x.b')).toBe(false);
  });
});

describe('agents that can be started', () => {
  it('are those whose program can be run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'casebook-path-'));
    for (const name of ['claude', 'codex']) await writeFile(join(folder, name), '#!/bin/sh\n');
    await chmod(join(folder, 'claude'), 0o755);
    expect(installedAgents(`/nowhere:${folder}`).map(({ program }) => program)).toEqual(['claude']);
    expect(installedAgents(undefined)).toEqual([]);
  });
});

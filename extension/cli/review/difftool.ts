import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { childEnvironment, type Processes, runToEnd } from '../../core/base/process.ts';
import type { Content } from '../../core/review/files/file-review.ts';

/** Two sides of a file for a program that can only show them. */
export interface ShownPair {
  path: string;
  base: Content;
  proposed: Content;
}

/** What a program with windows needs beside the plain variables. */
const displayVariables = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS'];

interface DiffToolDeps {
  processes: Processes;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
}

/**
 * Shows files in the diff program the user has configured: `$CASEBOOK_DIFFTOOL` (gets two paths), else git's `diff.guitool` or `diff.tool`. A repository's own settings
 * are not asked, since they would start a program of its choosing. False when none is configured or it could not show them. It decides nothing.
 */
export async function showInDiffTool(pairs: readonly ShownPair[], deps: DiffToolDeps): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'casebook-diff-'));
  try {
    const command = await toolCommand(folder, deps);
    if (command === undefined) return false;
    for (const [index, pair] of pairs.entries()) {
      const [base, proposed] = [join(folder, `${index}-base`, basename(pair.path)), join(folder, `${index}-proposed`, basename(pair.path))];
      for (const side of ['base', 'proposed']) await mkdir(join(folder, `${index}-${side}`), { mode: 0o700 });
      await writeFile(base, bytesOf(pair.base), { mode: 0o600 });
      await writeFile(proposed, bytesOf(pair.proposed), { mode: 0o600 });
      const [program = '', ...args] = command;
      const end = await runToEnd(deps.processes, program, [...args, base, proposed], { cwd: folder, env: environment(deps), signal: deps.signal, maxBytes: 1024 * 1024 }).catch(() => undefined);
      // Diff programs end with 1 where something differs.
      if (end === undefined || end.code === null || end.code > 1) return false;
    }
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function toolCommand(outside: string, deps: DiffToolDeps): Promise<string[] | undefined> {
  const own = deps.env['CASEBOOK_DIFFTOOL']?.trim();
  if (own) return own.split(/\s+/u);
  for (const setting of ['diff.guitool', 'diff.tool']) {
    // Asked for in a folder outside of every repository.
    const found = await runToEnd(deps.processes, 'git', ['config', '--get', setting], { cwd: outside, env: environment(deps), signal: deps.signal }).catch(() => undefined);
    const tool = found?.code === 0 ? new TextDecoder().decode(found.stdout).trim() : '';
    if (tool !== '') return ['git', 'difftool', '--no-prompt', `--tool=${tool}`, '--no-index', '--'];
  }
  return undefined;
}

function environment({ env }: DiffToolDeps): Record<string, string> {
  return childEnvironment(env, { also: displayVariables, set: { GIT_CEILING_DIRECTORIES: tmpdir() } });
}

function bytesOf(content: Content): Uint8Array {
  if (content.kind === 'file') return content.bytes;
  return Buffer.from(content.kind === 'link' ? `link to ${content.target}\n` : '');
}

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { node, root } from './paths.ts';

const execute = promisify(execFile);

/** Packs a small test extension of `fixtures/` and returns its VSIX. */
export async function packFixture(name: string): Promise<string> {
  const file = join(root, '.cache', `${name}.vsix`);
  await mkdir(dirname(file), { recursive: true });
  const vsce = join(root, 'node_modules/@vscode/vsce/vsce');
  await execute(node, [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', file], { cwd: join(root, 'test/workbench/fixtures', name) });
  return file;
}

/** A git repository with one commit that holds `files`, in a folder called `name`. */
export async function makeRepository(name: string, files: Record<string, string>): Promise<string> {
  const folder = join(await realpath(await mkdtemp(join(tmpdir(), 'casebook-ws-'))), name);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const git = (...args: string[]): Promise<unknown> =>
    execute('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false', ...args], { cwd: folder });
  await git('init', '-q', '-b', 'main');
  await git('add', '.');
  await git('commit', '-q', '-m', 'First version');
  return folder;
}

/** `lines` numbered lines of code that mean nothing, to put something at a known line. */
export function filler(lines: number, name: string): string {
  return Array.from({ length: lines }, (_, index) => `export const ${name}${index + 1} = ${index + 1};`).join('\n') + '\n';
}

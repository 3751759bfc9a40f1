import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { NodeProcesses } from '../../../extension/core/base/node-processes.ts';
import { Git } from '../../../extension/core/repo/git.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export const never = new AbortController().signal;

export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'casebook-repo-')));
  folders.push(folder);
  return folder;
}

export function write(folder: string, files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** Git as the user runs it: no guards. Global configuration is a file of the test's own. */
export function userGit(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', timeout: 15_000, env: userEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
}

export function userEnvironment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.test', GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.test',
    GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z', GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
  };
}

export function repository(files: Record<string, string | Uint8Array>): string {
  const folder = tempFolder();
  userGit(folder, 'init', '-q', '-b', 'main');
  write(folder, files);
  userGit(folder, 'add', '-A');
  userGit(folder, 'commit', '-q', '-m', 'first');
  return folder;
}

export function safeGit(env: Record<string, string | undefined> = process.env): Git {
  return new Git({ processes: new NodeProcesses(), env });
}

/** A program that leaves `<folder>/<name>` behind when anything runs it. */
export function canary(folder: string, name: string, then: 'cat' | 'exit 1' = 'cat'): { program: string; mark: string } {
  const program = join(folder, `${name}.sh`);
  const mark = join(folder, `${name}.ran`);
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\n${then}\n`);
  chmodSync(program, 0o755);
  return { program, mark };
}

/**
 * Puts the Claude Code that the tests run against into the cache folder, never into this project: `node test/agents/install-claude.mjs`
 * prints where it is. Needs the npm registry the first time; does nothing after that.
 */
import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

export const claudeVersion = '2.1.332';

/** Folder of everything that tests fetch and keep: `$CASEBOOK_CACHE`, else `~/.cache/casebook`. */
export const cacheFolder = () => process.env.CASEBOOK_CACHE ?? join(homedir(), '.cache', 'casebook');

export const claudePath = () => join(cacheFolder(), 'agents', `claude-${claudeVersion}`, 'node_modules', '.bin', 'claude');

/** The path of the installed program; installs it where it is missing. Throws with npm's words where that fails. */
export async function installClaude() {
  const path = claudePath();
  if (await access(path).then(() => true, () => false)) return path;
  const agents = join(cacheFolder(), 'agents');
  await mkdir(agents, { recursive: true });
  const staging = await mkdtemp(join(agents, 'staging-'));
  try {
    await promisify(execFile)('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', staging, `@anthropic-ai/claude-code@${claudeVersion}`]);
    // Its own installer puts the real program in place; npm may have been told not to run such scripts.
    await promisify(execFile)('node', ['install.cjs'], { cwd: join(staging, 'node_modules', '@anthropic-ai', 'claude-code') });
    await rename(staging, join(agents, `claude-${claudeVersion}`));
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    // Another process may have been faster.
    if (!(await access(path).then(() => true, () => false))) throw error;
  }
  return path;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(await installClaude());

/**
 * Puts the agents that the tests run against into the cache folder, never into this project: `node test/agents/install.mjs [NAME…]` prints where they are.
 * Needs the npm registry the first time; does nothing after that.
 */
import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Name → its npm package at the version that was measured, and its program. A new version is measured again before it goes here. */
export const agents = /** @type {const} */ ({
  claude: { package: '@anthropic-ai/claude-code', version: '2.1.332', program: 'claude' },
  gemini: { package: '@google/gemini-cli', version: '0.61.0', program: 'gemini' },
  qwen: { package: '@qwen-code/qwen-code', version: '0.24.4', program: 'qwen' },
  copilot: { package: '@github/copilot', version: '1.0.102', program: 'copilot' },
  codex: { package: '@openai/codex', version: '0.171.0', program: 'codex' },
  opencode: { package: 'opencode-ai', version: '1.18.33', program: 'opencode' },
});

/** Agents whose own installer puts the real program in place; npm may have been told not to run such scripts. */
const installers = { claude: 'install.cjs', opencode: 'postinstall.mjs' };

/** Folder of everything that tests fetch and keep: `$CASEBOOK_CACHE`, else `~/.cache/casebook`. */
export const cacheFolder = () => process.env.CASEBOOK_CACHE ?? join(homedir(), '.cache', 'casebook');

/** @param {keyof typeof agents} name */
const folderOf = (name) => join(cacheFolder(), 'agents', `${name}-${agents[name].version}`);

/** @param {keyof typeof agents} name */
export const agentPath = (name) => join(folderOf(name), 'node_modules', '.bin', agents[name].program);

/** The path of the installed program; installs it where it is missing. Throws with npm's words where that fails. @param {keyof typeof agents} name */
export async function installAgent(name) {
  const path = agentPath(name);
  const isThere = () => access(path).then(() => true, () => false);
  if (await isThere()) return path;
  const parent = join(cacheFolder(), 'agents');
  await mkdir(parent, { recursive: true });
  const staging = await mkdtemp(join(parent, 'staging-'));
  try {
    const { package: source, version } = agents[name];
    await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', staging, `${source}@${version}`], { maxBuffer: 64 * 1024 * 1024 });
    if (name in installers) await run('node', [installers[name]], { cwd: join(staging, 'node_modules', source) });
    await rename(staging, folderOf(name));
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    // Another process may have been faster.
    if (!(await isThere())) throw error;
  }
  return path;
}

/** All of them, one after the other: each is some hundred megabytes. */
export async function installAgents() {
  for (const name of Object.keys(agents)) await installAgent(name);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(agents);
  for (const name of wanted) console.log(await installAgent(name));
}

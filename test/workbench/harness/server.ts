import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeServerEntry, node } from './paths.ts';

export interface ServerOptions {
  /** A folder of its own for this server: HOME, settings, extensions and the journal live below it. */
  base: string;
  extensionsDir: string;
  env?: Record<string, string>;
}

/** A running code-server, on loopback, without authentication. */
export interface Server {
  url: string;
  base: string;
  home: string;
  casebookHome: string;
  stop(): Promise<void>;
}

const startTimeout = 120_000;

/** Starts code-server on a free port and resolves when it listens; rejects with its output when it ends before. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const home = join(options.base, 'home');
  const casebookHome = join(options.base, 'casebook');
  await Promise.all([home, casebookHome, join(options.base, 'logs')].map((folder) => mkdir(folder, { recursive: true })));
  const log = createWriteStream(join(options.base, 'logs/code-server.log'), { flags: 'a' });
  const child = spawn(
    node,
    [codeServerEntry(), '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry', '--disable-update-check', '--ignore-last-opened',
      '--config', join(options.base, 'code-server.yaml'), '--user-data-dir', join(options.base, 'data'), '--extensions-dir', options.extensionsDir],
    { env: isolatedEnv(home, casebookHome, options.env), stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  try {
    const url = await listening(child, log);
    return { url, base: options.base, home, casebookHome, stop: () => stopGroup(child) };
  } catch (error) {
    await stopGroup(child);
    throw error;
  }
}

/** Installs VSIX files into an extensions folder, with a throw-away user data folder below `base`. */
export async function installExtensions(base: string, extensionsDir: string, files: readonly string[]): Promise<void> {
  const home = join(base, 'install-home');
  await mkdir(home, { recursive: true });
  for (const file of files) {
    const child = spawn(
      node,
      [codeServerEntry(), '--config', join(base, 'install.yaml'), '--user-data-dir', join(base, 'install-data'), '--extensions-dir', extensionsDir, '--install-extension', file, '--force'],
      { env: isolatedEnv(home, home), stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise<number | null>((done, fail) => child.once('error', fail).once('close', done));
    if (code !== 0 || !output.includes('was successfully installed')) throw new Error(`Installing ${file} failed (${code}):\n${output}`);
  }
}

/** Only what a program needs: nothing of the developer's own configuration, keys or journal reaches the workbench. */
function isolatedEnv(home: string, casebookHome: string, extra: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: home,
    SHELL: '/bin/bash',
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local'),
    CASEBOOK_HOME: casebookHome,
    GIT_CONFIG_NOSYSTEM: '1',
    ...extra,
  };
}

function listening(child: ChildProcess, log: NodeJS.WritableStream): Promise<string> {
  return new Promise((done, fail) => {
    let output = '';
    const timer = setTimeout(() => fail(new Error(`code-server did not listen within ${startTimeout} ms:\n${output}`)), startTimeout);
    const read = (chunk: Buffer): void => {
      log.write(chunk);
      output = (output + chunk.toString()).slice(-20_000);
      const url = /HTTP server listening on (http:\/\/[^\s/]+)/.exec(output)?.[1];
      if (url !== undefined) {
        clearTimeout(timer);
        done(url);
      }
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', fail);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(new Error(`code-server ended (${code}) before it listened:\n${output}`));
    });
  });
}

/** Ends the server and everything it started (extension hosts, language servers, agents): one process group. */
async function stopGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const ended = child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : new Promise<void>((done) => child.once('exit', () => done()));
  signalGroup(pid, 'SIGTERM');
  const gentle = await Promise.race([ended.then(() => true), new Promise<false>((done) => setTimeout(done, 5_000, false).unref())]);
  if (!gentle) signalGroup(pid, 'SIGKILL');
  await ended;
  signalGroup(pid, 'SIGKILL');
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Command lines of the living processes whose environment names `base`; what a test left behind shows here. */
export async function processesUnder(base: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (environment.includes(base)) found.push(`${pid} ${(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ').trim()}`);
  }
  return found;
}

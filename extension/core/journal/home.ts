import { readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { ensurePrivateFolder, writeFileAtomic } from '../base/files.ts';
import { sha256 } from '../base/hash.ts';
import { sessionsOf, wentTo } from './adopt.ts';
import { namesIn } from './heads.ts';
import { layoutOf } from './layout.ts';

/** What stays the same when a project is moved or renamed. The caller finds it: this room knows no git. */
export interface RepositoryIdentity {
  /** Object name of the oldest root commit. */
  firstCommit?: string;
  /** URL of `origin`, without credentials. */
  remote?: string;
}

/** `workspace.json`: whose history a folder under `workspaces/` is. */
export interface WorkspaceFile {
  v: 1;
  path: string;
  name: string;
  identity?: RepositoryIdentity;
  createdAt: string;
  openedAt: string;
}

export interface MovedHistory {
  key: string;
  folder: string;
  path: string;
  openedAt: string;
  same: 'firstCommit' | 'remote';
  /** Bringing it here was begun and interrupted; a part of it is here already. */
  unfinished: boolean;
}

/**
 * The folder that holds the journals of all workspaces: `$CASEBOOK_HOME`, else the platform's state folder
 * (`$XDG_STATE_HOME/casebook` or `~/.local/state/casebook`; `~/Library/Application Support/casebook`; `%LOCALAPPDATA%\casebook`).
 * Relative XDG paths are ignored, as the XDG base directory specification asks.
 */
export function resolveHome(env: Record<string, string | undefined> = process.env, platform: NodeJS.Platform = process.platform, userHome: string = homedir()): string {
  const own = env['CASEBOOK_HOME'];
  if (own !== undefined && own !== '') return resolve(own);
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(userHome, 'AppData', 'Local'), 'casebook');
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support', 'casebook');
  const state = env['XDG_STATE_HOME'];
  return join(state?.startsWith('/') === true ? state : join(userHome, '.local', 'state'), 'casebook');
}

/** The canonical path of a workspace: symbolic links resolved where it exists. */
export async function canonicalPath(workspace: string): Promise<string> {
  try {
    return await realpath(workspace);
  } catch {
    return resolve(workspace);
  }
}

/** Readable and free of collisions: `<name>-<16 hex of the path's SHA-256>`. `path` has to be canonical. */
export function workspaceKey(path: string): string {
  const name = basename(path)
    .normalize('NFC')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 40);
  return `${name === '' ? 'root' : name}-${sha256(path).slice(0, 16)}`;
}

/** Makes (or refreshes) a workspace's folder and its `workspace.json`; gives the folder. */
export async function openWorkspaceFolder(options: { folder: string; path: string; identity?: RepositoryIdentity; now: string }): Promise<void> {
  await ensurePrivateFolder(options.folder);
  const known = await readWorkspaceFile(options.folder);
  const identity = options.identity ?? known?.identity;
  const file: WorkspaceFile = {
    v: 1,
    path: options.path,
    name: basename(options.path),
    ...(identity === undefined ? {} : { identity }),
    createdAt: known?.createdAt ?? options.now,
    openedAt: options.now,
  };
  await writeFileAtomic(join(options.folder, 'workspace.json'), `${JSON.stringify(file, null, 2)}\n`);
}

/** `workspace.json` of a folder; undefined when it is missing or malformed. */
export async function readWorkspaceFile(folder: string): Promise<WorkspaceFile | undefined> {
  try {
    const value = JSON.parse(await readFile(join(folder, 'workspace.json'), 'utf8')) as Partial<WorkspaceFile>;
    if (typeof value.path !== 'string' || typeof value.createdAt !== 'string') return undefined;
    return { v: 1, name: basename(value.path), openedAt: value.createdAt, ...value, path: value.path, createdAt: value.createdAt };
  } catch {
    return undefined;
  }
}

/**
 * Histories of the same repository under another path that no longer exists there: to be offered to the user, never adopted silently.
 * A common first commit counts more than a common remote. `path` is canonical; `here` is the folder of this workspace's journal.
 */
export async function findMovedHistories(home: string, path: string, identity: RepositoryIdentity, here = join(home, 'workspaces', workspaceKey(path))): Promise<MovedHistory[]> {
  const folder = join(home, 'workspaces');
  const own = workspaceKey(path);
  const found: MovedHistory[] = [];
  for (const key of await namesIn(folder)) {
    if (key === own) continue;
    const known = await readWorkspaceFile(join(folder, key));
    const same = known?.identity === undefined ? undefined : sameRepository(known.identity, identity);
    if (known === undefined || same === undefined || (await exists(known.path))) continue;
    const target = await wentTo(join(folder, key));
    if ((target !== undefined && target !== here) || (await sessionsOf(layoutOf(join(folder, key)))).length === 0) continue;
    found.push({ key, folder: join(folder, key), path: known.path, openedAt: known.openedAt, same, unfinished: target !== undefined });
  }
  return found.sort((a, b) => (a.openedAt < b.openedAt ? 1 : -1));
}

function sameRepository(a: RepositoryIdentity, b: RepositoryIdentity): 'firstCommit' | 'remote' | undefined {
  if (a.firstCommit !== undefined && a.firstCommit === b.firstCommit) return 'firstCommit';
  if (a.remote !== undefined && a.remote === b.remote) return 'remote';
  return undefined;
}

async function exists(path: string): Promise<boolean> {
  try {
    await realpath(path);
    return true;
  } catch {
    return false;
  }
}

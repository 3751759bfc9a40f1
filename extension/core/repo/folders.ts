import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { isFailure } from '../base/failure.ts';
import { visitTree } from './files.ts';
import type { Git } from './git.ts';

/**
 * Every folder of a root in which a file that counts could appear: paths from the root, `''` for the root itself. Undefined where git does not say what it
 * ignores, or where another file system is mounted below the root.
 */
export async function countingFolders(root: string, git: Git | undefined, signal: AbortSignal): Promise<string[] | undefined> {
  const folders: string[] = [];
  if (git === undefined) visitTree(root, signal, { folder: (folder) => void folders.push(folder), file: () => true });
  else {
    const ignored = await ignoredFolders(root, git, signal);
    if (ignored === undefined) return undefined;
    descend(root, '', ignored, folders, signal);
  }
  const device = lstatSync(root).dev;
  return folders.every((folder) => lstatSync(path.join(root, folder)).dev === device) ? folders.toSorted() : undefined;
}

/**
 * Folders that git's rules ignore as such, from the root, with a slash at the end. (`ls-files --directory` would also name a folder that merely holds nothing
 * but ignored files, where another one may still appear.)
 */
async function ignoredFolders(root: string, git: Git, signal: AbortSignal): Promise<Set<string> | undefined> {
  try {
    const prefix = (await git.text(root, ['rev-parse', '--show-prefix'], { signal })).trimEnd();
    const lines = await git.records(root, ['status', '-z', '--porcelain', '--no-renames', '--untracked-files=all', '--ignored=matching', '--', '.'], { signal });
    return new Set(lines.filter((line) => line.startsWith(`!! ${prefix}`) && line.endsWith('/')).map((line) => line.slice(3 + prefix.length)));
  } catch (error) {
    signal.throwIfAborted();
    if (isFailure(error)) return undefined;
    throw error;
  }
}

function descend(root: string, folder: string, ignored: ReadonlySet<string>, found: string[], signal: AbortSignal): void {
  signal.throwIfAborted();
  found.push(folder);
  for (const entry of entriesOf(path.join(root, folder))) {
    const below = `${folder}${entry.name}/`;
    if (entry.isDirectory() && entry.name !== '.git' && !ignored.has(below)) descend(root, below, ignored, found, signal);
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * A fingerprint of what decides which files of a root count, but lies outside its folders: the root itself, git's index, its exclude files and settings,
 * and the `.gitignore` files above the root. A few stats, however large the repository. Undefined where git does not name them.
 */
export async function rulesFingerprint(root: string, git: Git | undefined, signal: AbortSignal): Promise<string | undefined> {
  const { dev, ino } = lstatSync(root);
  const files = git === undefined ? [] : await ruleFiles(root, git, signal);
  return files && [`${dev}:${ino}`, ...files.map((file) => `${file} ${stampOf(file)}`)].join('\n');
}

async function ruleFiles(root: string, git: Git, signal: AbortSignal): Promise<string[] | undefined> {
  try {
    const [top, ...own] = (await git.text(root, ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-path', 'index', '--git-path', 'info/exclude', '--git-path', 'config'], { signal })).trimEnd().split('\n');
    // Each file that has a setting, included ones too, before the setting's name.
    const origins = await git.records(root, ['config', '--list', '--show-origin', '--name-only', '-z'], { signal });
    const settingsFiles = new Set(origins.filter((origin) => origin.startsWith('file:/')).map((origin) => origin.slice(5)));
    const named = (await git.text(root, ['config', '--path', 'core.excludesFile'], { signal, codes: [0, 1] })).trimEnd();
    const home = process.env['HOME'] ?? homedir();
    const settings = process.env['XDG_CONFIG_HOME'] ?? path.join(home, '.config');
    // These may come into being.
    const usual = [path.join(home, '.gitconfig'), path.join(settings, 'git/config'), '/etc/gitconfig', named === '' ? path.join(settings, 'git/ignore') : named];
    return top === undefined ? undefined : [...new Set([...own, ...settingsFiles, ...usual, ...ignoreFilesAbove(root, top)])];
  } catch (error) {
    signal.throwIfAborted();
    if (isFailure(error)) return undefined;
    throw error;
  }
}

function ignoreFilesAbove(root: string, top: string): string[] {
  const files: string[] = [];
  for (let at = root; at !== top && at !== path.dirname(at); at = path.dirname(at)) files.push(path.join(path.dirname(at), '.gitignore'));
  return files;
}

function stampOf(file: string): string {
  const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? 'none' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

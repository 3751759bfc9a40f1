import { lstatSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { isFailure } from '../base/failure.ts';
import type { Git } from './git.ts';

/** A file of a root, as the file system says it is. Times are in nanoseconds since the epoch, as text-free integers in two numbers each. */
export interface ListedFile {
  /** Path from the root, forward slashes. */
  path: string;
  size: number;
  /** What must be unchanged for the contents to be taken as unchanged; see `StatStamp`. */
  stamp: StatStamp;
}

/** Modification and change time (milliseconds, fractional), inode and size of a file. */
export interface StatStamp {
  mtimeMs: number;
  ctimeMs: number;
  inode: number;
}

export interface FileListing {
  /** Sorted by code unit. */
  files: ListedFile[];
  /** Whether git said which files count, or the walk with `.gitignore` rules of our own. */
  by: 'git' | 'walk';
  /** Folders and files that could not be looked at. */
  unreadable: number;
  /** Set when there were more files than `maxFiles`; the rest is left out. */
  truncated: boolean;
}

export interface ListOptions {
  /** Absent: never ask git. */
  git?: Git;
  signal: AbortSignal;
  /** Default 200 000. */
  maxFiles?: number;
}

const neverEntered = new Set(['.git', '.hg', '.svn', 'node_modules']);

/**
 * The files of a root that are not ignored: what git tracks plus what it would add, or, without git, a walk that obeys every `.gitignore` on the way.
 * Symbolic links are not followed and not listed, so a listing cannot leave its root. Uses synchronous calls: run it in a worker or a terminal.
 */
export async function listFiles(root: string, options: ListOptions): Promise<FileListing> {
  const maxFiles = options.maxFiles ?? 200_000;
  const paths = options.git ? await gitPaths(root, options.git, options.signal) : undefined;
  // A folder that the repository around it ignores has no files in git's eyes.
  if (!paths || paths.length === 0) return walk(root, maxFiles, options.signal);
  const listing: FileListing = { files: [], by: 'git', unreadable: 0, truncated: false };
  for (const file of [...new Set(paths)].sort(byCodeUnit)) {
    options.signal.throwIfAborted();
    if (listing.files.length >= maxFiles) {
      listing.truncated = true;
      break;
    }
    addFile(root, file, listing);
  }
  return listing;
}

async function gitPaths(root: string, git: Git, signal: AbortSignal): Promise<string[] | undefined> {
  try {
    return await git.records(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { signal, maxBytes: 256 * 1024 * 1024 });
  } catch (error) {
    signal.throwIfAborted();
    if (isFailure(error)) return undefined;
    throw error;
  }
}

function addFile(root: string, file: string, listing: FileListing): void {
  try {
    const stat = lstatSync(`${root}${path.sep}${file}`);
    if (!stat.isFile()) return;
    listing.files.push({ path: file, size: stat.size, stamp: { mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, inode: stat.ino } });
  } catch {
    // Tracked but deleted, or gone between listing and looking.
    listing.unreadable++;
  }
}

interface Rules {
  /** Path of the folder that holds the `.gitignore`, from the root, with a trailing slash unless empty. */
  base: string;
  matcher: Ignore;
}

function walk(root: string, maxFiles: number, signal: AbortSignal): FileListing {
  const listing: FileListing = { files: [], by: 'walk', unreadable: 0, truncated: false };
  listing.unreadable += visitTree(root, signal, {
    file: (file) => {
      listing.truncated = listing.files.length >= maxFiles;
      if (!listing.truncated) addFile(root, file, listing);
      return !listing.truncated;
    },
  });
  listing.files.sort((left, right) => byCodeUnit(left.path, right.path));
  return listing;
}

/** What a walk calls: `folder` with each folder before its contents (a slash at the end, `''` for the root), `file` until it returns false. */
export interface TreeVisitor {
  folder?(folder: string): void;
  file(file: string): boolean;
}

/** Walks a root by its own `.gitignore` rules, without git. Returns how many folders could not be read. */
export function visitTree(root: string, signal: AbortSignal, visitor: TreeVisitor): number {
  let unreadable = 0;
  let more = true;
  const visit = (folder: string, inherited: Rules[]): void => {
    signal.throwIfAborted();
    visitor.folder?.(folder);
    let entries;
    try {
      entries = readdirSync(`${root}${path.sep}${folder}`, { withFileTypes: true });
    } catch {
      unreadable++;
      return;
    }
    const rules = entries.some((entry) => entry.name === '.gitignore' && entry.isFile()) ? withRules(root, folder, inherited) : inherited;
    for (const entry of entries) {
      if (!more) return;
      const file = folder + entry.name;
      if (entry.isDirectory()) {
        if (!neverEntered.has(entry.name) && !isIgnored(`${file}/`, rules)) visit(`${file}/`, rules);
      } else if (entry.isFile() && !isIgnored(file, rules)) more = visitor.file(file);
    }
  };
  visit('', []);
  return unreadable;
}

function withRules(root: string, folder: string, inherited: Rules[]): Rules[] {
  try {
    return [...inherited, { base: folder, matcher: ignore().add(readFileSync(path.join(root, folder, '.gitignore'), 'utf8')) }];
  } catch {
    return inherited;
  }
}

/** The deepest `.gitignore` with an opinion decides, as in git. */
function isIgnored(file: string, rules: readonly Rules[]): boolean {
  for (let i = rules.length - 1; i >= 0; i--) {
    const { base, matcher } = rules[i]!;
    const verdict = matcher.test(file.slice(base.length));
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}

function byCodeUnit(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

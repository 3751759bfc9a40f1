import { access, constants, link, lstat, mkdir, open, readdir, readFile, readlink, realpath, rename, rmdir, symlink, unlink } from 'node:fs/promises';
import { errorCode, syncFolder, writeFileAtomic } from '../../base/files.ts';

/** What stands at a path, links not followed. `mode`: permission bits with set-id and sticky. */
export interface DiskEntry {
  kind: 'file' | 'link' | 'folder' | 'other';
  mode: number;
  uid: number;
  gid: number;
  dev: number;
  ino: number;
  links: number;
}

/** The file system as the writer uses it: every call is one step at which it may fail or the process may end. Errors are the system's. */
export interface WriteDisk {
  /** Undefined when nothing is there. */
  look(path: string): Promise<DiskEntry | undefined>;
  read(path: string): Promise<Uint8Array>;
  readLink(path: string): Promise<string>;
  real(path: string): Promise<string>;
  names(folder: string): Promise<string[]>;
  writable(path: string): Promise<boolean>;
  makeFolder(path: string): Promise<void>;
  removeFolder(path: string): Promise<void>;
  /** A new file, on disk when this resolves; fails EEXIST. Without a mode the system's default applies. */
  stage(path: string, bytes: Uint8Array, as: { mode?: number; uid?: number; gid?: number }): Promise<void>;
  /** A second name for a file; fails EEXIST. */
  link(from: string, to: string): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
  /** Writes a file of ours, 0600, so that it is there as a whole or not at all. */
  record(path: string, text: string): Promise<void>;
}

/** The real file system. */
export function nodeDisk(): WriteDisk {
  return {
    async look(path) {
      try {
        const found = await lstat(path);
        const kind = found.isFile() ? 'file' : found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'folder' : 'other';
        return { kind, mode: found.mode & 0o7777, uid: found.uid, gid: found.gid, dev: found.dev, ino: found.ino, links: found.nlink };
      } catch (error) {
        if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
        throw error;
      }
    },
    read: (path) => readFile(path),
    readLink: (path) => readlink(path),
    real: (path) => realpath(path),
    names: (folder) => readdir(folder),
    writable: (path) => access(path, constants.W_OK).then(() => true, () => false),
    makeFolder: (path) => mkdir(path),
    removeFolder: (path) => rmdir(path),
    stage,
    link: (from, to) => link(from, to),
    symlink: (target, path) => symlink(target, path),
    rename: (from, to) => rename(from, to),
    remove: (path) => unlink(path),
    syncFolder,
    record: writeFileAtomic,
  };
}

async function stage(path: string, bytes: Uint8Array, as: { mode?: number; uid?: number; gid?: number }): Promise<void> {
  // Narrow until it belongs to whom it should: bytes of a private file are never readable under a wider mode.
  const file = await open(path, 'wx', as.mode === undefined ? 0o666 : 0o600);
  try {
    await file.writeFile(bytes);
    if (process.platform !== 'win32') {
      const own = await file.stat();
      if ((as.uid !== undefined && as.uid !== own.uid) || (as.gid !== undefined && as.gid !== own.gid)) await file.chown(as.uid ?? own.uid, as.gid ?? own.gid);
      // After chown, which takes set-id bits away.
      if (as.mode !== undefined) await file.chmod(as.mode);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

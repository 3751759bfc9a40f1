import { type FSWatcher, mkdtempSync, rmSync, statfsSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Disposable } from '../../base/disposable.ts';

/** File systems of this machine whose every change the kernel tells of (magic numbers of statfs(2)); on a network's or a host's, others write unseen. */
const localKinds = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994, 0x858458f6, 0x794c7630, 0x2fc12fc1, 0xca451a4e]);

/** Watches are a resource that all programs of a user share. */
const maxFolders = 8192;

/** The kernel's queue is in memory: an answer that takes longer does not come. Milliseconds. */
const bellPatience = 2000;

/**
 * Whether anything was touched in some folders since the last look, told without looking.
 *
 * Linux only. All watches of one thread share one queue of the kernel, and a write has put its notice there before the writer goes on. So a notice of
 * our own (the bell: a file written in a folder of ours) comes behind those of everything that happened before it was rung. Lost notices do no harm:
 * the kernel drops some only when thousands wait, and a single one says "touched". What the kernel gives no notice of (inotify(7)) is writing through a
 * memory map; that is why nobody may trust a watch for ever.
 */
export class FolderWatch implements Disposable {
  private readonly watchers: FSWatcher[] = [];
  private readonly bellFolder: string;
  private readonly heard = new Map<string, () => void>();
  private rings = 0;
  private touched = false;

  /** Throws where a folder cannot be watched: gone, or no watches left. */
  private constructor(root: string, folders: readonly string[]) {
    this.bellFolder = mkdtempSync(path.join(tmpdir(), 'casebook-bell-'));
    try {
      this.watch(this.bellFolder, (name) => this.heard.get(name ?? '')?.());
      for (const folder of folders) this.watch(path.join(root, folder), () => (this.touched = true));
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Watches `folders` (paths from `root`); undefined where the promise cannot be given. */
  static start(root: string, folders: readonly string[]): FolderWatch | undefined {
    if (process.platform !== 'linux' || folders.length > maxFolders) return undefined;
    try {
      return localKinds.has(statfsSync(root).type) ? new FolderWatch(root, folders) : undefined;
    } catch {
      return undefined;
    }
  }

  /** True when nothing at all has happened in the folders since they were first watched. */
  async isQuiet(): Promise<boolean> {
    const answered = await this.ring();
    return answered && !this.touched;
  }

  dispose(): void {
    for (const watcher of this.watchers.splice(0)) watcher.close();
    rmSync(this.bellFolder, { recursive: true, force: true });
  }

  private watch(folder: string, noticed: (name: string | null) => void): void {
    const watcher = watch(folder, { persistent: false }, (_kind, name) => noticed(name));
    watcher.on('error', () => (this.touched = true));
    this.watchers.push(watcher);
  }

  private async ring(): Promise<boolean> {
    const name = String(++this.rings);
    const file = path.join(this.bellFolder, name);
    let patience: NodeJS.Timeout | undefined;
    try {
      return await new Promise<boolean>((resolve) => {
        patience = setTimeout(() => resolve(false), bellPatience);
        this.heard.set(name, () => resolve(true));
        writeFileSync(file, '');
      });
    } catch {
      return false;
    } finally {
      clearTimeout(patience);
      this.heard.delete(name);
      rmSync(file, { force: true });
    }
  }
}

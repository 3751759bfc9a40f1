import { readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { ensurePrivateFolder, writeFileAtomic } from '../../core/base/files.ts';
import { ownIdentity, processState } from '../../core/journal/liveness.ts';

/** A window that was away for longer is a new one. Milliseconds. */
const longestAway = 60_000;
const touchEvery = 20_000;
/** How long the extension host of before the reload may take to let go, and how often that is looked at. Milliseconds. */
const handOver = 3000;
const lookEvery = 200;

const leaseFile = z.object({
  port: z.number().int(),
  token: z.string(),
  folders: z.array(z.string()),
  holder: z.object({ pid: z.number().int(), host: z.string(), startTime: z.string().optional() }),
  released: z.boolean(),
});

/** The place at which a window listens, kept over its reload. */
export interface Lease {
  port: number;
  token: string;
}

/** A lease as long as it is this window's. */
export interface HeldLease {
  /** The window goes, and may be back within a minute. */
  release(): Promise<void>;
  /** The place is given up: whoever comes next gets another one. */
  drop(): Promise<void>;
}

/**
 * Keeps a window's port and token over a reload or a restart of the extension host, so that clients that come back find the same door. It is a file like the
 * agents' own discovery files, of this user alone, on the machine that runs the server; the editor's memory and its secret storage would put the token
 * on the machine that draws the window, and some systems ask for a password there.
 */
export class LeaseFile {
  private readonly file: string;

  /** `folder`: the editor's storage of this workspace, for this extension. */
  constructor(folder: string) {
    this.file = join(folder, 'link-lease.json');
  }

  /**
   * What an earlier life of this window left, at most a minute ago and for the same folders. A second window of the same workspace gets nothing as long as the first
   * one lives, and nobody gets it twice.
   */
  async take(folders: readonly string[], longest = handOver): Promise<Lease | undefined> {
    for (const end = Date.now() + longest; ; await delay(lookEvery)) {
      const found = await this.read(this.file);
      if (found === undefined || found.age >= longestAway || JSON.stringify(found.lease.folders) !== JSON.stringify(folders)) return undefined;
      if (found.lease.released || processState(withoutUndefined(found.lease.holder)) === 'dead') return this.claim();
      if (Date.now() >= end) return undefined;
    }
  }

  /** `folders` are asked for whenever it is written again. Rejects with the system's error. */
  async hold(lease: Lease, folders: () => readonly string[]): Promise<HeldLease> {
    await ensurePrivateFolder(dirname(this.file));
    const write = (released: boolean): Promise<void> => writeFileAtomic(this.file, JSON.stringify({ ...lease, folders: folders(), holder: ownIdentity(), released }));
    await write(false);
    // A window that came later may have put its own there.
    const isMine = async (): Promise<boolean> => (await this.read(this.file))?.lease.token === lease.token;
    const touch = async (): Promise<void> => ((await isMine()) ? write(false) : undefined);
    const timer = setInterval(() => void touch().catch(() => undefined), touchEvery).unref();
    return {
      release: async () => {
        clearInterval(timer);
        if (await isMine()) await write(true);
      },
      drop: async () => {
        clearInterval(timer);
        if (await isMine()) await rm(this.file, { force: true });
      },
    };
  }

  /** Of several that come at once, the one whose rename succeeds. */
  private async claim(): Promise<Lease | undefined> {
    const mine = `${this.file}.${process.pid}`;
    try {
      await rename(this.file, mine);
      const found = await this.read(mine);
      return found && { port: found.lease.port, token: found.lease.token };
    } catch {
      return undefined;
    } finally {
      await rm(mine, { force: true });
    }
  }

  private async read(file: string): Promise<{ lease: z.infer<typeof leaseFile>; age: number } | undefined> {
    try {
      const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
      return { lease: leaseFile.parse(JSON.parse(text)), age: Date.now() - mtimeMs };
    } catch {
      return undefined;
    }
  }
}

function withoutUndefined({ pid, host, startTime }: z.infer<typeof leaseFile>['holder']): { pid: number; host: string; startTime?: string } {
  return { pid, host, ...(startTime === undefined ? {} : { startTime }) };
}

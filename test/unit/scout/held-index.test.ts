import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { NodeProcesses } from '../../../extension/core/base/node-processes.ts';
import type { Processes } from '../../../extension/core/base/process.ts';
import { scout } from '../../../extension/core/evidence/scout/scout.ts';
import type { ScoutResult } from '../../../extension/core/model/code.ts';
import { Git } from '../../../extension/core/repo/git.ts';
import { HeldIndexes } from '../../../extension/core/repo/index/held.ts';
import { FolderWatch } from '../../../extension/core/repo/index/watch.ts';
import { folderWith, never, shop, write } from './helpers.ts';

const inGit = (folder: string, ...args: string[]): void => void execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', '-c', 'commit.gpgsign=false', ...args], { cwd: folder });

/** A process that goes on: searches in one folder, one after the other, with what it holds in between. */
class Living {
  readonly indexes = new HeldIndexes();
  started = 0;
  readonly cacheFolder = folderWith({});
  ahead = 10_000;
  private readonly git: Git;

  constructor(
    private readonly folder: string,
    private readonly mode: 'auto' | 'off',
  ) {
    const real = new NodeProcesses();
    const processes: Processes = {
      spawn: async (...call) => {
        this.started++;
        return real.spawn(...call);
      },
    };
    this.git = new Git({ processes, env: process.env });
    onTestFinished(() => this.indexes.dispose());
  }

  async search(title: string): Promise<ScoutResult> {
    this.started = 0;
    return scout({ ticket: { id: 'a#1', title, body: '' }, roots: [{ name: 'root', path: this.folder }], git: this.mode, cacheFolder: this.cacheFolder }, { git: this.git, indexes: this.indexes, now: () => Date.now() + this.ahead }, never);
  }

  /** Searches, then watches, as while nobody waits. */
  async settled(title: string): Promise<ScoutResult> {
    const result = await this.search(title);
    await this.indexes.settle(never);
    return result;
  }
}

const work = ({ stats }: ScoutResult): (number | undefined)[] => [stats['filesLookedAt'], stats['filesRead'], stats['filesIndexed']];

function repository(files: Record<string, string>): string {
  const folder = folderWith(files);
  inGit(folder, 'init', '-q');
  inGit(folder, 'add', '.');
  inGit(folder, 'commit', '-q', '-m', 'First');
  return folder;
}

describe('a second ticket in a process that goes on', () => {
  it('does the same work in 10 000 files as in 100: none is listed, looked at or read, but the suspects', { timeout: 120_000 }, async () => {
    const started: number[] = [];
    for (const count of [100, 10_000]) {
      const folder = folderWith(Object.fromEntries(Array.from({ length: count }, (_, i) => [`src/part${i % 50}/module${i}.ts`, `export function handler${i}() {\n  return ${i};\n}\n`])));
      inGit(folder, 'init', '-q');
      const living = new Living(folder, 'auto');
      expect(work(await living.settled('handler77 is slow'))).toEqual([count, count, count]);
      const second = await living.search('handler42 is wrong');
      expect(second.suspects[0]?.file).toBe('src/part42/module42.ts');
      expect(second.stats['filesOpened']).toBeLessThanOrEqual(60);
      expect(work(second)).toEqual([0, 0, 0]);
      started.push(living.started);
    }
    const [few = 0, many = 0] = started;
    expect(many).toBeLessThanOrEqual(few);
  });

  it('gives the same answer as a first look, with git and without', async () => {
    for (const mode of ['auto', 'off'] as const) {
      const folder = repository(shop);
      const living = new Living(folder, mode);
      const first = await living.settled('applyVoucher refuses the voucher');
      const second = await living.search('applyVoucher refuses the voucher');
      expect(work(second)).toEqual([0, 0, 0]);
      expect({ ...second, stats: {} }).toEqual({ ...first, stats: {} });
    }
  });

  it('looks again after ten minutes, whatever the watch says', async () => {
    const living = new Living(repository(shop), 'auto');
    await living.settled('voucher');
    living.ahead += 11 * 60_000;
    expect(work(await living.search('voucher'))[0]).toBe(7);
  });

  it('is not disturbed by what git ignores', async () => {
    const folder = repository({ ...shop, '.gitignore': 'out/\n' });
    write(folder, { 'out/a.js': 'x\n' });
    const living = new Living(folder, 'auto');
    await living.settled('voucher');
    write(folder, { 'out/b.js': 'y\n', 'out/deep/c.js': 'z\n' });
    expect(work(await living.search('voucher'))).toEqual([0, 0, 0]);
  });
});

describe('never stale: the very next search sees', () => {
  const quietly = (file: string, text: string): void => {
    const { atime, mtime } = statSync(file);
    writeFileSync(file, text);
    utimesSync(file, atime, mtime);
  };
  const tree = { ...shop, '.gitignore': '*.log\nout/\n', 'logs/a.log': 'x\n', 'out/zebraCrossing.ts': 'export function zebraCrossing() {}\n' };
  const changes: Record<string, { with: 'auto' | 'off' | 'both'; make: (folder: string) => void }> = {
    'an edit that keeps size and time': { with: 'both', make: (folder) => quietly(join(folder, 'src/mail/sender.ts'), shop['src/mail/sender.ts']!.replace('sendMail', 'zebraCro')) },
    'a new file': { with: 'both', make: (folder) => write(folder, { 'src/zebraCrossing.ts': 'export function zebraCrossing() {}\n' }) },
    'a file in a new folder': { with: 'off', make: (folder) => write(folder, { 'src/a/b/c/zebraCrossing.ts': 'export function zebraCrossing() {}\n' }) },
    'a file in a folder that was empty': { with: 'both', make: (folder) => write(folder, { 'empty/zebraCrossing.ts': 'export function zebraCrossing() {}\n' }) },
    'a file in a folder that held only ignored ones': { with: 'both', make: (folder) => write(folder, { 'logs/zebraCrossing.ts': 'export function zebraCrossing() {}\n' }) },
    'a file that was moved in from elsewhere': { with: 'off', make: (folder) => renameSync(join(folder, 'out/zebraCrossing.ts'), join(folder, 'src/zebraCrossing.ts')) },
    'a deleted file': { with: 'off', make: (folder) => rmSync(join(folder, 'src/pricing/discount.ts')) },
    'a changed .gitignore': { with: 'both', make: (folder) => writeFileSync(join(folder, '.gitignore'), '*.log\n') },
    'an ignored file that is tracked now': { with: 'auto', make: (folder) => inGit(folder, 'add', '-f', 'out/zebraCrossing.ts') },
    'an exclude file': { with: 'auto', make: (folder) => appendFileSync(join(folder, '.git/info/exclude'), 'notes/\n') },
    'another branch': { with: 'auto', make: (folder) => inGit(folder, 'checkout', '-q', 'other') },
    'another folder in its place': {
      with: 'both',
      make: (folder) => {
        renameSync(folder, `${folder}-away`);
        onTestFinished(() => rmSync(`${folder}-away`, { recursive: true, force: true }));
        write(folder, { 'zebraCrossing.ts': 'export function zebraCrossing() {}\n' });
      },
    },
  };
  const cases = Object.entries(changes).flatMap(([what, change]) => (change.with === 'both' ? (['auto', 'off'] as const) : [change.with]).map((mode) => ({ what, mode, change })));
  let template = '';
  beforeAll(() => {
    template = mkdtempSync(join(tmpdir(), 'scout-template-'));
    write(template, tree);
    inGit(template, 'init', '-q');
    inGit(template, 'add', '.');
    inGit(template, 'commit', '-q', '-m', 'First');
    inGit(template, 'checkout', '-q', '-b', 'other');
    write(template, { 'src/zebra.ts': 'export function zebraCrossing() {}\n' });
    inGit(template, 'add', 'src/zebra.ts');
    inGit(template, 'commit', '-q', '-m', 'Other');
    inGit(template, 'checkout', '-q', '-');
    write(template, { 'notes/zebraCrossing.md': 'zebraCrossing\n' });
    mkdirSync(join(template, 'empty'));
  });
  afterAll(() => rmSync(template, { recursive: true, force: true }));
  it.each(cases)('$what ($mode)', async ({ mode, change }) => {
    const folder = folderWith({});
    cpSync(template, folder, { recursive: true });
    const living = new Living(folder, mode);
    await living.settled('zebraCrossing applyVoucher');
    expect(work(await living.search('zebraCrossing applyVoucher'))).toEqual([0, 0, 0]);
    change.make(folder);
    const next = await living.search('zebraCrossing applyVoucher');
    const fresh = await new Living(folder, mode).search('zebraCrossing applyVoucher');
    expect(next.stats['filesLookedAt']).toBeGreaterThan(0);
    expect({ ...next, stats: {} }).toEqual({ ...fresh, stats: {} });
  });

  it('a write of the moment before, each of a thousand times', { timeout: 60_000 }, async () => {
    const folder = folderWith({ 'a/x': '', 'b/y': '' });
    for (let i = 0; i < 1000; i++) {
      const watch = FolderWatch.start(folder, ['', 'a/', 'b/'])!;
      const busy = i % 3 === 0;
      if (busy) appendFileSync(join(folder, i % 2 === 0 ? 'a/x' : 'b/y'), 'x');
      expect(await watch.isQuiet()).toBe(!busy);
      watch.dispose();
    }
  });
});

describe('a watch', () => {
  it('is not given where a folder is gone, or for more folders than it may have', () => {
    const folder = folderWith({});
    expect(FolderWatch.start(folder, ['', 'gone/'])).toBeUndefined();
    expect(FolderWatch.start(folder, Array.from({ length: 9000 }, () => ''))).toBeUndefined();
    expect(FolderWatch.start('/proc/self', [''])).toBeUndefined();
  });
});

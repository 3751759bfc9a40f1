import { readFileSync, readdirSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, search, shop, steady, write } from './helpers.ts';

/** A clock far enough ahead that no file of the test was touched just now. */
const later = (): number => Date.now() + 10_000;

const counts = (result: Awaited<ReturnType<typeof search>>): (number | undefined)[] => [result.stats['filesRead'], result.stats['filesIndexed']];

describe('the index on disk', () => {
  it('is read, not made, for a second ticket; no contents are read again, in 10 000 files as in ten', { timeout: 60_000 }, async () => {
    const cacheFolder = folderWith({});
    const files = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`src/part${i % 100}/module${i}.ts`, `export function handler${i}() {\n  return ${i};\n}\n`]));
    const folder = folderWith(files);
    const first = await search(folder, 'handler77 is slow', '', { cacheFolder, now: later });
    expect(counts(first)).toEqual([10_000, 10_000]);
    const second = await search(folder, 'handler4242 is wrong', '', { cacheFolder, now: later });
    expect(counts(second)).toEqual([0, 0]);
    expect(second.suspects[0]!.file).toBe('src/part42/module4242.ts');
    expect(second.stats['filesOpened']).toBeLessThanOrEqual(60);
  });

  it('gives the same answer as no cache at all', async () => {
    const cacheFolder = folderWith({});
    const folder = folderWith(shop);
    const ticket = ['Cart forgets the voucher', 'See `applyVoucher`.'] as const;
    const bare = steady(await search(folder, ...ticket)) as { suspects: object };
    for (let i = 0; i < 2; i++) expect((steady(await search(folder, ...ticket, { cacheFolder, now: later })) as { suspects: object }).suspects).toEqual(bare.suspects);
  });

  it('reads only what is new or changed, and forgets what is gone', async () => {
    const cacheFolder = folderWith({});
    const folder = folderWith(shop);
    await search(folder, 'x', '', { cacheFolder, now: later });
    write(folder, { 'src/new.ts': 'export function refundVoucher() {}\n', 'src/mail/sender.ts': 'export function sendPigeon() {}\n' });
    rmSync(join(folder, 'src/server/router.ts'));
    const result = await search(folder, 'refundVoucher sendPigeon', '', { cacheFolder, now: later });
    expect(counts(result)).toEqual([2, 2]);
    expect(result.suspects.slice(0, 2).map((suspect) => suspect.file).sort()).toEqual(['src/mail/sender.ts', 'src/new.ts']);
    const gone = await search(folder, 'routes router', '', { cacheFolder, now: later });
    expect(gone.suspects.map((suspect) => suspect.file)).not.toContain('src/server/router.ts');
    expect(counts(gone)).toEqual([0, 0]);
    const fresh = await search(folder, 'routes router', '', {});
    expect(gone.suspects).toEqual(fresh.suspects);
  });

  it('notices an edit of the same size with its old modification time', async () => {
    const cacheFolder = folderWith({});
    const folder = folderWith({ 'a.ts': 'export function alpha() {}\n', 'b.ts': 'export const other = 1;\n' });
    const { atime, mtime } = statSync(join(folder, 'a.ts'));
    await search(folder, 'x', '', { cacheFolder });
    writeFileSync(join(folder, 'a.ts'), 'export function omega() {}\n');
    utimesSync(join(folder, 'a.ts'), atime, mtime);
    const result = await search(folder, 'omega', '', { cacheFolder });
    expect(result.suspects[0]?.file).toBe('a.ts');
    expect(result.stats['filesIndexed']).toBe(1);
  });

  it('reads a file again that was touched as it was looked at, even when nothing shows a change', async () => {
    const cacheFolder = folderWith({});
    const folder = folderWith({ 'a.ts': 'export function alpha() {}\n' });
    // The clock says that the listing was made at the very moment of the last write: a second write could have the same times.
    const atWrite = statSync(join(folder, 'a.ts')).ctimeMs;
    await search(folder, 'x', '', { cacheFolder, now: () => atWrite });
    expect(counts(await search(folder, 'x', '', { cacheFolder, now: later }))).toEqual([1, 0]);
    expect(counts(await search(folder, 'x', '', { cacheFolder, now: later }))).toEqual([0, 0]);
  });

  it('may be deleted, cut off or overwritten at any time', async () => {
    const cacheFolder = folderWith({});
    const folder = folderWith(shop);
    const run = async (): Promise<[string | undefined, number | undefined]> => {
      const result = await search(folder, 'applyVoucher', '', { cacheFolder, now: later });
      return [result.suspects[0]?.file, result.stats['filesRead']];
    };
    const [, all] = await run();
    const [name, ...others] = readdirSync(cacheFolder);
    expect(others).toEqual([]);
    const cache = join(cacheFolder, name!);
    const whole = readFileSync(cache);
    const damages: (() => void)[] = [
      () => rmSync(cache),
      () => truncateSync(cache, Math.floor(whole.length / 2)),
      () => truncateSync(cache, 10),
      () => writeFileSync(cache, 'something else'),
      () => writeFileSync(cache, Buffer.alloc(whole.length, 0xff)),
      // Documents and dictionary are covered by a check sum, postings by their range.
      () => writeFileSync(cache, flipped(whole, 400)),
      () => writeFileSync(cache, Buffer.concat([whole.subarray(0, whole.length - 600), Buffer.alloc(600, 0x7f)])),
      () => writeFileSync(cache, Buffer.concat([whole.subarray(0, Math.floor(whole.length * 0.6)), Buffer.alloc(whole.length - Math.floor(whole.length * 0.6), 0x7f)])),
    ];
    for (const damage of damages) {
      damage();
      expect((await run())[0]).toBe('src/pricing/discount.ts');
    }
    rmSync(cache, { force: true });
    expect(await run()).toEqual(['src/pricing/discount.ts', all]);
    expect(await run()).toEqual(['src/pricing/discount.ts', 0]);
  });

  it('that cannot be written costs nothing but time, and shows', async () => {
    const folder = folderWith(shop);
    const blocked = join(folderWith({ file: 'x' }), 'file', 'below');
    const result = await search(folder, 'applyVoucher', '', { cacheFolder: blocked });
    expect([result.suspects[0]!.file, result.stats['cacheFailed']]).toEqual(['src/pricing/discount.ts', 1]);
  });

  it('takes away what a killed writer left, but not what may still be written', async () => {
    const cacheFolder = folderWith({});
    const folder = folderWith(shop);
    await search(folder, 'x', '', { cacheFolder, now: later });
    const [name] = readdirSync(cacheFolder);
    write(cacheFolder, { [`${name!}.1.old.tmp`]: 'x', [`${name!}.2.new.tmp`]: 'x', 'other.index.1.a.tmp': 'x' });
    for (const old of [`${name!}.1.old.tmp`, 'other.index.1.a.tmp']) utimesSync(join(cacheFolder, old), 1, 1);
    write(folder, { 'src/new.ts': 'x\n' });
    await search(folder, 'x', '', { cacheFolder, now: later });
    expect(readdirSync(cacheFolder).sort()).toEqual([name!, `${name!}.2.new.tmp`, 'other.index.1.a.tmp'].sort());
  });

  it('is readable by its owner only', async () => {
    const cacheFolder = folderWith({});
    await search(folderWith(shop), 'x', '', { cacheFolder });
    expect(readdirSync(cacheFolder).map((file) => statSync(join(cacheFolder, file)).mode & 0o777)).toEqual([0o600]);
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = copy[at]! ^ 0xff;
  return copy;
}

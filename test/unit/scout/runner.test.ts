import { build } from 'esbuild';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import { ScoutRunner } from '../../../extension/core/evidence/scout/runner.ts';
import { folderWith, git, grammars, never, shop, steady } from './helpers.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, '.cache', `scout-worker-${process.pid}`);
const worker = join(folder, 'scout-worker.mjs');

beforeAll(async () => {
  const banner = { js: "import { createRequire as casebookRequire } from 'node:module'; const require = casebookRequire(import.meta.url);" };
  await build({ entryPoints: [join(root, 'extension/core/evidence/scout/worker.ts')], outfile: worker, bundle: true, platform: 'node', format: 'esm', target: 'node22', banner });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ticket = { id: 'a#1', title: 'applyVoucher refuses the voucher', body: '' };

describe('the runner', () => {
  it('gives from a worker what it gives on its own thread', async () => {
    const roots = [{ name: 'root', path: folderWith(shop) }];
    const here = new ScoutRunner({ grammars, git, logger: nullLogger });
    const there = new ScoutRunner({ worker, grammars, logger: nullLogger });
    const result = await there.run({ ticket, roots }, never);
    expect(result.suspects[0]!.symbols).toContain('applyVoucher');
    expect(steady(result)).toEqual(steady(await here.run({ ticket, roots }, never)));
  });

  it('keeps its worker, so that a second search on an unchanged folder looks at no file', async () => {
    const roots = [{ name: 'root', path: folderWith(shop) }];
    const runner = new ScoutRunner({ worker, cacheFolder: folderWith({}), grammars, logger: nullLogger });
    const first = await runner.run({ ticket, roots }, never);
    await expect.poll(async () => (await runner.run({ ticket, roots }, never)).stats['filesLookedAt'], { timeout: 20_000, interval: 300 }).toBe(0);
    const again = await runner.run({ ticket, roots }, never);
    expect({ ...again, stats: {} }).toEqual({ ...first, stats: {} });
    // One that comes while the worker is busy does not wait for it.
    const both = await Promise.all([runner.run({ ticket, roots }, never), runner.run({ ticket, roots }, never)]);
    expect(both.map(({ stats }) => stats['filesLookedAt'])).toEqual([0, 7]);
    runner.dispose();
    await expect(runner.run({ ticket, roots }, never)).rejects.toMatchObject({ reason: 'cancelled' });
  });

  it('leaves its own thread free while a worker searches', { timeout: 60_000 }, async () => {
    const files = Object.fromEntries(Array.from({ length: 800 }, (_, i) => [`src/m${i}.ts`, `export function handler${i}() {\n${'  work(applyVoucher, 1);\n'.repeat(60)}}\n`]));
    const roots = [{ name: 'root', path: folderWith(files) }];
    const runner = new ScoutRunner({ worker, logger: nullLogger });
    const before = performance.eventLoopUtilization();
    const result = await runner.run({ ticket, roots, git: 'off' }, never);
    expect(result.stats['filesRead']).toBe(800);
    // Wall-clock time says nothing on a busy machine; a search on this thread would keep it busy all the while.
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  });

  it('ends the worker when it is cancelled or disposed', async () => {
    const roots = [{ name: 'root', path: folderWith(shop) }];
    const runner = new ScoutRunner({ worker, logger: nullLogger });
    const stop = new AbortController();
    const running = runner.run({ ticket, roots }, stop.signal);
    stop.abort();
    await expect(running).rejects.toMatchObject({ reason: 'cancelled' });
    const another = runner.run({ ticket, roots }, never);
    runner.dispose();
    await expect(another).rejects.toMatchObject({ reason: 'cancelled' });
    await expect(runner.run({ ticket, roots }, never)).rejects.toMatchObject({ reason: 'cancelled' });
  });

  it('says so when the worker cannot start', async () => {
    const runner = new ScoutRunner({ worker: join(folder, 'none.mjs'), logger: nullLogger });
    await expect(runner.run({ ticket, roots: [] }, never)).rejects.toMatchObject({ reason: 'scout_failed' });
  });
});

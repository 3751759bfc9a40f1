import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeDisk } from '../../../extension/core/review/apply/disk.ts';
import { recoverWrites } from '../../../extension/core/review/apply/rollback.ts';
import { newTree, removeTrees, sceneFiles, treeOf } from './trees.ts';

let script = '';
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casebook-kill-'));
  script = join(folder, 'entry.mjs');
  await build({ entryPoints: [join(import.meta.dirname, 'kill-entry.ts')], outfile: script, bundle: true, platform: 'node', format: 'esm', target: 'node22', logLevel: 'error' });
});
afterAll(async () => {
  await removeTrees();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the entry to its end; what it printed, or the signal that ended it. */
function run(tree: { root: string; state: string }, step: number, what: 'write' | 'recover' = 'write'): Promise<{ signal: string | null; changing: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, tree.root, tree.state, String(step), what], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', reject);
    child.on('close', (_code, signal) => resolve({ signal, changing: Number(text) }));
  });
}

describe('kill -9 between any two steps', () => {
  it('leaves all or nothing after the next start, and nothing lying about', async () => {
    const whole = await newTree(sceneFiles);
    const before = await treeOf(whole.root);
    const { changing, signal } = await run(whole, 0);
    expect(signal).toBeNull();
    expect(changing).toBeGreaterThan(30);
    const after = await treeOf(whole.root);
    const states: string[] = [];
    const half: number[] = [];
    const at = async (step: number): Promise<void> => {
      const tree = await newTree(sceneFiles);
      expect((await run(tree, step)).signal).toBe('SIGKILL');
      const found = await treeOf(tree.root);
      if (JSON.stringify(found) !== JSON.stringify(before) && JSON.stringify(found) !== JSON.stringify(after)) half.push(step);
      const [recovered] = await recoverWrites(nodeDisk(), tree.state);
      states[step] = recovered?.state ?? 'none';
      expect([step, await treeOf(tree.root)]).toEqual([step, recovered?.state === 'completed' || step === changing ? after : before]);
      expect(await readdir(tree.state)).toEqual([]);
      await rm(tree.top, { recursive: true });
    };
    const steps = Array.from({ length: changing }, (_value, index) => index + 1);
    const worker = async (): Promise<void> => {
      for (let step = steps.shift(); step !== undefined; step = steps.shift()) await at(step);
    };
    await Promise.all([worker(), worker()]);
    // The test would be worth nothing if the process had never died in the middle.
    expect(half.length).toBeGreaterThan(20);
    expect([...new Set(states.filter((state) => state !== undefined))].toSorted()).toEqual(['completed', 'none', 'rolled_back']);
  }, 600_000);

  it('a recovery that is killed itself is finished by the next', async () => {
    const whole = await newTree(sceneFiles);
    const before = await treeOf(whole.root);
    const { changing } = await run(whole, 0);
    // Killed late in the exchange, so that there is most to put back.
    const late = Math.floor(changing * 0.62);
    for (let step = 1; ; step += 3) {
      const tree = await newTree(sceneFiles);
      expect((await run(tree, late)).signal).toBe('SIGKILL');
      const { signal } = await run(tree, step, 'recover');
      await recoverWrites(nodeDisk(), tree.state);
      expect([step, await treeOf(tree.root)]).toEqual([step, before]);
      expect(await readdir(tree.state)).toEqual([]);
      await rm(tree.top, { recursive: true });
      if (signal === null) break;
    }
  }, 600_000);
});

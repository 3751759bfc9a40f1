import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openJournal } from '../../../extension/core/journal/journal.ts';
import type { AnyEvent, Journal } from '../../../extension/core/journal/port.ts';
import { hunksOf, type Table, tableOn } from './desk-harness.ts';
import { newTree, removeTrees, treeOf } from './trees.ts';

const files = { 'a.txt': 'one\ntwo\n', 'old.txt': 'gone soon\n' };
const act = { via: 'test', revision: 0 };
let script = '';
let folder = '';
const open: Journal[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casebook-desk-'));
  script = join(folder, 'entry.mjs');
  await build({ entryPoints: [join(import.meta.dirname, 'desk-kill-entry.ts')], outfile: script, bundle: true, platform: 'node', format: 'esm', target: 'node22', logLevel: 'error', banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" } });
});
afterEach(async () => {
  for (const journal of open.splice(0)) await journal.close();
  await removeTrees();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A desk with a journal of its own, as another window or a terminal has it. */
async function anotherProcess(tree: { root: string; state: string; top: string }): Promise<Table & { journal: Table['journal'] }> {
  const journal = await openJournal({ home: join(tree.top, 'home'), workspace: tree.root, program: 'test', version: '0' });
  open.push(journal);
  return tableOn(tree.root, tree.state, { journal: journal as unknown as Table['journal'] });
}

async function eventsOf(journal: Journal, set: string): Promise<AnyEvent[]> {
  const found: AnyEvent[] = [];
  for await (const item of journal.read({ set })) if (!('gap' in item)) found.push(item);
  return found;
}

function run(tree: { root: string; state: string; top: string }, when: string): Promise<{ signal: string | null; steps: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, join(tree.top, 'home'), tree.root, tree.state, when], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', reject);
    child.on('close', (_code, signal) => resolve({ signal, steps: Number(text) }));
  });
}

describe('several processes at one desk', () => {
  it('a decision taken in another one is settled by the owner, once, and both see it', async () => {
    const tree = await newTree(files);
    const owner = await anotherProcess(tree);
    const other = await anotherProcess(tree);
    const { set, answer } = await owner.propose({ 'a.txt': 'one\n2\n' });
    await expect.poll(async () => (await other.pending()).map((state) => state.id)).toEqual([set]);
    await other.desk.decideAll(set, 'accept', act);
    expect((await answer).outcome).toBe('accepted');
    await expect.poll(async () => (await other.desk.state(set)).settled?.outcome).toBe('accepted');
    expect(await owner.read('a.txt')).toBe('one\n2\n');
    expect((await eventsOf(owner.journal, set)).filter((event) => event.kind === 'changeset.settled')).toHaveLength(1);
    expect((await owner.desk.state(set)).settled?.by).toMatchObject([{ kind: 'person', name: 'tester' }]);
  });

  it('both deciding at once give one outcome, and the file is what the record says', async () => {
    const tree = await newTree(files);
    const owner = await anotherProcess(tree);
    const other = await anotherProcess(tree);
    for (let round = 0; round < 6; round += 1) {
      const before = await owner.read('a.txt');
      const { set, answer } = await owner.propose({ 'a.txt': `${before}round ${round}\n` });
      await expect.poll(async () => (await other.pending()).map((state) => state.id)).toEqual([set]);
      const both = await Promise.allSettled([owner.desk.decideAll(set, 'accept', act), other.desk.decideAll(set, 'reject', act)]);
      expect(both.some((one) => one.status === 'fulfilled')).toBe(true);
      const heard = await answer;
      const settled = (await eventsOf(owner.journal, set)).filter((event) => event.kind === 'changeset.settled');
      expect(settled).toHaveLength(1);
      expect(settled[0]?.body).toMatchObject({ outcome: heard.outcome });
      expect(await owner.read('a.txt')).toBe(heard.outcome === 'accepted' ? `${before}round ${round}\n` : before);
    }
  });

  it('a terminal can decide a hunk, and the window the rest', async () => {
    const tree = await newTree({ 'a.txt': Array.from({ length: 20 }, (_none, index) => `${index}\n`).join('') });
    const window = await anotherProcess(tree);
    const terminal = await anotherProcess(tree);
    const { set } = await window.propose({ 'a.txt': Array.from({ length: 20 }, (_none, index) => (index === 2 || index === 17 ? `new ${index}\n` : `${index}\n`)).join('') });
    const [first = '', second = ''] = await hunksOf(window.desk, set, 'w/a.txt');
    await expect.poll(() => terminal.pending()).toHaveLength(1);
    await terminal.desk.decide(set, [{ file: 'w/a.txt', hunk: second, decision: 'reject' }], act);
    await expect.poll(async () => (await window.desk.file(set, 'w/a.txt')).decisions.size).toBe(1);
    await window.desk.decide(set, [{ file: 'w/a.txt', hunk: first, decision: 'accept' }], act);
    await expect.poll(async () => (await terminal.desk.state(set)).settled?.outcome).toBe('partly_accepted');
    expect(await window.read('a.txt')).toContain('new 2\n3\n');
    expect(await window.read('a.txt')).not.toContain('new 17');
  });
});

describe('the process that has a set is killed', () => {
  const before = { ...files };
  const after = { 'a.txt': 'one\n2\n', 'new/b.txt': 'new\n' };
  const contents = async (root: string): Promise<Record<string, string>> =>
    Object.fromEntries(Object.entries(await treeOf(root)).filter(([, what]) => what !== 'folder').map(([path, what]) => [path, what.replace(/^\d+ /u, '')]));

  async function killedAt(when: string): Promise<void> {
    const tree = await newTree(files);
    expect([when, (await run(tree, when)).signal]).toEqual([when, 'SIGKILL']);
    const next = await anotherProcess(tree);
    const { pending, settled } = await next.desk.list();
    const [state] = [...pending, ...settled];
    expect([when, state?.caller.attached]).toEqual([when, false]);
    if (state === undefined) return;
    // Never a false "accepted": where the record says so, the files are; where it does not, they are as before or the next finish tells.
    if (state.status === 'settled') expect([when, await contents(tree.root)]).toEqual([when, after]);
    else {
      const revision = state.revision;
      const decided = state.files.every((file) => file.rest !== undefined);
      const done = decided ? await next.desk.finish(state.id, { via: 'test', revision }) : await next.desk.decideAll(state.id, 'accept', { via: 'test', revision });
      expect([when, done.settled?.outcome, await contents(tree.root)]).toEqual([when, 'accepted', after]);
      await next.desk.undo(state.id, 'test');
      expect([when, await contents(tree.root)]).toEqual([when, before]);
    }
  }

  it('between any two events of the record', async () => {
    for (const kind of ['changeset.proposed', 'hunks.decided', 'changeset.applying', 'changeset.settled']) await killedAt(`event:${kind}`);
  });

  it('between any two steps of the write', async () => {
    const { steps, signal } = await run(await newTree(files), 'none');
    expect(signal).toBeNull();
    expect(steps).toBeGreaterThan(10);
    for (let step = 1; step <= steps; step += 2) await killedAt(`disk:${step}`);
  }, 300_000);
});

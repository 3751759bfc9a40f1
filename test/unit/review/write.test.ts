import { execFileSync } from 'node:child_process';
import { appendFile, chmod, chown, link, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type DiskEntry, nodeDisk, type WriteDisk } from '../../../extension/core/review/apply/disk.ts';
import type { WriteFailureDetail } from '../../../extension/core/review/apply/failure.ts';
import type { WriteEntry } from '../../../extension/core/review/apply/plan.ts';
import { recoverWrites } from '../../../extension/core/review/apply/rollback.ts';
import { DiskWriter, type DiskWriterOptions, undoEntries } from '../../../extension/core/review/apply/writer.ts';
import { absent, file, newTree, quickDisk, removeTrees, sceneEntries, sceneFiles, type Step, treeOf, watched } from './trees.ts';

const writerFor = (tree: { root: string; state: string }, more: Partial<DiskWriterOptions> = {}): DiskWriter =>
  new DiskWriter({ disk: nodeDisk(), roots: [{ name: 'w', path: tree.root }], stateFolder: tree.state, ...more });
const modify = (path: string, before: string, after: string): WriteEntry => ({ root: 'w', path, before: file(before), after: file(after) });
const systemError = (code: string): Error => Object.assign(new Error(`${code}: made for the test`), { code });

afterAll(removeTrees, 60_000);

/** What a write came to: nothing, or its failure. */
async function outcome(work: Promise<unknown>): Promise<{ reason: string; detail: WriteFailureDetail } | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error as { reason: string; detail: WriteFailureDetail };
  }
}

/** The scene with all of it written, for comparison, and how many steps that takes. */
async function sceneAfter(): Promise<{ after: Record<string, string>; steps: Step[] }> {
  const tree = await newTree(sceneFiles);
  const steps: Step[] = [];
  await writerFor(tree, { disk: watched(quickDisk(nodeDisk()), (step) => void steps.push(step)) }).apply(sceneEntries);
  return { after: await treeOf(tree.root), steps };
}

describe('writing a set', () => {
  it('writes every kind of change, leaves nothing lying about, and undo and redo are exact', async () => {
    const tree = await newTree(sceneFiles);
    const before = await treeOf(tree.root);
    const writer = writerFor(tree);
    const receipt = await writer.apply(sceneEntries);
    const after = await treeOf(tree.root);
    expect(after).toMatchObject({ 'src/a.ts': '644 one\n2\n', 'run.sh': '755 #!/bin/sh\nexit\n', 'new/deep/b.ts': '644 new', 'to.txt': '640 edited', 'lib/plain.txt': '644 moved only', 'mode.txt': '755 mode', 'link': 'link run.sh', 'untouched.txt': '644 untouched' });
    expect(Object.keys(after)).not.toContain('old.txt');
    expect(Object.keys(after).filter((path) => path.includes('casebook'))).toEqual([]);
    const undone = await writer.apply(undoEntries(receipt), { emptyFolders: receipt.folders });
    expect(await treeOf(tree.root)).toEqual(before);
    await writer.apply(undoEntries(undone));
    expect(await treeOf(tree.root)).toEqual(after);
    expect(await readdir(tree.state)).toEqual([]);
  });

  it('D24: keeps mode, owner and the file itself where it can', async () => {
    const tree = await newTree({ 'key': { text: 'secret', mode: 0o600 }, 'tool': { text: 'x', mode: 0o755 }, 'sub/in.txt': 'a', 'moved': { text: 'm', mode: 0o711 } });
    const root = process.getuid?.() === 0;
    if (root) {
      await chown(join(tree.root, 'key'), 1234, 2345);
      await chown(join(tree.root, 'tool'), 0, 2345);
      await chmod(join(tree.root, 'tool'), 0o4755);
      await chmod(join(tree.root, 'sub'), 0o2775);
    }
    const moved = await stat(join(tree.root, 'moved'));
    await writerFor(tree).apply([modify('key', 'secret', 'secret2'), modify('tool', 'x', 'y'), modify('sub/in.txt', 'a', 'b'), { root: 'w', path: 'sub/moved', from: 'moved', before: file('m'), after: file('m') }]);
    const key = await stat(join(tree.root, 'key'));
    expect(key.mode & 0o7777).toBe(0o600);
    expect((await stat(join(tree.root, 'tool'))).mode & 0o7777).toBe(root ? 0o4755 : 0o755);
    expect([(await stat(join(tree.root, 'sub/moved'))).ino, (await stat(join(tree.root, 'sub/moved'))).mode & 0o777]).toEqual([moved.ino, 0o711]);
    if (root) expect([key.uid, key.gid, (await stat(join(tree.root, 'sub'))).mode & 0o7777]).toEqual([1234, 2345, 0o2775]);
  });

  it('refuses when the file would change hands, and says so', async () => {
    const tree = await newTree({ 'a': 'x' });
    const disk = watched(nodeDisk(), ({ name }) => {
      if (name === 'stage') throw systemError('EPERM');
    });
    expect(await outcome(writerFor(tree, { disk }).apply([modify('a', 'x', 'y')]))).toMatchObject({ reason: 'owner', detail: { rolledBack: true } });
    expect(await treeOf(tree.root)).toEqual({ a: '644 x' });
  });

  it('D14: a touched file is no conflict, one changed byte is, and the next write of that file works', async () => {
    const tree = await newTree({ 'a': 'x\n', 'b': 'y\n' });
    const writer = writerFor(tree);
    await utimes(join(tree.root, 'a'), 1, 1);
    await writer.apply([modify('a', 'x\n', 'x2\n')]);
    await writeFile(join(tree.root, 'a'), 'x3\n');
    const failed = await outcome(writer.apply([modify('b', 'y\n', 'y2\n'), modify('a', 'x2\n', 'x4\n')]));
    expect(failed).toMatchObject({ reason: 'base_changed', detail: { rolledBack: true, conflicts: [{ path: 'w/a', found: 'file' }] } });
    expect(await treeOf(tree.root)).toEqual({ a: '644 x3\n', b: '644 y\n' });
    await writer.apply([modify('a', 'x3\n', 'x4\n')]);
    expect(await readFile(join(tree.root, 'a'), 'utf8')).toBe('x4\n');
  });

  it('D15, D17: undo never puts an old state over later work', async () => {
    const tree = await newTree({ 'a': 'x\n', 'b': 'y\n' });
    const writer = writerFor(tree);
    const receipt = await writer.apply([modify('a', 'x\n', 'x2\n'), modify('b', 'y\n', 'y2\n')]);
    await appendFile(join(tree.root, 'a'), 'later work\n');
    expect(await outcome(writer.apply(undoEntries(receipt)))).toMatchObject({ reason: 'base_changed' });
    expect(await treeOf(tree.root)).toEqual({ a: '644 x2\nlater work\n', b: '644 y2\n' });
  });

  it('D13: does not write under a buffer with unsaved text', async () => {
    const tree = await newTree({ 'a': 'x', 'b': 'y' });
    const writer = writerFor(tree, { dirty: (path) => path === join(tree.root, 'b') });
    expect(await outcome(writer.apply([modify('a', 'x', 'x2'), modify('b', 'y', 'y2')]))).toMatchObject({ reason: 'dirty_buffer', detail: { path: 'w/b' } });
    expect(await treeOf(tree.root)).toEqual({ a: '644 x', b: '644 y' });
  });

  it('D40: two writes of one file in the same moment are one after the other, and the second has to merge', async () => {
    const tree = await newTree({ 'a': 'x\n' });
    const writer = writerFor(tree);
    const results = await Promise.all([outcome(writer.apply([modify('a', 'x\n', 'one\n')])), outcome(writer.apply([modify('a', 'x\n', 'two\n')]))]);
    expect(results).toMatchObject([undefined, { reason: 'base_changed' }]);
    expect(await readFile(join(tree.root, 'a'), 'utf8')).toBe('one\n');
  });

  it('two writers on the same records do not both get a file', async () => {
    const tree = await newTree({ 'a': 'x\n', 'b': 'y\n' });
    const other = writerFor(tree);
    let inner: Awaited<ReturnType<typeof outcome>>;
    let free: Awaited<ReturnType<typeof outcome>>;
    const disk = watched(nodeDisk(), async ({ name }) => {
      if (name !== 'stage' || inner) return;
      inner = await outcome(other.apply([modify('a', 'x\n', 'two\n')]));
      free = await outcome(other.apply([modify('b', 'y\n', 'y2\n')]));
    });
    expect(await outcome(writerFor(tree, { disk }).apply([modify('a', 'x\n', 'one\n')]))).toBeUndefined();
    expect(inner).toMatchObject({ reason: 'busy', detail: { rolledBack: true } });
    expect(free).toBeUndefined();
    expect(await treeOf(tree.root)).toEqual({ a: '644 one\n', b: '644 y2\n' });
  });

  it('D22: a rename does not go over a file that is there; a changed case is a rename', async () => {
    const tree = await newTree({ 'A.ts': 'a', 'b.ts': 'b' });
    const onto: WriteEntry = { root: 'w', path: 'b.ts', from: 'A.ts', before: file('a'), after: file('a') };
    expect(await outcome(writerFor(tree).apply([onto]))).toMatchObject({ reason: 'base_changed', detail: { conflicts: [{ path: 'w/b.ts' }] } });
    expect(await treeOf(tree.root)).toEqual({ 'A.ts': '644 a', 'b.ts': '644 b' });
    await writerFor(tree).apply([{ ...onto, path: 'a.ts' }]);
    expect(await treeOf(tree.root)).toEqual({ 'a.ts': '644 a', 'b.ts': '644 b' });
  });

  it('D22: a changed case on a disk that does not tell cases apart, with edits, undone, and broken off at each step', async () => {
    const recase: WriteEntry = { root: 'w', path: 'src/a.ts', from: 'src/A.ts', before: file('old'), after: file('new') };
    const tree = await newTree({ 'src/A.ts': 'old' });
    const receipt = await writerFor(tree, { disk: foldedCases(nodeDisk()) }).apply([recase]);
    expect(await treeOf(tree.root)).toEqual({ src: 'folder', 'src/a.ts': '644 new' });
    await writerFor(tree, { disk: foldedCases(nodeDisk()) }).apply(undoEntries(receipt));
    expect(await treeOf(tree.root)).toEqual({ src: 'folder', 'src/A.ts': '644 old' });
    for (let broken = 1; ; broken += 1) {
      const next = await newTree({ 'src/A.ts': 'old' });
      let hit = false;
      const disk = watched(foldedCases(nodeDisk()), ({ changingNumber }) => {
        if (changingNumber !== broken) return;
        hit = true;
        throw systemError('EIO');
      });
      const failed = await outcome(writerFor(next, { disk }).apply([recase]));
      expect(await treeOf(next.root)).toEqual({ src: 'folder', ...(failed ? { 'src/A.ts': '644 old' } : { 'src/a.ts': '644 new', ...leavings(await treeOf(next.root)) }) });
      if (!hit) break;
    }
  });

  it('refuses what lies outside of the roots or in git\'s folder, however it is reached', async () => {
    const tree = await newTree({ 'in/a.txt': 'a', 'inside': { link: 'in/a.txt' }, 'folder': { link: 'in' }, 'dangling': { link: 'nowhere' }, '.git/config': 'c', 'gitlink': { link: '.git' } });
    await mkdir(join(tree.top, 'w-secret'));
    await writeFile(join(tree.top, 'w-secret', 's'), 'secret');
    await symlink(join(tree.top, 'w-secret'), join(tree.root, 'out'));
    await symlink(join(tree.top, 'w-secret', 's'), join(tree.root, 'outfile'));
    const before = await treeOf(tree.top);
    const attempts: [string, string][] = [
      ['../w-secret/s', 'bad_path'], ['/etc/passwd', 'bad_path'], ['in/./a.txt', 'bad_path'], ['in\\a.txt', 'bad_path'], ['', 'bad_path'], ['a\0', 'bad_path'],
      ['out/s', 'link_refused'], ['out/new', 'link_refused'], ['outfile', 'link_refused'], ['dangling', 'link_refused'],
      ['.git/config', 'protected'], ['.GIT/hooks/pre-commit', 'protected'], ['in/.git/x', 'protected'], ['gitlink/config', 'protected'], ['.git. /x', 'protected'],
      ['in', 'in_the_way'], ['in/a.txt/b', 'in_the_way'],
    ];
    for (const [path, reason] of attempts) {
      for (const base of [file('secret'), absent]) {
        const failed = await outcome(writerFor(tree).apply([{ root: 'w', path, before: base, after: file('owned') }]));
        // A link at the end is not written over by a new file either.
        expect([path, failed?.reason]).toEqual([path, base === absent && (path === 'outfile' || path === 'dangling') ? 'base_changed' : reason]);
      }
    }
    expect(await outcome(writerFor(tree).apply([{ root: 'v', path: 'a', before: absent, after: file('x') }]))).toMatchObject({ reason: 'unknown_root' });
    expect(await outcome(writerFor(tree).apply([modify('in/a.txt', 'a', 'b'), modify('folder/a.txt', 'a', 'c')]))).toMatchObject({ reason: 'duplicate_path' });
    expect(await outcome(writerFor(tree, { links: 'refuse' }).apply([modify('inside', 'a', 'b')]))).toMatchObject({ reason: 'link_refused' });
    expect({ ...(await treeOf(tree.top)), state: 'folder' }).toEqual({ ...before, state: 'folder' });
    await writerFor(tree).apply([modify('inside', 'a', 'b')]);
    expect(await treeOf(tree.root)).toMatchObject({ inside: 'link in/a.txt', 'in/a.txt': '644 b' });
  });

  it('a folder that becomes a link out of the root between check and write is not followed', async () => {
    const tree = await newTree({ 'in/a.txt': 'a' });
    await mkdir(join(tree.top, 'out'));
    await writeFile(join(tree.top, 'out', 'a.txt'), 'a');
    const disk = watched(nodeDisk(), async ({ name, args }) => {
      if (name !== 'link' || !String(args[0]).endsWith('/in/a.txt')) return;
      await rename(join(tree.root, 'in'), join(tree.root, 'moved'));
      await symlink(join(tree.top, 'out'), join(tree.root, 'in'));
    });
    expect(await outcome(writerFor(tree, { disk }).apply([modify('in/a.txt', 'a', 'b')]))).toMatchObject({ reason: 'link_refused' });
    expect(await readFile(join(tree.top, 'out', 'a.txt'), 'utf8')).toBe('a');
  });

  it('tells of hard links, and works on a disk without any', async () => {
    const tree = await newTree(sceneFiles);
    await link(join(tree.root, 'run.sh'), join(tree.root, 'second'));
    const receipt = await writerFor(tree).apply([modify('run.sh', '#!/bin/sh\n', '#\n')]);
    expect(receipt.notes).toEqual([{ path: 'w/run.sh', note: 'hard_link_broken' }]);
    const { after } = await sceneAfter();
    const plain = await newTree(sceneFiles);
    const before = await treeOf(plain.root);
    const disk = { ...nodeDisk(), link: () => Promise.reject(systemError('EPERM')) };
    const written = await writerFor(plain, { disk }).apply(sceneEntries);
    expect(await treeOf(plain.root)).toEqual(after);
    await writerFor(plain, { disk }).apply(undoEntries(written), { emptyFolders: written.folders });
    expect(await treeOf(plain.root)).toEqual(before);
  });

  it('keeps records private and stops before the first exchange when told to', async () => {
    const tree = await newTree({ 'a': 'x' });
    const stop = new AbortController();
    const modes: number[] = [];
    const disk = watched(nodeDisk(), async ({ name }) => {
      if (name !== 'stage') return;
      for (const record of await readdir(tree.state)) modes.push((await lstat(join(tree.state, record))).mode & 0o777);
      stop.abort();
    });
    expect(await outcome(writerFor(tree, { disk }).apply([modify('a', 'x', 'y')], { signal: stop.signal }))).toMatchObject({ reason: 'cancelled', detail: { rolledBack: true } });
    expect(modes).toEqual([0o600]);
    expect(await treeOf(tree.root)).toEqual({ a: '644 x' });
  });

  it('D36: a write in a repository leaves .git as it is', async () => {
    const tree = await newTree({ 'a': 'x\n' });
    execFileSync('git', ['init', '-q'], { cwd: tree.root });
    const before = await treeOf(join(tree.root, '.git'));
    const receipt = await writerFor(tree).apply([modify('a', 'x\n', 'y\n')]);
    await writerFor(tree).apply(undoEntries(receipt));
    expect(await treeOf(join(tree.root, '.git'))).toEqual(before);
  });
});

describe('faults at each step: all or nothing', () => {
  it.each([0, 1])('a system error once at any step (round %d)', async (round) => {
    const codes = ['EACCES', 'ENOENT', 'ENOSPC', 'EIO', 'EISDIR'];
    const { after, steps } = await sceneAfter();
    expect(steps.length).toBeGreaterThan(60);
    const before = await treeOf((await newTree(sceneFiles)).root);
    let failures = 0;
    for (let broken = 1; broken <= steps.length; broken += 1) {
      const tree = await newTree(sceneFiles);
      const disk = watched(quickDisk(nodeDisk()), ({ number }) => {
        if (number === broken) throw systemError(codes[(broken + round * 2) % codes.length] ?? 'EIO');
      });
      const failed = await outcome(writerFor(tree, { disk }).apply(sceneEntries));
      const now = await treeOf(tree.root);
      if (failed) {
        failures += 1;
        expect(failed.detail).toMatchObject({ rolledBack: true, left: [] });
        expect([steps[broken - 1]?.name, now]).toEqual([steps[broken - 1]?.name, before]);
        expect(await readdir(tree.state).catch(() => [])).toEqual([]);
      } else expect([steps[broken - 1]?.name, now]).toEqual([steps[broken - 1]?.name, { ...after, ...leavings(now) }]);
      await rm(tree.top, { recursive: true });
    }
    expect(failures).toBeGreaterThan(40);
  });

  it('a disk that refuses everything from some step on: it says so, and the next start settles it', async () => {
    const { after, steps } = await sceneAfter();
    const before = await treeOf((await newTree(sceneFiles)).root);
    const changingSteps = Math.max(...steps.map((step) => step.changingNumber));
    const states = new Set<string>();
    for (let broken = 1; broken <= changingSteps; broken += 1) {
      const tree = await newTree(sceneFiles);
      let dead = false;
      const disk = watched(quickDisk(nodeDisk()), ({ changingNumber }) => {
        dead ||= changingNumber === broken;
        if (dead) throw systemError('EROFS');
      });
      const failed = await outcome(writerFor(tree, { disk }).apply(sceneEntries));
      const records = (await readdir(tree.state)).filter((name) => name.endsWith('.json'));
      if (failed && !failed.detail.rolledBack) expect(records).toHaveLength(1);
      await forget(tree.state);
      const recovered = await recoverWrites(nodeDisk(), tree.state);
      for (const { state } of recovered) states.add(state);
      expect([broken, await treeOf(tree.root)]).toEqual([broken, failed ? before : after]);
      expect(await readdir(tree.state)).toEqual([]);
      await rm(tree.top, { recursive: true });
    }
    expect([...states].toSorted()).toEqual(['completed', 'rolled_back']);
  });

  it('somebody else writes in place between any two steps: their bytes are never lost, and nothing is half done', async () => {
    const { after, steps } = await sceneAfter();
    const before = await treeOf((await newTree(sceneFiles)).root);
    const victims = ['src/a.ts', 'old.txt', 'from.txt'];
    let conflicts = 0;
    for (let at = 1; at <= steps.length; at += 1) {
      const tree = await newTree(sceneFiles);
      const wrote = new Set<string>();
      const disk = watched(quickDisk(nodeDisk()), async ({ number }) => {
        if (number !== at) return;
        for (const victim of victims) {
          // Only what is there: `r+` makes no file.
          await writeFile(join(tree.root, victim), `THEIRS ${victim}`, { flag: 'r+' }).then(() => wrote.add(victim), () => undefined);
        }
      });
      const failed = await outcome(writerFor(tree, { disk }).apply(sceneEntries));
      if (failed) conflicts += 1;
      const now = await treeOf(tree.root);
      const expected = { ...(failed ? before : { ...after, ...leavings(now) }) };
      for (const victim of victims) if (wrote.has(victim)) expected[victim] = expect.stringContaining(`THEIRS ${victim}`) as string;
      expect([at, steps[at - 1]?.name, now]).toEqual([at, steps[at - 1]?.name, expected]);
      await rm(tree.top, { recursive: true });
    }
    expect(conflicts).toBeGreaterThan(40);
  }, 180_000);

  it('D39: a file that somebody replaces after the first check is a conflict and stays theirs', async () => {
    const tree = await newTree({ 'a': 'x', 'b': 'y' });
    let replaced = false;
    const disk = watched(nodeDisk(), async ({ name, args }) => {
      // The last thing before names are exchanged: a is done, b is next.
      if (replaced || name !== 'rename' || !String(args[0]).includes('.a.')) return;
      replaced = true;
      await writeFile(join(tree.root, 'b.theirs'), 'theirs');
      await rename(join(tree.root, 'b.theirs'), join(tree.root, 'b'));
    });
    const failed = await outcome(writerFor(tree, { disk }).apply([modify('a', 'x', 'x2'), modify('b', 'y', 'y2')]));
    expect(replaced).toBe(true);
    expect(failed).toMatchObject({ reason: 'base_changed', detail: { rolledBack: true, conflicts: [{ path: 'w/b', found: 'file' }] } });
    expect(await treeOf(tree.root)).toEqual({ a: '644 x', b: '644 theirs' });
  });

  it('D15: bytes written into a file in the very moment of its exchange or removal are put back', async () => {
    for (const [step, after] of [['rename', file('y2')], ['remove', absent]] as const) {
      const tree = await newTree({ 'a': 'x', 'b': 'y' });
      const disk = watched(nodeDisk(), async ({ name, args }) => {
        if (name === step && args.at(-1) === join(tree.root, 'b')) await writeFile(join(tree.root, 'b'), 'theirs', { flag: 'r+' });
      });
      const failed = await outcome(writerFor(tree, { disk }).apply([modify('a', 'x', 'x2'), { root: 'w', path: 'b', before: file('y'), after }]));
      expect(failed).toMatchObject({ reason: 'base_changed', detail: { rolledBack: true, left: [] } });
      expect(await treeOf(tree.root)).toEqual({ a: '644 x', b: '644 theirs' });
    }
  });

  it('a file that vanishes or a folder that comes into the way is a conflict, and the others stay as they were', async () => {
    for (const step of ['stage', 'real']) {
      const tree = await newTree({ 'a': 'x', 'b': 'y' });
      let done = false;
      const disk = watched(nodeDisk(), async ({ name, number }) => {
        if (done || name !== step || number < 8) return;
        done = true;
        await rm(join(tree.root, 'b'));
        await mkdir(join(tree.root, 'c'));
      });
      const failed = await outcome(writerFor(tree, { disk }).apply([modify('a', 'x', 'x2'), modify('b', 'y', 'y2'), { root: 'w', path: 'c', before: absent, after: file('new') }]));
      expect(done).toBe(true);
      expect(['base_changed', 'in_the_way']).toContain(failed?.reason);
      expect(failed?.detail.rolledBack).toBe(true);
      expect(await treeOf(tree.root)).toMatchObject({ a: '644 x', c: 'folder' });
      expect((await treeOf(tree.root))['c/']).toBeUndefined();
    }
  });

  it('what comes back from the disk other than written is no success', async () => {
    const tree = await newTree({ 'a': 'x', 'b': 'y' });
    const real = nodeDisk();
    const disk: WriteDisk = { ...real, stage: (path, bytes, as) => real.stage(path, basename(path).startsWith('.b.') ? Buffer.from('tru') : bytes, as) };
    expect(await outcome(writerFor(tree, { disk }).apply([modify('a', 'x', 'x2'), modify('b', 'y', 'truth')]))).toMatchObject({ reason: 'verify_failed', detail: { path: 'w/b', rolledBack: true, left: [] } });
    expect(await treeOf(tree.root)).toEqual({ a: '644 x', b: '644 y' });
  });

  it('D05: a late write of somebody else over what was written is told, kept, and the set is no success', async () => {
    const tree = await newTree({ 'a': 'x', 'b': 'y' });
    let exchanged = 0;
    const disk = watched(nodeDisk(), async ({ name, args }) => {
      if (name === 'rename' && String(args[0]).endsWith('-new')) exchanged += 1;
      if (name !== 'syncFolder' || exchanged < 2) return;
      exchanged = 0;
      await writeFile(join(tree.root, 'b.tmp'), 'late');
      await rename(join(tree.root, 'b.tmp'), join(tree.root, 'b'));
    });
    expect(await outcome(writerFor(tree, { disk }).apply([modify('a', 'x', 'x2'), modify('b', 'y', 'y2')]))).toMatchObject({ reason: 'verify_failed', detail: { rolledBack: true, left: [{ path: 'w/b' }] } });
    expect(await treeOf(tree.root)).toEqual({ a: '644 x', b: '644 late' });
  });

  it('a record that is no record is shown, and one of a living process is left alone', async () => {
    const tree = await newTree({ 'a': 'x' });
    await mkdir(tree.state);
    await writeFile(join(tree.state, 'broken.intent.json'), '{');
    const { steps } = await sceneAfter();
    const stop = steps.length;
    let dead = false;
    const disk = watched(nodeDisk(), ({ name, number }) => {
      dead ||= name === 'stage' && number < stop;
      if (dead) throw systemError('EROFS');
    });
    await outcome(writerFor(tree, { disk }).apply([modify('a', 'x', 'y')]));
    expect((await recoverWrites(nodeDisk(), tree.state)).map(({ state }) => state).toSorted()).toEqual(['unreadable', 'waiting']);
    expect(await recoverWrites(nodeDisk(), join(tree.top, 'none'))).toEqual([]);
  });
});

/** Files that a write which succeeded may leave for the next start. */
function leavings(tree: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => path.includes('.casebook-')));
}

/** Makes records look as if their process were gone. */
async function forget(state: string): Promise<void> {
  for (const name of await readdir(state)) {
    const path = join(state, name);
    const record = JSON.parse(await readFile(path, 'utf8')) as { writer: { startTime?: string } };
    record.writer.startTime = 'another boot/1';
    await writeFile(path, JSON.stringify(record));
  }
}

/** A disk that keeps the case of names but does not tell them apart. */
function foldedCases(disk: WriteDisk): WriteDisk {
  const spelled = async (path: string): Promise<string> => {
    const names = await readdir(dirname(path)).catch(() => []);
    return join(dirname(path), names.find((name) => name.toLowerCase() === basename(path).toLowerCase()) ?? basename(path));
  };
  return {
    ...disk,
    look: async (path): Promise<DiskEntry | undefined> => disk.look(await spelled(path)),
    read: async (path) => disk.read(await spelled(path)),
    writable: async (path) => disk.writable(await spelled(path)),
    remove: async (path) => disk.remove(await spelled(path)),
    link: async (from, to) => disk.link(await spelled(from), to),
    rename: async (from, to) => {
      const [source, target] = [await spelled(from), await spelled(to)];
      if (source !== target && source.toLowerCase() !== target.toLowerCase()) await disk.rename(source, target);
      else await disk.rename(source, to);
    },
  };
}

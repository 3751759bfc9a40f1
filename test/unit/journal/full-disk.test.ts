import { execFile } from 'node:child_process';
import { mkdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Logger, nullLogger } from '../../../extension/core/base/logger.ts';
import type { Disk, SegmentFile } from '../../../extension/core/journal/disk.ts';
import { realDisk } from '../../../extension/core/journal/disk.ts';
import type { JournalState } from '../../../extension/core/journal/port.ts';
import { agent, events, gaps, later, open, person, temporaryFolder, until } from './harness.ts';
import { opened } from './samples.ts';

const run = promisify(execFile);
const retryMs = { first: 5, most: 20 };

/** A real file system that holds very little. */
async function tinyDisk(kilobytes: number): Promise<string> {
  const folder = join(await temporaryFolder(), 'tiny');
  await mkdir(folder);
  await run('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder]).catch((error: unknown) => {
    throw new Error(`This test needs to mount a small tmpfs (root, or a user namespace that may): ${String(error)}`);
  });
  later(() => run('umount', ['-l', folder]));
  return folder;
}

describe('a full disk (J09)', () => {
  it('is visible, makes decisions wait, counts what progress was lost, and resumes when there is space', async () => {
    const home = await tinyDisk(1024);
    const journal = await open(home, { retryMs, sqlite: false, scanner: () => Promise.resolve([]) });
    const states: JournalState[] = [];
    journal.onState((state) => states.push(state));
    await journal.append({ kind: 'case.opened', case: 'case_a', actor: person, body: opened('Before') });
    const ballast = join(home, 'ballast');
    await writeFile(ballast, Buffer.alloc(2 * 1024 * 1024)).catch(() => {});
    for (let index = 0; journal.state.kind === 'recording' && index < 200; index += 1) {
      await journal.append({ kind: 'run.noted', case: 'case_a', run: 'run_1', actor: agent, body: { level: 'info', text: `kept ${index} ${'x'.repeat(9000)}` } });
      await journal.flush();
    }
    expect(journal.state).toMatchObject({ kind: 'not_recording', why: 'the disk is full' });
    const lost = await journal.append({ kind: 'run.noted', case: 'case_a', run: 'run_1', actor: agent, body: { level: 'info', text: 'lost' } });
    expect(lost.flags).toMatchObject({ lost: true });
    const waiting = journal.append({ kind: 'case.opened', case: 'case_b', actor: person, body: opened('Waiting') });
    const stop = new AbortController();
    const given = journal.append({ kind: 'case.opened', case: 'case_c', actor: person, body: opened('Given up') }, stop.signal);
    await until(() => journal.state.kind === 'not_recording' && journal.state.waiting === 2);
    stop.abort();
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
    let settled = false;
    void waiting.then(() => (settled = true));
    expect(settled).toBe(false);
    await rm(ballast);
    const decided = await waiting;
    expect(journal.state).toEqual({ kind: 'recording' });
    expect(states.map((state) => state.kind)).toContain('not_recording');
    const found = await events(journal);
    expect(found.some((event) => event.id === decided.id)).toBe(true);
    expect(found.filter((event) => event.case === 'case_c')).toEqual([]);
    expect(found.find((event) => event.kind === 'journal.resumed')?.body).toMatchObject({ why: 'the disk is full', lost: 1 });
    // What had its number before the disk was full is there: no hole.
    expect(found.map((event) => event.seq)).toEqual(found.map((_, index) => index + 1));
    expect(await gaps(journal)).toEqual([]);
    expect(await journal.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it('is read without the index when the index has no room', async () => {
    const home = await tinyDisk(2048);
    const logged: string[] = [];
    const logger: Logger = { ...nullLogger, child: () => logger, warn: (message, detail) => void logged.push(`${message} ${JSON.stringify(detail)}`) };
    const journal = await open(home, { retryMs, sqlite: true, scanner: () => Promise.resolve([]), logger });
    await journal.append({ kind: 'case.opened', case: 'case_a', actor: person, body: opened('First') });
    expect(await journal.listCases()).toHaveLength(1);
    for (let index = 0; index < 20; index += 1) await journal.append({ kind: 'case.opened', case: `case_${index}`, actor: person, body: opened(`${index} ${'x'.repeat(9000)}`) });
    await writeFile(join(home, 'ballast'), Buffer.alloc(4 * 1024 * 1024)).catch(() => {});
    expect(await journal.listCases()).toHaveLength(21);
    expect((await events(journal)).filter((event) => event.kind === 'case.opened')).toHaveLength(21);
    expect(logged.join('\n')).toContain('is full');
    expect(logged.join('\n')).not.toContain('rollback');
  });

  it('opens on a full disk without recording, and starts when there is space', async () => {
    const home = await tinyDisk(256);
    const folder = join(home, 'journal-folder');
    await mkdir(folder, { mode: 0o700 });
    await writeFile(join(home, 'ballast'), Buffer.alloc(1024 * 1024)).catch(() => {});
    const journal = await open(home, { folder, retryMs, sqlite: false });
    expect(journal.state).toMatchObject({ kind: 'not_recording' });
    await rm(join(home, 'ballast'));
    await journal.append({ kind: 'case.opened', case: 'case_a', actor: person, body: opened('After') });
    expect((await events(journal)).map((event) => event.kind)).toEqual(['journal.opened', 'journal.resumed', 'case.opened']);
  });

  it('leaves nothing that looks like a loss when a session opens on a full disk and ends on it', async () => {
    const home = await tinyDisk(256);
    const folder = join(home, 'journal-folder');
    await mkdir(folder, { mode: 0o700 });
    const ballast = join(home, 'ballast');
    // Room for nothing, for one page (which the workspace's own file takes), then one, two and three pages for segment and head.
    for (const kilobytes of [0, 4, 4, 8, 12]) {
      await writeFile(ballast, Buffer.alloc(1024 * 1024)).catch(() => {});
      await truncate(ballast, (await stat(ballast)).size - kilobytes * 1024);
      const journal = await open(home, { folder, retryMs, sqlite: false });
      await journal.close();
    }
    await rm(ballast);
    const journal = await open(home, { folder, retryMs, sqlite: false });
    expect(await journal.verify()).toMatchObject({ ok: true, problems: [] });
  });
});

/** A disk that fails when told to. */
class FailingDisk implements Disk {
  failing: 'no' | 'sync' | 'write' | 'everything' = 'no';
  opened = 0;

  async open(path: string, fresh: boolean): Promise<SegmentFile> {
    if (this.failing === 'everything') throw failure('EIO');
    this.opened += 1;
    const file = await realDisk.open(path, fresh);
    return {
      write: async (bytes, position) => {
        if (this.failing === 'write' || this.failing === 'everything') {
          await file.write(bytes.subarray(0, bytes.byteLength / 2), position);
          throw failure('EIO');
        }
        await file.write(bytes, position);
      },
      sync: async () => {
        if (this.failing !== 'no') throw failure('EIO');
        await file.sync();
      },
      truncate: async (length) => {
        if (this.failing === 'everything') throw failure('EIO');
        await file.truncate(length);
      },
      close: () => file.close(),
    };
  }
}

const failure = (code: string): Error => Object.assign(new Error(`${code}: made to fail`), { code });

describe('a failing disk', () => {
  it.each(['sync', 'write', 'everything'] as const)('acknowledges nothing that failed (%s), and goes on in a file that can be trusted', async (failing) => {
    const home = await temporaryFolder();
    const disk = new FailingDisk();
    const journal = await open(home, { disk, retryMs, scanner: () => Promise.resolve([]) });
    await journal.append({ kind: 'case.opened', case: 'case_a', actor: person, body: opened('Before') });
    disk.failing = failing;
    const decision = journal.append({ kind: 'case.opened', case: 'case_b', actor: person, body: opened('During') });
    await until(() => journal.state.kind === 'not_recording');
    disk.failing = 'no';
    expect((await decision).seq).toBe(4);
    const found = await events(journal);
    expect(found.map((event) => event.kind)).toEqual(['journal.opened', 'case.opened', 'journal.resumed', 'case.opened']);
    expect((await journal.verify()).problems).toEqual([]);
    expect(disk.opened).toBe(failing === 'write' ? 1 : 2);
  });

  it('refuses waiting decisions when it closes, and says what it could not write', async () => {
    const home = await temporaryFolder();
    const disk = new FailingDisk();
    const journal = await open(home, { disk, retryMs: { first: 60_000, most: 60_000 } });
    disk.failing = 'everything';
    const decision = journal.append({ kind: 'case.opened', case: 'case_b', actor: person, body: opened('During') });
    const refused = expect(decision).rejects.toMatchObject({ reason: 'closed' });
    await until(() => journal.state.kind === 'not_recording');
    await journal.close();
    await refused;
  });
});

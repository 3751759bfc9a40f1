import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileJournal } from '../../../extension/core/journal/journal.ts';
import { layoutOf } from '../../../extension/core/journal/layout.ts';
import { ticket as ticketShape, ticketSummary } from '../../../extension/core/model/ticket.ts';
import { FolderCopies } from '../../../extension/core/tickets/copies.ts';
import { bundleFixture, type Fixture } from './fixtures.ts';
import { agent, events, everythingIn, filesWith, open, person, temporaryFolder, until, view } from './harness.ts';
import { opened } from './samples.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await bundleFixture('writer.ts');
});
afterAll(() => fixture.remove());

async function fill(journal: FileJournal, id: string, words: string): Promise<{ own: string; shared: string }> {
  const own = await journal.blobs.put(Buffer.from(`blob of ${words}`));
  const shared = await journal.blobs.put(Buffer.from('a blob that two cases have'));
  const body = opened(`Ticket ${words}`, `${words} `.repeat(200));
  body.ticket.attachments = [
    { name: 'a.txt', blob: own, readable: true },
    { name: 'b.txt', blob: shared, readable: true },
  ];
  await journal.append({ kind: 'case.opened', case: id, actor: person, body });
  await journal.append({ kind: 'run.noted', case: id, run: `run_${id}`, actor: agent, body: { level: 'info', text: `note ${words}` } });
  await journal.append({ kind: 'run.used', run: `run_${id}`, actor: agent, body: { usage: { turns: 1 } } });
  await mkdir(join(layoutOf(journal.folder).cases, id), { recursive: true });
  await writeFile(join(layoutOf(journal.folder).cases, id, 'analysis.md'), words);
  return { own, shared };
}

describe('erasing personal data', () => {
  it('takes the kept copies of the ticket and of lists with it along, and no other', async () => {
    const journal = await open(await temporaryFolder());
    const copies = new FolderCopies(layoutOf(journal.folder).tickets);
    const mine = ticketShape.parse({ ...opened('Ticket xyzzymarker', 'xyzzymarker').ticket, id: 'github:a/b#1' });
    await copies.put(mine);
    await copies.put({ ...mine, id: 'github:a/b#2', key: 'a/b#2', title: 'another', description: 'another' });
    const summary = ticketSummary.parse(mine);
    await copies.putList('github:assigned', { list: 'github:assigned', at: '2026-01-01T00:00:00Z', items: [summary] });
    await copies.putList('github:other', { list: 'github:other', at: '2026-01-01T00:00:00Z', items: [{ ...summary, id: 'github:a/b#2', key: 'a/b#2', title: 'another' }] });
    await journal.append({ kind: 'case.opened', case: 'case_a', actor: person, body: { ...opened('x', 'y'), ticket: mine } });
    await journal.erase('case_a', 'asked', person);
    expect(await readdir(layoutOf(journal.folder).tickets)).toHaveLength(2);
    expect(await copies.getList('github:assigned')).toBeUndefined();
    expect((await copies.getList('github:other'))?.items).toHaveLength(1);
    expect(await filesWith(journal.folder, 'xyzzymarker')).toEqual([]);
    await journal.close();
  });

  it('takes bodies, blobs, files and index entries of one case, in own and dead sessions, and the chain still holds', async () => {
    const home = await temporaryFolder();
    const earlier = await open(home, { maxSegmentBytes: 3000, maxBodyBytes: 2000 });
    await fill(earlier, 'case_a', 'xyzzymarker');
    await fill(earlier, 'case_b', 'plughmarker');
    await earlier.close();
    const journal = await open(home, { maxSegmentBytes: 3000 });
    const blobs = await fill(journal, 'case_a', 'xyzzymarker');
    expect(await journal.search('xyzzymarker')).not.toEqual([]);
    const plan = await journal.erasable('case_a');
    expect(plan).toMatchObject({ events: 6, sessions: expect.arrayContaining([earlier.session, journal.session]) as string[] });
    const report = await journal.erase('case_a', 'the customer asked', person);
    expect(report).toMatchObject({ events: 6, pending: [] });
    expect(await filesWith(journal.folder, 'xyzzymarker')).toEqual([]);
    expect((await everythingIn(journal.folder)).includes('plughmarker')).toBe(true);
    expect(await journal.blobs.get(blobs.own)).toBeUndefined();
    expect(await journal.blobs.get(blobs.shared)).toBeDefined();
    expect(await journal.search('xyzzymarker')).toEqual([]);
    expect(await journal.search('plughmarker')).not.toEqual([]);
    const left = await events(journal, { case: 'case_a' });
    expect(left.map((event) => [event.kind, event.body === null])).toEqual([
      ['case.opened', true],
      ['run.noted', true],
      ['case.opened', true],
      ['run.noted', true],
      ['journal.erased', false],
    ]);
    expect(await journal.verify()).toMatchObject({ ok: true, problems: [], erased: [{ event: report.event, events: 6 }], pending: [] });
    await journal.append({ kind: 'case.opened', case: 'case_c', actor: person, body: opened('After') });
    await journal.close();
    expect(await (await view(home)).verify()).toMatchObject({ ok: true, problems: [], gaps: [] });
    await expect((await view(home)).exportCase('case_x', 'html')).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('leaves a living process its own file, which does its part by itself', async () => {
    const home = await temporaryFolder();
    const owner = await open(home, { pollMs: 20 });
    await fill(owner, 'case_a', 'xyzzymarker');
    const running = fixture.start(home, '4', '10', '0');
    await until(() => running.lines.includes('done'), 20_000);
    // Held still while it is asked: it may otherwise have done its part before the report is written.
    running.process.kill('SIGSTOP');
    const other = await open(home);
    const report = await other.erase('case_shared', 'asked', person);
    const child = running.lines[0]?.split(' ')[1] ?? '';
    expect(report.pending).toContain(child);
    running.process.kill('SIGCONT');
    await until(async () => (await other.verify()).pending.length === 0, 20_000);
    expect(await events(other, { case: 'case_shared' })).toSatisfy((found: { kind: string; body: unknown }[]) => found.every((event) => event.kind === 'journal.erased' || event.body === null));
    running.process.stdin?.write('close\n');
    expect(await running.exited).toBe(0);
    expect(await other.verify()).toMatchObject({ ok: true, problems: [] });
    expect(running.process.exitCode).toBe(0);
  });

  it('is finished by somebody else when the owner dies first', async () => {
    const home = await temporaryFolder();
    const running = fixture.start(home, '4', '10', '0');
    await until(() => running.lines.includes('done'), 20_000);
    running.process.kill('SIGSTOP');
    const journal = await open(home, { pollMs: 50 });
    const report = await journal.erase('case_shared', 'asked', person);
    expect(report.pending).toHaveLength(1);
    running.process.kill('SIGKILL');
    await running.exited;
    await until(async () => (await journal.verify()).pending.length === 0, 20_000);
    expect((await everythingIn(journal.folder)).includes('number 1 of')).toBe(false);
    expect(await journal.verify()).toMatchObject({ ok: true, problems: [] });
  });
});

describe('the index is only a cache (J11)', () => {
  it.each(['deleted', 'corrupt', 'of another version', 'not to be had'])('lists the same when it is %s', async (what) => {
    const home = await temporaryFolder();
    const journal = await open(home);
    for (let index = 0; index < 5; index += 1) await journal.append({ kind: 'case.opened', case: `case_${index}`, actor: person, body: opened(`Ticket ${index}`) });
    await journal.append({ kind: 'verdict.overridden', case: 'case_1', actor: person, body: { classification: 'bug', bugConfirmation: 'suspected', confidence: 'low', reason: 'seen it' } });
    const before = await journal.listCases();
    expect(before[0]).toMatchObject({ case: 'case_1', classification: 'bug', bugConfirmation: 'suspected', events: 2 });
    await journal.close();
    const { index } = layoutOf(journal.folder);
    if (what === 'corrupt') await writeFile(index, Buffer.alloc(8192, 0x5a));
    else if (what === 'of another version') {
      const { DatabaseSync } = await import('node:sqlite');
      const database = new DatabaseSync(index);
      database.exec('PRAGMA user_version = 99; DROP TABLE facts');
      database.close();
    } else if (what === 'deleted') for (const name of await readdir(journal.folder)) if (name.startsWith('index.')) await (await import('node:fs/promises')).rm(join(journal.folder, name));
    const next = await view(home, { sqlite: what !== 'not to be had' });
    expect(await next.listCases()).toEqual(before);
    expect((await next.search('seen it')).map((event) => event.kind)).toEqual(['verdict.overridden']);
    expect((await next.listCases({ text: 'ticket 3' })).map((item) => item.case)).toEqual(['case_3']);
    expect(await next.listCases({ limit: 2, offset: 1 })).toEqual(before.slice(1, 3));
  });

  it('notices files put there by hand, rewritten in place, or removed', async () => {
    const home = await temporaryFolder();
    const other = await temporaryFolder();
    const foreign = await open(other);
    await foreign.append({ kind: 'case.opened', case: 'case_foreign', actor: person, body: opened('Copied') });
    await foreign.close();
    const journal = await open(home);
    await journal.append({ kind: 'case.opened', case: 'case_own', actor: person, body: opened('Own') });
    expect(await journal.listCases()).toHaveLength(1);
    const { cp, rm, readFile } = await import('node:fs/promises');
    const place = layoutOf(journal.folder).session(foreign.session);
    await cp(layoutOf(foreign.folder).session(foreign.session), place, { recursive: true });
    expect((await journal.listCases()).map((item) => item.title).toSorted()).toEqual(['Copied', 'Own']);
    const file = join(place, '0001.jsonl');
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('"title":"Copied"', '"title":"COPIED"'));
    await utimes(file, new Date(), new Date(Date.now() + 5000));
    expect((await journal.listCases()).map((item) => item.title).toSorted()).toEqual(['COPIED', 'Own']);
    await rm(place, { recursive: true });
    expect((await journal.listCases()).map((item) => item.title)).toEqual(['Own']);
    expect((await stat(layoutOf(journal.folder).index)).mode & 0o777).toBe(0o600);
  });

  it('takes what a user types for words, never for query syntax', async () => {
    const home = await temporaryFolder();
    const journal = await open(home);
    await journal.append({ kind: 'case.opened', case: 'case_a', actor: person, body: opened('Can\'t read "quoted" NEAR foo_bar AND (x OR *)') });
    for (const text of ['"', "can't", '"quoted"', 'NEAR', 'foo_bar', 'AND (', 'x*', '-', 'title:x', 'quo']) expect(Array.isArray(await journal.search(text))).toBe(true);
    expect(await journal.search('"quoted" near')).toHaveLength(1);
    expect(await journal.search('quo')).toHaveLength(1);
    expect(await journal.search('absent')).toHaveLength(0);
  });
});

import { appendFile, cp, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeRecord, parseBody, parseRecord } from '../../../extension/core/journal/envelope.ts';
import { workspaceKey } from '../../../extension/core/journal/home.ts';
import { layoutOf } from '../../../extension/core/journal/layout.ts';
import { scanSegment } from '../../../extension/core/journal/scan.ts';
import { bundleFixture, type Fixture } from './fixtures.ts';
import { all, events, gaps, open, person, temporaryFolder, until, view } from './harness.ts';
import { opened } from './samples.ts';

/** A closed record with `count` cases; gives the path of its one segment. */
async function recorded(home: string, count: number): Promise<{ path: string; folder: string; session: string }> {
  const journal = await open(home);
  for (let index = 0; index < count; index += 1) await journal.append({ kind: 'case.opened', case: `case_${index}`, actor: person, body: opened(`Ticket ${index}`) });
  await journal.close();
  return { path: layoutOf(journal.folder).segment(journal.session, '0001.jsonl'), folder: journal.folder, session: journal.session };
}

let fixture: Fixture;
beforeAll(async () => {
  fixture = await bundleFixture('writer.ts');
});
afterAll(() => fixture.remove());

/** A record whose writer was killed after its last write, with the head as it was before that write. */
async function killed(home: string): Promise<{ path: string; folder: string; session: string; lastStart: number }> {
  const running = fixture.start(home, '5', '200', '0');
  await until(() => running.lines.includes('done'), 20_000);
  running.process.kill('SIGKILL');
  await running.exited;
  const session = running.lines[0]?.split(' ')[1] ?? '';
  const folder = join(home, 'workspaces', workspaceKey(join(home, 'project')));
  const layout = layoutOf(folder);
  const path = layout.segment(session, '0001.jsonl');
  const whole = await readFile(path);
  const lastStart = whole.subarray(0, whole.length - 1).lastIndexOf(0x0a) + 1;
  const last = JSON.parse(whole.subarray(lastStart).toString()) as { prev: string; seq: number };
  const head = JSON.parse(await readFile(layout.head(session), 'utf8')) as object;
  await writeFile(layout.head(session), JSON.stringify({ ...head, count: last.seq - 1, offset: lastStart, hash: last.prev }));
  return { path, folder, session, lastStart };
}

describe('damaged files', () => {
  it('shows each bad line as a gap with its byte range, and everything after it (J01)', async () => {
    const home = await temporaryFolder();
    const { path, session } = await recorded(home, 9);
    const lines = (await readFile(path, 'utf8')).split('\n');
    lines[3] = (lines[3] ?? '').slice(0, 100);
    lines.splice(6, 0, '', '[1,2]', '{"unknown":"object"}', 'garbage');
    await writeFile(path, lines.join('\n'));
    const journal = await open(home);
    const items = (await all(journal)).filter((item) => ('gap' in item ? item.gap.session : item.session) === session);
    const found = items.flatMap((item) => ('gap' in item ? [item.gap] : []));
    expect(found.map((gap) => gap.length)).toEqual([100, 1, 5, 20, 7]);
    expect(found[0]?.offset).toBe(Buffer.byteLength(lines.slice(0, 3).join('\n')) + 1);
    expect(items.filter((item) => 'kind' in item && item.kind === 'case.opened')).toHaveLength(8);
    expect(await journal.listCases()).toHaveLength(8);
    const { problems } = await journal.verify();
    expect(problems).toMatchObject([{ session, line: 4, offset: found[0]?.offset }]);
    const exported = await journal.exportCase('case_5', 'jsonl');
    expect(exported).toContain(Buffer.from(lines[3]).toString('base64'));
  });

  it('reads past a block of NUL bytes in the middle (J03)', async () => {
    const home = await temporaryFolder();
    const { path, session } = await recorded(home, 6);
    const lines = (await readFile(path, 'utf8')).split('\n');
    lines[3] = `${'\0'.repeat(700)}${lines[3] ?? ''}`;
    await writeFile(path, lines.join('\n'));
    const journal = await open(home);
    expect((await gaps(journal)).map(({ length, why }) => ({ length, why }))).toEqual([{ length: 700, why: 'a block of NUL bytes' }]);
    expect((await events(journal)).filter((event) => event.session === session)).toHaveLength(8);
    expect(await journal.verify()).toMatchObject({ ok: true, gaps: [{ length: 700 }] });
  });

  it('keeps every complete record and shows the torn one, wherever the last write was cut', async () => {
    const home = await temporaryFolder();
    const { path, folder, session, lastStart } = await killed(home);
    const whole = await readFile(path);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: lastStart + 1, max: whole.length - 1 }), fc.boolean(), async (cut, zeros) => {
        const copy = await temporaryFolder();
        await cp(home, copy, { recursive: true });
        const torn = path.replace(home, copy);
        await truncate(torn, cut);
        if (zeros) await appendFile(torn, Buffer.alloc(50));
        const before = await readFile(torn);
        const journal = await open(copy, { folder: folder.replace(home, copy), sqlite: false, scanner: () => Promise.resolve([]) });
        expect((await events(journal)).filter((event) => event.session === session).map((event) => event.seq)).toEqual([1, 2, 3, 4, 5]);
        expect(await gaps(journal)).toMatchObject([{ session, offset: lastStart, length: before.length - lastStart }]);
        expect((await journal.verify()).problems).toEqual([]);
        await journal.append({ kind: 'case.closed', case: 'case_0', actor: person, body: {} });
        await journal.close();
        const recovered = (await events(await view(copy, { folder: journal.folder, sqlite: false }), { kinds: ['journal.recovered'] })).map((event) => event.body);
        expect(recovered).toMatchObject([{ offset: lastStart, file: expect.stringMatching(/^gaps\//) as string }]);
        const kept = await readFile(join(journal.folder, (recovered[0] as { file: string }).file));
        expect(kept.equals(before.subarray(lastStart))).toBe(true);
        expect((await readFile(torn)).equals(before)).toBe(true);
      }),
      { numRuns: 15, examples: [[lastStart + 1, false], [whole.length - 1, false], [whole.length - 1, true]] },
    );
  });

  it('reads the same records for a cut at every single byte of the last one', async () => {
    const home = await temporaryFolder();
    const { path, folder, session, lastStart } = await killed(home);
    const whole = await readFile(path);
    for (let cut = whole.length - 1; cut >= lastStart; cut -= 1) {
      await truncate(path, cut);
      const kinds: string[] = [];
      for await (const found of scanSegment(layoutOf(folder), session, '0001.jsonl')) kinds.push(found.kind === 'record' ? String(found.record.head.seq) : `${found.kind} ${found.gap.offset}+${found.gap.length}`);
      expect(kinds).toEqual(['1', '2', '3', '4', '5', ...(cut === lastStart ? [] : [`unfinished ${lastStart}+${cut - lastStart}`])]);
    }
  });

  it('survives a single line of 50 MB without holding much more than it (J08)', async () => {
    const home = await temporaryFolder();
    const { path } = await recorded(home, 2);
    const text = await readFile(path, 'utf8');
    const second = text.split('\n')[1] ?? '';
    const huge = second.replace('It does not work', 'x'.repeat(50 * 1024 * 1024));
    await writeFile(path, text.replace(second, huge));
    const journal = await open(home);
    await journal.whenIndexed();
    expect((await journal.listCases()).map((listing) => listing.case).toSorted()).toEqual(['case_0', 'case_1']);
    expect((await events(journal, { case: 'case_0' }))[0]?.seq).toBe(2);
    expect((await journal.verify()).problems).toMatchObject([{ line: 2, why: 'the body was changed: its hash does not match' }]);
  });
});

/** A record with another body that is right in itself: its hashes are made anew, as somebody who knows the format would. */
function forged(line: string): string {
  const record = parseRecord(Buffer.from(line));
  if (record?.body === undefined) throw new Error('no record to forge');
  const body = parseBody(record.body) as { title: string };
  return encodeRecord(record.head, { ...body, title: 'Another ticket' }).line.toString('utf8').trimEnd();
}

describe('verify names the first bad place (J16)', () => {
  const changes: Record<string, { change: (lines: string[]) => string[]; expected: object }> = {
    'a changed byte in a body': { change: (lines) => lines.with(3, (lines[3] ?? '').replace('Ticket 2', 'Ticket 7')), expected: { line: 4, seq: 4, why: expect.stringContaining('body was changed') as string } },
    'a changed byte in a head': { change: (lines) => lines.with(3, (lines[3] ?? '').replace('"name":"ada"', '"name":"eve"')), expected: { line: 4, why: expect.stringContaining('hash does not cover') as string } },
    'a deleted line': { change: (lines) => lines.toSpliced(3, 1), expected: { line: 4, seq: 5, why: 'records 4 to 4 are missing' } },
    'two swapped lines': { change: (lines) => lines.with(3, lines[4] ?? '').with(4, lines[3] ?? ''), expected: { line: 4, seq: 5 } },
    'a doubled line with other content': { change: (lines) => lines.toSpliced(4, 0, (lines[3] ?? '').replace('"name":"ada"', '"name":"eve"')), expected: { line: 5 } },
    'a forged record, right in itself': { change: (lines) => lines.with(3, forged(lines[3] ?? '')), expected: { line: 5, seq: 5, why: expect.stringContaining('does not follow the one before it') as string } },
    'a cut end': { change: (lines) => [...lines.slice(0, -3), ''], expected: { seq: 10, why: expect.stringContaining('the end is missing: 11 records were written, 9 are here') as string } },
    'a body taken out by hand': { change: (lines) => lines.with(3, (lines[3] ?? '').replace(/,"salt":.*$/, ',"erased":"ses_nobody/1"}')), expected: { why: expect.stringContaining('without a record of who asked') as string } },
  };
  it.each(Object.entries(changes))('%s', async (_name, { change, expected }) => {
    const home = await temporaryFolder();
    const { path, session } = await recorded(home, 9);
    await writeFile(path, change((await readFile(path, 'utf8')).split('\n')).join('\n'));
    const journal = await open(home);
    const verification = await journal.verify();
    expect(verification.ok).toBe(false);
    expect(verification.problems[0]).toMatchObject({ session, ...expected });
  });

  it('a replaced file, and one that is gone', async () => {
    const home = await temporaryFolder();
    const first = await recorded(home, 3);
    const other = await temporaryFolder();
    const { path } = await recorded(other, 3);
    const witness = await open(home);
    await witness.close();
    const original = await readFile(first.path);
    // A consistent chain of the same length under the right session id, made elsewhere.
    await writeFile(first.path, (await readFile(path, 'utf8')).split('\n').slice(0, 2).join('\n'));
    expect((await witness.verify()).problems[0]).toMatchObject({ session: first.session });
    await writeFile(first.path, original);
    expect(await witness.verify()).toMatchObject({ ok: true });
    const { rm } = await import('node:fs/promises');
    await rm(layoutOf(first.folder).session(first.session), { recursive: true });
    expect((await witness.verify()).problems[0]).toMatchObject({ session: first.session, why: expect.stringContaining('missing') as string });
    await rm(layoutOf(first.folder).head(first.session));
    expect((await witness.verify()).problems[0]).toMatchObject({ session: first.session, why: expect.stringContaining(`${witness.session}/1 had seen 5 records`) as string });
  });

  it('finds any single changed byte', async () => {
    const home = await temporaryFolder();
    const { path } = await recorded(home, 3);
    const journal = await open(home);
    const whole = await readFile(path);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ flip;
        await writeFile(path, changed);
        expect((await journal.verify()).ok).toBe(false);
      }),
      { numRuns: 150 },
    );
  });
});

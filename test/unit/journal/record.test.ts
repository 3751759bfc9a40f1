import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../extension/core/base/clock.ts';
import { listSegments } from '../../../extension/core/journal/scan.ts';
import { layoutOf } from '../../../extension/core/journal/layout.ts';
import { agent, all, events, everythingIn, open, person, temporaryFolder } from './harness.ts';
import { opened } from './samples.ts';

describe('recording', () => {
  it('gives back what was appended, in order, from another process too', async () => {
    const home = await temporaryFolder();
    const journal = await open(home);
    await journal.append({ kind: 'case.opened', case: 'case_a', actor: person, body: opened('Login fails') });
    await journal.append({ kind: 'run.noted', case: 'case_a', run: 'run_1', actor: agent, body: { level: 'info', text: 'looked' } });
    const other = await open(home);
    await journal.flush();
    for (const reader of [journal, other]) {
      const found = await events(reader, { case: 'case_a' });
      expect(found.map((event) => event.kind)).toEqual(['case.opened', 'run.noted']);
      expect(found[0]?.body).toMatchObject({ title: 'Login fails', ambient: false });
      expect(found[1]?.actor).toEqual(agent);
      expect(found.map((event) => event.seq)).toEqual([2, 3]);
    }
    expect(await journal.listCases()).toMatchObject([{ case: 'case_a', title: 'Login fails', events: 2 }]);
    expect((await journal.search('login')).map((event) => event.kind)).toEqual(['case.opened']);
    expect(await journal.verify()).toMatchObject({ ok: true, problems: [], gaps: [] });
  });

  it('acknowledges a decision only when it is in the file', async () => {
    const home = await temporaryFolder();
    const journal = await open(home, { batchMs: 100_000 });
    const progress = await journal.append({ kind: 'run.noted', run: 'run_1', actor: agent, body: { level: 'info', text: 'progress' } });
    const path = join(journal.folder, 'journal', journal.session, '0001.jsonl');
    expect(await readFile(path, 'utf8')).not.toContain(`"seq":${progress.seq},`);
    const decision = await journal.append({ kind: 'case.opened', case: 'case_a', actor: person, body: opened('A') });
    const text = await readFile(path, 'utf8');
    expect(text).toContain(`"seq":${progress.seq},`);
    expect(text).toContain(`"seq":${decision.seq},`);
  });

  it('writes progress by itself, when its batch is due', async () => {
    const home = await temporaryFolder();
    const journal = await open(home);
    await journal.append({ kind: 'run.noted', run: 'run_1', actor: agent, body: { level: 'info', text: 'marker-xyz' } });
    const path = join(journal.folder, 'journal', journal.session, '0001.jsonl');
    // Nobody asks it to write: only its own batch does.
    while (!(await readFile(path, 'utf8')).includes('marker-xyz')) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it('keeps line separators of Unicode and lone CR inside one physical line (J04), and replaces half surrogates with a count', async () => {
    const home = await temporaryFolder();
    const journal = await open(home);
    const text = 'a\u2028b\u2029c\u0085d\r\ne\rf\ng';
    await journal.append({ kind: 'run.noted', run: 'run_1', actor: agent, body: { level: 'info', text } });
    const broken = await journal.append({ kind: 'run.noted', run: 'run_1', actor: { kind: 'agent', name: 'x\uD800' }, body: { level: 'info', text: 'half \uD83D here, whole 😀' } });
    expect(broken.flags).toEqual({ replaced: 1 });
    await journal.flush();
    const file = await readFile(join(journal.folder, 'journal', journal.session, '0001.jsonl'));
    expect(file.filter((byte) => byte === 0x0a)).toHaveLength(3);
    const [, first, second] = await events(journal);
    expect(first?.body).toEqual({ level: 'info', text });
    expect(second?.body).toEqual({ level: 'info', text: 'half \uFFFD here, whole 😀' });
    expect(second?.actor.name).toBe('x\uFFFD');
  });

  it('chains segments when it rotates, and keeps every file private', async () => {
    const home = await temporaryFolder();
    const journal = await open(home, { maxSegmentBytes: 4000 });
    for (let index = 0; index < 20; index += 1) await journal.append({ kind: 'case.opened', case: `case_${index}`, actor: person, body: opened(`Ticket ${index}`) });
    const layout = layoutOf(journal.folder);
    const segments = await listSegments(layout, journal.session);
    expect(segments.length).toBeGreaterThan(3);
    for (const segment of segments) expect((await stat(layout.segment(journal.session, segment.name))).mode & 0o777).toBe(0o600);
    await journal.blobs.put(Buffer.from('exact'));
    await journal.listCases();
    for (const path of [layout.head(journal.session), layout.index, layout.blob(await journal.blobs.put(Buffer.from('exact'))), join(layout.root, 'workspace.json')]) {
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    }
    for (const path of [layout.root, layout.journal, layout.heads, layout.blobs]) expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect(await journal.verify()).toMatchObject({ ok: true, events: 21 });
    expect(await events(journal)).toHaveLength(21);
  });

  it('puts a very large body into a blob and reads it back', async () => {
    const home = await temporaryFolder();
    const journal = await open(home, { maxBodyBytes: 1000 });
    const text = 'long text '.repeat(5000);
    await journal.append({ kind: 'report.written', case: 'case_a', actor: agent, body: { markdown: text, partial: false } });
    const [event] = await events(journal, { case: 'case_a' });
    expect(event?.body).toEqual({ markdown: text, partial: false });
    const layout = layoutOf(journal.folder);
    expect((await listSegments(layout, journal.session))[0]?.size).toBeLessThan(3000);
    expect(await journal.verify()).toMatchObject({ ok: true });
  });

  it('orders by seq whatever the clock does, and shows times in UTC (J23)', async () => {
    const home = await temporaryFolder();
    const clock = new FakeClock();
    const journal = await open(home, { clock });
    await journal.append({ kind: 'run.noted', case: 'case_a', run: 'run_1', actor: agent, body: { level: 'info', text: 'first' } });
    clock.advance(-2 * 3600_000);
    await journal.append({ kind: 'run.noted', case: 'case_a', run: 'run_1', actor: agent, body: { level: 'info', text: 'second' } });
    const found = await events(journal, { case: 'case_a' });
    expect(found.map((event) => (event.body as { text: string }).text)).toEqual(['first', 'second']);
    expect(found.every((event) => event.ts.endsWith('Z'))).toBe(true);
    expect((found[1]?.ts ?? '') < (found[0]?.ts ?? '')).toBe(true);
    expect(await journal.verify()).toMatchObject({ ok: true });
  });

  it('records who, by what and on which run, so that people and automatic actions can be told apart (J17)', async () => {
    const home = await temporaryFolder();
    const journal = await open(home);
    const policy = { kind: 'policy', name: 'accept formatting only' } as const;
    await journal.append({ kind: 'hunks.decided', case: 'case_a', run: 'run_1', set: 'set_1', parent: 'ses_x/4', actor: policy, body: { revision: 0, decisions: [{ file: 'root/a', hunk: 'h1', decision: 'accept' }], left: {} } });
    const [event] = await events(journal, { set: 'set_1' });
    expect(event).toMatchObject({ actor: policy, case: 'case_a', run: 'run_1', set: 'set_1', parent: 'ses_x/4', kind: 'hunks.decided' });
  });

  it('deletes nothing by itself, whatever the clock says (J10)', async () => {
    const home = await temporaryFolder();
    const clock = new FakeClock();
    const journal = await open(home, { clock });
    await journal.append({ kind: 'case.opened', case: 'case_a', actor: person, body: opened('Old') });
    await journal.close();
    clock.advance(400 * 24 * 3600_000);
    const next = await open(home, { clock });
    await next.close();
    const last = await open(home, { clock });
    expect(await last.listCases()).toMatchObject([{ title: 'Old' }]);
    expect((await events(last)).filter((event) => event.kind === 'journal.opened')).toHaveLength(3);
  });

  it('answers an append after close with a failure', async () => {
    const home = await temporaryFolder();
    const journal = await open(home);
    await journal.close();
    expect(journal.state).toEqual({ kind: 'closed' });
    await expect(journal.append({ kind: 'case.closed', case: 'case_a', actor: person, body: {} })).rejects.toMatchObject({ reason: 'closed' });
  });

  it('does not take a blob for what it is not', async () => {
    const home = await temporaryFolder();
    const journal = await open(home);
    const hash = await journal.blobs.put(Buffer.from([0, 255, 10, 13]));
    expect(Buffer.from((await journal.blobs.get(hash)) ?? [])).toEqual(Buffer.from([0, 255, 10, 13]));
    expect(await journal.blobs.get('../../etc/passwd')).toBeUndefined();
    expect(await journal.blobs.get('0'.repeat(64))).toBeUndefined();
    expect(await everythingIn(journal.folder)).toContain('\u0000\u00ff');
    expect(await all(journal)).toHaveLength(1);
  });
});

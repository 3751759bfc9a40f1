import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMovedHistories } from '../../../extension/core/journal/home.ts';
import type { FileJournal } from '../../../extension/core/journal/journal.ts';
import { layoutOf } from '../../../extension/core/journal/layout.ts';
import type { MovedHistory } from '../../../extension/core/journal/home.ts';
import { agent, events, filesWith, open, person, temporaryFolder, until } from './harness.ts';
import { opened } from './samples.ts';

const identity = { firstCommit: 'c0ffee' };

/** Two sessions of a project at `old`, which is then renamed to `new`; and the journal opened there. */
async function movedProject(): Promise<{ home: string; old: FileJournal; here: FileJournal; history: MovedHistory }> {
  const home = await temporaryFolder();
  const [before, after] = [join(home, 'old'), join(home, 'new')];
  await mkdir(before);
  const first = await open(home, { workspace: before, identity });
  await first.append({ kind: 'case.opened', case: 'case_a', actor: person, body: opened('Walrus', 'about a walrus') });
  await first.append({ kind: 'run.noted', case: 'case_a', run: 'run_1', actor: agent, body: { level: 'info', text: 'a'.repeat(3000) } });
  const blob = await first.blobs.put(new TextEncoder().encode('attached'));
  await first.close();
  const old = await open(home, { workspace: before, identity, maxBodyBytes: 1000 });
  await old.append({ kind: 'run.noted', case: 'case_a', run: 'run_2', actor: agent, body: { level: 'info', text: 'b'.repeat(3000) } });
  await old.append({ kind: 'case.opened', case: 'case_b', actor: person, body: opened('Other') });
  await mkdir(join(old.folder, 'cases/case_a'), { recursive: true });
  await writeFile(join(old.folder, 'cases/case_a/analysis.md'), '# Walrus');
  await old.listCases();
  await old.close();
  await rename(before, after);
  const here = await open(home, { workspace: after, identity, pollMs: 20 });
  const [history] = await here.movedHistories();
  if (history === undefined) throw new Error('the moved history was not found');
  expect(await here.blobs.get(blob)).toBeUndefined();
  return { home, old, here, history };
}

describe('J13: the history of a moved project, brought here', () => {
  it('keeps every chain, is journaled, is seen, and nothing of it stays behind', async () => {
    const { home, old, here, history } = await movedProject();
    const announced: string[] = [];
    here.onEvent((event) => announced.push(event.kind));
    expect(await here.adopt(history, person)).toMatchObject({ sessions: 2 });
    expect((await here.listCases()).map((found) => found.title).sort()).toEqual(['Other', 'Walrus']);
    expect(await here.verify()).toMatchObject({ ok: true, problems: [], sessions: 3 });
    expect((await events(here, { case: 'case_a' })).map((event) => event.kind)).toEqual(['case.opened', 'run.noted', 'run.noted']);
    expect(await here.search('walrus')).toHaveLength(1);
    const adopted = (await events(here)).find((event) => event.kind === 'journal.adopted');
    expect(adopted).toMatchObject({ actor: person, body: { from: history.key, path: join(home, 'old'), same: 'firstCommit', sessions: 2 } });
    const next = await here.append({ kind: 'case.closed', case: 'case_b', actor: person, body: { why: 'done' } });
    expect(Object.keys(next.seen ?? {})).toContain(old.session);
    expect(await filesWith(here.folder, '# Walrus')).toEqual([join(here.folder, 'cases/case_a/analysis.md')]);
    expect((await readdir(history.folder)).sort()).toEqual(['moved-to.json', 'workspace.json']);
    expect(await filesWith(history.folder, 'walrus')).toEqual([]);
    expect(await here.movedHistories()).toEqual([]);
    await here.look();
    expect(announced).toEqual(['journal.adopted', 'case.closed']);
  });

  it('shows when a session of it is taken away afterwards', async () => {
    const { old, here, history } = await movedProject();
    await here.adopt(history, person);
    await here.append({ kind: 'case.closed', case: 'case_b', actor: person, body: { why: 'done' } });
    const layout = layoutOf(here.folder);
    await rm(layout.session(old.session), { recursive: true });
    await rm(layout.head(old.session));
    expect((await here.verify()).problems).toMatchObject([{ session: old.session, why: expect.stringContaining('missing') as string }]);
  });

  it('is finished by another call when it was interrupted half-way, and offered for that', async () => {
    const { home, here, history } = await movedProject();
    // As a kill leaves it: the marker is made, one session is here, the other is not.
    await writeFile(join(history.folder, 'moved-to.json'), JSON.stringify({ to: here.folder }));
    const [from, to] = [layoutOf(history.folder), layoutOf(here.folder)];
    const [one = ''] = await readdir(from.journal);
    await rename(from.session(one), to.session(one));
    const [rest] = await findMovedHistories(home, join(home, 'new'), identity);
    expect(rest?.unfinished).toBe(true);
    await here.adopt(rest ?? history, person);
    expect(await here.verify()).toMatchObject({ ok: true, sessions: 3 });
    await until(async () => (await here.listCases()).length === 2);
    expect(existsSync(from.journal)).toBe(false);
  });

  it('is refused while a process writes to it, and when it went elsewhere', async () => {
    const { home, here, history } = await movedProject();
    const writer = await open(home, { workspace: join(home, 'old'), identity });
    await expect(here.adopt(history, person)).rejects.toMatchObject({ reason: 'in_use' });
    await writer.close();
    const third = await open(home, { workspace: join(home, 'third'), identity });
    await third.adopt(history, person);
    await expect(here.adopt(history, person)).rejects.toMatchObject({ reason: 'not_found' });
    expect(await third.verify()).toMatchObject({ ok: true });
  });

  it('leaves an erased case erased', async () => {
    const { here, history } = await movedProject();
    await here.adopt(history, person);
    await here.erase('case_a', 'asked', person);
    expect(await filesWith(here.folder, 'walrus')).toEqual([]);
    expect(await here.verify()).toMatchObject({ ok: true });
  });
});

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMemoryJournal, type MemoryJournal } from '../../../extension/core/journal/memory.ts';
import { type Checkpoints, createCheckpoints } from '../../../extension/core/review/checkpoints.ts';
import type { Proposal } from '../../../extension/core/review/port.ts';
import { never, repository, write } from '../repo/helpers.ts';
import { told, sceneOf } from './sources/scene.ts';

interface Watched {
  folder: string;
  journal: MemoryJournal;
  checkpoints: Checkpoints;
  /** What came to the desk. */
  sets: Proposal[];
  saved: Set<string>;
  again: () => Checkpoints;
}

async function watched(files: Record<string, string> = { 'a.txt': 'a\n', 'b.txt': 'b\n' }): Promise<Watched> {
  const folder = repository(files);
  const scene = await sceneOf(folder);
  const journal = createMemoryJournal();
  const sets: Proposal[] = [];
  const saved = new Set<string>();
  const again = (): Checkpoints =>
    createCheckpoints({
      ...scene.deps,
      journal,
      roots: () => scene.roots,
      person: 'ada',
      saves: { since: () => saved },
      desk: { ready: async () => {}, add: async (proposal) => (sets.push(proposal), `set_${sets.length}`) },
    });
  return { folder, journal, checkpoints: again(), sets, saved, again };
}

const kinds = (journal: MemoryJournal): string[] => journal.events.map((event) => event.kind);

describe('checkpoints', () => {
  it('tell what changed, put it on the desk once, and are closed by that', async () => {
    const { folder, journal, checkpoints, sets } = await watched();
    const id = await checkpoints.take({ why: 'asked', label: 'lunch', via: 'palette' }, never);
    expect(await checkpoints.notUnderReview(never)).toEqual([]);
    write(folder, { 'a.txt': 'A\n', 'n.txt': 'n\n' });
    expect((await checkpoints.changes(id, never)).files.map(({ path, change, by }) => `${change} ${path} ${by}`)).toEqual(['modified a.txt origin', 'added n.txt origin']);
    expect((await checkpoints.notUnderReview(never)).map(({ checkpoint, files }) => [checkpoint.id, files.length])).toEqual([[id, 2]]);
    expect(await checkpoints.review(id, 'panel', never)).toEqual({ set: 'set_1', left: [] });
    expect(sets[0]).toMatchObject({ title: 'Changes since lunch', disk: 'applied', origin: { client: 'checkpoint', against: id } });
    expect(journal.events.at(-1)).toMatchObject({ kind: 'checkpoint.closed', actor: { kind: 'person', name: 'ada', via: 'panel' }, body: { checkpoint: id, set: 'set_1' } });
    expect(await checkpoints.open()).toEqual([]);
    expect(await checkpoints.notUnderReview(never)).toEqual([]);
    await expect(checkpoints.review(id, 'panel', never)).rejects.toMatchObject({ reason: 'closed' });
    await expect(checkpoints.changes('cp_none', never)).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('are the same in another window and after a crash: state comes from the record alone', async () => {
    const { folder, checkpoints, again } = await watched();
    const id = await checkpoints.take({ why: 'session', label: 'session of codex', case: 'case_1' }, never);
    write(folder, { 'a.txt': 'A\n' });
    const other = again();
    expect(await other.open()).toMatchObject([{ id, why: 'session', label: 'session of codex', case: 'case_1', by: { kind: 'casebook' } }]);
    expect((await other.changes(id, never)).files).toHaveLength(1);
    await other.close(id, 'cli');
    expect(await checkpoints.open()).toEqual([]);
  });

  it("D34: keep the user's own saves apart, and do not call them unreviewed work of an agent", async () => {
    const { folder, checkpoints, sets, saved } = await watched();
    const id = await checkpoints.take({ why: 'asked', label: 'now' }, never);
    write(folder, { 'b.txt': 'my own\n' });
    saved.add(join(folder, 'b.txt'));
    expect(await checkpoints.notUnderReview(never)).toEqual([]);
    write(folder, { 'a.txt': 'theirs\n' });
    expect((await checkpoints.notUnderReview(never))[0]?.files.map(({ path, by }) => `${path} ${by}`)).toEqual(['a.txt origin', 'b.txt person']);
    await checkpoints.review(id, 'panel', never);
    expect(sets[0]?.files.map(({ path, by }) => `${path} ${by}`)).toEqual(['a.txt origin', 'b.txt person']);
  });

  it('around a run stay open only when the run left something to look at', async () => {
    const { folder, journal, checkpoints, sets, saved } = await watched();
    const of = { label: 'investigation', case: 'case_1', run: 'run_1' };
    const quiet = await checkpoints.watchRun(of, never);
    expect(await quiet.end(never)).toEqual({ files: [] });
    expect(kinds(journal)).toEqual(['checkpoint.taken', 'checkpoint.closed']);
    const own = await checkpoints.watchRun(of, never);
    write(folder, { 'b.txt': 'my own\n' });
    saved.add(join(folder, 'b.txt'));
    expect(await own.end(never)).toMatchObject({ files: [{ path: 'b.txt', by: 'person' }] });
    expect(await checkpoints.open()).toEqual([]);
    const loud = await checkpoints.watchRun(of, never);
    write(folder, { 'a.txt': 'written\n' });
    const { checkpoint = '', files } = await loud.end(never);
    expect(files.map(({ path }) => path)).toEqual(['a.txt']);
    expect(await checkpoints.open()).toMatchObject([{ id: checkpoint, why: 'run', case: 'case_1', run: 'run_1' }]);
    await checkpoints.review(checkpoint, 'case-panel', never);
    expect(sets[0]?.origin).toEqual({ client: 'checkpoint', against: checkpoint, case: 'case_1', run: 'run_1' });
    expect(told({ proposal: sets[0]!, left: [] })).toEqual(['modify a.txt: "a\\n" → "written\\n"']);
  });
});

import { describe, expect, it } from 'vitest';
import type { SetOutcome } from '../../../../extension/core/model/change.ts';
import type { SetState, SettledState } from '../../../../extension/core/review/desk/state.ts';
import { fileRow, matches, outcomeWords, setRow, sorted } from '../../../../extension/features/review/rows.ts';
import { FakeDesk } from './fake-desk.ts';

const now = Date.parse('2026-01-01T00:05:00.000Z');

async function aSet(over: Partial<SetState> = {}, files = [{ path: 'src/a.ts', base: '1\n', proposed: '2\n' }]): Promise<SetState> {
  const desk = new FakeDesk();
  return desk.state(desk.put(files, over));
}
const settled = (over: Partial<SettledState> = {}): SettledState => ({ at: '2026-01-01T00:04:00.000Z', outcome: 'accepted', by: [{ kind: 'person', name: 'ada' }], files: [], heard: true, ...over });

describe('rows of the Reviews tree', () => {
  it('say origin, size, age and what is undecided, in words and to screen readers', async () => {
    const row = setRow(await aSet(), 'Fix the export', now);
    expect(row).toMatchObject({ label: 'Fix the export', description: 'codex · 1 file +1 −1 · 4 minutes ago', icon: 'question', context: 'set.pending' });
    expect(row.accessible).toBe('Fix the export, pending, codex, 1 file, 1 lines added, 1 removed, 1 change undecided, the agent waits for the answer, 4 minutes ago');
  });

  it('tell apart who waits, conflicts, and what only has to be finished', async () => {
    const state = await aSet();
    const file = state.files[0];
    if (file === undefined) throw new Error('a file was expected');
    const looks = [
      state,
      { ...state, caller: { ...state.caller, attached: false } },
      { ...state, files: [{ ...file, conflicts: ['h1'] }] },
      { ...state, files: [{ ...file, left: 0 }] },
    ].map((one) => setRow(one, 't', now));
    expect(new Set(looks.map(({ icon }) => icon)).size).toBe(4);
    expect(looks[2]?.accessible).toContain('conflict');
    expect(looks[3]).toMatchObject({ context: 'set.pending.decided' });
  });

  it('have their own icon and words for each outcome', async () => {
    const state = await aSet({ status: 'settled' });
    const outcomes = Object.keys(outcomeWords) as SetOutcome[];
    const rows = outcomes.map((outcome) => setRow({ ...state, settled: settled({ outcome }) }, 't', now));
    expect(new Set(rows.map(({ icon }) => icon)).size).toBe(outcomes.length);
    expect(rows.map(({ accessible }) => accessible).every((text, index) => text.includes(Object.values(outcomeWords)[index] ?? 'none'))).toBe(true);
  });

  it('offer undo while the result stands, redo once it does not, and name the policy that decided', async () => {
    const state = await aSet({ status: 'settled' });
    expect(setRow({ ...state, settled: settled({ standing: true }) }, 't', now).context).toBe('set.settled.standing');
    expect(setRow({ ...state, settled: settled({ standing: false }) }, 't', now)).toMatchObject({ context: 'set.settled.undone', description: 'Accepted, undone · codex · 1 minute ago' });
    expect(setRow({ ...state, settled: settled() }, 't', now).context).toBe('set.settled');
    expect(setRow({ ...state, settled: settled({ policy: 'docs only', by: [{ kind: 'policy', name: 'docs only' }] }) }, 't', now).accessible).toContain('decided by policy docs only');
  });

  it('say of a file where it is, what happens to it and how far one is', async () => {
    const [file] = (await aSet({}, [{ path: 'src/a.ts', base: '1\n2\n3\n4\n', proposed: '1\ntwo\n3\nfour\n' }])).files;
    if (file === undefined) throw new Error('a file was expected');
    expect(fileRow(file, true)).toMatchObject({ label: 'a.ts', description: 'src · +1 −1', context: 'file.pending', icon: 'diff-modified' });
    expect(fileRow({ ...file, left: 1 }, true).description).toBe('src · +1 −1 · 1 of 2 decided');
    expect(fileRow({ ...file, by: 'person', draft: { kind: 'absent' } }, true).accessible).toContain('edited by you, saved by you');
  });

  it('come by age, origin or size', async () => {
    const make = async (id: string, client: string, opened: string, added: number): Promise<SetState> => {
      const state = await aSet({ id, origin: { client }, openedAt: opened });
      return { ...state, files: state.files.map((file) => ({ ...file, counts: { hunks: 1, added, removed: 0 } })) };
    };
    const sets = [await make('b', 'codex', '2026-01-02', 5), await make('a', 'claude', '2026-01-03', 9), await make('c', 'claude', '2026-01-01', 1)];
    const ids = (by: 'age' | 'origin' | 'size'): string[] => sorted(sets, by).map(({ id }) => id);
    expect([ids('age'), ids('origin'), ids('size')]).toEqual([['c', 'b', 'a'], ['c', 'a', 'b'], ['a', 'b', 'c']]);
  });

  it('are found by words of title, agent and path', async () => {
    const set = await aSet({ title: 'Fix the export' });
    expect(matches(set, 'EXPORT a.ts')).toBe(true);
    expect(matches(set, 'codex src')).toBe(true);
    expect(matches(set, 'export b.ts')).toBe(false);
  });
});

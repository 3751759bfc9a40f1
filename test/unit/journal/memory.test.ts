import { describe, expect, it } from 'vitest';
import { createMemoryJournal } from '../../../extension/core/journal/memory.ts';
import type { AnyEvent } from '../../../extension/core/journal/port.ts';
import { opened } from './samples.ts';

const who = { kind: 'person', name: 'ada' } as const;

describe('memory journal', () => {
  it('numbers, filters and lists what was appended', async () => {
    const journal = createMemoryJournal();
    const seen: string[] = [];
    journal.onEvent((event) => seen.push(event.kind));
    await journal.append({ kind: 'case.opened', case: 'case_a', actor: who, body: opened('Login fails') });
    const second = await journal.append({ kind: 'case.closed', case: 'case_a', actor: who, body: {} });
    expect(second.seq).toBe(2);
    expect(seen).toEqual(['case.opened', 'case.closed']);
    const kinds: string[] = [];
    for await (const item of journal.read({ case: 'case_a', kinds: ['case.closed'] })) if ('kind' in item) kinds.push(item.kind);
    expect(kinds).toEqual(['case.closed']);
    expect((await journal.listCases({ text: 'login' }))[0]).toMatchObject({ case: 'case_a', title: 'Login fails', events: 2 });
    expect(await journal.search('login FAILS')).toHaveLength(1);
  });

  it('refuses a malformed body without repeating its values', async () => {
    const journal = createMemoryJournal();
    await expect(journal.append({ kind: 'run.texted', actor: who, body: { text: 7 as unknown as string } })).rejects.toMatchObject({ reason: 'invalid_event' });
  });

  it('lets decisions wait while nothing can be recorded, and shows progress as lost', async () => {
    const journal = createMemoryJournal();
    journal.setRecording(false);
    const live: AnyEvent[] = [];
    journal.onEvent((event) => live.push(event));
    expect((await journal.append({ kind: 'run.texted', actor: who, body: { text: 'x' } })).flags).toEqual({ lost: true });
    expect(live).toHaveLength(1);
    const decision = journal.append({ kind: 'case.opened', case: 'case_a', actor: who, body: opened('A') });
    const aborted = new AbortController();
    const other = journal.append({ kind: 'case.opened', case: 'case_b', actor: who, body: opened('B') }, aborted.signal);
    aborted.abort();
    await expect(other).rejects.toThrow();
    journal.setRecording(true);
    expect((await decision).seq).toBe(1);
  });

  it('gives a dead session away once', async () => {
    const journal = createMemoryJournal();
    expect(await journal.takeOver('run', 'run_1', 'ses_x')).toBe(false);
    journal.setSession('ses_x', 'dead');
    expect(await journal.takeOver('run', 'run_1', 'ses_x')).toBe(true);
    expect(await journal.takeOver('run', 'run_1', 'ses_x')).toBe(false);
    expect(journal.events.map((event) => event.kind)).toEqual(['ownership.taken']);
  });
});

import { describe, expect, it } from 'vitest';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import type { CaseState } from '../../../extension/core/cases/state.ts';
import type { CaseListing } from '../../../extension/core/journal/port.ts';
import type { TicketSummary } from '../../../extension/core/model/ticket.ts';
import type { TicketPage, TicketSource } from '../../../extension/core/tickets/source.ts';
import { caseRow } from '../../../extension/features/cases/rows.ts';
import { TicketLoader } from '../../../extension/features/tickets/loader.ts';
import { addPage, staleRow, ticketRow } from '../../../extension/features/tickets/rows.ts';
import { briefOf, CaseBoard } from '../../../extension/host/board.ts';
import { statusView } from '../../../extension/host/status.ts';
import { aCase, FakeCases } from './fakes.ts';

const now = Date.parse('2026-01-01T01:00:00.000Z');
const listing: CaseListing = { case: 'case_1', title: 'Saving crashes', ticketId: 'github:o/r#1', openedAt: '2026-01-01T00:00:00.000Z', lastEventAt: '2026-01-01T00:57:00.000Z', events: 9 };
const brief = (status: CaseState['status'], id = 'case_1') => briefOf(aCase({ id, title: id, status }));

describe('rows of the Cases tree', () => {
  it('says status, effective verdict and age in words and to screen readers', () => {
    const effective = { classification: 'bug', bugConfirmation: 'suspected', confidence: 'low' } as const;
    const row = caseRow(listing, { ...brief('needs_you'), lastEventAt: listing.lastEventAt, effective }, now);
    expect(row).toMatchObject({ label: 'Saving crashes', description: 'Waiting for your answer · 3 minutes ago', icon: 'question', context: 'case.running' });
    expect(row.accessible).toBe('Saving crashes, Waiting for your answer, verdict: Suspected bug, last activity 3 minutes ago');
    expect(caseRow(listing, { ...brief('concluded'), effective }, now).description).toMatch(/^Suspected bug · /);
  });

  it('has a different icon for each status', () => {
    const statuses: CaseState['status'][] = ['open', 'running', 'needs_you', 'concluded', 'failed', 'interrupted', 'closed'];
    expect(new Set(statuses.map((status) => caseRow(listing, brief(status), now).icon)).size).toBe(statuses.length);
  });

  it('draws a case that was not read yet from its listing', () => {
    expect(caseRow({ ...listing, classification: 'answerable' }, undefined, now)).toMatchObject({ description: 'Answerable · 3 minutes ago', context: 'case.unknown' });
  });
});

describe('the status bar', () => {
  const nothing = { since: [], files: 0 };

  it('shows what matters most, as one value', () => {
    const cases = [brief('running', 'a'), brief('needs_you', 'b'), brief('interrupted', 'c')];
    expect(statusView({ journal: 'not_recording', cases, watching: nothing })).toMatchObject({ warning: true, text: '$(warning) Casebook: not recording' });
    expect(statusView({ journal: 'recording', cases, watching: nothing })).toMatchObject({ text: '$(question) Casebook: question', target: 'b', warning: false });
    expect(statusView({ journal: 'recording', cases: [brief('running', 'a'), brief('running', 'd')], watching: nothing })).toMatchObject({ text: '$(loading~spin) Casebook: 2 investigations' });
    expect(statusView({ journal: 'recording', cases: [brief('running', 'a'), brief('running', 'd')], watching: nothing }).target).toBeUndefined();
    expect(statusView({ journal: 'recording', cases: [brief('interrupted', 'c')], watching: nothing })).toMatchObject({ text: '$(debug-disconnect) Casebook: interrupted', target: 'c' });
    expect(statusView({ journal: 'recording', cases: [], watching: nothing })).toMatchObject({ text: '$(notebook) Casebook', accessible: 'Casebook. Show the cases', list: 'cases' });
    expect(statusView({ journal: 'recording', cases: [], watching: { since: ['watching began at 9:00'], files: 0 } })).toMatchObject({ text: '$(eye) Casebook: watching', tooltip: 'Nothing has changed. watching began at 9:00', list: 'reviews' });
    expect(statusView({ journal: 'recording', cases: [], watching: { since: ['watching began at 9:00'], files: 2 } })).toMatchObject({ text: '$(eye) Casebook: 2 not under review' });
  });
});

describe('the board of case states', () => {
  it('reads one case never twice at once, and the last state always', async () => {
    const cases = new FakeCases();
    const reads: ((state: CaseState) => void)[] = [];
    cases.state = async () => new Promise<CaseState>((resolve) => reads.push(resolve));
    const board = new CaseBoard(cases, nullLogger);
    const seen: string[] = [];
    board.onState((state) => seen.push(state.title));
    cases.put(aCase());
    cases.put(aCase());
    cases.put(aCase());
    expect(reads).toHaveLength(1);
    reads[0]?.(aCase({ title: 'first' }));
    await expect.poll(() => reads.length).toBe(2);
    reads[1]?.(aCase({ title: 'second', status: 'running' }));
    await expect.poll(() => seen).toEqual(['first', 'second']);
    expect(board.brief('case_1')?.status).toBe('running');
    board.dispose();
    cases.put(aCase());
    expect(reads).toHaveLength(2);
  });

  it('reads a few cases at a time', async () => {
    const cases = new FakeCases();
    const reads: ((state: CaseState) => void)[] = [];
    cases.state = async () => new Promise<CaseState>((resolve) => reads.push(resolve));
    const board = new CaseBoard(cases, nullLogger);
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) board.refresh(id);
    expect(reads).toHaveLength(4);
    reads[0]?.(aCase({ id: 'a' }));
    await expect.poll(() => reads.length).toBe(5);
    board.dispose();
  });

  it('survives a case that cannot be read', async () => {
    const cases = new FakeCases();
    cases.failWith = new Error('gone');
    const board = new CaseBoard(cases, nullLogger);
    board.refresh('case_1');
    await expect.poll(() => cases.called('state').length).toBe(1);
    cases.failWith = undefined;
    const seen: string[] = [];
    board.onState((state) => seen.push(state.id));
    await expect.poll(() => (board.refresh('case_1'), seen.length)).toBeGreaterThan(0);
  });
});

const item = (id: string, over: Partial<TicketSummary> = {}): TicketSummary => ({ id, source: 'github', key: id, title: `Ticket ${id}`, severity: 'unknown', labels: [], ...over });

describe('rows of the Tickets tree', () => {
  it('says key, severity, status, labels and age', () => {
    const row = ticketRow(item('o/r#1', { severity: 'critical', status: 'open', labels: ['p0'], updatedAt: '2025-12-31T01:00:00.000Z', url: 'https://github.com/o/r/issues/1' }), now);
    expect(row).toMatchObject({ label: 'Ticket o/r#1', description: 'o/r#1 · yesterday', icon: 'flame', context: 'ticket.url' });
    expect(row.accessible).toBe('Ticket o/r#1, o/r#1, Critical, open, p0, updated yesterday');
    expect(ticketRow(item('1'), now).context).toBe('ticket');
  });

  it('says how old a list is that could not be read again, and why', () => {
    expect(staleRow({ reason: 'offline', ageMs: 2 * 3_600_000 }, now)).toEqual({ label: 'Last known list, 2 hours ago', tooltip: 'The ticket source cannot be reached.' });
    const old = addPage(undefined, { items: [item('1')], stale: { reason: 'offline', ageMs: 1 } });
    expect(old.stale).toEqual({ reason: 'offline', ageMs: 1 });
    expect(addPage(old, { items: [item('1')] }).stale).toBeUndefined();
  });

  it('shows a ticket that moved between pages once', () => {
    const first = addPage(undefined, { items: [item('1'), item('2')], next: 'p2', total: 3 });
    const both = addPage(first, { items: [item('2', { title: 'newer' }), item('3')], total: 3 });
    expect(both.items.map((one) => one.title)).toEqual(['Ticket 1', 'newer', 'Ticket 3']);
    expect(both.next).toBeUndefined();
  });
});

describe('reading tickets', () => {
  function source(pages: (cursor: string | undefined, signal: AbortSignal) => Promise<TicketPage>): TicketSource & { asked: (string | undefined)[] } {
    const asked: (string | undefined)[] = [];
    const made = {
      id: 'github',
      label: 'GitHub',
      asked,
      accepts: () => true,
      fetch: async () => Promise.reject(new Error('not asked for')),
      queries: async () => [],
      list: async (_query: string, cursor: string | undefined, signal: AbortSignal) => {
        asked.push(cursor);
        return pages(cursor, signal);
      },
    };
    return made;
  }

  it('reads a page once, more pages on demand, and again after a refresh', async () => {
    const github = source(async (cursor) => (cursor === undefined ? { items: [item('1')], next: 'p2' } : { items: [item('2')] }));
    const loader = new TicketLoader();
    const [one, same] = await Promise.all([loader.first(github, 'q'), loader.first(github, 'q')]);
    expect(one).toBe(same);
    expect((await loader.more(github, 'q')).items.map((ticket) => ticket.id)).toEqual(['1', '2']);
    expect((await loader.first(github, 'q')).items).toHaveLength(2);
    expect(github.asked).toEqual([undefined, 'p2']);
    loader.forget();
    expect((await loader.first(github, 'q')).items).toHaveLength(1);
    expect(github.asked).toEqual([undefined, 'p2', undefined]);
  });

  it('keeps what was read when the next page fails, and can try it again', async () => {
    let broken = true;
    const github = source(async (cursor) => {
      if (cursor === undefined) return { items: [item('1')], next: 'p2' };
      if (broken) throw new Error('502');
      return { items: [item('2')] };
    });
    const loader = new TicketLoader();
    await loader.first(github, 'q');
    const failed = await loader.more(github, 'q');
    expect(failed).toMatchObject({ items: [{ id: '1' }], next: 'p2', error: new Error('502') });
    broken = false;
    const whole = await loader.more(github, 'q');
    expect(whole.items).toHaveLength(2);
    expect(whole.error).toBeUndefined();
  });

  it('does not keep an answer from before a refresh', async () => {
    const answers: ((page: TicketPage) => void)[] = [];
    const signals: AbortSignal[] = [];
    const github = source(async (_cursor, signal) => {
      signals.push(signal);
      return new Promise<TicketPage>((resolve) => answers.push(resolve));
    });
    const loader = new TicketLoader();
    const old = loader.first(github, 'q');
    loader.forget();
    const fresh = loader.first(github, 'q');
    answers[1]?.({ items: [item('new')] });
    await fresh;
    answers[0]?.({ items: [item('old')] });
    await old;
    expect(signals[0]?.aborted).toBe(true);
    expect((await loader.first(github, 'q')).items.map((ticket) => ticket.id)).toEqual(['new']);
  });
});

import { describe, expect, it } from 'vitest';
import { ScoutEngine } from '../../../extension/core/agents/engines/scout/engine.ts';
import { scoutReport } from '../../../extension/core/agents/engines/scout/report.ts';
import { scoutVerdict } from '../../../extension/core/agents/engines/scout/verdict.ts';
import { type ScoutResult, scoutResult } from '../../../extension/core/model/code.ts';
import { type Ticket, textFindings, ticket as ticketShape } from '../../../extension/core/model/ticket.ts';
import { submission } from '../../../extension/core/model/verdict.ts';
import { FakeDesk, collectRun, runRequest } from '../../fixtures/fake-desk.ts';

const ticket: Ticket = ticketShape.parse({ id: 'file:a', source: 'file', key: 'a', title: 'Crash in pay()', description: 'at pay (src/pay.ts:3)', findings: textFindings.parse({}), revision: '1', hash: 'h', fetchedAt: '2026-01-01T00:00:00Z' });
const suspects = [1, 2, 3, 4, 5, 6, 7].map((n) => ({ root: 'shop', file: `src/f${n}.ts`, score: 10 - n, lines: [[n, n + 2]], why: [{ signal: 'name', weight: 1, text: 'named in the ticket' }, { signal: 'frame', weight: 5, text: 'in a stack frame' }] }));
const found: ScoutResult = scoutResult.parse({ clues: [{ kind: 'error', text: 'TypeError: `x` | <b>' }], suspects, history: [{ root: 'shop', commit: 'abcdef0123456789', date: '2026-01-02T00:00:00Z', author: 'a', subject: 'Fix *pay*', files: [], why: 'touches f1' }], related: [], stats: {} });
const pinned: ScoutResult = { ...found, pinned: { root: 'shop', file: 'src/f2.ts', line: 9 } };

/** What must never reach a customer or support: paths, code, promises, admissions, confidence talk. */
const unsafe = /src\/|\.ts\b|[`{}<>]|\bbug\b|defect|confirm|will be fixed|release|refund|soon|confiden|model\b/i;

describe('the scout’s verdict', () => {
  it('is inconclusive without a pin, with the best places as evidence', () => {
    const verdict = scoutVerdict(ticket, found);
    expect(submission.safeParse(verdict).success).toBe(true);
    expect(verdict).toMatchObject({ classification: 'inconclusive', confidence: 'low' });
    expect(verdict).not.toHaveProperty('bugConfirmation');
    expect(verdict.evidence).toHaveLength(5);
    expect(verdict.evidence[0]).toEqual({ file: 'shop/src/f1.ts', line: 1, endLine: 3, note: 'in a stack frame; named in the ticket' });
    expect(verdict.limitations).toMatch(/^No model was asked/);
  });

  it('suspects a bug where a stack frame lands, and cites that line first and once', () => {
    const verdict = scoutVerdict(ticket, pinned);
    expect(verdict).toMatchObject({ classification: 'bug', bugConfirmation: 'suspected', confidence: 'low' });
    expect(verdict.evidence[0]).toMatchObject({ file: 'shop/src/f2.ts', line: 9 });
    expect(verdict.evidence.filter((one) => one.file === 'shop/src/f2.ts')).toHaveLength(1);
  });

  it.each([['pinned', pinned], ['found', found], ['nothing', scoutResult.parse({ clues: [], suspects: [], history: [], related: [], stats: {} })]])('says nothing unsafe to customer or support (%s)', (_name, result) => {
    const verdict = scoutVerdict(ticket, result);
    expect(submission.safeParse(verdict).success).toBe(true);
    expect(verdict.proposedCustomerReply).not.toMatch(unsafe);
    expect(verdict.explanationForSupport.replace('No model and no person', '')).not.toMatch(unsafe);
    expect(verdict.explanationForSupport.split('. ').length).toBeGreaterThanOrEqual(2);
  });

  it('asks the reporter for what the ticket does not say', () => {
    expect(scoutVerdict(ticket, found).proposedCustomerReply).toContain('the version that you use');
    expect(scoutVerdict({ ...ticket, environment: { version: '1.2' } }, found).proposedCustomerReply).not.toContain('the version that you use');
  });

  it('reports without letting a ticket’s text become markup', () => {
    const report = scoutReport(scoutVerdict(ticket, found), found);
    expect(report).toContain("- error: `TypeError: 'x' | <b>`");
    expect(report).toContain('Fix \\*pay\\*');
    expect(report).toContain('- `shop/src/f1.ts:1`');
    expect(report).toMatch(/^## Symptom[^]*## Investigation[^]*## Assessment[^]*## Recommended next action[^]*## Open questions/);
  });
});

describe('the scout as an engine', () => {
  const never = new AbortController().signal;
  it('cites only what the snapshot holds, and pins nothing else', async () => {
    const desk = new FakeDesk();
    const left = new Set(['shop/src/f1.ts', 'shop/src/f2.ts']);
    const engine = new ScoutEngine(async () => ({ ticket, result: pinned, lineAt: async (file) => (left.has(file) ? undefined : 'code') }));
    const { ended } = await collectRun(engine.start(runRequest(desk), never));
    expect(ended.outcome).toBe('completed');
    expect(desk.accepted?.classification).toBe('inconclusive');
    expect(desk.accepted?.evidence.map((one) => one.file)).toEqual(['shop/src/f3.ts', 'shop/src/f4.ts', 'shop/src/f5.ts', 'shop/src/f6.ts', 'shop/src/f7.ts']);
  });

  it('reports and submits, the same every time', async () => {
    const runs = await Promise.all([0, 1].map(async () => {
      const desk = new FakeDesk();
      const { ended } = await collectRun(new ScoutEngine(async () => ({ ticket, result: pinned })).start(runRequest(desk), never));
      expect(ended).toEqual({ type: 'ended', outcome: 'completed' });
      return [desk.reports, desk.accepted];
    }));
    expect(runs[0]).toEqual(runs[1]);
    expect(runs[0]?.[0]).toHaveLength(1);
  });

  it('ends honestly without a search, and when it is stopped', async () => {
    const { ended } = await collectRun(new ScoutEngine(async () => undefined).start(runRequest(new FakeDesk()), never));
    expect(ended).toMatchObject({ outcome: 'failed', reason: 'empty_result' });
    const stopped = await collectRun(new ScoutEngine(async () => ({ ticket, result: found })).start(runRequest(new FakeDesk()), AbortSignal.abort()));
    expect(stopped.ended).toMatchObject({ outcome: 'cancelled', reason: 'user_stopped' });
  });
});

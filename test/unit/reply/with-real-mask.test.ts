import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../extension/core/base/clock.ts';
import { fixAll } from '../../../extension/core/cases/reply/check.ts';
import { maskText } from '../../../extension/core/journal/redact/mask-text.ts';
import { normaliseTicket } from '../../../extension/core/tickets/normalise.ts';

/** Built at run time, so that no scanner takes this file for a leak. */
const canaries = [
  ['', `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`, ''],
  ['', ['AKIA', 'ABCDEFGHIJKLMNOP'].join(''), ''],
  ['postgres://user:', ['s3cret', 'Pass99'].join(''), '@db.example.com/x'],
] as const;

describe('T07: with the mask of the journal', () => {
  it.each(canaries)('no canary gets out, and what is put in its place is no finding: %#', (before, canary, after) => {
    const ticket = normaliseTicket({ source: 'text', key: 'k', title: 't', description: `log: ${before}${canary}${after} end` }, { mask: maskText, clock: new FakeClock() });
    expect(ticket.findings.masked).toBeGreaterThan(0);
    expect(ticket.description).not.toContain(canary);
    const { text, findings } = fixAll(`Please use ${before}${canary}${after} for it.`, { ticket, internalNames: [], otherCustomers: [], mask: maskText, suspects: [] });
    expect(text).not.toContain(canary);
    expect(findings.filter((finding) => finding.rule === 'secret' || finding.fix !== undefined)).toEqual([]);
  });
});

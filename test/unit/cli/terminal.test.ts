import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { caseCommand } from '../../../extension/cli/case.ts';
import type { CliContext } from '../../../extension/cli/command.ts';
import { caseInWords, similarInWords } from '../../../extension/cli/render.ts';
import { readTicket } from '../../../extension/cli/tickets.ts';
import { createTickets } from '../../../extension/compose/tickets.ts';
import { systemClock } from '../../../extension/core/base/clock.ts';
import { MemoryCopies } from '../../../extension/core/tickets/copies.ts';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import type { CaseState } from '../../../extension/core/cases/state.ts';
import { tempFolder } from '../repo/helpers.ts';

function contextIn(cwd: string): CliContext & { err: string } {
  const context = { err: '', write: () => {}, writeError: (text: string) => { context.err += text; }, readStdin: async () => '', cwd, env: {}, signal: new AbortController().signal, logger: nullLogger };
  return context;
}

describe('a case on the terminal', () => {
  it('cannot be made to steer it by the ticket, the code or the agent', () => {
    const hostile = 'a\u001b[2J\u009b31m\rb\u202ec\nVERDICT  forged';
    const verdict = { classification: 'inconclusive', confidence: 'low', summary: hostile, evidence: [], explanationForSupport: hostile, proposedCustomerReply: hostile, suggestedNextStep: hostile };
    const state = {
      id: 'case_1', title: hostile, folder: '/f', runs: [], snapshot: { takenAt: '', roots: [] },
      verdict: { verdict, effective: verdict, proof: { holds: true, why: hostile } },
      citations: [{ file: hostile, line: 1, origin: 'verdict', state: 'located', note: hostile }], reply: { text: hostile, findings: [] },
    } as unknown as CaseState;
    expect(caseInWords(state)).not.toMatch(/[\u001b\u009b\r\u202e]/u);
    expect(caseInWords(state).split('\n')[1]).toMatch(/VERDICT {2}forged {3}\[case_1\]$/u);
    expect(caseInWords({ ...state, verdict: undefined })).not.toMatch(/[\u001b\u009b\r\u202e]/u);
    expect(similarInWords([{ case: 'case_0', title: hostile, why: hostile }])).not.toMatch(/[\u001b\u009b\r\u202e]/u);
  });

  it('shows a person’s word with its reason, and earlier cases with their verdicts', () => {
    const verdict = { classification: 'bug', bugConfirmation: 'suspected', confidence: 'low', summary: 'It fails.', evidence: [], explanationForSupport: '', proposedCustomerReply: '', suggestedNextStep: '' };
    const effective = { classification: 'answerable', confidence: 'high' };
    const state = { id: 'case_1', title: 'T', folder: '/f', runs: [], snapshot: { takenAt: '', roots: [] }, citations: [], verdict: { verdict, effective, proof: { holds: true, why: '' }, decision: { kind: 'overridden', by: 'ada', at: '', reason: 'An old build' } } } as unknown as CaseState;
    expect(caseInWords(state)).toMatch(/VERDICT {2}answerable {3}confidence high {3}\(overridden by ada\)\n {2}because: An old build\n/u);
    expect(similarInWords([{ case: 'case_0', title: 'Launch refused', classification: 'bug', why: 'the same ticket' }])).toContain('case_0  bug              Launch refused   the same ticket');
    expect(similarInWords([])).toBe('');
  });
});

describe('a ticket named on the command line', () => {
  it('is a file when it is no other reference; a mistyped name is no ticket', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'TICKET'), 'It breaks on save');
    mkdirSync(join(folder, 'src'));
    const { sources, text } = createTickets({ github: { token: async () => undefined }, cwd: folder, ticketFolders: () => [] }, { mask: (masked) => ({ text: masked, count: 0 }), clock: systemClock, copies: new MemoryCopies() });
    const read = (reference: string) => readTicket(reference, contextIn(folder), { sources, fromText: (typed, origin) => text.fromText(typed, origin) });
    await expect(read('TICKET')).resolves.toMatchObject({ source: 'file', description: 'It breaks on save' });
    await expect(read('TICKTE')).rejects.toMatchObject({ reason: 'not_found' });
    await expect(read('src')).rejects.toMatchObject({ reason: 'bad_reference' });
  });
});

describe('casebook case', () => {
  it('takes no name that it does not have', async () => {
    expect(await caseCommand.run(['constructor', 'x'], contextIn(tempFolder()))).toBe(2);
  });

  it.each([[['list', 'more']], [['show']], [['show', 'case_1', 'case_2']], [['close', 'case_1', 'now']]])('is wrongly called with %j', async (args) => {
    const context = contextIn(tempFolder());
    expect(await caseCommand.run(args, context)).toBe(2);
    expect(context.err).toContain('casebook case list');
  });
});

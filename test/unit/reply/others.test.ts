import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { KnownPeople, othersFor, peopleOf } from '../../../extension/core/cases/reply/others.ts';
import { createMemoryJournal } from '../../../extension/core/journal/memory.ts';
import type { Ticket } from '../../../extension/core/model/ticket.ts';
import { FolderCopies } from '../../../extension/core/tickets/copies.ts';
import { ticketHash } from '../../../extension/core/tickets/normalise.ts';
import { aSnapshot, aTicket } from '../cases/fakes.ts';

const person = { kind: 'person', name: 'ada', via: 'test' } as const;
const message = (direction: 'in' | 'out' | 'system', sender: string, text = ''): Ticket['thread'][number] => ({ sender, direction, text, attachments: [] });
const theirs = (over: Partial<Ticket>): ReturnType<typeof peopleOf>[] => [peopleOf(aTicket({ id: 'text:2', ...over }))];

describe('other people than those of a ticket', () => {
  it('are reporters, customers, sessions and senders of other tickets', () => {
    const known = theirs({ reporter: 'berta-lind', customer: { company: 'Northwind Traders GmbH', session: 'sess-77ab21', plan: 'Enterprise', email: 'b@northwind.example' }, thread: [message('in', 'Carl Onder'), message('out', 'support-lea'), message('system', 'triage-bot')] });
    expect(othersFor(aTicket(), known).sort()).toEqual(['Carl Onder', 'Northwind Traders', 'Northwind Traders GmbH', 'b@northwind.example', 'berta-lind', 'sess-77ab21']);
  });
  it('are not the ticket’s own people, nor the team’s', () => {
    const mine = aTicket({ reporter: 'berta-lind', customer: { company: 'Northwind Traders' }, assignees: ['dora-team'], thread: [message('in', 'Carl Onder')] });
    const known = [...theirs({ reporter: 'Berta-Lind', customer: { company: 'Northwind Traders Ltd.' }, thread: [message('in', 'carl onder'), message('in', 'dora-team'), message('in', 'emil-team')] }), ...theirs({ thread: [message('out', 'emil-team')] })];
    expect(othersFor(mine, known)).toEqual(['Northwind Traders Ltd.']);
  });
  it('are not words: short ones, common ones, placeholders, and what the ticket itself speaks of', () => {
    const known = theirs({ reporter: 'bob', customer: { name: 'Test User', account: 'admin', contact: 'Grace', client: 'problem', login: 'stripe', company: 'Acme Inc' } });
    expect(othersFor(aTicket({ description: 'Paying with Stripe fails, as at Acme Inc.' }), known)).toEqual(['Test User']);
    expect(othersFor(aTicket({ description: 'Striped lines' }), known)).toContain('stripe');
  });
});

describe('the people whom the record knows', () => {
  it('come from cases, from revisions and from last known copies, and go with an erasure', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'casebook-others-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const copies = new FolderCopies(folder);
    const read = aTicket({ id: 'github:o/r#9', reporter: 'only-read' });
    await copies.put({ ...read, hash: ticketHash(read) });
    const journal = createMemoryJournal();
    const open = (id: string, ticket: Ticket): Promise<unknown> => journal.append({ kind: 'case.opened', case: id, actor: person, body: { ticket, snapshot: aSnapshot, folder: '/f', title: ticket.title } });
    await open('case_1', aTicket({ id: 'text:2', reporter: 'first-one' }));
    const erased = new Set<string>();
    const people = new KnownPeople({
      onEvent: journal.onEvent,
      async *read(filter) {
        for await (const item of journal.read(filter)) yield 'gap' in item || !erased.has(item.case ?? '') ? item : { ...item, body: null };
      },
    }, copies);
    const mine = aTicket({ reporter: 'my-own' });
    await open('case_0', mine);
    expect((await people.othersFor(mine)).sort()).toEqual(['first-one', 'only-read']);
    await open('case_2', aTicket({ id: 'text:3', reporter: 'later-one' }));
    await journal.append({ kind: 'ticket.revised', case: 'case_1', actor: person, body: { ticket: aTicket({ id: 'text:2', reporter: 'renamed-one' }), previousHash: 'h1' } });
    expect((await people.othersFor(mine)).sort()).toEqual(['later-one', 'only-read', 'renamed-one']);
    erased.add('case_2');
    await journal.append({ kind: 'journal.erased', actor: person, body: { case: 'case_2', events: 1, blobs: 0, reason: 'asked' } });
    expect((await people.othersFor(mine)).sort()).toEqual(['only-read', 'renamed-one']);
  });
});

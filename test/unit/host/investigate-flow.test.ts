import { describe, expect, it } from 'vitest';
import { Failure } from '../../../extension/core/base/failure.ts';
import type { Ticket, TicketSummary } from '../../../extension/core/model/ticket.ts';
import type { TicketSource } from '../../../extension/core/tickets/source.ts';
import { askForTicket, type FlowDeps, offerSimilar, originChoices } from '../../../extension/features/investigate/flow.ts';
import { aTicket, back, dismiss, FakeCases, ScriptedPrompter } from './fakes.ts';

const summary = (key: string, over: Partial<TicketSummary> = {}): TicketSummary => ({ id: `github:${key}`, source: 'github', key, title: `Title ${key}`, severity: 'unknown', labels: [], ...over });

function flow(script: ConstructorParameters<typeof ScriptedPrompter>[0], options: { selection?: string; signedIn?: boolean; signIn?: boolean } = {}) {
  const prompter = new ScriptedPrompter(script);
  const did: string[] = [];
  const source = (id: string): TicketSource => ({
    id,
    label: id,
    accepts: () => true,
    fetch: async (reference) => {
      did.push(`${id} fetch ${reference}`);
      return aTicket({ id: `${id}:${reference}`, key: reference });
    },
    queries: async () => [],
    list: async (query) => {
      did.push(`${id} list ${query}`);
      return { items: [summary('o/r#1', { updatedAt: '2026-01-01T00:00:00Z' }), summary('o/r#2', { severity: 'critical' })] };
    },
  });
  const deps: FlowDeps = {
    core: async () => ({
      sources: {
        all: () => [],
        byId: (id) => source(id),
        forReference: (reference) => {
          if (reference === 'nonsense') throw new Failure('bad_reference', 'no');
          return source('github');
        },
      },
      ticketFromText: (text, origin, file) => aTicket({ description: text, where: { origin, ...(file === undefined ? {} : { file }) } }),
    }),
    prompter,
    selection: () => (options.selection === undefined ? undefined : { text: options.selection, file: 'src/a.ts' }),
    signedIn: async () => options.signedIn ?? true,
    signIn: async () => {
      did.push('sign in');
      return options.signIn ?? false;
    },
    now: () => Date.parse('2026-01-02T00:00:00Z'),
  };
  const run = (): Promise<Ticket | undefined> => askForTicket(deps, new AbortController().signal);
  return { prompter, did, run };
}

describe('where a ticket comes from', () => {
  it('offers the selection only where there is one', () => {
    expect(originChoices(true)[0]?.value).toBe('selection');
    expect(originChoices(false).some((choice) => choice.value === 'selection')).toBe(false);
  });

  it('takes text: selected, in the clipboard, typed', async () => {
    expect(await flow(['Selected text'], { selection: 'boom' }).run()).toMatchObject({ description: 'boom', where: { origin: 'selection', file: 'src/a.ts' } });
    const clip = flow(['Clipboard']);
    clip.prompter.clipboard = 'from elsewhere';
    expect(await clip.run()).toMatchObject({ description: 'from elsewhere', where: { origin: 'clipboard' } });
    expect(await flow(['Type or paste…', 'typed']).run()).toMatchObject({ description: 'typed', where: { origin: 'pasted' } });
  });

  it('takes a reference, and a file from the file source whatever it is called', async () => {
    const reference = flow(['GitHub issue…', ' o/r#7 ']);
    expect((await reference.run())?.key).toBe('o/r#7');
    const file = flow(['File…', '/tickets/odd.name']);
    await file.run();
    expect(file.did).toEqual(['file fetch /tickets/odd.name']);
    await expect(flow(['GitHub issue…', 'nonsense']).run()).rejects.toMatchObject({ reason: 'bad_reference' });
  });

  it('lists by severity and then recency, and reads the one that was picked', async () => {
    const { run, did, prompter } = flow(['Assigned to me…', 'Title o/r#1']);
    expect((await run())?.key).toBe('o/r#1');
    expect(did).toEqual(['github list is:open is:issue assignee:@me', 'github fetch o/r#1']);
    expect(prompter.seen[1]?.labels).toEqual(['Title o/r#2', 'Title o/r#1']);
  });

  it('asks for a sign-in only when somebody wants tickets of GitHub', async () => {
    const refused = flow(['Search GitHub…', dismiss], { signedIn: false, signIn: false });
    expect(await refused.run()).toBeUndefined();
    expect(refused.did).toEqual(['sign in']);
    const accepted = flow(['Search GitHub…', 'crash', 'Title o/r#2'], { signedIn: false, signIn: true });
    expect((await accepted.run())?.key).toBe('o/r#2');
  });

  it('goes back to the first step, and ends when it is dismissed', async () => {
    const { run, prompter } = flow(['Type or paste…', back, 'Clipboard']);
    prompter.clipboard = 'second thought';
    expect((await run())?.description).toBe('second thought');
    expect(await flow([dismiss]).run()).toBeUndefined();
    expect(await flow(['Type or paste…', dismiss]).run()).toBeUndefined();
  });
});

describe('earlier cases that look alike', () => {
  const alike = [
    { case: 'case_9', title: 'Earlier', classification: 'bug', why: 'same message' },
    { case: 'case_8', title: 'Older', why: 'same file' },
  ];
  const offer = (script: ConstructorParameters<typeof ScriptedPrompter>[0], list = alike) => {
    const cases = new FakeCases();
    cases.alike = list;
    const prompter = new ScriptedPrompter(script);
    return { prompter, answer: offerSimilar(aTicket(), cases, prompter) };
  };

  it('does not ask when there are none', async () => {
    expect(await offer([], []).answer).toEqual({ kind: 'new' });
  });

  it('opens one, goes on from the best, or starts anew', async () => {
    expect(await offer(['Older']).answer).toEqual({ kind: 'open', caseId: 'case_8' });
    expect(await offer(['New case that goes on from “Earlier”']).answer).toEqual({ kind: 'new', reopens: 'case_9' });
    expect(await offer(['Open a new case']).answer).toEqual({ kind: 'new' });
    expect(await offer([dismiss]).answer).toBeUndefined();
  });
});

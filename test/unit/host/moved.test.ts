import { describe, expect, it, vi } from 'vitest';
import type { MovedOffer } from '../../../extension/compose/ports.ts';
import type { CaseListing } from '../../../extension/core/journal/port.ts';
import { dismiss, ScriptedPrompter } from './fakes.ts';

vi.mock('vscode', async () => import('./fake-vscode.ts'));
const { chooseMoved, offerMoved } = await import('../../../extension/features/moved.ts');

const offer: MovedOffer = { key: 'app-1', path: '/old/app', openedAt: '2026-01-01T00:00:00Z', cases: 3, unfinished: false };
const listing: CaseListing = { case: 'case_1', title: 'One', ticketId: 't', openedAt: '', lastEventAt: '', events: 1 };

/** What the feature needs, with offers and cases of a script, and what was brought or declined. */
function deps(prompter: ScriptedPrompter, offers: MovedOffer[], cases: CaseListing[] = [], declined: string[] = []) {
  const brought: string[] = [];
  return {
    brought,
    cases: { list: async () => cases },
    records: { moved: async () => offers, bringHere: async (key: string) => void brought.push(key) },
    prompter,
    declined: { all: () => declined, add: async (key: string) => void declined.push(key) },
  };
}

describe('J13: the history of a moved project', () => {
  it('is offered with its number of cases and brought here after a yes', async () => {
    const prompter = new ScriptedPrompter(['Bring Here']);
    const all = deps(prompter, [offer]);
    expect(await offerMoved(all)).toBe(true);
    expect(prompter.seen[0]?.title).toBe('3 cases of /old/app: this repository was there before. Bring the history here?');
    expect(all.brought).toEqual(['app-1']);
  });

  it.each([['Not Now', 'Not Now'], ['a dismissal', dismiss]])('is never asked again after %s', async (_name, answer) => {
    const prompter = new ScriptedPrompter([answer]);
    const all = deps(prompter, [offer]);
    expect([await offerMoved(all), await offerMoved(all)]).toEqual([false, false]);
    expect(prompter.seen).toHaveLength(1);
    expect(all.brought).toEqual([]);
  });

  it('is not offered where there are cases already, unless a part of it came already', async () => {
    expect(await offerMoved(deps(new ScriptedPrompter(), [offer], [listing]))).toBe(false);
    const rest = deps(new ScriptedPrompter(['Bring Here']), [{ ...offer, cases: 0, unfinished: true }], [listing]);
    expect(await offerMoved(rest)).toBe(true);
  });

  it('can be brought by command whatever was answered before, and says when there is none', async () => {
    const all = deps(new ScriptedPrompter(['/old/app']), [offer], [listing], ['app-1']);
    expect(await chooseMoved(all, Date.parse('2026-01-03T00:00:00Z'))).toBe(true);
    expect(all.brought).toEqual(['app-1']);
    await expect(chooseMoved(deps(new ScriptedPrompter(), []), 0)).rejects.toMatchObject({ reason: 'no_history' });
  });
});

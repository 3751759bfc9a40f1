import type { Cases } from '../../core/cases/port.ts';
import type { Prompter } from '../../host/prompter.ts';
import { ago, verdictWords } from '../../shared/words.ts';

/** The case that a command's argument names: a tree node, or an id from another command. */
export function caseIdOf(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  if (typeof argument !== 'object' || argument === null || !('listing' in argument)) return undefined;
  const { listing } = argument;
  return typeof listing === 'object' && listing !== null && 'case' in listing && typeof listing.case === 'string' ? listing.case : undefined;
}

/** Lets the user pick a case, newest activity first. Undefined when it was dismissed. */
export async function pickCase(cases: Pick<Cases, 'list'>, prompter: Pick<Prompter, 'pick'>, title: string, now: number): Promise<string | undefined> {
  const choices = cases.list({ limit: 200 }).then((listings) =>
    listings.map((listing) => ({
      label: listing.title,
      description: [listing.classification === undefined ? undefined : verdictWords({ classification: listing.classification, bugConfirmation: listing.bugConfirmation }), ago(listing.lastEventAt, now)].filter((part) => part !== undefined && part !== '').join(' · '),
      detail: listing.ticketId,
      value: listing.case,
    })),
  );
  const picked = await prompter.pick(choices, { title, placeholder: 'Type to search by title or ticket' });
  return picked.kind === 'picked' ? picked.value : undefined;
}

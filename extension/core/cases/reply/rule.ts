import type { MarkdownSpan } from '../../base/markdown-spans.ts';
import type { Suspect } from '../../model/code.ts';
import type { Ticket } from '../../model/ticket.ts';
import type { Classification, ReplyFinding } from '../../model/verdict.ts';
import type { TicketReply } from '../../tickets/source.ts';
import type { Language } from './language.ts';

/** What a draft is checked against. */
export interface ReplyContext {
  ticket: Ticket;
  /** The effective verdict, the override where there is one; absent before there is any. */
  verdict?: { classification: Classification };
  /** Names of files, symbols and services that belong to the repository. */
  internalNames: readonly string[];
  /** Names of people of other tickets, as `othersFor` chooses them: never empty, none of this ticket's own. */
  otherCustomers: readonly string[];
  /** This user's home folder. */
  home?: string;
  mask: (text: string) => { text: string; count: number };
  /** The scout's files and symbols are internal names, too. */
  suspects: readonly Pick<Suspect, 'file' | 'symbols'>[];
  /** Set only when the journal holds an event that bears the claim out. */
  done?: { reproduced?: boolean; tested?: boolean };
  /** Where the reply goes; without it length is not checked. */
  limit?: TicketReply['limit'];
}

/** A draft, prepared once for all rules. */
export interface Draft {
  text: string;
  spans: readonly MarkdownSpan[];
  /** The text with code and comments blanked out; offsets are the same. */
  prose: string;
  language: Language | 'unsure';
  /** Everything the ticket says, folded to lower case. */
  ticketText: string;
}

/** One family of faults. Never throws, linear in the draft. */
export type Rule = (draft: Draft, context: ReplyContext) => ReplyFinding[];

/** More findings of one rule than a person would ever read say no more than these. */
export const maxFindings = 300;

/** One finding per match; `fix` may return undefined. */
export function findingsFor(matches: Iterable<RegExpExecArray>, make: (match: RegExpExecArray) => Omit<ReplyFinding, 'span'> | undefined): ReplyFinding[] {
  const found: ReplyFinding[] = [];
  for (const match of matches) {
    const finding = make(match);
    if (finding !== undefined) found.push({ ...finding, span: [match.index, match.index + match[0].length] });
    if (found.length >= maxFindings) break;
  }
  return found;
}

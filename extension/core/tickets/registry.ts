import { ticketFailure } from './copies.ts';
import type { TicketSource } from './source.ts';

/** The sources in the order in which they are asked; the pasted-text source takes anything, so it comes last. */
export class TicketSources {
  constructor(private readonly sources: readonly TicketSource[]) {}

  all(): readonly TicketSource[] {
    return this.sources;
  }

  byId(id: string): TicketSource | undefined {
    return this.sources.find((source) => source.id === id);
  }

  /** The source a typed or pasted reference belongs to. Throws Failure `bad_reference` when no source takes it. */
  forReference(reference: string): TicketSource {
    const trimmed = reference.trim();
    const source = trimmed === '' ? undefined : this.sources.find((candidate) => candidate.accepts(trimmed));
    if (source === undefined) throw ticketFailure('bad_reference', 'No ticket source knows this reference. Use owner/repo#number, an issue URL, a file or pasted text.');
    return source;
  }
}

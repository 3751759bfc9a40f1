import type { Clock } from '../../base/clock.ts';
import type { Ticket } from '../../model/ticket.ts';
import { ticketFailure } from '../copies.ts';
import { normaliseTicket } from '../normalise.ts';
import { keyOfText, maxTicketBytes, parseTicket } from '../parse.ts';
import type { Mask } from '../raw.ts';
import type { TicketPage, TicketQuery, TicketSource } from '../source.ts';

/** Where a text came from; part of the ticket's `where`, so that a case tells how it began. */
export type TextOrigin = 'pasted' | 'clipboard' | 'selection' | 'stdin';

/** Text as a ticket: pasted, from the clipboard, an editor selection or standard input. The reference is the text itself. */
export class TextSource implements TicketSource {
  readonly id = 'text';
  readonly label = 'Pasted text';

  constructor(private readonly services: { mask: Mask; clock: Clock }) {}

  /** Any text at all, so ask this source last. */
  accepts(reference: string): boolean {
    return reference.trim() !== '';
  }

  async fetch(reference: string, signal: AbortSignal): Promise<Ticket> {
    signal.throwIfAborted();
    return this.fromText(reference, 'pasted');
  }

  /** Makes a ticket of `text`; `file` names the file of a selection. Throws Failure `bad_content` when it is empty or too large. */
  fromText(text: string, origin: TextOrigin, file?: string): Ticket {
    if (text.trim() === '') throw ticketFailure('bad_content', 'There is no text to investigate');
    if (Buffer.byteLength(text) > maxTicketBytes) throw ticketFailure('bad_content', `The text is larger than ${maxTicketBytes / 1024 / 1024} MB`);
    const raw = parseTicket(text, { source: this.id, key: keyOfText(text), format: 'auto' });
    const where = { ...raw.where, ...(file === undefined ? {} : { file }) };
    return normaliseTicket({ ...raw, where, customData: { ...raw.customData, origin } }, this.services);
  }

  async queries(): Promise<TicketQuery[]> {
    return [];
  }

  async list(): Promise<TicketPage> {
    return { items: [], total: 0 };
  }
}

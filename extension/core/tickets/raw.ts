import type { z } from 'zod';
import type { ticket } from '../model/ticket.ts';

/** Replaces secrets and says how many; `core/journal` provides the real one, tests a simple one. */
export type Mask = (text: string) => { text: string; count: number };

/**
 * What a source hands to `normaliseTicket`: the ticket's fields as read, neither cleaned nor masked nor hashed.
 * `revision` may be left out where the source has none; the content hash then takes its place.
 */
export type RawTicket = Omit<z.input<typeof ticket>, 'findings' | 'hash' | 'revision' | 'fetchedAt' | 'stale' | 'id'> & { revision?: string };

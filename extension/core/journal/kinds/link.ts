import { z } from 'zod';

/** Agents at the link: who came, who was turned away. Tokens and what was shared are never in it. */
export const linkKinds = {
  /** `session` is the connection's id, the same in the origin of its change sets. */
  'client.connected': z.object({ session: z.string(), client: z.string(), version: z.string(), dialect: z.string() }),
  'client.disconnected': z.object({ session: z.string(), why: z.enum(['gone', 'reload', 'shutdown']), calls: z.number().int() }),
  /** What a client was shown of the editor's state, by digest (SHA-256 of the text) and never as text; gathered over some seconds. */
  'context.shared': z.object({
    session: z.string(),
    items: z.array(z.object({ what: z.enum(['selection', 'editors', 'diagnostics', 'mention']), file: z.string().optional(), digest: z.string(), characters: z.number().int() })),
  }),
  /** A connection refused before anything it sent was read; `count` of the same kind are told by one event. */
  'client.refused': z.object({ kind: z.enum(['unauthorized', 'forbidden', 'not_found', 'bad_request']), why: z.string(), count: z.number().int() }),
};

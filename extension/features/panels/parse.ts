import { z } from 'zod';
import type { FromPage, PanelRequest } from '../../shared/panel-messages.ts';

/** The shape of each request's arguments, by name. */
export type RequestShapes<Requests> = { [K in keyof Requests & string]: z.ZodType<Requests[K]> };

const ready = z.object({ type: z.literal('ready') });
const envelope = z.object({ type: z.literal('request'), id: z.number().int().nonnegative(), name: z.string(), args: z.unknown() });

/**
 * Makes the check of what a page posts: a message of the protocol, or undefined. A page shows untrusted text, so nothing it posts is taken on trust.
 */
export function pageParser<Requests>(shapes: RequestShapes<Requests>): (raw: unknown) => FromPage<Requests> | undefined {
  const named = (name: string): name is keyof Requests & string => Object.hasOwn(shapes, name);
  return (raw) => {
    if (ready.safeParse(raw).success) return { type: 'ready' };
    const message = envelope.safeParse(raw);
    if (!message.success || !named(message.data.name)) return undefined;
    const { id, name } = message.data;
    const args = shapes[name].safeParse(message.data.args);
    // Name and arguments come from one row of the table, which the type of the union cannot express.
    return args.success ? ({ type: 'request', id, name, args: args.data } as PanelRequest<Requests>) : undefined;
  };
}

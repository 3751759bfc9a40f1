import { z } from 'zod';

/** Who did it. `person` is somebody at this machine's user account; `policy` a named rule; `agent` a model behind an engine; `casebook` this program. */
export const actor = z.object({
  kind: z.enum(['person', 'policy', 'agent', 'casebook']),
  /** Account name, policy name, engine name or component. */
  name: z.string(),
  /** Surface for people (`panel`, `palette`, `cli`), model for agents. */
  via: z.string().optional(),
});
export type Actor = z.infer<typeof actor>;

/** A new person-decided or agent-made event without its actor is a bug, so there is no default actor. */
export const casebookActor = (name: string): Actor => ({ kind: 'casebook', name });

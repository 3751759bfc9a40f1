import { z } from 'zod';
import { callerCapabilities, changeSet, hunkDecision, setOutcome } from '../../model/change.ts';

/** The review desk's events. */
export const reviewKinds = {
  'changeset.proposed': z.object({ changeSet, caller: callerCapabilities }),
  'changeset.detached': z.object({ why: z.enum(['reload', 'shutdown', 'gone']) }),
  'hunks.decided': z.object({ decisions: z.array(hunkDecision), final: z.record(z.string(), z.string()) }),
  'changeset.settled': z.object({ outcome: setOutcome, told: z.string().optional() }),
  'changeset.observed': z.object({ result: z.enum(['matches', 'differs', 'not_seen']), actual: z.record(z.string(), z.string()).optional() }),
};

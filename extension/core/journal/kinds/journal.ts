import { z } from 'zod';

/** What the journal says of itself. */
export const journalKinds = {
  'journal.opened': z.object({ program: z.string(), version: z.string(), pid: z.number().int(), startTime: z.string().optional(), /** Machine and pid namespace: a pid proves nothing elsewhere. */ host: z.string().optional(), workspace: z.string() }),
  'journal.closed': z.object({}),
  /** Bad bytes were set aside; `file` is where they are kept. */
  'journal.recovered': z.object({ segment: z.string(), offset: z.number().int(), length: z.number().int(), why: z.string(), file: z.string().optional() }),
  /** Recording stopped for a while (full disk, …); `lost` counts progress events that could not be kept. */
  'journal.resumed': z.object({ since: z.string(), why: z.string(), lost: z.number().int() }),
  'journal.erased': z.object({ case: z.string(), events: z.number().int(), blobs: z.number().int(), reason: z.string() }),
  /** The history of the same repository, from before it was moved, was brought into this journal: `from` is its key, `path` where the project was. */
  'journal.adopted': z.object({ from: z.string(), path: z.string(), same: z.enum(['firstCommit', 'remote']), sessions: z.number().int() }),
  'ownership.taken': z.object({ of: z.enum(['case', 'set', 'run']), id: z.string(), from: z.string(), proof: z.string() }),
};

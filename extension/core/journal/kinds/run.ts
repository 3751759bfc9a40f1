import { z } from 'zod';
import { effect, engineName, runLimits, runOutcome, runReason, usage, verbName } from '../../model/run.ts';

/** The life of a run, one event per step; bodies hold masked text, large outputs are cut to a head with the rest in a blob. */
export const runKinds = {
  'run.started': z.object({
    verb: verbName,
    engine: engineName,
    model: z.string().optional(),
    /** The user's own words on why this engine was picked: `casebook.engine` or the auto rule. */
    choice: z.string(),
    effect,
    tools: z.object({ allowed: z.array(z.string()), denied: z.array(z.string()) }),
    /** What the engine enforces itself, and so what it did not. */
    enforced: z.array(z.string()),
    limits: runLimits,
    promptHash: z.string(),
    resumes: z.string().optional(),
    /** A replayed run is labelled everywhere. */
    replay: z.boolean().default(false),
    pid: z.number().int().optional(),
  }),
  'run.ended': z.object({ outcome: runOutcome, reason: runReason.optional(), message: z.string().optional(), usage: usage.optional(), foundAt: z.string().optional() }),
  /** A stop asked for by a person, also from another process: the run's owner sees it in the record and ends the run. */
  'run.stop_asked': z.object({}),
  'run.texted': z.object({ text: z.string() }),
  'run.thought': z.object({ text: z.string() }),
  'tool.called': z.object({ call: z.string(), tool: z.string(), summary: z.string(), input: z.unknown().optional() }),
  'tool.returned': z.object({ call: z.string(), ok: z.boolean(), bytes: z.number().int(), head: z.string(), blob: z.string().optional() }),
  'tool.denied': z.object({ call: z.string(), tool: z.string(), why: z.string() }),
  'permission.asked': z.object({ id: z.string(), action: z.string(), effect }),
  'permission.answered': z.object({ id: z.string(), granted: z.boolean(), scope: z.enum(['once', 'turn', 'session']).optional() }),
  /** What an agent handed in for a verb with a typed result. */
  'result.submitted': z.object({ value: z.unknown(), attempts: z.number().int(), /** It was printed instead of handed in. */ recovered: z.boolean() }),
  'result.refused': z.object({ attempt: z.number().int(), problems: z.array(z.object({ path: z.string(), message: z.string() })) }),
  'run.used': z.object({ usage }),
  'run.noted': z.object({ level: z.enum(['info', 'warn']), text: z.string(), session: z.string().optional() }),
  'consent.withdrawn': z.object({}),
  'consent.given': z.object({ engine: engineName, destination: z.string(), covers: z.array(z.string()) }),
};

import { z } from 'zod';

export const verbName = z.enum(['extract', 'ask', 'decide', 'codeact', 'task', 'converse', 'investigate']);
export const engineName = z.enum(['scout', 'vscode-lm', 'claude', 'codex', 'acp', 'openai-compatible', 'replay']);
export const effect = z.enum(['pure', 'read', 'write', 'external']);
export const runOutcome = z.enum(['completed', 'failed', 'cancelled', 'timed_out', 'interrupted']);

/** Why a run ended as it did, beyond its outcome; a closed set that code may branch on. */
export const runReason = z.enum([
  'no_model',
  'not_installed',
  'not_signed_in',
  'not_consented',
  'refused',
  'rate_limited',
  'network',
  'protocol',
  'crashed',
  'invalid_result',
  'empty_result',
  'limit_time',
  'limit_turns',
  'limit_tokens',
  'limit_money',
  'user_stopped',
  'host_gone',
  'tree_changed',
]);

/** Hard ceilings of a run. Absent means none for that measure; a money limit is exceeded by a cost that nobody knows when `refuseUnknownCost` is set. */
export const runLimits = z.object({
  milliseconds: z.number().int().positive().optional(),
  turns: z.number().int().positive().optional(),
  tokens: z.number().int().positive().optional(),
  usd: z.number().positive().optional(),
  /** A person set the money limit; the default one only holds where the engine reports prices. */
  refuseUnknownCost: z.boolean().optional(),
});

/** Sums over a run so far. `usd` is absent, never 0, when nobody reported a price. */
export const usage = z.object({
  inputTokens: z.number().int().default(0),
  outputTokens: z.number().int().default(0),
  cachedTokens: z.number().int().default(0),
  turns: z.number().int().default(0),
  usd: z.number().optional(),
});

export type VerbName = z.infer<typeof verbName>;
export type EngineName = z.infer<typeof engineName>;
export type Effect = z.infer<typeof effect>;
export type RunOutcome = z.infer<typeof runOutcome>;
export type RunReason = z.infer<typeof runReason>;
export type RunLimits = z.infer<typeof runLimits>;
export type Usage = z.infer<typeof usage>;

export const zeroUsage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, turns: 0 };

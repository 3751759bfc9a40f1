import type { Core } from '../compose.ts';
import { engineName, type EngineName, type RunLimits } from '../core/model/run.ts';

/** Options of every command that runs an agent. */
export const engineOptions = { engine: { type: 'string', default: 'auto' }, model: { type: 'string' }, claude: { type: 'string' }, consent: { type: 'boolean' } } as const;
export const limitOptions = { minutes: { type: 'string', default: '15' }, turns: { type: 'string', default: '40' }, tokens: { type: 'string' }, usd: { type: 'string' } } as const;

/** Undefined: there is no such engine. */
export function engineOf(name: string): EngineName | 'auto' | undefined {
  return name === 'auto' ? 'auto' : engineName.safeParse(name).data;
}

/** Puts on record that what is named may leave for the engine's destination, of all usable ones with `auto`. */
export async function agreeTo(core: Core, engine: EngineName | 'auto', covers: string[], signal: AbortSignal): Promise<void> {
  for (const candidate of await core.cases.engines(signal)) {
    if ((engine === 'auto' || candidate.name === engine) && candidate.status.usable && !candidate.consented) await core.cases.giveConsent(candidate.name, candidate.status.destination, covers, 'cli');
  }
}

/** The hard limits of a run; undefined when one of them is not a positive number. */
export function limitsOf(values: { minutes: string; turns: string; tokens?: string | undefined; usd?: string | undefined }): RunLimits | undefined {
  const read = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const [minutes, turns, tokens, usd] = [read(values.minutes), read(values.turns), read(values.tokens), read(values.usd)];
  const isBad = (value: number | undefined) => value !== undefined && !(value > 0 && Number.isFinite(value));
  if ([minutes, turns, tokens, usd].some(isBad)) return undefined;
  return { milliseconds: Math.round((minutes ?? 15) * 60_000), turns: Math.ceil(turns ?? 40), tokens: tokens === undefined ? undefined : Math.ceil(tokens), usd, refuseUnknownCost: usd !== undefined };
}

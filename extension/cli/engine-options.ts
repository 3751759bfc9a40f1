import type { Core } from '../compose.ts';
import { engineName, type EngineName, type RunLimits } from '../core/model/run.ts';

/** Options of every command that runs an agent. */
export const engineOptions = { engine: { type: 'string', default: 'auto' }, model: { type: 'string' }, claude: { type: 'string' }, consent: { type: 'boolean' } } as const;
export const limitOptions = { minutes: { type: 'string' }, turns: { type: 'string' }, tokens: { type: 'string' }, usd: { type: 'string' } } as const;

/** Where a person sets none; the same as the editor's settings have. */
export const defaultLimits = { minutes: 15, turns: 60, tokens: 1_500_000, usd: 3 } as const;
/** For the help of every such command. */
export const limitsHelp = '--minutes, --turns, --tokens, --usd   hard limits of the run (default: 15 minutes, 60 turns, 1500000 tokens, 3 dollars where prices are known)';

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
export function limitsOf(values: { [limit in keyof typeof limitOptions]?: string | undefined }): RunLimits | undefined {
  const read = (limit: keyof typeof limitOptions) => (values[limit] === undefined ? defaultLimits[limit] : Number(values[limit]));
  const [minutes, turns, tokens, usd] = [read('minutes'), read('turns'), read('tokens'), read('usd')];
  const isBad = (value: number) => !(value > 0 && Number.isFinite(value));
  if ([minutes, turns, tokens, usd].some(isBad)) return undefined;
  return { milliseconds: Math.round(minutes * 60_000), turns: Math.ceil(turns), tokens: Math.ceil(tokens), usd, refuseUnknownCost: values.usd !== undefined };
}

import type { Usage } from '../../extension/core/model/run.ts';
import { compact } from '../shared/format.ts';
import { words } from './words.ts';

/** Tokens in and out; `unknown` where the engine reported none, which is not the same as 0. */
export function tokens(usage: Usage): string {
  if (usage.inputTokens === 0 && usage.outputTokens === 0) return words.unknown;
  return words.tokensInOut(compact(usage.inputTokens), compact(usage.outputTokens));
}

/** Reported money, or `unknown`. */
export function cost(usage: Usage): string {
  if (usage.usd === undefined) return words.unknown;
  return usage.usd > 0 && usage.usd < 0.01 ? '< $0.01' : `$${usage.usd.toFixed(2)}`;
}

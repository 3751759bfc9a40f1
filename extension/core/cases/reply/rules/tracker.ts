import type { ReplyFinding } from '../../../model/verdict.ts';
import { measure } from '../length.ts';
import { maxFindings, type Rule } from '../rule.ts';
import { findSideEffects } from '../side-effects.ts';

/** What posting would set off. Remote images also tell somebody else who reads the reply. */
export const effects: Rule = ({ text, spans }) =>
  findSideEffects(text, spans)
    .slice(0, maxFindings)
    .map(({ kind, span, fix, effect }): ReplyFinding => ({ rule: kind === 'image' ? 'remote_image' : 'mention', severity: kind === 'closes' || kind === 'image' ? 'block' : 'warn', message: `This ${effect}`, span, fix }));

/** The reply fits where it goes, counted as that place counts. */
export const length: Rule = ({ text }, { limit }) => {
  if (limit === undefined) return [];
  const size = measure(text, limit.unit);
  return size <= limit.length ? [] : [{ rule: 'length', severity: 'block', message: `The reply has ${size} characters as the server counts; ${limit.length} are allowed. It can be split.` }];
};

import type { Suspect } from '../../core/model/code.ts';

/** "Why this file?": the scout's signals for one ranked file, weightiest first, as plain text. */
export function explainSuspect(suspect: Suspect, rank: number): string {
  const reasons = [...suspect.why].sort((a, b) => b.weight - a.weight).map((reason) => `  ${reason.weight.toFixed(2).padStart(7)}  ${reason.signal}: ${reason.text}`);
  const lines = suspect.lines.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`));
  return [
    `Why ${suspect.root}/${suspect.file}?`,
    '',
    `Rank ${rank}, score ${suspect.score.toFixed(2)}`,
    ...(lines.length === 0 ? [] : [`Lines ${lines.join(', ')}`]),
    ...(suspect.symbols.length === 0 ? [] : [`Symbols ${suspect.symbols.join(', ')}`]),
    '',
    'Signals, weight first:',
    ...(reasons.length === 0 ? ['  none'] : reasons),
    '',
  ].join('\n');
}

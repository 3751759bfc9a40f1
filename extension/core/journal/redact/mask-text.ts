import { applyRanges, tableRanges } from './masker.ts';

/** Masks the secrets that the own table knows, at once; for text on its way to a ticket, a file or a model. The journal masks again, more thoroughly, before it writes. */
export function maskText(text: string): { text: string; count: number } {
  const ranges = tableRanges(text);
  return { text: applyRanges(text, ranges), count: ranges.length };
}

import type { SecretRange } from './masker.ts';

/** A stream of text chunks is written one word late, so that a secret cut in two by the chunking is seen whole. */
const longestHeld = 8192;
const longestKey = 24 * 1024;

/** Words after which a value follows, at the end of what is there so far. */
const awaiting =
  /(?:\b(?:bearer|basic)\s{1,4}|(?:password|passwd|pwd|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|token|credentials?)\w{0,20}["']?\s{0,4}(?::=|=>|[:=])?\s{0,4}["']?)[!-~]*$/i;
const openKey = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?![\s\S]*-----END)/;
const startOfKey = /-{1,5}(?:B(?:E(?:G(?:I(?:N[A-Z0-9 ]{0,50}-{0,5})?)?)?)?)?$/;
const lastWord = /[!-~]*$/;

/**
 * Where a text may be cut so that nothing behind the cut can be part of a secret before it. `ranges` are the secrets found in the
 * text so far; a cut never goes through one. Returns an index between 0 and text.length; what is behind it is to be held.
 */
export function safeCut(text: string, ranges: readonly SecretRange[]): number {
  const candidates = [openKey, startOfKey, awaiting, lastWord].map((pattern) => text.search(pattern)).filter((index) => index >= 0);
  let cut = Math.min(text.length, ...candidates);
  // A word without end (base64 data) must not be held for ever; half of the limit stays back, longer than any known token.
  const limit = openKey.test(text) ? longestKey : longestHeld;
  if (text.length - cut > limit) cut = text.length - limit / 2;
  for (const range of ranges) {
    if (range.start < cut && range.end > cut) cut = text.length - range.start > longestKey ? range.end : range.start;
  }
  return cut;
}

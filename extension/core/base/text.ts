/** A lone half of a surrogate pair: matches only halves that have no partner. */
const halfSurrogate = /\p{Surrogate}/gu;

/**
 * Makes text safe to encode as UTF-8: every half surrogate becomes U+FFFD.
 * `replaced` counts them, so that the loss can be shown.
 */
export function wellFormed(text: string): { text: string; replaced: number } {
  let replaced = 0;
  const clean = text.replace(halfSurrogate, () => {
    replaced += 1;
    return '\uFFFD';
  });
  return { text: clean, replaced };
}

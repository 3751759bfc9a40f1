/** What differs within a changed line, as stretches of its text: from, to. */
export type Stretch = [number, number];

export interface Differences {
  base: Stretch[];
  proposed: Stretch[];
}

/** Words beyond which only beginning and end are compared. */
const MAX_WORDS = 160;
/** Lines that have less than this share in common are replaced, not changed: marks would only confuse. */
const LEAST_COMMON = 0.3;

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

/** Compares two versions of a line word by word. Undefined when they are the same, or have too little in common to be versions of each other. */
export function differencesIn(base: string, proposed: string): Differences | undefined {
  if (base === proposed) return undefined;
  const before = wordsIn(base);
  const after = wordsIn(proposed);
  let head = 0;
  while (head < Math.min(before.length, after.length) && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const [a, b] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const kept = a.length <= MAX_WORDS && b.length <= MAX_WORDS ? common(a, b) : [];
  const starts = { base: lengthOf(before.slice(0, head)), proposed: lengthOf(after.slice(0, head)) };
  const found = { base: changed(a, kept.map(([at]) => at), starts.base), proposed: changed(b, kept.map(([, at]) => at), starts.proposed) };
  const same = (text: string, stretches: Stretch[]): number => solid(text) - stretches.reduce((sum, [from, to]) => sum + solid(text.slice(from, to)), 0);
  const share = same(base, found.base) / Math.max(1, Math.max(solid(base), solid(proposed)));
  return share < LEAST_COMMON ? undefined : found;
}

function solid(text: string): number {
  return text.replaceAll(/\s+/gu, '').length;
}

function lengthOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length, 0);
}

/** A longest common subsequence, as pairs of places. */
function common(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1;
  const best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const skip = Math.max(best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0);
      best[i * width + j] = a[i] === b[j] ? (best[(i + 1) * width + j + 1] ?? 0) + 1 : skip;
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if ((best[(i + 1) * width + j] ?? 0) >= (best[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** Stretches of the words that are not among the kept ones; blanks between two changed words belong to the change. */
function changed(words: readonly string[], kept: readonly number[], start: number): Stretch[] {
  const keep = new Set(kept.filter((at) => words[at]?.trim() !== '' || (kept.includes(at - 1) && kept.includes(at + 1))));
  const found: Stretch[] = [];
  let at = start;
  for (const [index, word] of words.entries()) {
    const last = found.at(-1);
    if (!keep.has(index)) {
      if (last?.[1] === at) last[1] = at + word.length;
      else found.push([at, at + word.length]);
    }
    at += word.length;
  }
  return found;
}

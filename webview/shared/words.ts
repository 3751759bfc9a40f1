import type { Citation } from '../../extension/core/model/code.ts';

/** Words that several panels use. */

/** `1 file`, `1,200 files`. */
export const plural = (count: number, one: string, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

export const citation: Record<Citation['state'], { word: string; says: string }> = {
  verified: { word: 'Verified', says: 'The quote was found at this place.' },
  located: { word: 'Located', says: 'The place exists; no quote was given.' },
  moved: { word: 'Moved', says: 'The quote stands at another line.' },
  stale: { word: 'Stale', says: 'Verified in the snapshot; the file is different now.' },
  missing: { word: 'Missing', says: 'There is no such place or quote.' },
};

export const markdown = {
  image: (alt: string, url: string) => `Image not loaded${alt ? ` (${alt})` : ''}: ${url}`,
  table: 'Table',
} as const;

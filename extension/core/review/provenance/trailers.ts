/** The trailer by which a commit names the sets it holds (git-interpret-trailers(1)). */
export const setTrailer = 'Casebook-Set';

/** Lines for the end of a commit message, one a set, each once. */
export function trailers(sets: readonly { id: string }[]): string[] {
  return [...new Set(sets.map(({ id }) => `${setTrailer}: ${id}`))];
}

import { reviewFile } from '../../extension/core/review/files/file-review.ts';
import { type Held, whileWatched } from './event-loop.ts';

/** What `review.mjs` bundles and measures; all in milliseconds. */
export interface Measured extends Held {
  milliseconds: number;
  hunks: number;
}

/** Reviews one proposal of exact bytes, as the desk would. */
export async function measure(base: Uint8Array, proposed: Uint8Array): Promise<Measured> {
  const { result, ...held } = await whileWatched(() => reviewFile({ root: 'w', path: 'a.ts', base: { kind: 'file', bytes: base }, proposed: { kind: 'file', bytes: proposed } }));
  return { ...held, hunks: result.hunks.length };
}

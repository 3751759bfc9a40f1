import { setTimeout as delay } from 'node:timers/promises';
import { sha256 } from '../../base/hash.ts';
import type { BlobStore } from '../../journal/port.ts';
import type { ContentRef, SettledFile } from '../../model/change.ts';
import type { Content } from '../files/file-review.ts';
import { keepContent, sameRef } from './contents.ts';
import type { PresentFiles } from './present.ts';

/** How long an agent that has its answer is given to write, and how often the disk is looked at meanwhile. Milliseconds. */
export const observeFor = 10_000;
const observeEvery = 100;

export interface Observed {
  result: 'matches' | 'differs' | 'not_seen';
  /** What was found where it is not what was decided. */
  actual?: Record<string, ContentRef>;
}

/**
 * Looks whether an agent writes what was decided. `matches` as soon as every file is; at the end of the time `differs` where something else than the base was
 * found, `not_seen` where nothing had been written.
 */
export async function observe(files: readonly SettledFile[], present: PresentFiles, blobs: BlobStore, signal: AbortSignal, milliseconds = observeFor): Promise<Observed> {
  const until = performance.now() + milliseconds;
  for (;;) {
    const other = await lookAt(files, present);
    if (other.size === 0) return { result: 'matches' };
    if (performance.now() >= until || signal.aborted) {
      const actual: Record<string, ContentRef> = {};
      for (const [key, content] of other) actual[key] = await keepContent(blobs, content);
      const untouched = files.every((file) => sameRef(actual[finalKey(file)] ?? file.base, file.base));
      return { result: untouched ? 'not_seen' : 'differs', actual };
    }
    await delay(observeEvery, undefined, { signal }).catch(() => undefined);
  }
}

/** Files that are not as decided, with what they are; modes aside, which are the agent's business. */
async function lookAt(files: readonly SettledFile[], present: PresentFiles): Promise<Map<string, Content>> {
  const other = new Map<string, Content>();
  for (const file of files) {
    const { content } = await present.at({ root: file.root, path: file.finalPath }, { link: file.final.kind !== 'file' });
    const asDecided = content.kind === 'file' && file.final.kind === 'file' ? sha256(content.bytes) === file.final.hash : content.kind === file.final.kind && (content.kind !== 'link' || file.final.kind !== 'link' || content.target === file.final.target);
    if (!asDecided) other.set(finalKey(file), content);
  }
  return other;
}

function finalKey(file: SettledFile): string {
  return `${file.root}/${file.finalPath}`;
}

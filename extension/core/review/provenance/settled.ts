import { isFailure } from '../../base/failure.ts';
import type { AnyEvent, BlobStore, Journal } from '../../journal/port.ts';
import type { ContentRef, SettledFile } from '../../model/change.ts';
import { contentOf } from '../desk/contents.ts';
import { foldSet } from '../desk/fold.ts';
import type { SetState, SettledState } from '../desk/state.ts';
import type { Content } from '../files/file-review.ts';

/** A set that has its outcome. */
export type SettledSet = SetState & { settled: SettledState };

/** A set out of the record; undefined when there is none of this id, or its content was erased. */
export async function readSet(journal: Pick<Journal, 'read'>, set: string): Promise<SetState | undefined> {
  const events: AnyEvent[] = [];
  for await (const event of journal.read({ set })) if (!('gap' in event)) events.push(event);
  return foldSet(events);
}

export function isSettled(state: SetState | undefined): state is SettledSet {
  return state?.settled !== undefined;
}

/** Ids of settled sets, newest first, with the files as their outcome names them. Bodies that were erased are left out. */
export async function settlements(journal: Pick<Journal, 'read'>): Promise<{ set: string; files: SettledFile[] }[]> {
  const found = new Map<string, SettledFile[]>();
  for await (const event of journal.read({ kinds: ['changeset.settled'] })) {
    if ('gap' in event || event.kind !== 'changeset.settled' || event.body === null || event.set === undefined) continue;
    if (!found.has(event.set)) found.set(event.set, event.body.files);
  }
  return [...found].map(([set, files]) => ({ set, files })).toReversed();
}

/** The exact content behind a reference; undefined when it was erased, or its bytes are not those it names. */
export async function keptContent(blobs: BlobStore, ref: ContentRef): Promise<Content | undefined> {
  try {
    return await contentOf(blobs, ref);
  } catch (error) {
    if (isFailure(error, 'not_found', 'corrupt')) return undefined;
    throw error;
  }
}

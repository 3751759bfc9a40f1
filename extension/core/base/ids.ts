import { monotonicFactory } from 'ulid';

const nextUlid = monotonicFactory();

/** What an id names; the first part of it, so that an id in a log explains itself. */
export type IdPrefix = 'case' | 'run' | 'set' | 'q' | 'gate' | 'ses' | 'note' | 'cp' | 'link';

/** A new sortable id such as `case_01J9…`; unique across processes, increasing within one even when the clock goes back. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${nextUlid().toLowerCase()}`;
}

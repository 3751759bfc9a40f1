import type { ListingFacts } from '../listing.ts';
import type { Ordered, SeenMark } from '../order.ts';
import type { CaseListing, EventFilter, Gap } from '../port.ts';
import type { Place } from '../scan.ts';

/** An event as the index knows it: where it stands and what it belongs to. */
export interface Ref extends Ordered, Place {
  kind: string;
  case?: string;
  run?: string;
  set?: string;
}

/** How far a segment is indexed, and which file that was: a rewritten one has another inode, an edited one another time. */
export interface Position {
  offset: number;
  inode: number;
  changed: number;
}

/** What one pass over a stretch of a segment found. `from` is where the stretch began; it must be where the index stood. */
export interface Batch {
  session: string;
  segment: string;
  from: number;
  position: Position;
  entries: { ref: Ref; text: string }[];
  marks: SeenMark[];
  gaps: Gap[];
  facts: ListingFacts[];
}

/**
 * The index, keyed by segment and offset. It is a cache of the files and of nothing else: it may be deleted at any time.
 * Implementations: `SqliteCatalog` (on disk, with full text) and `MemoryCatalog` (where node:sqlite is missing).
 */
export interface Catalog {
  position(session: string, segment: string): Position | undefined;
  /** Adds a batch, whole or not at all. False when the index no longer stands at `from` (another process was faster). */
  add(batch: Batch): boolean;
  /** Drops all that is known of a segment. */
  forget(session: string, segment: string): void;
  /** Makes sure that nothing of what was forgotten is left in the index's own file. Takes time that grows with the index. */
  purge(): void;
  /** Segments that the index knows. */
  segments(): { session: string; segment: string }[];
  refs(filter: EventFilter): { refs: Ref[]; marks: SeenMark[]; gaps: Gap[] };
  listings(options?: { limit?: number; offset?: number; text?: string }): CaseListing[];
  /** Newest first; undefined when this catalog holds no text. */
  search(text: string, limit: number): Ref[] | undefined;
  close(): void;
}

/** Adds one segment's facts of a case to what other segments say of it. */
export function mergeFacts(into: Map<string, ListingFacts>, part: ListingFacts): void {
  const known = into.get(part.case);
  if (known === undefined) {
    into.set(part.case, { ...part });
    return;
  }
  known.events += part.events;
  if (part.lastEventAt > known.lastEventAt) known.lastEventAt = part.lastEventAt;
  if (part.opened !== undefined && part.opened.stamp > (known.opened?.stamp ?? '')) known.opened = part.opened;
  if (part.verdict !== undefined && part.verdict.stamp > (known.verdict?.stamp ?? '')) known.verdict = part.verdict;
  if (part.override !== undefined && part.override.stamp > (known.override?.stamp ?? '')) known.override = part.override;
}

import { type ListingFacts, pageOfListings } from '../listing.ts';
import { matchesFilter } from '../memory.ts';
import type { SeenMark } from '../order.ts';
import type { CaseListing, EventFilter, Gap } from '../port.ts';
import { type Batch, type Catalog, mergeFacts, type Position, type Ref } from './catalog.ts';

interface Known {
  session: string;
  segment: string;
  position: Position;
  refs: Ref[];
  marks: SeenMark[];
  gaps: Gap[];
  facts: Map<string, ListingFacts>;
}

/** The index in memory: for Node without node:sqlite, and for one question over the part that the index on disk does not have yet. */
export class MemoryCatalog implements Catalog {
  private readonly known = new Map<string, Known>();

  /** `keep` limits what is remembered; listings are then of what was kept only. */
  constructor(private readonly keep: EventFilter = {}) {}

  position(session: string, segment: string): Position | undefined {
    return this.known.get(`${session}/${segment}`)?.position;
  }

  add(batch: Batch): boolean {
    const key = `${batch.session}/${batch.segment}`;
    const known: Known = this.known.get(key) ?? { session: batch.session, segment: batch.segment, position: batch.position, refs: [], marks: [], gaps: [], facts: new Map() };
    if (this.known.has(key) && known.position.offset !== batch.from) return false;
    for (const { ref } of batch.entries) if (matchesFilter(ref, this.keep)) known.refs.push(ref);
    known.marks.push(...batch.marks);
    known.gaps.push(...batch.gaps);
    for (const facts of batch.facts) mergeFacts(known.facts, facts);
    known.position = batch.position;
    this.known.set(key, known);
    return true;
  }

  forget(session: string, segment: string): void {
    this.known.delete(`${session}/${segment}`);
  }

  purge(): void {}

  segments(): { session: string; segment: string }[] {
    return Array.from(this.known.values(), ({ session, segment }) => ({ session, segment }));
  }

  refs(filter: EventFilter): { refs: Ref[]; marks: SeenMark[]; gaps: Gap[] } {
    const all = Array.from(this.known.values());
    return {
      refs: all.flatMap((known) => known.refs.filter((ref) => matchesFilter(ref, filter))),
      marks: all.flatMap((known) => known.marks),
      gaps: all.flatMap((known) => known.gaps),
    };
  }

  listings(options?: { limit?: number; offset?: number; text?: string }): CaseListing[] {
    const merged = new Map<string, ListingFacts>();
    for (const known of this.known.values()) for (const facts of known.facts.values()) mergeFacts(merged, facts);
    return pageOfListings(merged.values(), options);
  }

  search(): Ref[] | undefined {
    return undefined;
  }

  close(): void {
    this.known.clear();
  }
}

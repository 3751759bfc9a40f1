import { join } from 'node:path';

/** Where everything of one workspace's journal is kept; docs/journal.md shows the same tree. */
export interface Layout {
  readonly root: string;
  readonly journal: string;
  readonly heads: string;
  readonly blobs: string;
  readonly gaps: string;
  readonly erasures: string;
  readonly claims: string;
  readonly cases: string;
  /** Last known copies of tickets, one JSON file each; written by the tickets room. */
  readonly tickets: string;
  readonly index: string;
  session(session: string): string;
  segment(session: string, segment: string): string;
  head(session: string): string;
  blob(hash: string): string;
}

export function layoutOf(root: string): Layout {
  const journal = join(root, 'journal');
  const heads = join(root, 'heads');
  const blobs = join(root, 'blobs');
  return {
    root,
    journal,
    heads,
    blobs,
    gaps: join(root, 'gaps'),
    erasures: join(root, 'erasures'),
    claims: join(root, 'claims'),
    cases: join(root, 'cases'),
    tickets: join(root, 'tickets'),
    index: join(root, 'index.sqlite'),
    session: (session) => join(journal, session),
    segment: (session, segment) => join(journal, session, segment),
    head: (session) => join(heads, `${session}.json`),
    blob: (hash) => join(blobs, hash.slice(0, 2), hash),
  };
}

/** Segment file names sort in the order they were written. */
export const segmentName = (number: number): string => `${String(number).padStart(4, '0')}.jsonl`;

export const segmentNumber = (name: string): number => Number.parseInt(name, 10);

/** A session's id becomes a file name, so only what `newId('ses')` can give is taken for one. */
export const isSessionName = (name: string): boolean => /^ses_[0-9a-z]{1,64}$/.test(name);

export const isSegmentName = (name: string): boolean => /^\d{4,9}\.jsonl$/.test(name);

export const isBlobHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

export const isCopyName = (text: string): boolean => /^[0-9a-f]{32}\.json$/.test(text);

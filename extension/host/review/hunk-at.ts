import type { Hunk } from '../../core/review/files/hunks.ts';
import type { FileView } from '../../core/review/port.ts';
import type { Side } from './addresses.ts';

/** Lines of one side that a hunk stands for, from 0, inclusive. A hunk without lines there (a pure deletion on the proposed side) stands at the line it would follow. */
export interface HunkPlace {
  hunk: Hunk;
  first: number;
  last: number;
}

/** Where each hunk of a file is drawn on a side, in file order; what is decided about the whole file stands at its first line. */
export function placesOf(view: Pick<FileView, 'review'>, side: Side): HunkPlace[] {
  return view.review.hunks.map((hunk) => ({ hunk, ...linesOn(view, hunk, side) }));
}

function linesOn({ review }: Pick<FileView, 'review'>, hunk: Hunk, side: Side): { first: number; last: number } {
  if (hunk.kind === 'entry') return { first: 0, last: 0 };
  if (hunk.kind === 'final_newline') {
    const lines = review.body.kind === 'lines' ? review.body[side].lines.length : 1;
    return { first: Math.max(0, lines - 1), last: lines };
  }
  const [start, end] = side === 'base' ? [hunk.baseStart, hunk.baseEnd] : [hunk.proposedStart, hunk.proposedEnd];
  return end > start ? { first: start, last: end - 1 } : { first: Math.max(0, start - 1), last: start };
}

/** Whether a hunk has its decision: by its own id, or by all of its parts' (whose ids begin with it). */
export function decisionOn(view: Pick<FileView, 'decisions'>, hunk: Hunk): 'accept' | 'reject' | undefined {
  const own = view.decisions.get(hunk.id);
  if (own !== undefined) return own;
  const parts = [...view.decisions].filter(([id]) => id.startsWith(`${hunk.id}.`)).map(([, decision]) => decision);
  return parts.length > 0 && hunk.kind === 'lines' && parts.length >= Math.max(hunk.removed.length, hunk.added.length) && parts.every((one) => one === parts[0]) ? parts[0] : undefined;
}

/**
 * The hunk that a line (from 0) of a side means: one that holds it, an undecided one first; in a file that is decided as a whole, that. Undefined on an
 * unchanged line.
 */
export function hunkAt(view: Pick<FileView, 'review' | 'decisions'>, side: Side, line: number): Hunk | undefined {
  const places = placesOf(view, side);
  const lines = places.filter((place) => place.hunk.kind !== 'entry');
  const holding = lines.filter((place) => place.first <= line && line <= place.last);
  const best = holding.find((place) => decisionOn(view, place.hunk) === undefined && touches(place, side)) ?? holding.find((place) => touches(place, side)) ?? holding[0];
  if (best !== undefined) return best.hunk;
  const whole = places.filter((place) => place.hunk.kind === 'entry');
  if (lines.length > 0) return undefined;
  return (whole.find((place) => decisionOn(view, place.hunk) === undefined) ?? whole[0])?.hunk;
}

/** A hunk with lines of its own on that side goes before one that only lies between two lines. */
function touches({ hunk }: HunkPlace, side: Side): boolean {
  return hunk.kind !== 'lines' || (side === 'base' ? hunk.baseEnd > hunk.baseStart : hunk.proposedEnd > hunk.proposedStart);
}

/** The next place after (or before) a line, going round at the end; `undecided` leaves out what has its decision. */
export function stepFrom(view: Pick<FileView, 'review' | 'decisions'>, side: Side, line: number, step: 'next' | 'previous', undecided = false): HunkPlace | undefined {
  const places = placesOf(view, side).filter(({ hunk }) => !undecided || decisionOn(view, hunk) === undefined);
  if (step === 'next') return places.find((place) => place.first > line) ?? places[0];
  return places.findLast((place) => place.first < line) ?? places.at(-1);
}

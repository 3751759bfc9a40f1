import type { ReviewComment } from '../../extension/core/model/change.ts';
import type { FileBody, HunkView, PartView, ReviewSettings } from '../../extension/shared/review-protocol.ts';

/** What the list of a file is made of, in order. Pure, and without any content: a row says which lines it shows. Lines are numbered from 0. */
export type Row =
  /** Unchanged lines that are not shown; `above` and `below`: there is a hunk on that side. */
  | { kind: 'gap'; key: string; region: string; count: number; base: number; proposed: number; above: boolean; below: boolean }
  | { kind: 'hunk'; key: string; hunk: HunkView; number: number }
  | { kind: 'hidden'; key: string; hunk: HunkView }
  | LineRow
  | { kind: 'comment'; key: string; comment: ReviewComment }
  | { kind: 'comment-form'; key: string; place: CommentPlace }
  | { kind: 'edit-form'; key: string; hunk: HunkView };

/** A line of one side, or of both: unchanged, or side by side. `hunk` where it is part of a change. */
export interface LineRow {
  kind: 'line';
  key: string;
  base?: number;
  proposed?: number;
  hunk?: HunkView;
  /** The line's partner on the other side, for what is different within them. */
  partner?: number;
}

export interface CommentPlace {
  side: 'base' | 'proposed';
  /** From 1. */
  line: number;
  endLine?: number;
}

export interface RowOptions {
  layout: ReviewSettings['layout'];
  hideWhitespace: boolean;
  /** Lines shown beyond the usual ones, at the beginning and the end of an unchanged region. */
  expanded: ReadonlyMap<string, Expansion>;
  comments: readonly ReviewComment[];
  commenting?: CommentPlace;
  editing?: string;
}

export interface Expansion {
  head: number;
  tail: number;
}

/** Unchanged lines around a hunk. */
const CONTEXT = 3;
/** A gap shorter than its own row is no gap. */
const SMALLEST_GAP = 2;

/** The rows of a file. */
export function rowsOf(body: FileBody, options: RowOptions): Row[] {
  const rows: Row[] = [];
  const marks = new Marks(options);
  const numbers = new Map(body.hunks.map((hunk, index) => [hunk, index + 1]));
  const push = (hunk: HunkView): void => pushHunk(rows, hunk, numbers.get(hunk) ?? 0, options, marks);
  const placed = body.hunks.filter(hasLines);
  for (const hunk of body.hunks) if (!hasLines(hunk) && hunk.kind !== 'final_newline') push(hunk);
  let base = 0;
  let proposed = 0;
  for (const [index, hunk] of placed.entries()) {
    pushUnchanged(rows, { region: hunk.id, base, proposed, count: hunk.baseStart - base, above: index > 0, below: true }, options, marks);
    push(hunk);
    base = hunk.baseEnd;
    proposed = hunk.proposedEnd;
  }
  // Where not every hunk is drawn, what follows the last one is not known to be unchanged.
  if (body.lines !== undefined && body.hunkCount === body.hunks.length) pushUnchanged(rows, { region: 'end', base, proposed, count: body.lines.base - base, above: placed.length > 0, below: false }, options, marks);
  for (const hunk of body.hunks) if (hunk.kind === 'final_newline') push(hunk);
  return rows;
}

/** Hunks that stand at lines of the file; the others are about the file itself, or its last line's end. */
function hasLines(hunk: HunkView): boolean {
  return hunk.kind === 'lines' || hunk.kind === 'create' || hunk.kind === 'delete';
}

/** The part of a hunk that a line row stands for, where the hunk is decided in parts. */
export function partOf(row: LineRow, parts: readonly PartView[] | undefined): PartView | undefined {
  return parts?.find((part) => within(row.base, part.baseStart, part.baseEnd) || within(row.proposed, part.proposedStart, part.proposedEnd));
}

function within(line: number | undefined, start: number, end: number): boolean {
  return line !== undefined && line >= start && line < end;
}

/** Comments and forms by the line after which they stand. */
class Marks {
  private readonly after = new Map<string, Row[]>();

  constructor({ comments, commenting }: RowOptions) {
    for (const comment of comments) {
      if (comment.line === undefined) continue;
      this.add(comment.side ?? 'proposed', comment.endLine ?? comment.line, { kind: 'comment', key: `comment ${comment.id}`, comment });
    }
    if (commenting !== undefined) this.add(commenting.side, commenting.endLine ?? commenting.line, { kind: 'comment-form', key: 'comment form', place: commenting });
  }

  /** Rows that come after lines `from` to `to` (half-open, from 0) of a side. */
  pushAfter(rows: Row[], side: 'base' | 'proposed', from: number | undefined, to: number): void {
    if (from === undefined || this.after.size === 0) return;
    for (let line = from; line < to; line += 1) {
      const found = this.after.get(`${side} ${line + 1}`);
      if (found) rows.push(...found);
    }
  }

  private add(side: 'base' | 'proposed', line: number, row: Row): void {
    const at = `${side} ${line}`;
    this.after.set(at, [...(this.after.get(at) ?? []), row]);
  }
}

interface Unchanged {
  region: string;
  base: number;
  proposed: number;
  count: number;
  above: boolean;
  below: boolean;
}

function pushUnchanged(rows: Row[], { region, base, proposed, count, above, below }: Unchanged, options: RowOptions, marks: Marks): void {
  if (count <= 0) return;
  const more = options.expanded.get(region) ?? { head: 0, tail: 0 };
  const head = Math.min(count, (above ? CONTEXT : 0) + more.head);
  const tail = Math.min(count - head, (below ? CONTEXT : 0) + more.tail);
  const hidden = count - head - tail > SMALLEST_GAP ? count - head - tail : 0;
  const from = hidden > 0 ? head : count;
  for (let at = 0; at < from; at += 1) pushLine(rows, { base: base + at, proposed: proposed + at }, marks);
  if (hidden === 0) return;
  rows.push({ kind: 'gap', key: `gap ${region}`, region, count: hidden, base: base + head, proposed: proposed + head, above, below });
  marks.pushAfter(rows, 'base', base + head, base + head + hidden);
  marks.pushAfter(rows, 'proposed', proposed + head, proposed + head + hidden);
  for (let at = head + hidden; at < count; at += 1) pushLine(rows, { base: base + at, proposed: proposed + at }, marks);
}

function pushHunk(rows: Row[], hunk: HunkView, number: number, options: RowOptions, marks: Marks): void {
  if (options.hideWhitespace && hunk.whitespace === true) {
    rows.push({ kind: 'hidden', key: `hidden ${hunk.id}`, hunk });
    return;
  }
  rows.push({ kind: 'hunk', key: `hunk ${hunk.id}`, hunk, number });
  if (options.editing === hunk.id) rows.push({ kind: 'edit-form', key: `edit ${hunk.id}`, hunk });
  const removed = hunk.baseEnd - hunk.baseStart;
  const added = hunk.proposedEnd - hunk.proposedStart;
  const partnerOf = (line: number, from: number, others: number): { partner?: number } => (line < others ? { partner: from + line } : {});
  if (options.layout === 'split') {
    for (let at = 0; at < Math.max(removed, added); at += 1) {
      pushLine(rows, { ...(at < removed ? { base: hunk.baseStart + at } : {}), ...(at < added ? { proposed: hunk.proposedStart + at } : {}), hunk }, marks);
    }
    return;
  }
  for (let at = 0; at < removed; at += 1) pushLine(rows, { base: hunk.baseStart + at, hunk, ...partnerOf(at, hunk.proposedStart, added) }, marks);
  for (let at = 0; at < added; at += 1) pushLine(rows, { proposed: hunk.proposedStart + at, hunk, ...partnerOf(at, hunk.baseStart, removed) }, marks);
}

function pushLine(rows: Row[], line: Omit<LineRow, 'kind' | 'key'>, marks: Marks): void {
  rows.push({ kind: 'line', key: `${line.base ?? ''}:${line.proposed ?? ''}`, ...line });
  if (line.base !== undefined) marks.pushAfter(rows, 'base', line.base, line.base + 1);
  if (line.proposed !== undefined) marks.pushAfter(rows, 'proposed', line.proposed, line.proposed + 1);
}

/** A line as a comment names it: the proposed side where it is there. */
export function placeOf(row: { base?: number; proposed?: number }): CommentPlace {
  return row.proposed === undefined ? { side: 'base', line: (row.base ?? 0) + 1 } : { side: 'proposed', line: row.proposed + 1 };
}

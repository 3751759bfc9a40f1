import type { FileReview } from './file-review.ts';
import type { LinesHunk } from './hunks.ts';

/** Unchanged lines shown around a change. */
const context = 3;

/**
 * A comparison as a unified diff (GNU diffutils manual, "Detailed Description of Unified Format"), for people and prompts: line ends are shown as LF.
 * Files that are not compared by lines give one sentence. Empty when no line differs.
 */
export function unifiedDiff(review: FileReview, names: { base: string; proposed: string } = { base: `a/${review.from ?? review.path}`, proposed: `b/${review.path}` }): string {
  if (review.body.kind === 'whole') return `Files ${names.base} and ${names.proposed} differ (${review.body.why}).\n`;
  if (review.body.kind === 'none') return '';
  const { base, proposed } = review.body;
  const hunks = review.hunks.filter((hunk) => hunk.kind === 'lines');
  const out: string[] = [];
  for (const group of grouped(hunks)) {
    const first = group[0];
    const last = group.at(-1);
    if (first === undefined || last === undefined) continue;
    const start = Math.max(0, first.baseStart - context);
    const end = Math.min(base.lines.length, last.baseEnd + context);
    const proposedStart = first.proposedStart - (first.baseStart - start);
    const proposedEnd = last.proposedEnd + (end - last.baseEnd);
    out.push(`@@ -${range(start, end)} +${range(proposedStart, proposedEnd)} @@`);
    let at = start;
    for (const hunk of group) {
      for (; at < hunk.baseStart; at += 1) out.push(` ${base.lines[at]?.text ?? ''}`);
      for (const line of hunk.removed) out.push(`-${line.text}`);
      for (const line of hunk.added) out.push(`+${line.text}`);
      at = hunk.baseEnd;
    }
    for (; at < end; at += 1) out.push(` ${base.lines[at]?.text ?? ''}`);
  }
  if (base.finalNewline !== proposed.finalNewline) out.push(`\\ ${proposed.finalNewline ? 'Final newline added' : 'No newline at end of file'}`);
  return out.length === 0 ? '' : [`--- ${names.base}`, `+++ ${names.proposed}`, ...out, ''].join('\n');
}

/** Changes whose contexts touch stand under one heading. */
function grouped(hunks: readonly LinesHunk[]): LinesHunk[][] {
  const groups: LinesHunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1);
    if (last !== undefined && hunk.baseStart - (last.at(-1)?.baseEnd ?? 0) <= 2 * context) last.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

/** A stretch as the format counts it: from 1, and by the line before it when it is empty. */
function range(start: number, end: number): string {
  const length = end - start;
  return length === 1 ? String(start + 1) : `${length === 0 ? start : start + 1},${length}`;
}

import type { TicketReply } from '../../tickets/source.ts';

export type Limit = TicketReply['limit'];

/** The size of a text as a server counts it. */
export function measure(text: string, unit: Limit['unit']): number {
  if (unit === 'utf16') return text.length;
  if (unit === 'bytes') return Buffer.byteLength(text);
  let points = 0;
  for (const _ of text) points++;
  return points;
}

const continued = '\n\n…';

/**
 * Splits a reply into parts that each fit. It cuts between paragraphs, else lines, else words, never inside a character that is made of
 * several (emoji, accents); a code fence that is open at a cut is closed there and opened again in the next part. Each part but the last ends
 * with `…`. The limit must leave room for a fence; below 64 it is taken as 64.
 */
export function splitReply(text: string, limit: Limit): string[] {
  const most = Math.max(64, limit.length);
  const parts: string[] = [];
  let rest = text;
  let opening = '';
  while (measure(opening + rest, limit.unit) > most) {
    const closer = 12 + continued.length * 3;
    const room = most - measure(opening, limit.unit) - closer;
    const piece = cutPiece(rest, Math.max(16, room), limit.unit);
    const body = opening + piece;
    const fence = openFence(body);
    parts.push(`${body.trimEnd()}${fence === undefined ? '' : `\n${fence.mark}`}${continued}`);
    rest = rest.slice(piece.length);
    opening = fence === undefined ? '' : `${fence.line}\n`;
    if (fence === undefined) rest = rest.replace(/^\s+/, '');
    else rest = rest.replace(/^\n/, '');
  }
  if (rest !== '' || parts.length === 0) parts.push(opening + rest);
  return parts;
}

/** The longest beginning that fits and ends at a good place. */
function cutPiece(text: string, room: number, unit: Limit['unit']): string {
  let size = 0;
  let end = 0;
  for (const char of text) {
    size += measure(char, unit);
    if (size > room) break;
    end += char.length;
  }
  const piece = text.slice(0, end);
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = piece.lastIndexOf(mark);
    if (at > piece.length / 2) return piece.slice(0, at + mark.length);
  }
  return piece.slice(0, wholeCharacters(text, end));
}

/** `end` moved back so that no character made of several code points is cut; looks at a short stretch only, so it stays cheap. */
function wholeCharacters(text: string, end: number): number {
  const from = Math.max(0, end - 128);
  let last = from;
  for (const { index, segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.slice(from, end + 64))) {
    if (from + index + segment.length > end) return index === 0 ? end : last;
    last = from + index + segment.length;
  }
  return last;
}

/** The fence that is open at the end of `text`: its opening line and the mark that closes it. */
function openFence(text: string): { line: string; mark: string } | undefined {
  let open: { line: string; mark: string } | undefined;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,12}|~{3,12})/.exec(line)?.[1];
    if (mark === undefined) continue;
    if (open === undefined) open = { line: line.trim().slice(0, 40), mark };
    else if (mark[0] === open.mark[0] && mark.length >= open.mark.length && /^[ `~]*$/.test(line.trim())) open = undefined;
  }
  return open;
}

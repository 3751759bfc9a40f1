import { isAscii } from 'node:buffer';
import { type DecodeOptions, decodeAs, decodeSteps, isSingleByte, type Line, type LineEnd, linesOf, type TextDocument, type WholeFile } from './document.ts';
import { type Change, diffLines, type Sameness } from './diff.ts';
import { byteOrderMark, encodeText, type TextEncoding, unencodable } from './encodings.ts';
import type { Sliced } from './slices.ts';

/**
 * One side of a comparison. Every line has an end here, also the last; whether that last end is really written is `finalNewline`,
 * so that it can be decided by itself.
 */
export interface Side {
  encoding: TextEncoding;
  bom: boolean;
  lines: Line[];
  finalNewline: boolean;
}

/** Why two files are only decided as a whole. */
export type WholeWhy = WholeFile['why'] | 'encoding_changed' | 'unencodable';

export type Pair =
  | { kind: 'lines'; base: Side; proposed: Side; changes: Change[]; proposedBytes: Uint8Array }
  | { kind: 'whole'; why: WholeWhy; proposedBytes: Uint8Array };

/** Compares exact bytes: line ends, byte order mark and final newline count as changes. For working trees, patches, and files that an agent has written. */
export function* pairBytes(base: Uint8Array, proposed: Uint8Array, options: DecodeOptions = {}): Sliced<Pair> {
  const before = yield* decodeSteps(base, options);
  const after = yield* decodeSteps(proposed, options);
  if (before.kind === 'whole') return { kind: 'whole', why: before.why, proposedBytes: proposed };
  if (after.kind === 'whole') return { kind: 'whole', why: after.why, proposedBytes: proposed };
  const aligned = yield* alignEncodings(base, before, proposed, after);
  if (!aligned) return { kind: 'whole', why: 'encoding_changed', proposedBytes: proposed };
  const sides = sidesOf(...aligned, 'bytes');
  const changes = yield* diffLines(sides.base.lines, sides.proposed.lines, 'bytes');
  return { kind: 'lines', ...sides, changes, proposedBytes: proposed };
}

/**
 * Compares an agent's text with the file it is meant for. The text has no say in encoding, byte order mark and line ends: equal lines keep the base's
 * bytes, replaced lines keep the end of the line they replace, further ones take the neighbourhood's. The final newline is the text's.
 */
export function* pairText(base: Uint8Array, text: string, options: DecodeOptions = {}): Sliced<Pair> {
  const before = yield* decodeSteps(base, options);
  const asUtf8 = (): Uint8Array => encodeText(text.toWellFormed(), 'utf-8');
  if (before.kind === 'whole') return { kind: 'whole', why: before.why, proposedBytes: asUtf8() };
  const lines = restoreLost(before, linesOf(sameMarks(before, text)));
  yield;
  const sides = sidesOf(before, { ...before, lines }, 'text');
  const changes = yield* diffLines(sides.base.lines, sides.proposed.lines, 'text');
  giveEnds(sides.base.lines, sides.proposed.lines, changes);
  // Only changed lines can hold what the encoding cannot.
  const changed = changes.map((change) => sides.proposed.lines.slice(change.proposedStart, change.proposedEnd).map((line) => line.text).join('')).join('');
  if (unencodable(changed, before.encoding).length > 0) return { kind: 'whole', why: 'unencodable', proposedBytes: asUtf8() };
  yield;
  return { kind: 'lines', ...sides, changes, proposedBytes: encodeSide(sides.proposed) };
}

/** The bytes of a side; its last line end only where `finalNewline` says so. */
export function encodeSide(side: Side): Uint8Array {
  let text = '';
  for (const [index, line] of side.lines.entries()) text += index === side.lines.length - 1 && !side.finalNewline ? line.text : line.text + line.end;
  const body = encodeText(text, side.encoding);
  return side.bom ? Buffer.concat([byteOrderMark(side.encoding), body]) : body;
}

/** Gives lines of a text the ends that lines of `base` in their place have; `changes` says which lines are in which place. Changes `proposed`. */
export function giveEnds(base: readonly Line[], proposed: Line[], changes: readonly Change[]): void {
  let [at, partner] = [0, 0];
  for (const change of [...changes, { baseStart: base.length, baseEnd: base.length, proposedStart: proposed.length, proposedEnd: proposed.length }]) {
    for (; at < change.proposedStart; at += 1, partner += 1) proposed[at] = base[partner] ?? proposed[at] ?? { text: '', end: '\n' };
    const place = base.slice(change.baseStart, change.baseEnd).map((line) => line.end);
    for (; at < change.proposedEnd; at += 1) {
      const line = proposed[at];
      const end = place[at - change.proposedStart] ?? proposed[at - 1]?.end ?? base[change.baseEnd]?.end ?? line?.end ?? '\n';
      const text = line?.text ?? '';
      proposed[at] = { text, end: apart(end === '' ? '\n' : end, text, proposed[at - 1], at + 1 === change.proposedEnd ? base[change.baseEnd] : undefined) };
    }
    partner = change.baseEnd;
  }
}

/** A line that ends with CR just before an empty one that ends with LF would be one line with CRLF; a new line's end is chosen so that it is not. */
function apart(end: LineEnd, text: string, before: Line | undefined, after: Line | undefined): LineEnd {
  if (end === '\n' && text === '' && before?.end === '\r') return '\r';
  return end === '\r' && after?.text === '' && after.end === '\n' ? '\n' : end;
}

/** Both documents with every end closed. A side without lines has no final newline of its own and takes the other's. */
export function sidesOf(before: TextDocument, after: TextDocument, same: Sameness): { base: Side; proposed: Side } {
  const baseFinal = before.lines.at(-1)?.end;
  const proposedFinal = after.lines.at(-1)?.end;
  const base = closed(before.lines, after.lines, same);
  return {
    base: { encoding: before.encoding, bom: before.bom, lines: base, finalNewline: (baseFinal ?? proposedFinal ?? '') !== '' },
    proposed: { encoding: after.encoding, bom: after.bom, lines: closed(after.lines, base, same), finalNewline: (proposedFinal ?? baseFinal ?? '') !== '' },
  };
}

/**
 * A missing last end becomes what its own file uses before it. Where bytes are compared, the other side's for the same text goes before that,
 * so that it is no change of the line.
 */
export function closed(lines: readonly Line[], other: readonly Line[], same: Sameness): Line[] {
  const last = lines.at(-1);
  if (last === undefined || last.end !== '') return [...lines];
  const partner = other.at(-1);
  const choices: (LineEnd | undefined)[] = [same === 'bytes' && partner?.text === last.text ? partner.end : undefined, lines.at(-2)?.end, partner?.end, other.at(-2)?.end];
  return [...lines.slice(0, -1), { text: last.text, end: choices.find((end) => end !== undefined && end !== '') ?? '\n' }];
}

function* alignEncodings(base: Uint8Array, before: TextDocument, proposed: Uint8Array, after: TextDocument): Sliced<[TextDocument, TextDocument] | undefined> {
  if (before.encoding === after.encoding) return before.bom === after.bom ? [before, after] : [markAsText(before), markAsText(after)];
  if (base.length === 0) return [{ ...after, lines: [] }, after];
  if (proposed.length === 0) return [before, { ...before, lines: [] }];
  if (isSingleByte(before.encoding) && isSingleByte(after.encoding)) return yield* both(base, proposed, 'latin-1');
  if (isSingleByte(after.encoding) && isAscii(base)) return yield* both(base, proposed, after.encoding);
  if (isSingleByte(before.encoding) && isAscii(proposed)) return yield* both(base, proposed, before.encoding);
  return undefined;
}

function* both(base: Uint8Array, proposed: Uint8Array, encoding: TextEncoding): Sliced<[TextDocument, TextDocument] | undefined> {
  const before = yield* decodeAs(base, encoding, false);
  const after = yield* decodeAs(proposed, encoding, false);
  return before && after && [before, after];
}

/** A byte order mark that only one side has becomes the first character of its first line, where it can be decided. */
function markAsText(document: TextDocument): TextDocument {
  if (!document.bom) return document;
  const [first, ...rest] = document.lines;
  return { ...document, bom: false, lines: [{ text: `\uFEFF${first?.text ?? ''}`, end: first?.end ?? '' }, ...rest] };
}

/** The text with as many U+FEFF at its beginning as the base's own text has, whatever the agent did to the byte order mark. */
function sameMarks(base: TextDocument, text: string): string {
  const own = /^\uFEFF*/u.exec(base.lines[0]?.text ?? '')?.[0] ?? '';
  return own + text.replace(/^\uFEFF+/u, '');
}

/** An agent that read a single-byte file as UTF-8 sends U+FFFD where it could not read; lines that are otherwise the base's are the base's. */
function restoreLost(base: TextDocument, lines: Line[]): Line[] {
  if (!isSingleByte(base.encoding) || !lines.some((line) => line.text.includes('\uFFFD'))) return lines;
  const readAs = new Map<string, string>();
  for (const { text } of base.lines) {
    const seen = new TextDecoder('utf-8', { ignoreBOM: true }).decode(encodeText(text, base.encoding));
    if (seen !== text) readAs.set(seen, text);
  }
  return lines.map((line) => ({ text: readAs.get(line.text) ?? line.text, end: line.end }));
}

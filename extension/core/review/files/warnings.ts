import { linesOf } from './document.ts';
import type { FileReview } from './file-review.ts';
import type { Hunk, LinesHunk } from './hunks.ts';
import { runNow, type Sliced } from './slices.ts';
import type { Warning } from './warning.ts';

export type { Warning } from './warning.ts';

/** A proposal that is shorter by more than this share of the base's lines may have been cut. */
const droppedShare = 0.3;
const linesPerStep = 1000;
/** Below this many lines a share says nothing. */
const fewLines = 10;

const placeholders = [
  /\b(?:rest|remainder)\s+(?:of\s+)?(?:the\s+|this\s+|your\s+)?(?:\w+\s+){0,3}(?:is\s+|are\s+|stays?\s+|remains?\s+|here\b|unchanged|same|omitted|as before|goes)/iu,
  /\b(?:existing|previous|original|other|remaining)\s+(?:\w+\s+){0,2}(?:code|content|lines|methods|functions|imports|implementation|tests|cases)\b(?:.*\b(?:here|unchanged|stays?|remains?|as is|omitted)\b|\s*(?:\.\.\.|…|\*\/|-->|$))/iu,
  /^(?:\.\.\.|…)\s*(?:\(?\s*(?:rest|unchanged|existing|same|omitted|snip|remaining|truncated|other|keep)\b|$)/iu,
  /^(?:unchanged|no changes?|same as (?:before|above)|omitted|snip|truncated)\s*(?:\.\.\.|…)?$/iu,
  /\b(?:code|content|file|lines) (?:continues|unchanged|omitted|truncated)\b/iu,
];
const commentMarks = /^\s*(?:\/\/+|#+|\/\*+|\*+|<!--|--+|;+|%+|\{\/\*|"""|''')?\s*/u;
const commentEnds = /\s*(?:\*\/\}?|-->)\s*$/u;

/**
 * Signs that a proposal was cut short or damaged (not that it is wrong). For changes and new files reviewed as text;
 * a deletion is shown as what it is and has no warnings.
 */
export function warningsOf(review: FileReview): Warning[] {
  return runNow(warningSteps(review));
}

/** `warningsOf` in steps. */
export function* warningSteps(review: FileReview): Sliced<Warning[]> {
  if (review.body.kind === 'lines') {
    const { base, proposed } = review.body;
    const changed = review.hunks.filter((hunk) => hunk.kind === 'lines');
    const added = changed.flatMap((hunk) => hunk.added.map((line, index) => ({ line: hunk.proposedStart + index + 1, text: line.text })));
    const lost = changed.flatMap((hunk) => (hunk.removed.some((line) => line.text.includes('\uFFFD')) ? [] : hunk.added.flatMap((line, index) => (line.text.includes('\uFFFD') ? [hunk.proposedStart + index + 1] : []))));
    const endChanged = changed.at(-1)?.proposedEnd === proposed.lines.length;
    const texts = proposed.lines.map((line) => line.text);
    const unclosed = (yield* depth(texts)) - (yield* depth(base.lines.map((line) => line.text)));
    return [
      ...droppedLines(base.lines.length, proposed.lines.length),
      ...(yield* placeholdersIn(added)),
      ...(endChanged ? cutOff(texts, base.finalNewline && !proposed.finalNewline, unclosed) : []),
      ...(lost.length > 0 ? [{ kind: 'lost_characters' as const, lines: lost }] : []),
    ];
  }
  if (review.base.kind !== 'absent' || review.proposed.kind !== 'file' || review.proposed.bytes.includes(0)) return [];
  const lines = linesOf(Buffer.from(review.proposed.bytes).toString('utf8'));
  const texts = lines.map((line) => line.text);
  return [...(yield* placeholdersIn(texts.map((text, index) => ({ line: index + 1, text })))), ...cutOff(texts, false, yield* depth(texts))];
}

/** Ids of hunks that change nothing but blanks, blank lines or line ends. Shown as a count where such hunks are hidden. */
export function whitespaceOnly(hunks: readonly Hunk[]): string[] {
  return hunks.filter((hunk) => hunk.kind === 'final_newline' || (hunk.kind === 'lines' && solid(hunk.removed) === solid(hunk.added))).map((hunk) => hunk.id);
}

function solid(lines: LinesHunk['removed']): string {
  return lines.map((line) => line.text.replaceAll(/\s+/gu, '')).join('');
}

function droppedLines(from: number, to: number): Warning[] {
  const share = from === 0 ? 0 : (from - to) / from;
  return from >= fewLines && share > droppedShare ? [{ kind: 'drops_lines', from, to, share }] : [];
}

function* placeholdersIn(lines: readonly { line: number; text: string }[]): Sliced<Warning[]> {
  const found: Warning[] = [];
  for (const [index, { line, text }] of lines.entries()) {
    if (index % linesPerStep === linesPerStep - 1) yield;
    if (text.length <= 200 && isPlaceholder(text)) found.push({ kind: 'placeholder', line, text: text.trim() });
  }
  return found;
}

function isPlaceholder(text: string): boolean {
  const comment = commentMarks.exec(text)?.[0].trim() !== '';
  const words = text.replace(commentMarks, '').replace(commentEnds, '').trim();
  // Outside a comment only an ellipsis with words after it is a sign; prose may say "the rest is unchanged" and mean it.
  return comment ? placeholders.some((pattern) => pattern.test(words)) : /^(?:\.\.\.|…)(?:\s+\(?|\()\s*(?:rest|unchanged|existing|omitted|remaining|truncated|snip)\b/iu.test(words);
}

function cutOff(texts: readonly string[], newlineLost: boolean, unclosed: number): Warning[] {
  const last = texts.findLast((text) => text.trim() !== '');
  if (last === undefined) return [];
  const words = last.trimEnd();
  const open = /(?:[([{,=+&|\\]|=>|&&|\|\||[^-]-)$/u.test(words);
  const midWord = newlineLost && /[\p{L}\p{N}_.:"'`<-]$/u.test(words) && !/[.!?]["'`]?$/u.test(words);
  return open || midWord || unclosed > 0 ? [{ kind: 'cut_off', line: texts.lastIndexOf(last) + 1, text: words.slice(-80), unclosed: Math.max(0, unclosed) }] : [];
}

/** Brackets left open; those in strings count too, so only the difference between two versions means something. */
function* depth(texts: readonly string[]): Sliced<number> {
  let open = 0;
  for (const [number, text] of texts.entries()) {
    if (number % linesPerStep === linesPerStep - 1) yield;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code === 0x7b || code === 0x28 || code === 0x5b) open += 1;
      else if (code === 0x7d || code === 0x29 || code === 0x5d) open -= 1;
    }
  }
  return open;
}

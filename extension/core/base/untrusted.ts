import { randomBytes } from 'node:crypto';
import { Failure } from './failure.ts';
import { findHiddenMarkup, type HiddenMarkup } from './hidden-markup.ts';
import { findInvisible, type InvisibleChar } from './invisible.ts';
import { inSpans, markdownSpans } from './markdown-spans.ts';

export { findInvisible } from './invisible.ts';
export { findHiddenMarkup, type HiddenMarkup } from './hidden-markup.ts';

/** How many characters or pieces of markup of each class were found. */
export interface CleanCounts {
  control: number;
  bidi: number;
  invisible: number;
  tags: number;
  hiddenMarkup: number;
}

/** A text that is safe to show, what was found in it, and the hidden markup with its words. */
export interface CleanText {
  text: string;
  counts: CleanCounts;
  hidden: HiddenMarkup[];
}

/** Colour and cursor commands of terminals; pasted logs are full of them. */
const terminalCommand = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]{0,32}[ -/]{0,4}[@-~]`, 'g');

/** Counts what a text hides, without changing it. Linear. */
export function countHidden(text: string): CleanCounts {
  const counts = countsOf(findInvisible(text));
  counts.hiddenMarkup = findHiddenMarkup(text).length;
  return counts;
}

/**
 * For people: every control, direction, zero-width, tag and misused selector character becomes visible as `⟦U+202E⟧` (a run of tag
 * characters also as the words it spells), HTML comments stand in the open. Text in code keeps every other byte.
 */
export function forPeople(text: string): CleanText {
  return clean(text, (found) => makeVisible(found), true);
}

/**
 * For a model: the same characters are taken out of prose, so that nothing is read that a person would not see. In code they become
 * `⟦U+200B⟧`, because there such a character may be the very fault. Terminal colours go. Everything else stays byte for byte.
 */
export function forModel(text: string): CleanText {
  return clean(text, (found, inCode) => (found[0] !== undefined && isLineBreak(found[0].code) ? '\n' : inCode ? makeVisible(found) : ''), false);
}

/** A line of code for people: what cannot be seen, or reorders what is seen, is spelled out. */
export function lineForPeople(text: string): string {
  const edits = runsOf(findInvisible(text)).map((run) => ({ start: run[0]?.at ?? 0, end: (run.at(-1)?.at ?? 0) + (run.at(-1)?.length ?? 0), text: makeVisible(run) }));
  return edits.length === 0 ? text : applyEdits(text, edits);
}

function clean(text: string, replace: (run: InvisibleChar[], inCode: boolean) => string, forEyes: boolean): CleanText {
  const source = forEyes ? text : text.replace(terminalCommand, '');
  const spans = markdownSpans(source);
  const code = spans.filter((span) => span.kind !== 'comment');
  const invisible = findInvisible(source);
  const hidden = findHiddenMarkup(source, spans);
  const edits: { start: number; end: number; text: string }[] = runsOf(invisible).map((run) => {
    const first = run[0]?.at ?? 0;
    const last = run.at(-1);
    return { start: first, end: (last?.at ?? 0) + (last?.length ?? 0), text: replace(run, inSpans(code, first)) };
  });
  for (const span of hidden) {
    if (span.kind === 'comment') edits.push({ start: span.start, end: span.start, text: '⟦hidden comment⟧ ' });
    if (span.kind === 'hidden_style') edits.push({ start: span.start, end: span.start, text: '⟦hidden by style⟧ ' });
  }
  const counts = countsOf(findInvisible(text));
  counts.hiddenMarkup = hidden.length;
  return { text: applyEdits(source, edits), counts, hidden };
}

function countsOf(found: readonly InvisibleChar[]): CleanCounts {
  const counts: CleanCounts = { control: 0, bidi: 0, invisible: 0, tags: 0, hiddenMarkup: 0 };
  for (const char of found) counts[char.kind]++;
  return counts;
}

/** Neighbouring tag characters form one run, since together they spell something; all others stand alone. */
function runsOf(found: readonly InvisibleChar[]): InvisibleChar[][] {
  const runs: InvisibleChar[][] = [];
  for (const char of found) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run !== undefined && last !== undefined && last.kind === 'tags' && char.kind === 'tags' && last.at + last.length === char.at) run.push(char);
    else runs.push([char]);
  }
  return runs;
}

function makeVisible(run: readonly InvisibleChar[]): string {
  const codes = run.map((char) => `U+${char.code.toString(16).toUpperCase().padStart(4, '0')}`);
  if (run[0]?.kind !== 'tags') return `⟦${codes.join(' ')}⟧`;
  const spelled = run.map((char) => (char.code > 0xe001f && char.code < 0xe007f ? String.fromCharCode(char.code - 0xe0000) : '')).join('');
  return `⟦${codes[0] ?? ''}${run.length > 1 ? ` ×${run.length}` : ''} hidden text: ${spelled}⟧`;
}

function isLineBreak(code: number): boolean {
  return code === 0x2028 || code === 0x2029 || code === 0x85;
}

function applyEdits(text: string, edits: { start: number; end: number; text: string }[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits.sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) continue;
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** A boundary nobody who wrote the text can know: 96 random bits in hex. */
export function randomBoundary(): string {
  return randomBytes(12).toString('hex');
}

/**
 * Fences untrusted text for a prompt. The boundary is drawn after the text is known and drawn again while the text contains it, so
 * the text cannot close its own fence. `label` is ours (`ticket`, `customer_thread`), never the ticket's.
 * Throws Failure `boundary` when the given source of boundaries keeps returning one that the text contains.
 */
export function fenceUntrusted(text: string, newBoundary: () => string = randomBoundary, label = 'untrusted'): { text: string; boundary: string } {
  const folded = text.toLowerCase();
  for (let attempt = 0; attempt < 8; attempt++) {
    const boundary = newBoundary();
    if (boundary === '' || folded.includes(boundary.toLowerCase())) continue;
    return { text: `<${label} boundary="${boundary}">\n${text}\n</${label} boundary="${boundary}">`, boundary };
  }
  throw new Failure('boundary', 'No boundary could be found that the text does not contain');
}

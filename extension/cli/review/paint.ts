import { decodeDocument, type Line } from '../../core/review/files/document.ts';
import type { Content } from '../../core/review/files/file-review.ts';
import type { Hunk, LinesHunk } from '../../core/review/files/hunks.ts';
import type { FileView } from '../../core/review/port.ts';
import { warningWords } from '../../shared/words.ts';
import { codeForTerminal, lineForTerminal } from '../terminal-text.ts';

/** Colours for a terminal; signs and words say the same without them. */
export interface Paint {
  added: (text: string) => string;
  removed: (text: string) => string;
  faint: (text: string) => string;
  strong: (text: string) => string;
}

/** Without `colours` every text stays as it is. */
export function paintFor(colours: boolean): Paint {
  const escape = String.fromCharCode(27);
  const sgr = (code: number) => (text: string) => (colours ? `${escape}[${code}m${text}${escape}[0m` : text);
  return { added: sgr(32), removed: sgr(31), faint: sgr(2), strong: sgr(1) };
}

/** Unchanged lines around a hunk, and how much of a new file is shown. */
const context = 3;
const shownLines = 400;

/** A hunk as people read it: context, then lines with - and +. Text of others is made harmless. */
export function hunkAsText(view: Pick<FileView, 'review'>, hunk: Hunk, paint: Paint): string {
  if (hunk.kind === 'final_newline') return `${hunk.adds ? paint.added('+ a line end at the end of the file') : paint.removed('- the line end at the end of the file')}\n`;
  if (hunk.kind === 'entry') return entryAsText(view, hunk.what, paint);
  const { body } = view.review;
  const base = body.kind === 'lines' ? body.base.lines : [];
  const before = base.slice(Math.max(0, hunk.baseStart - context), hunk.baseStart);
  const after = base.slice(hunk.baseEnd, hunk.baseEnd + context);
  const ends = new Set([...hunk.removed, ...hunk.added].map((line) => line.end)).size > 1;
  return [
    paint.faint(`@@ -${range(hunk.baseStart, hunk.removed.length)} +${range(hunk.proposedStart, hunk.added.length)} @@`),
    ...before.map((line) => ` ${codeForTerminal(line.text)}`),
    ...cut(hunk.removed, (line) => paint.removed(`-${shown(line, ends)}`)),
    ...cut(hunk.added, (line) => paint.added(`+${shown(line, ends)}`)),
    ...after.map((line) => ` ${codeForTerminal(line.text)}`),
    '',
  ].join('\n');
}

/** How a file is headed: what happens to it, its name, and what is to be said before deciding. */
export function fileHeading(view: FileView, paint: Paint): string {
  const { file, warnings, conflicts } = view;
  const name = file.from === undefined ? file.key : `${file.root}/${file.from} → ${file.key}`;
  const notes = [
    ...(file.by === 'person' ? ['you saved this file yourself meanwhile'] : []),
    ...(file.draft === undefined ? [] : ['shown with your own edits']),
    ...(conflicts.size === 0 ? [] : [`${conflicts.size} hunks touch lines that others have changed too`]),
    ...warnings.map(warningWords),
  ];
  return `${paint.strong(`${file.kind} ${lineForTerminal(name)}`)}\n${notes.map((note) => `! ${lineForTerminal(note)}\n`).join('')}`;
}

const entryWords = { create: 'new file', delete: 'the file is deleted', rename: 'the file is renamed', mode: 'the mode changes', symlink: 'the link changes', content: 'the content changes as a whole' } as const;

function entryAsText(view: Pick<FileView, 'review'>, what: keyof typeof entryWords, paint: Paint): string {
  const { base, proposed } = view.review;
  const lines = [paint.strong(entryWords[what])];
  if (what === 'mode') lines.push(`${modeOf(base)} → ${modeOf(proposed)}`);
  else if (what === 'rename') lines.push(lineForTerminal(`${view.review.from ?? ''} → ${view.review.path}`));
  else {
    lines.push(...contentLines(base, '-', paint.removed), ...contentLines(proposed, '+', paint.added));
  }
  return `${lines.join('\n')}\n`;
}

function contentLines(content: Content, sign: string, paint: (text: string) => string): string[] {
  if (content.kind === 'absent') return [];
  if (content.kind === 'link') return [paint(`${sign}link to ${lineForTerminal(content.target)}`)];
  const document = decodeDocument(content.bytes);
  if (document.kind === 'whole') return [paint(`${sign}${document.why.replaceAll('_', ' ')}, ${document.size} bytes, SHA-256 ${document.hash.slice(0, 16)}…`)];
  return cut(document.lines, (line) => paint(`${sign}${codeForTerminal(line.text)}`));
}

function cut(lines: readonly Line[], asText: (line: Line) => string): string[] {
  const rest = lines.length - shownLines;
  return [...lines.slice(0, shownLines).map(asText), ...(rest > 0 ? [`… ${rest} more lines`] : [])];
}

function shown(line: Line, ends: boolean): string {
  const mark = line.end === '\r\n' ? ' ⟦CRLF⟧' : line.end === '\r' ? ' ⟦CR⟧' : ' ⟦LF⟧';
  return `${codeForTerminal(line.text)}${ends ? mark : ''}`;
}

function range(start: LinesHunk['baseStart'], length: number): string {
  return length === 1 ? String(start + 1) : `${length === 0 ? start : start + 1},${length}`;
}

function modeOf(content: Content): string {
  return content.kind === 'file' && content.mode !== undefined ? content.mode.toString(8) : 'unknown';
}

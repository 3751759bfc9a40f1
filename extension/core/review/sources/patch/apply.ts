import type { StructuredPatchHunk } from 'diff';

/** What became of a file's hunks: the new content, and those that found no place. */
export interface Applied {
  text: string;
  /** Numbers of the hunks (from 1) that did not apply, each with the line where they were to go. */
  failed: { hunk: number; line: number }[];
}

/** A line with its end, as in the file. */
type Line = string;

/**
 * Applies hunks to a text of one character a byte. A hunk goes where its lines stand: at the place it names, or, where lines before it have shifted,
 * at the one other place that has exactly these lines. With no such place or several it is reported, never guessed.
 * `known`: the text is the very one the hunks were made on, so that also one without a line to recognise its place by can be trusted.
 */
export function applyHunks(base: string, hunks: readonly StructuredPatchHunk[], known: boolean): Applied {
  const lines: Line[] = base.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
  const failed: Applied['failed'] = [];
  const result: Line[] = [];
  let at = 0;
  let shift = 0;
  for (const [index, hunk] of hunks.entries()) {
    const { before, after } = sidesOf(hunk);
    const named = hunk.oldStart - 1 + shift;
    const place = before.length > 0 ? placeOf(lines, before, named, at) : known || lines.length === 0 ? named : undefined;
    if (place === undefined) {
      failed.push({ hunk: index + 1, line: hunk.oldStart });
      continue;
    }
    for (const line of lines.slice(at, place)) result.push(line);
    for (const line of after) result.push(line);
    at = place + before.length;
    shift = place - (hunk.oldStart - 1);
  }
  for (const line of lines.slice(at)) result.push(line);
  return { text: result.join(''), failed };
}

function sidesOf(hunk: StructuredPatchHunk): { before: Line[]; after: Line[] } {
  const before: Line[] = [];
  const after: Line[] = [];
  for (const [index, line] of hunk.lines.entries()) {
    if (line.startsWith('\\')) continue;
    // "\ No newline at end of file" is said of the line before it.
    const content = line.slice(1) + (hunk.lines[index + 1]?.startsWith('\\') === true ? '' : '\n');
    if (!line.startsWith('+')) before.push(content);
    if (!line.startsWith('-')) after.push(content);
  }
  return { before, after };
}

function placeOf(lines: readonly Line[], before: readonly Line[], named: number, from: number): number | undefined {
  if (named >= from && matches(lines, before, named)) return named;
  const places: number[] = [];
  for (let at = from; at + before.length <= lines.length && places.length < 2; at += 1) if (matches(lines, before, at)) places.push(at);
  return places.length === 1 ? places[0] : undefined;
}

function matches(lines: readonly Line[], before: readonly Line[], at: number): boolean {
  return before.every((line, index) => lines[at + index] === line);
}

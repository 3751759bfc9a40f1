import { findInvisible, forPeople } from '../core/base/untrusted.ts';

/** Text of others for a terminal: what would move the cursor, colour, reorder or hide becomes visible. Line breaks stay. */
export function forTerminal(text: string): string {
  // A lone carriage return goes back to the start of the line and writes over it.
  return forPeople(text).text.replaceAll(/\r(?!\n)/g, '⟦U+000D⟧');
}

/** What has to stay on its line, such as a file name: a line break in it could add a row of its own making. */
export function onOneLine(text: string): string {
  return text.replaceAll(/\r?\n/g, '⟦U+000A⟧');
}

export function lineForTerminal(text: string): string {
  return onOneLine(forTerminal(text));
}

/** A line of code for a terminal: only what would move the cursor, colour, reorder or hide becomes visible; tabs and all else stay. */
export function codeForTerminal(line: string): string {
  let shown = '';
  let at = 0;
  for (const found of findInvisible(line)) {
    shown += `${line.slice(at, found.at)}⟦U+${found.code.toString(16).toUpperCase().padStart(4, '0')}⟧`;
    at = found.at + found.length;
  }
  return onOneLine(shown + line.slice(at)).replaceAll('\r', '⟦U+000D⟧');
}

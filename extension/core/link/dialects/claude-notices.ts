import type { AmbientContext } from '../ambient.ts';
import type { Mention, Notice } from './dialect.ts';
import { uriOf } from './editor-tools.ts';

/** What clients of Claude's lock file understand of the editor's state (measured: docs/link.md). Lines count from 0. */

/** Without a file there is nothing to say but that the earlier selection is over; that has to be said in just this shape. */
export function selectionNotice({ selection }: AmbientContext): Notice {
  if (selection === undefined) {
    const start = { line: 0, character: 0 };
    return { method: 'selection_changed', params: { text: '', selection: { start, end: start, isEmpty: true } } };
  }
  const { path, text, start, end } = selection;
  return { method: 'selection_changed', params: { text, filePath: path, fileUrl: uriOf(path), selection: { start, end, isEmpty: text === '' } } };
}

/** A field with null makes the client drop the whole notification. */
export function mentionNotice({ path, lines }: Mention): Notice {
  return { method: 'at_mentioned', params: { filePath: path, ...(lines === undefined ? {} : { lineStart: lines.first, lineEnd: lines.last }) } };
}

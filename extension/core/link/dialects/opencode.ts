import { mentionNotice, selectionNotice } from './claude-notices.ts';
import type { Dialect, Notice } from './dialect.ts';

/**
 * opencode, as measured (docs/link.md): it comes by Claude's lock file, calls no tool and takes context only. Lines are shown and read as they are sent, so they count
 * from 1 for it.
 */
export const opencode: Dialect = {
  name: 'opencode',
  capabilities: { writer: 'agent', canEdit: false, canPartial: false, canEmpty: true, redelivers: false, canExplain: false },
  tools: () => [],
  context: ({ selection, ...context }) => {
    const fromOne = ({ line, character }: { line: number; character: number }) => ({ line: line + 1, character });
    return [selectionNotice({ ...context, ...(selection === undefined ? {} : { selection: { ...selection, start: fromOne(selection.start), end: fromOne(selection.end) } }) })];
  },
  mention: ({ path, lines }): Notice => mentionNotice({ path, ...(lines === undefined ? {} : { lines: { first: lines.first + 1, last: lines.last + 1 } }) }),
};

import type { CaseState } from '../core/cases/state.ts';
import type { Citation, CitationState } from '../core/model/code.ts';
import { citationWords } from '../shared/words.ts';
import { resolveCitation } from './roots.ts';

/** One mark in the gutter: zero-based inclusive lines and the words of its hover. */
export interface Mark {
  state: CitationState;
  first: number;
  last: number;
  /** Plain text; it holds a note from a model, so it is never rendered as Markdown. */
  hover: string;
}

/** Marks by absolute path. A moved citation is marked where it is now; one without a line, or whose file is gone, has no place to mark. */
export function planMarks(state: Pick<CaseState, 'citations' | 'snapshot' | 'title'>, real?: (path: string) => string): Map<string, Mark[]> {
  const plan = new Map<string, Mark[]>();
  for (const citation of state.citations) {
    const line = citation.state === 'moved' ? (citation.movedTo ?? citation.line) : citation.line;
    if (line === undefined) continue;
    const path = pathOf(citation, state, real);
    if (path === undefined) continue;
    const length = Math.max(0, (citation.endLine ?? citation.line ?? line) - (citation.line ?? line));
    const marks = plan.get(path) ?? [];
    marks.push({ state: citation.state, first: line - 1, last: line - 1 + length, hover: hoverOf(citation, state.title) });
    plan.set(path, marks);
  }
  return plan;
}

function pathOf(citation: Citation, state: Pick<CaseState, 'snapshot'>, real?: (path: string) => string): string | undefined {
  try {
    return resolveCitation(citation.file, state.snapshot.roots, real);
  } catch {
    // Outside of the roots or gone: the panel says so, there is no line to mark.
    return undefined;
  }
}

function hoverOf(citation: Citation, title: string): string {
  return [`Cited by the ${citation.origin === 'scout' ? 'scout' : citation.origin} in “${title}”`, citationWords[citation.state], citation.note, citation.why].filter((part) => part !== undefined && part !== '').join('\n\n');
}

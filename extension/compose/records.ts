import type { FileJournal } from '../core/journal/journal.ts';
import { exportHtml } from '../core/journal/exports/html.ts';
import { exportJsonLines } from '../core/journal/exports/json-lines.ts';
import { layoutOf } from '../core/journal/layout.ts';
import { verifyJournal, type Problem } from '../core/journal/verify.ts';
import type { Records } from './ports.ts';

/** The journal as a whole: verify, export, what an erasure would take. */
export function createRecords(journal: FileJournal): Records {
  const layout = layoutOf(journal.folder);
  return {
    async verify(signal) {
      await journal.flush();
      const found = await verifyJournal(layout, journal.blobs, signal);
      return { ok: found.ok, events: found.events, erased: found.erased.reduce((sum, erased) => sum + erased.events, 0), findings: found.problems.map(inWords) };
    },
    async exportCase(caseId, format, signal) {
      await journal.flush();
      const items = journal.read({ case: caseId });
      return format === 'html' ? exportHtml(caseId, items, signal) : exportJsonLines(caseId, items, layout, signal);
    },
    erasable: async (caseId, signal) => {
      const { events, blobs } = await journal.erasable(caseId, signal);
      return { events, blobs: blobs.length };
    },
  };
}

function inWords(problem: Problem): string {
  const place = [problem.session, problem.segment, problem.line === undefined ? undefined : `line ${problem.line}`].filter((part) => part !== undefined);
  return `${place.join(' ')}: ${problem.why}`;
}

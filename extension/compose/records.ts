import type { FileJournal } from '../core/journal/journal.ts';
import type { Problem } from '../core/journal/verify.ts';
import type { Records } from './ports.ts';

/** The journal as a whole: verify, export, what an erasure would take. */
export function createRecords(journal: FileJournal): Records {
  return {
    async verify(signal) {
      const found = await journal.verify(signal);
      return { ok: found.ok, events: found.events, erased: found.erased.reduce((sum, erased) => sum + erased.events, 0), findings: found.problems.map(inWords) };
    },
    exportCase: (caseId, format, signal) => journal.exportCase(caseId, format, signal),
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

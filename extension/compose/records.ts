import { userInfo } from 'node:os';
import { Failure } from '../core/base/failure.ts';
import type { MovedHistory } from '../core/journal/home.ts';
import type { FileJournal } from '../core/journal/journal.ts';
import type { JournalFailureReason } from '../core/journal/port.ts';
import { openJournalReader } from '../core/journal/reader.ts';
import type { Problem } from '../core/journal/verify.ts';
import type { MovedOffer, Records } from './ports.ts';

/** The journal as a whole: verify, export, what an erasure would take, what was left behind by a move. */
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
    moved: async () => offersOf(await journal.movedHistories()),
    async bringHere(key, via) {
      const history = (await journal.movedHistories()).find((one) => one.key === key);
      if (history === undefined) throw new Failure<JournalFailureReason>('not_found', `There is no history ${key} of this repository to bring here.`);
      await journal.adopt(history, { kind: 'person', name: userInfo().username, via });
    },
  };
}

/** Moved histories with their number of cases; those without any have nothing to offer, unless a part of them is here already. */
export async function offersOf(histories: readonly MovedHistory[]): Promise<MovedOffer[]> {
  const offers: MovedOffer[] = [];
  for (const { key, folder, path, openedAt, unfinished } of histories) {
    const reader = await openJournalReader({ home: '', workspace: path, folder });
    try {
      await reader.whenIndexed();
      const { length } = await reader.listCases();
      if (length > 0 || unfinished) offers.push({ key, path, openedAt, cases: length, unfinished });
    } finally {
      await reader.close();
    }
  }
  return offers;
}

function inWords(problem: Problem): string {
  const place = [problem.session, problem.segment, problem.line === undefined ? undefined : `line ${problem.line}`].filter((part) => part !== undefined);
  return `${place.join(' ')}: ${problem.why}`;
}

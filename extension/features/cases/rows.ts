import type { CaseState } from '../../core/cases/state.ts';
import type { CaseListing } from '../../core/journal/port.ts';
import type { CaseBrief } from '../../host/board.ts';
import { ago, statusWords, verdictWords } from '../../shared/words.ts';

/** One line of the Cases tree, as data. */
export interface CaseRow {
  id: string;
  label: string;
  description: string;
  tooltip: string;
  accessible: string;
  icon: string;
  /** Theme colour id of the icon; never the only carrier of a meaning, since the icon differs as well. */
  color?: string;
  context: 'case.running' | 'case.idle' | 'case.closed' | 'case.unknown';
}

const looks: Record<CaseState['status'], { icon: string; color?: string; context: CaseRow['context'] }> = {
  open: { icon: 'circle-outline', context: 'case.idle' },
  running: { icon: 'loading~spin', context: 'case.running' },
  needs_you: { icon: 'question', color: 'charts.yellow', context: 'case.running' },
  concluded: { icon: 'pass', color: 'charts.green', context: 'case.idle' },
  failed: { icon: 'error', color: 'charts.red', context: 'case.idle' },
  interrupted: { icon: 'debug-disconnect', color: 'charts.orange', context: 'case.idle' },
  closed: { icon: 'archive', context: 'case.closed' },
};

/** `brief` is absent until the case itself was read; the listing alone then draws the row. */
export function caseRow(listing: CaseListing, brief: CaseBrief | undefined, now: number): CaseRow {
  const look = brief === undefined ? { icon: 'note', context: 'case.unknown' as const } : looks[brief.status];
  const effective = brief === undefined ? (listing.classification === undefined ? undefined : { classification: listing.classification, bugConfirmation: listing.bugConfirmation }) : brief.effective;
  const verdict = effective === undefined ? undefined : verdictWords(effective);
  const status = brief === undefined ? undefined : statusWords[brief.status];
  const when = ago(brief?.lastEventAt ?? listing.lastEventAt, now);
  // A concluded case says its verdict; "concluded" beside it would say nothing more.
  const shown = brief !== undefined && brief.status !== 'concluded' && brief.status !== 'closed' ? status : verdict;
  const facts = [status, verdict === undefined ? undefined : `verdict: ${verdict}`, when === '' ? undefined : `last activity ${when}`].filter((fact) => fact !== undefined);
  return {
    id: listing.case,
    label: listing.title,
    description: [shown ?? status, when].filter((part) => part !== undefined && part !== '').join(' · '),
    tooltip: [listing.title, listing.ticketId, ...facts].join('\n'),
    accessible: [listing.title, ...facts].join(', '),
    ...look,
  };
}

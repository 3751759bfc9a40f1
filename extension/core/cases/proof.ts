import type { Citation } from '../model/code.ts';

/** Whether checked citations carry a conclusion, and the sentence that says so. */
export interface Proof {
  holds: boolean;
  why: string;
}

/**
 * The rule of proof: `confirmed` needs at least one verified quote and no missing citation; anything else needs that no citation
 * is missing. A verified citation whose lines have changed since (`stale`) no longer carries `confirmed`.
 */
export function proofOf(confirmed: boolean, citations: readonly Citation[]): Proof {
  const count = (state: Citation['state']) => citations.filter((citation) => citation.state === state).length;
  const [verified, stale, missing] = [count('verified'), count('stale'), count('missing')];
  const cited = citations.length;
  if (missing > 0) return { holds: false, why: `${missing} of ${cited} citations are missing from the snapshot.` };
  if (!confirmed) {
    return { holds: true, why: cited === 0 ? 'No code is cited.' : `${verified} of ${cited} citations carry a verified quote; none is missing.` };
  }
  if (verified > 0) return { holds: true, why: `${verified} of ${cited} citations carry a verified quote; none is missing.` };
  if (stale > 0) return { holds: false, why: 'The cited lines have changed since they were verified.' };
  return { holds: false, why: 'No citation carries a verified quote.' };
}

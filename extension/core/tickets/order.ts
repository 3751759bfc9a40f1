import type { Severity, TicketSummary } from '../model/ticket.ts';

const rank: Record<Severity, number> = { critical: 0, high: 1, medium: 2, low: 3, unknown: 4 };

/** Most severe first, then most recently updated; unknown severity and unknown dates last. A stable, total order. */
export function bySeverityThenRecency(a: TicketSummary, b: TicketSummary): number {
  return rank[a.severity] - rank[b.severity] || timeOf(b) - timeOf(a) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function timeOf(item: TicketSummary): number {
  const time = Date.parse(item.updatedAt ?? item.createdAt ?? '');
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

/** Tickets whose key, title, status, severity and labels together contain every word of `filter`, in any case. */
export function filterTickets(items: readonly TicketSummary[], filter: string): TicketSummary[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter((item) => {
    const text = [item.key, item.title, item.status ?? '', item.severity, ...item.labels].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Words that trackers use for each severity; the most severe match of all given texts wins. */
const words: readonly [Severity, RegExp][] = [
  ['critical', /\b(?:critical|blocker|blocking|urgent|emergency|showstopper|outage|data.?loss|p0|s0|s1|sev[-_ ]?[01])\b/],
  ['high', /\b(?:high|major|important|severe|p1|s2|sev[-_ ]?2)\b/],
  ['medium', /\b(?:medium|moderate|normal|p2|s3|sev[-_ ]?3)\b/],
  ['low', /\b(?:low|lowest|minor|trivial|cosmetic|p3|p4|s4|sev[-_ ]?[45])\b/],
];

/** Severity out of labels and fields such as `priority: high`, `P1`, `severity/2`, `sev-1`. A word about something else (`low-hanging`) does not count. */
export function severityFrom(texts: readonly string[]): Severity {
  let best: Severity = 'unknown';
  for (const text of texts) {
    const folded = text.toLowerCase().trim();
    const numbered = /^(?:priority|prio|severity|sev|impact|urgency)\s*[:/=_ -]?\s*([0-5])$/.exec(folded)?.[1];
    const about = /^(?:.*\b)?(?:priority|prio|severity|sev|impact|urgency|importance)\b/.test(folded);
    for (const [severity, pattern] of words) {
      const hit = numbered === undefined ? pattern.test(folded) && (about || folded.split(/[\s:/-]+/).length <= 2) && !/low.?hanging|high.?contrast|high.?dpi/.test(folded) : severity === byNumber(numbered);
      if (hit && rank[severity] < rank[best]) best = severity;
    }
  }
  return best;
}

function byNumber(digit: string): Severity {
  return (['critical', 'critical', 'high', 'medium', 'low', 'low'] as const)[Number(digit)] ?? 'unknown';
}

import type { ScoutResult, Suspect } from '../../../model/code.ts';
import type { Ticket } from '../../../model/ticket.ts';
import type { Submission } from '../../../model/verdict.ts';

type Evidence = Submission['evidence'][number];

/** A verdict of the scout cites at most this many places. */
export const mostEvidence = 5;

/**
 * The verdict that the scout's findings carry by themselves, and no more: `bug`/`suspected` when a stack frame of the ticket lands on an existing
 * line, else `inconclusive`; confidence `low` always. Pure. The words for support and for the customer hold no path, no code, no promise
 * and no admission of a defect; they are English whatever the ticket's language, which `limitations` says.
 */
export function scoutVerdict(ticket: Ticket, result: ScoutResult): Submission {
  const pinned = result.pinned !== undefined;
  const evidence = evidenceOf(result);
  return {
    classification: pinned ? 'bug' : 'inconclusive',
    ...(pinned ? { bugConfirmation: 'suspected' as const } : {}),
    confidence: 'low',
    summary: summaryOf(pinned, result),
    evidence,
    explanationForSupport: explanation(pinned, evidence.length),
    proposedCustomerReply: reply(ticket, result),
    suggestedNextStep: pinned
      ? 'Have a developer read the first cited place and the calls that lead to it, or run the investigation again with a model.'
      : 'Run the investigation again with a model, or have a developer look at the cited places in their order.',
    openQuestions: openQuestions(ticket, result),
    limitations: limitations(evidence.length),
  };
}

function evidenceOf(result: ScoutResult): Evidence[] {
  const evidence: Evidence[] = [];
  const { pinned } = result;
  if (pinned) evidence.push({ file: `${pinned.root}/${pinned.file}`, line: pinned.line, note: 'A stack frame of the ticket points at this line' });
  for (const suspect of result.suspects) {
    if (evidence.length >= mostEvidence) break;
    const isPinned = pinned && suspect.root === pinned.root && suspect.file === pinned.file;
    if (!isPinned) evidence.push(evidenceOfSuspect(suspect));
  }
  return evidence;
}

function evidenceOfSuspect(suspect: Suspect): Evidence {
  const [from, to] = suspect.lines[0] ?? [];
  const strongest = [...suspect.why].sort((a, b) => b.weight - a.weight).slice(0, 2);
  return {
    file: `${suspect.root}/${suspect.file}`,
    ...(from !== undefined && from > 0 ? { line: from } : {}),
    ...(from !== undefined && from > 0 && to !== undefined && to > from ? { endLine: to } : {}),
    ...(strongest.length > 0 ? { note: strongest.map((reason) => reason.text).join('; ') } : {}),
  };
}

function summaryOf(pinned: boolean, result: ScoutResult): string {
  if (pinned) return 'A stack frame of the ticket points at an existing line of the code; the cause has not been examined.';
  if (result.suspects.length > 0) return 'The search ranked places in the code that the ticket may be about; whether one of them is the cause has not been examined.';
  return 'The search found nothing in the code that the ticket clearly points at.';
}

function explanation(pinned: boolean, found: number): string {
  const first = pinned
    ? 'The report contains an error trace, and one of its lines matches a place in the code as it is now. That makes a fault there plausible, but nobody has examined it yet.'
    : found > 0
      ? 'An automatic search compared the words of the report with the code and listed the places that fit best. It is a list of where to look, not an explanation.'
      : 'An automatic search compared the words of the report with the code and found no place that clearly fits.';
  return `${first} No model and no person has drawn a conclusion. Please do not pass this on as a finding.`;
}

/** Asks for what the ticket does not say; a question per missing thing, so that the reply is of use whatever the cause. */
function reply(ticket: Ticket, result: ScoutResult): string {
  const asks = [
    ...(has(result, 'error') || has(result, 'frame') ? [] : ['the exact text of any message that you see']),
    ...(has(result, 'version') || Object.keys(ticket.environment).length > 0 ? [] : ['the version that you use and the system it runs on']),
    'the steps that lead to it, starting from a fresh start',
    'whether it happens every time',
  ];
  return [
    'Hello,',
    'thank you for your report. We have received it and are looking into what you describe.',
    `To help us to narrow it down, could you please tell us:\n${asks.map((ask) => `- ${ask}`).join('\n')}`,
    'Kind regards',
  ].join('\n\n');
}

function openQuestions(ticket: Ticket, result: ScoutResult): string[] {
  return [
    'Under which condition does it happen?',
    ...(has(result, 'version') || Object.keys(ticket.environment).length > 0 ? [] : ['Which version is it about?']),
    ...(result.history.length > 0 ? ['Does it go back to one of the recent changes that the search listed?'] : []),
  ];
}

function limitations(found: number): string {
  const places = found > 0 ? ' The cited places exist, but nobody has read them for this ticket.' : '';
  return `No model was asked: this is the result of a search by rules alone.${places} The reply is a neutral one in English; translate it where the ticket is in another language.`;
}

const has = (result: ScoutResult, kind: ScoutResult['clues'][number]['kind']): boolean => result.clues.some((clue) => clue.kind === kind);

import { markdownSpans, withoutSpans } from '../../base/markdown-spans.ts';
import type { ReplyFinding } from '../../model/verdict.ts';
import { detectLanguage } from './language.ts';
import type { Draft, ReplyContext, Rule } from './rule.ts';
import { code } from './rules/code.ts';
import { invisible } from './rules/invisible.ts';
import { internalNames, otherCustomers } from './rules/names.ts';
import { paths } from './rules/paths.ts';
import { secrets } from './rules/secrets.ts';
import { effects, length } from './rules/tracker.ts';
import { agreement, claims, confidence, defectAdmission, language, promises } from './rules/wording.ts';

export type { ReplyContext } from './rule.ts';

/** In the order in which a fix wins where two overlap: what must never leave comes first. */
const rules: readonly Rule[] = [secrets, code, paths, effects, invisible, language, otherCustomers, internalNames, promises, defectAdmission, claims, agreement, confidence, length];

/**
 * Checks a reply draft. Findings come in the order of the draft, those without a place first. Never throws, whatever the draft;
 * time is linear in its length.
 */
export function checkReply(text: string, context: ReplyContext): ReplyFinding[] {
  const draft = prepare(text, context);
  return rules
    .flatMap((rule) => rule(draft, context))
    .map((finding, index) => ({ finding, index }))
    .sort((a, b) => (a.finding.span?.[0] ?? -1) - (b.finding.span?.[0] ?? -1) || a.index - b.index)
    .map(({ finding }) => finding);
}

function prepare(text: string, { ticket }: ReplyContext): Draft {
  const spans = markdownSpans(text);
  return {
    text,
    spans,
    prose: withoutSpans(text, spans, ' ', true),
    language: detectLanguage(text),
    ticketText: [ticket.title, ticket.description, ...ticket.thread.map((message) => message.text), ...ticket.console.map((entry) => entry.text)].join('\n').toLowerCase(),
  };
}

/** Applies the fixes of all given findings that do not overlap; where two do, the one that begins first. */
export function applyFixes(text: string, findings: readonly ReplyFinding[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { span, fix } of [...findings].sort((a, b) => (a.span?.[0] ?? 0) - (b.span?.[0] ?? 0))) {
    if (span === undefined || fix === undefined || span[0] < at) continue;
    parts.push(text.slice(at, span[0]), fix);
    at = span[1];
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** Applies fixes until none is left: one fix may lay bare another (a mention that an invisible character had broken up). */
export function fixAll(text: string, context: ReplyContext): { text: string; findings: ReplyFinding[] } {
  let current = text;
  for (let pass = 0; pass < 40; pass++) {
    const findings = checkReply(current, context);
    const next = applyFixes(current, findings);
    if (next === current) return { text: current, findings };
    current = next;
  }
  return { text: current, findings: checkReply(current, context) };
}

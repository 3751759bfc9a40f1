import type { ReplyFinding } from '../../../model/verdict.ts';
import { detectLanguage, languageNames, type Language } from '../language.ts';
import { phraseLanguages, phrasePattern, type Topic } from '../phrases.ts';
import { findingsFor, type Draft, type Rule } from '../rule.ts';

/** The draft's own language and English, which slips in everywhere; all of them when the draft's is unsure. */
function languagesOf(draft: Draft): readonly Language[] {
  if (draft.language === 'unsure' || !phraseLanguages.includes(draft.language)) return phraseLanguages;
  return [...new Set<Language>([draft.language, 'en'])];
}

function phrases(draft: Draft, topic: Topic, make: (words: string) => Omit<ReplyFinding, 'span'> | undefined): ReplyFinding[] {
  const found: ReplyFinding[] = [];
  for (const language of languagesOf(draft)) {
    const pattern = phrasePattern(language, topic);
    if (pattern === undefined) continue;
    for (const finding of findingsFor(draft.prose.matchAll(pattern), (match) => make(match[0]))) {
      if (!found.some((known) => known.span?.[0] === finding.span?.[0])) found.push(finding);
    }
  }
  return found;
}

/** Promises of time, money or a release. */
export const promises: Rule = (draft) => [
  ...phrases(draft, 'time', () => ({ rule: 'promise', severity: 'block', message: 'This promises a time' })),
  ...phrases(draft, 'money', () => ({ rule: 'promise', severity: 'block', message: 'This speaks of money' })),
  ...phrases(draft, 'release', () => ({ rule: 'promise', severity: 'block', message: 'This promises a fix or a release' })),
];

/** How sure anybody is belongs into the verdict, not into the reply. */
export const confidence: Rule = (draft) => phrases(draft, 'confidence', () => ({ rule: 'confidence', severity: 'warn', message: 'This tells how sure we are' }));

/** A reply never says that there is a defect, not even when it is confirmed: the team will look deeper. */
export const defectAdmission: Rule = (draft) => phrases(draft, 'defect', (words) => (denies(words) ? undefined : { rule: 'defect_admission', severity: 'block', message: 'This admits a defect' }));

/** `is not a bug` is the opposite of an admission. */
function denies(words: string): boolean {
  return /(?<!\p{L})(?:not|no|n't|never|kein(?:e|en)?|nicht|pas|aucun|no es|não|nao|non|geen|niet)(?!\p{L})/iu.test(words.replace(/n[’']t\b/g, ' not'));
}

/** Claims of having reproduced or tested something, unless the record bears them out. */
export const claims: Rule = (draft, context) => {
  if (context.done?.reproduced === true && context.done.tested === true) return [];
  return phrases(draft, 'claim', (words) => {
    const reproduction = /repro|replic|nachstell|nachgestell|nachvoll|riprod|nagebootst|nabootsen/i.test(words);
    if (reproduction ? context.done?.reproduced : context.done?.tested) return undefined;
    return { rule: 'claim', severity: 'block', message: reproduction ? 'This claims a reproduction that is not in the record' : 'This claims a test that is not in the record' };
  });
};

/** Whether the draft says what the verdict says. */
export const agreement: Rule = (draft, { verdict }) => {
  if (verdict === undefined || draft.text.trim() === '') return [];
  const disagrees = (topic: Topic, message: string): ReplyFinding[] => phrases(draft, topic, (words) => (topic === 'defect' && denies(words) ? undefined : { rule: 'disagrees', severity: 'block', message }));
  switch (verdict.classification) {
    case 'bug':
      return [...disagrees('as_intended', 'The verdict is a bug, but this says that it works as intended'), ...disagrees('solved', 'The verdict is an open bug, but this says that it is solved')];
    case 'answerable':
      return disagrees('defect', 'The verdict is that it works, but this speaks of a defect');
    case 'feature_request':
      return [...disagrees('defect', 'The verdict is a feature request, but this speaks of a defect'), ...disagrees('solved', 'The verdict is a feature request, but this says that it is done')];
    case 'needs_more_info':
      return /[?？؟;՞]/.test(draft.prose) ? [] : [{ rule: 'disagrees', severity: 'warn', message: 'The verdict needs more information, but this asks no question' }];
    default:
      return [...disagrees('as_intended', 'The verdict is inconclusive, but this says that it works as intended'), ...disagrees('solved', 'The verdict is inconclusive, but this says that it is solved')];
  }
};

/** The reply is in the language of the ticket. Nothing is said where either language is unsure. */
export const language: Rule = (draft, { ticket }) => {
  const messages = ticket.thread.filter((message) => message.direction === 'in').slice(-5);
  // The latest words of the customer count first; a form's English headings would drown a short German answer.
  const spoken = messages.length === 0 ? 'unsure' : detectLanguage(messages.map((message) => message.text).join('\n'));
  const wanted = spoken === 'unsure' ? detectLanguage(`${ticket.title}\n${ticket.description}`) : spoken;
  if (wanted === 'unsure' || draft.language === 'unsure' || wanted === draft.language) return [];
  return [{ rule: 'language', severity: 'block', message: `The ticket is written in ${languageNames[wanted]}, the reply in ${languageNames[draft.language]}` }];
};

import { findInvisible } from '../../../base/untrusted.ts';
import type { ReplyFinding } from '../../../model/verdict.ts';
import { maxFindings, type Rule } from '../rule.ts';

const names = { control: 'control character', bidi: 'character that reorders text', invisible: 'invisible character', tags: 'hidden tag character' } as const;

/** Characters the reader would not see, and halves of characters that cannot be sent. The fix takes them out. */
export const invisible: Rule = ({ text }) => {
  const found: ReplyFinding[] = [];
  for (const char of findInvisible(text)) {
    const last = found.at(-1);
    if (last?.span !== undefined && last.span[1] === char.at) last.span[1] = char.at + char.length;
    else if (found.length < maxFindings) found.push({ rule: 'invisible', severity: 'warn', message: `There is a ${names[char.kind]} here (U+${char.code.toString(16).toUpperCase().padStart(4, '0')})`, span: [char.at, char.at + char.length], fix: '' });
  }
  for (const match of text.matchAll(/\p{Surrogate}+/gu)) {
    if (found.length >= maxFindings) break;
    found.push({ rule: 'invisible', severity: 'warn', message: 'There is half a character here', span: [match.index, match.index + match[0].length], fix: '' });
  }
  return found;
};

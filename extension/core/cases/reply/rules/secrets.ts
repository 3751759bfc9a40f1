import type { ReplyFinding } from '../../../model/verdict.ts';
import type { Rule } from '../rule.ts';

const maxLines = 5000;

/** Secrets, found by the same mask that the journal uses; the fix is the masked text. */
export const secrets: Rule = ({ text }, { mask }) => {
  const whole = mask(text);
  if (whole.count === 0) return [];
  const lines = text.split('\n');
  const found: ReplyFinding[] = [];
  let count = 0;
  let at = 0;
  for (const line of lines.length > maxLines ? [] : lines) {
    const masked = mask(line);
    if (masked.count > 0) {
      found.push(difference(line, masked.text, at, masked.count));
      count += masked.count;
    }
    at += line.length + 1;
  }
  // A key that spans lines shows only in the whole.
  return count >= whole.count ? found : [difference(text, whole.text, 0, whole.count)];
};

function difference(before: string, after: string, offset: number, count: number): ReplyFinding {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { rule: 'secret', severity: 'block', message: count === 1 ? 'This is a secret' : `These are ${count} secrets`, span: [offset + start, offset + before.length - end], fix: after.slice(start, after.length - end) };
}

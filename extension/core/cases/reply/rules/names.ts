import type { ReplyFinding } from '../../../model/verdict.ts';
import { looksInternal, wholeWords } from '../names.ts';
import { findingsFor, maxFindings, type Draft, type ReplyContext, type Rule } from '../rule.ts';

const word = /[\p{L}_$][\p{L}\p{N}_$]*(?:[.:/#-]{1,2}[\p{L}\p{N}_$]+)*/gu;
/** Programs and tools that work behind the reply. Where the ticket itself speaks of them, they may be answered. */
const machinery =
  /(?<![\p{L}\p{N}-])(?:casebook|claude(?: code)?|chat ?gpt|gpt-?\d[\w.]*|openai|anthropic|codex|copilot|gemini|llama|mistral|large language model|language model|llms?|ai (?:agent|assistant|model)|(?:coding|sub)-?agents?|as an ai|ripgrep|tree-sitter|mcp server|system prompt|stack overflow|jira|internal ticket)(?![\p{L}\p{N}])/giu;

/** Names from the repository, and of the agents and tools that took part. */
export const internalNames: Rule = (draft, context) => [...fromRepository(draft, context), ...ofMachinery(draft)];

function fromRepository({ text, ticketText }: Draft, context: ReplyContext): ReplyFinding[] {
  const names = new Set<string>();
  const add = (name: string): void => {
    const base = name.split(/[\\/]/).at(-1) ?? name;
    for (const form of [name, base]) if (looksInternal(form)) names.add(form.toLowerCase());
  };
  for (const name of context.internalNames) add(name);
  for (const suspect of context.suspects) {
    add(suspect.file);
    for (const symbol of suspect.symbols) add(symbol);
  }
  if (names.size === 0) return [];
  return findingsFor(text.matchAll(word), (match) => {
    const whole = match[0].toLowerCase();
    const known = names.has(whole) ? whole : parts(whole).find((part) => names.has(part));
    if (known === undefined) return undefined;
    const quoted = ticketText.includes(known);
    return { rule: 'internal_name', severity: quoted ? 'warn' : 'block', message: quoted ? 'This name comes from the code; the ticket mentions it, too' : 'This name comes from the code' };
  });
}

/** `store.saveDraft` is found by `saveDraft`, `./src/a.ts` by `a.ts`; at most a few parts, so that time stays linear. */
function parts(name: string): string[] {
  if (name.length > 300) return [];
  return [...name.split(/[:/#]+/), ...name.split(/[.:/#]+/)];
}

function ofMachinery({ text, ticketText }: Draft): ReplyFinding[] {
  return findingsFor(text.matchAll(machinery), (match) => (ticketText.includes(match[0].toLowerCase()) ? undefined : { rule: 'internal_name', severity: 'block', message: 'This names a tool of ours' }));
}

/** Names of customers other than the one who wrote, as whole words. */
export const otherCustomers: Rule = ({ text }, { otherCustomers: names }) => {
  const folded = text.toLowerCase();
  // Lower-casing may change lengths (İ); then the folded text cannot be pointed into.
  const source = folded.length === text.length ? folded : text;
  const found: ReplyFinding[] = [];
  for (const name of new Set(names)) {
    const wanted = source === text ? name : name.toLowerCase();
    for (const at of wholeWords(source, wanted)) {
      if (found.length >= maxFindings) break;
      found.push({ rule: 'other_customer', severity: 'block', message: 'This names another customer', span: [at, at + wanted.length] });
    }
  }
  return found;
};

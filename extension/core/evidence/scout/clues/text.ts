import type { Clue } from '../../../model/code.ts';
import type { TextLine } from './index.ts';
import { cleanPath } from './frame.ts';

/** A path, file name or module that the text names. */
export interface PathClue {
  text: string;
  path: string;
  line?: number;
  endLine?: number;
  at: number;
}

const sourceLike =
  'py|pyx|pyi|[cm]?[jt]sx?|vue|svelte|astro|go|java|kts?|scala|groovy|rb|erb|rs|cs|fs|vb|cshtml|razor|php|swift|mm?|cc?|cpp|cxx|hh?|hpp|dart|exs?|erl|hs|cljs?|lua|pl|r|jl|sql|proto|graphql|s?css|less|html?|ya?ml|json5?|toml|ini|cfg|conf|xml|sh|md|rst|txt';
const pathPattern = new RegExp(`(?:^|[\\s"'\`(\\[{<=:,])((?:[A-Za-z]:)?[\\w@.~+\\-/\\\\]{1,300}\\.(?:${sourceLike}))(?![\\w/\\\\-]|\\.\\w)(?::(\\d{1,7}))?`, 'g');
const blobPattern = /\/(?:blob|tree|blame|raw|src)\/[\w.-]{1,100}\/([\w@.+\-/%]{1,400})(?:\?[\w=&-]{0,100})?(?:#L(\d{1,7})(?:C\d{1,5})?(?:-L?(\d{1,7}))?)?/g;
const slashedPattern = /(?:^|[\s"'`(])((?:[\w@.-]{1,60}\/){1,12}[\w@.-]{1,80})(?=[\s"'`),:;]|$)/g;

/** Paths and file names in the text, links into a repository's files first. */
export function pathsOf(lines: readonly TextLine[]): PathClue[] {
  const found: PathClue[] = [];
  for (const line of lines) {
    if (found.length > 400) break;
    if (line.text.includes('/')) {
      for (const match of line.text.matchAll(blobPattern)) {
        found.push({ text: match[0].slice(0, 300), path: match[1]!, at: line.at + match.index, ...numbered(match[2], match[3]) });
      }
    }
    if (line.text.includes('.')) {
      for (const match of line.text.matchAll(pathPattern)) {
        const path = cleanPath(match[1]!);
        if (/^\.?[a-z]{1,5}$/i.test(path)) continue;
        found.push({ text: match[1]!.slice(0, 300), path, at: line.at + match.index, ...numbered(match[2]) });
      }
    }
    for (const match of line.text.matchAll(slashedPattern)) {
      if (/^\d|\/\/|^https?/.test(match[1]!)) continue;
      found.push({ text: match[1]!, path: cleanPath(match[1]!), at: line.at + match.index });
    }
  }
  return found;
}

function numbered(line: string | undefined, endLine?: string): { line?: number; endLine?: number } {
  const from = line === undefined ? 0 : Number.parseInt(line, 10);
  const to = endLine === undefined ? 0 : Number.parseInt(endLine, 10);
  return { ...(from > 0 ? { line: from } : {}), ...(from > 0 && to >= from ? { endLine: to } : {}) };
}

const errorPattern = /(?:^|[\s"'`>(])((?:[A-Za-z_][\w.$]{0,200})?(?:Error|Exception|Failure|Warning|Panic|panic|fatal error|error TS\d{1,6}|error\[E\d{1,6}\])): {0,3}(\S[^\n]{2,300})/g;
const failurePattern = /\b(?:error|failed|failure|cannot|can't|could not|couldn't|unable to|invalid|unexpected|undefined|unknown|missing|not found|no such)\b[^\n]{0,200}/i;

/** Error messages: after an exception's name, or a log line that says something failed. */
export function errorsOf(lines: readonly TextLine[]): { name?: string; message: string; at: number }[] {
  const errors: { name?: string; message: string; at: number }[] = [];
  for (const line of lines) {
    if (errors.length >= 40) break;
    let any = false;
    for (const match of line.text.matchAll(errorPattern)) {
      errors.push({ name: match[1]!.split('.').at(-1)!, message: match[2]!.trim(), at: line.at + match.index });
      any = true;
    }
    const marked = any ? null : /^\s{0,8}(?:\[?error\]?:?|err:|E {2,})\s/i.exec(line.text);
    const match = marked && failurePattern.exec(line.text.slice(marked[0].length));
    if (match) errors.push({ message: match[0].trim(), at: line.at + marked[0].length + match.index });
  }
  return errors;
}

/** Texts in straight, typographic or back quotes: what a user reads on the screen, or a literal of the code. */
export function quotedOf(lines: readonly TextLine[]): { text: string; at: number }[] {
  const quoted: { text: string; at: number }[] = [];
  for (const line of lines) {
    if (quoted.length >= 150) break;
    for (const match of line.text.matchAll(/"([^"\n]{3,200})"|“([^”\n]{3,200})”|`([^`\n]{3,200})`|(?<![\w'])'([^'\n]{3,200})'(?!\w)|「([^」\n]{2,200})」/g)) {
      const text = (match[1] ?? match[2] ?? match[3] ?? match[4] ?? match[5])!.trim();
      if (text.length >= 3) quoted.push({ text, at: line.at + match.index + 1 });
    }
  }
  return quoted;
}

/** Names that look like code: camelCase, snake_case, CONSTANT_CASE, kebab-case with two parts, dotted, or called. */
export function identifiersOf(text: string): { text: string; at: number }[] {
  const found: { text: string; at: number }[] = [];
  for (const match of text.matchAll(/[A-Za-z_$][\w$]{0,79}(?:(?:\.|::|#|->|-)[A-Za-z_$][\w$]{0,79}){0,8}(\(\))?/g)) {
    if (found.length >= 3000) break;
    const word = match[0].replace(/\(\)$/, '');
    if (word.length < 3) continue;
    const shaped = match[1] !== undefined || /[a-z\d][A-Z]|[A-Za-z\d]_[A-Za-z\d]|^_\w|[A-Z][a-z]+[A-Z]|\.|::|#|->|-/.test(word);
    if (shaped) found.push({ text: word, at: match.index });
  }
  return found;
}

const patterns: [Clue['kind'], RegExp][] = [
  ['url', /\bhttps?:\/\/[^\s<>()[\]"'`]{1,500}/g],
  ['version', /(?:^|[\s@=^~(v:])(\d{1,4}\.\d{1,5}(?:\.\d{1,6}){0,2}(?:[-+.](?:alpha|beta|rc|dev|pre|next|canary|SNAPSHOT|final)[\w.]{0,20})?)(?![\w.]*\.\w)/g],
  ['date', /\b(\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6} \d{1,2},? \d{4})\b/g],
  ['commit', /(?:^|[\s/(`@])([0-9a-f]{7,40})(?=[\s)`.,:;]|$)/g],
  ['ticket', /(?:^|[\s(,])((?:[\w.-]{1,60}\/[\w.-]{1,60})?#\d{1,7}|GH-\d{1,7}|[A-Z][A-Z\d]{1,9}-\d{1,7})(?=[\s),.:;]|$)/g],
];

/** Versions, URLs, dates, commits and references to other tickets; at most 30 of a kind. */
export function factsOf(lines: readonly TextLine[]): Clue[] {
  const facts: Clue[] = [];
  for (const [kind, pattern] of patterns) {
    const seen = new Set<string>();
    for (const line of lines) {
      if (seen.size >= 30) break;
      for (const match of line.text.matchAll(pattern)) {
        const text = (match[1] ?? match[0]).replace(/[.,;:]+$/, '');
        if (kind === 'commit' && (!/\d/.test(text) || !/[a-f]/.test(text))) continue;
        if (seen.has(text) || seen.size >= 30) continue;
        seen.add(text);
        facts.push({ kind, text });
      }
    }
  }
  return facts;
}

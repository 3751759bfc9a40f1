import { wellFormed } from '../../base/text.ts';
import { isPlaceholder, secretNames, secretRules } from './table.ts';

/** A stretch of a text, in UTF-16 units, that is a secret. */
export interface SecretRange {
  start: number;
  end: number;
  name: string;
}

/** Further detection beside the own table; gives ranges in the text it was handed. */
export type SecretScanner = (text: string) => Promise<SecretRange[]>;

/** Finds secrets in text and in whole values, and replaces each with `[masked:<name>]`. */
export class Masker {
  /** `scanner` is asked too; without one only the own table works. */
  constructor(private readonly scanner: SecretScanner | undefined) {}

  /** Secrets of a text, in order, overlaps merged. */
  async ranges(text: string): Promise<SecretRange[]> {
    const own = tableRanges(text);
    // Nothing that secretlint knows is shorter, and most progress events are a word or two.
    if (this.scanner === undefined || text.length < 16) return own;
    // secretlint takes a whole connection URL for the secret; its host and path are worth keeping.
    const passwords = own.filter((range) => range.name === 'url-password');
    const more = (await this.scanner(text)).filter((range) => !passwords.some((inner) => inner.start >= range.start && inner.end <= range.end));
    return merge([...own, ...more]);
  }

  async text(text: string): Promise<{ text: string; masked: number }> {
    const ranges = await this.ranges(text);
    return { text: applyRanges(text, ranges), masked: ranges.length };
  }

  /**
   * A copy of a JSON value whose strings (keys too) are well-formed Unicode without secrets. All strings are scanned as one text,
   * which is far cheaper than one scan each.
   */
  async value<T>(value: T): Promise<{ value: T; masked: number; replaced: number }> {
    const strings: string[] = [];
    let replaced = 0;
    let masked = 0;
    collect(value, (text) => {
      const clean = wellFormed(text);
      replaced += clean.replaced;
      strings.push(clean.text);
    });
    const parts = await this.each(strings);
    let next = 0;
    const rebuilt = rebuild(value, undefined, (_original, name) => {
      const part = parts[next++] ?? { text: '', masked: 0 };
      masked += part.masked;
      if (name === undefined || !secretNames.test(name) || part.text === '' || isPlaceholder(part.text)) return part.text;
      masked += part.masked === 0 ? 1 : 0;
      return `[masked:${name.toLowerCase()}]`;
    });
    return { value: rebuilt as T, masked, replaced };
  }

  /** Each different string is scanned once, and none that is only a hash or an id: a large event says the same words over and over. */
  private async each(strings: readonly string[]): Promise<{ text: string; masked: number }[]> {
    const different = [...new Set(strings)].filter((text) => text !== '' && !idLike.test(text));
    const scanned = await this.many(different);
    const known = new Map(different.map((text, index) => [text, scanned[index]]));
    return strings.map((text) => known.get(text) ?? { text, masked: 0 });
  }

  private async many(strings: readonly string[]): Promise<{ text: string; masked: number }[]> {
    const all = strings.join(separator);
    const ranges = await this.ranges(all);
    const parts: { text: string; masked: number }[] = [];
    let start = 0;
    let index = 0;
    for (const text of strings) {
      const end = start + text.length;
      const inside: SecretRange[] = [];
      while (index < ranges.length) {
        const range = ranges[index];
        if (range === undefined || range.start >= end) break;
        if (range.end > start) inside.push({ name: range.name, start: Math.max(range.start, start) - start, end: Math.min(range.end, end) - start });
        if (range.end > end) break;
        index += 1;
      }
      parts.push({ text: applyRanges(text, inside), masked: inside.length });
      start = end + separator.length;
    }
    return parts;
  }
}

/** Hashes and the ids made of them, such as those of hunks; no rule means a string that is nothing else. */
const idLike = /^[a-z]?[0-9a-f]{16,64}(?:[-.][a-z]?[0-9a-f]{1,20})*$/;

/** Ends lines and words for every rule, and is in no string that is scanned as text. */
const separator = '\n\u0000\n';

/** What the own table finds; synchronous, for callers that cannot wait. */
export function tableRanges(text: string): SecretRange[] {
  const found: SecretRange[] = [];
  for (const rule of secretRules) {
    for (const match of text.matchAll(rule.pattern)) {
      const value = match.groups?.['value'] ?? match[0];
      if (rule.accept !== undefined && !rule.accept(value)) continue;
      const start = match.index + match[0].lastIndexOf(value);
      found.push({ start, end: start + value.length, name: rule.name });
    }
  }
  return merge(found);
}

/** What stands in a text where a secret was. */
export const maskPattern = /\[masked:[\w.-]{1,80}\]/g;

/** The text with each range replaced by its label. */
export function applyRanges(text: string, ranges: readonly SecretRange[]): string {
  let result = '';
  let at = 0;
  for (const range of ranges) {
    result += `${text.slice(at, range.start)}[masked:${range.name}]`;
    at = range.end;
  }
  return result + text.slice(at);
}

function merge(ranges: SecretRange[]): SecretRange[] {
  const merged: SecretRange[] = [];
  for (const range of ranges.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last !== undefined && range.start < last.end) last.end = Math.max(last.end, range.end);
    else merged.push({ ...range });
  }
  return merged;
}

function collect(value: unknown, visit: (text: string) => void): void {
  if (typeof value === 'string') visit(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, visit);
  else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      visit(key);
      collect(item, visit);
    }
  }
}

function rebuild(value: unknown, name: string | undefined, replace: (text: string, name: string | undefined) => string): unknown {
  if (typeof value === 'string') return replace(value, name);
  if (Array.isArray(value)) return value.map((item: unknown) => rebuild(item, undefined, replace));
  if (value === null || typeof value !== 'object') return value;
  // Object.fromEntries defines members, so that a key such as `__proto__` stays one.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const cleanKey = replace(key, undefined);
      return [cleanKey, rebuild(item, key, replace)];
    }),
  );
}

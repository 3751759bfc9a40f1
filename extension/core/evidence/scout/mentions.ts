import type { IndexedDoc } from '../../repo/index/repo-index.ts';
import type { Frame } from './clues/frame.ts';
import type { Query } from './query.ts';
import { wordsOfPath } from './lexical.ts';

export const mentionSignals = ['named', 'namedInCode', 'sameName', 'module', 'frame'] as const;
export type MentionSignal = (typeof mentionSignals)[number];

/** How a document is named by the ticket. All strengths are between 0 and about 1. */
export interface Mentions {
  /** A path or file name in words or in a link. */
  named: Float64Array;
  /** A path or file name in code or logs. */
  namedInCode: Float64Array;
  /** A name of the ticket equals the file's own name, extension aside. */
  sameName: Float64Array;
  /** A dotted or slashed module path leads to the file. */
  module: Float64Array;
  /** A frame of a stack trace lies in the file; the innermost weighs most. */
  frame: Float64Array;
  /** For each signal, the text of the ticket that gave a document its strength. */
  said: Record<MentionSignal, Map<number, string>>;
  /** Lines that frames and links give, by document. */
  lines: Map<number, { from: number; to: number; frame?: Frame; text: string }[]>;
  /** Innermost frame that lies in the repository. */
  innermost: { doc: number; frame: Frame } | undefined;
}

/**
 * Finds the documents that the ticket names, by suffix: paths in tickets come from other machines and other layouts.
 * `rarity` is between 0 (a name that stands in every file, such as the project's own) and 1.
 */
export function findMentions(query: Query, docs: readonly IndexedDoc[], usable: (doc: IndexedDoc) => boolean, rarity: (name: string) => number): Mentions {
  const count = docs.length;
  const result: Mentions = {
    named: new Float64Array(count),
    namedInCode: new Float64Array(count),
    sameName: new Float64Array(count),
    module: new Float64Array(count),
    frame: new Float64Array(count),
    said: { named: new Map(), namedInCode: new Map(), sameName: new Map(), module: new Map(), frame: new Map() },
    lines: new Map(),
    innermost: undefined,
  };
  const finder = new PathFinder(docs);
  mentionPaths(query, finder, result);
  mentionNames(query, docs, finder, rarity, result);
  mentionFrames(query, docs, finder, usable, result);
  return result;
}

function raise(result: Mentions, signal: MentionSignal, doc: number, value: number, text: string): void {
  if (value <= result[signal][doc]!) return;
  result[signal][doc] = value;
  result.said[signal].set(doc, text.slice(0, 160));
}

function mentionPaths(query: Query, finder: PathFinder, result: Mentions): void {
  for (const clue of query.paths) {
    const found = finder.bySuffix(clue.path);
    if (found.docs.length === 0 || found.docs.length > 30) continue;
    const strength = found.strength;
    const loud = clue.zone === 'title' || clue.zone === 'prose' || clue.zone === 'inline' || clue.zone === 'link';
    for (const doc of found.docs) {
      raise(result, loud ? 'named' : 'namedInCode', doc, strength, clue.text);
      if (clue.line !== undefined && found.docs.length <= 3) note(result, doc, { from: clue.line, to: Math.min(clue.endLine ?? clue.line, clue.line + 60), text: clue.text });
    }
  }
}

function note(result: Mentions, doc: number, line: { from: number; to: number; frame?: Frame; text: string }): void {
  const known = result.lines.get(doc);
  if (known) known.push(line);
  else result.lines.set(doc, [line]);
}

const zoneWorth = { title: 1, prose: 0.8, inline: 0.8, heading: 0.3, code: 0.5, log: 0.4, environment: 0.1 };

function mentionNames(query: Query, docs: readonly IndexedDoc[], finder: PathFinder, rarity: (name: string) => number, result: Mentions): void {
  for (const name of query.names) {
    const worth = zoneWorth[name.zone];
    if (name.parts.length > 1) {
      // a.b.c may be module a/b with a member c, or module a/b/c.
      for (let end = name.parts.length; end >= 2; end--) {
        const found = finder.byModule(name.parts.slice(0, end));
        if (found.docs.length === 0 || found.docs.length > 8) continue;
        for (const doc of found.docs) raise(result, 'module', doc, worth * found.strength, name.text);
        break;
      }
    }
    for (const part of [name.text, ...name.parts]) {
      const same = finder.byStem(part);
      if (same.length === 0 || same.length > 40) continue;
      const shaped = /[a-z\d][A-Z]|[_-]|[A-Z][a-z]+[A-Z]/.test(part) || (/^[A-Z]/.test(part) && part.length > 3);
      for (const doc of same) raise(result, 'sameName', doc, (worth * rarity(part) * (shaped ? 1 : 0.35)) / Math.sqrt(same.length), part);
    }
  }
  // Plain capitalised words may be types: "Legend", "Response".
  for (const match of query.text.slice(0, 20_000).matchAll(/\b[A-Z][a-z]{3,30}\b/g)) {
    const same = finder.byStem(match[0]);
    if (same.length === 0 || same.length > 10) continue;
    for (const doc of same) if (docs[doc]!.path.includes(match[0])) raise(result, 'sameName', doc, (0.4 * rarity(match[0])) / Math.sqrt(same.length), match[0]);
  }
}

function mentionFrames(query: Query, docs: readonly IndexedDoc[], finder: PathFinder, usable: (doc: IndexedDoc) => boolean, result: Mentions): void {
  const inside: { frame: Frame; docs: number[]; strength: number }[] = [];
  for (const frame of query.frames) {
    const found = finder.bySuffix(frame.file);
    if (found.docs.length === 0 || found.docs.length > 6) continue;
    inside.push({ frame, docs: found.docs, strength: found.strength });
  }
  // Python prints the innermost frame last; everyone else first.
  const ordered = inside.some(({ frame }) => /\.pyx?$/.test(frame.file)) ? inside.reverse() : inside;
  let rank = 0;
  for (const { frame, docs: found, strength } of ordered) {
    const good = found.filter((doc) => usable(docs[doc]!));
    if (good.length > 0) rank++;
    for (const doc of found) {
      raise(result, 'frame', doc, strength / Math.sqrt(Math.max(1, rank)), frame.text);
      if (frame.line !== undefined) note(result, doc, { from: frame.line, to: frame.line, frame, text: frame.text });
    }
    if (!result.innermost && good.length === 1 && found.length === 1) result.innermost = { doc: good[0]!, frame };
  }
}

/** Looks documents up by the ends of their paths. */
class PathFinder {
  private readonly byBase = new Map<string, number[]>();
  private readonly byName = new Map<string, number[]>();
  private readonly segments: string[][];

  constructor(docs: readonly IndexedDoc[]) {
    this.segments = docs.map((doc) => doc.path.toLowerCase().split('/'));
    docs.forEach((doc, number) => {
      push(this.byBase, this.segments[number]!.at(-1)!, number);
      push(this.byName, squeezed(wordsOfPath(doc.path).stem), number);
    });
  }

  /** Documents that share the longest end with `path`; `strength` grows with its length and falls with how many there are. */
  bySuffix(path: string): { docs: number[]; strength: number } {
    const wanted = path.toLowerCase().split('/').filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
    const base = wanted.at(-1);
    const candidates = base === undefined ? undefined : this.byBase.get(base);
    if (!candidates) return { docs: [], strength: 0 };
    let best = 0;
    let docs: number[] = [];
    for (const doc of candidates) {
      const length = commonEnd(this.segments[doc]!, wanted);
      if (length > best) {
        best = length;
        docs = [];
      }
      if (length === best) docs.push(doc);
    }
    // A bare "index.js" or "utils.py" that many folders have says little; so does an end of one segment of a longer path.
    const whole = best === wanted.length ? 1 : best >= 2 ? 0.9 : 0.4;
    return { docs, strength: (whole * (1 - 0.5 ** (best + (best === this.segments[docs[0]!]!.length ? 1 : 0)))) / Math.sqrt(docs.length) };
  }

  byModule(parts: readonly string[]): { docs: number[]; strength: number } {
    const last = squeezed(parts.at(-1)!);
    const candidates = this.byName.get(last) ?? [];
    const wanted = parts.map((part) => part.toLowerCase());
    const docs: number[] = [];
    for (const doc of candidates) {
      const segments = [...this.segments[doc]!];
      const base = segments.pop()!.replace(/\.[a-z0-9]{1,10}$/, '');
      if (base !== '__init__' && base !== 'index' && base !== 'mod') segments.push(base);
      // One segment may be missing in between, as in package.src.module.
      if (commonEnd(segments, wanted) >= Math.min(2, wanted.length)) docs.push(doc);
    }
    return { docs, strength: docs.length === 0 ? 0 : Math.min(1, 0.5 + 0.2 * parts.length) / Math.sqrt(docs.length) };
  }

  byStem(name: string): number[] {
    return this.byName.get(squeezed(name)) ?? [];
  }
}

function squeezed(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9\u0080-\uffff]/g, '');
}

function push(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function commonEnd(left: readonly string[], right: readonly string[]): number {
  let length = 0;
  while (length < left.length && length < right.length && left[left.length - 1 - length] === right[right.length - 1 - length]) length++;
  return length;
}

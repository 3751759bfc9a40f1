import { type Postings, type RepoIndex, noPostings } from '../../repo/index/repo-index.ts';
import { packing } from '../../repo/index/scanner.ts';
import { termsOf } from '../../repo/index/words.ts';
import { type Query, type QueryTerm, countedZones } from './query.ts';
import { zoneWeights } from './weights.ts';

/** A term of the ticket as the index knows it. */
export interface FoundTerm {
  entry: QueryTerm;
  postings: Postings;
  idf: number;
  /** The same by how many files define the name; rarer, so worth more. */
  definesIdf: number;
  /** What the ticket makes of the term: its zones and how often they say it. */
  weight: number;
}

export const lexicalFields = ['content', 'names', 'defines', 'definedWords', 'path', 'fileName'] as const;
export type LexicalField = (typeof lexicalFields)[number];

/** One value per document and field, not yet scaled. */
export type LexicalScores = Record<LexicalField, Float64Array>;

const K1 = 1.2;
/** How far long files are held back. Less than the usual 0.75: in code, long files are where the defects are. */
const LENGTH_CONTENT = 0.4;
const LENGTH_NAMES = 0.2;

/** Which documents count for how rare a word is; the others are scored all the same. */
export type Counted = readonly boolean[];

/** Looks all terms of the ticket up, once. The work grows with the postings of these terms, not with the repository. */
export function lookUp(query: Query, index: RepoIndex, counted: Counted): FoundTerm[] {
  const total = counted.reduce((sum, yes) => sum + (yes ? 1 : 0), 0) || 1;
  return query.terms.map((entry) => {
    const postings = index.postings(entry.term);
    let files = 0;
    let definers = 0;
    for (let i = 0; i < postings.docs.length; i++) {
      if (counted[postings.docs[i]!] !== true) continue;
      files++;
      if (packing.definesName(postings.packed[i]!)) definers++;
    }
    return { entry, postings, idf: rarity(total, files) * entry.worth, definesIdf: rarity(total, definers) * entry.worth, weight: weightOf(entry) };
  });
}

/** Inverse document frequency, never negative. */
function rarity(total: number, files: number): number {
  return Math.log(1 + (total - files + 0.5) / (files + 0.5));
}

/** How rare a name is in the contents: 1 when few files know it, down to 0 when nearly all do. */
export function nameRarity(index: RepoIndex, counted: Counted): (name: string) => number {
  const total = counted.reduce((sum, yes) => sum + (yes ? 1 : 0), 0) || 1;
  const known = new Map<string, number>();
  return (name) => {
    let rare = known.get(name);
    if (rare !== undefined) return rare;
    const { parts, compound } = termsOf(name);
    const term = compound ?? parts[0];
    let files = 0;
    if (term) for (const doc of index.postings(term).docs) if (counted[doc] === true) files++;
    // Half of the greatest possible rarity is already rare enough.
    rare = Math.min(1, (2 * rarity(total, files)) / Math.log(1 + 2 * total));
    known.set(name, rare);
    return rare;
  };
}

/** A word said often counts more, but soon no more. */
function weightOf(entry: QueryTerm): number {
  return entry.counts.reduce((sum, count, zone) => sum + (count === 0 ? 0 : (zoneWeights[countedZones[zone]!] * 2.2 * count) / (count + 1.2)), 0);
}

/** Scores every document by the words it shares with the ticket. */
export function scoreLexically(terms: readonly FoundTerm[], index: RepoIndex, counted: Counted): LexicalScores {
  const count = index.docs.length;
  const scores = Object.fromEntries(lexicalFields.map((field) => [field, new Float64Array(count)])) as LexicalScores;
  const total = counted.reduce((sum, yes) => sum + (yes ? 1 : 0), 0) || 1;
  const average = index.docs.reduce((sum, doc, i) => sum + (counted[i] ? doc.length : 0), 0) / total || 1;
  const norm = (b: number): Float64Array => Float64Array.from(index.docs, (doc) => K1 * (1 - b + (b * doc.length) / average));
  const norms = { word: norm(LENGTH_CONTENT), compound: norm(LENGTH_NAMES) };
  for (const term of terms) {
    if (term.postings === noPostings) continue;
    const target = term.entry.kind === 'word' ? scores.content : scores.names;
    const lengths = norms[term.entry.kind];
    for (let i = 0; i < term.postings.docs.length; i++) {
      const doc = term.postings.docs[i]!;
      const packed = term.postings.packed[i]!;
      target[doc]! += contentGain(term, packed, lengths[doc]!);
      if (packing.defined(packed) === 0) continue;
      scores.definedWords[doc]! += definedGain(term, packed);
      if (packing.definesName(packed)) scores.defines[doc]! += term.weight * term.definesIdf;
    }
  }
  scorePaths(terms, index, counted, scores);
  return scores;
}

function contentGain(term: FoundTerm, packed: number, norm: number): number {
  const count = packing.count(packed);
  return (term.weight * term.idf * count * (K1 + 1)) / (count + norm);
}

function definedGain(term: FoundTerm, packed: number): number {
  const named = packing.defined(packed);
  return (term.weight * term.idf * named * 2) / (named + 1);
}

/** For a few documents, the words that gave each field its score, strongest first. */
export function explainLexically(terms: readonly FoundTerm[], chosen: ReadonlySet<number>): Map<number, Map<LexicalField, string[]>> {
  const found = new Map<number, Map<LexicalField, { text: string; gain: number }[]>>();
  const add = (doc: number, field: LexicalField, text: string, gain: number): void => {
    if (gain <= 0) return;
    const fields = found.get(doc) ?? new Map<LexicalField, { text: string; gain: number }[]>();
    found.set(doc, fields);
    const list = fields.get(field) ?? [];
    fields.set(field, list);
    list.push({ text, gain });
  };
  for (const term of terms) {
    for (let i = 0; i < term.postings.docs.length; i++) {
      const doc = term.postings.docs[i]!;
      if (!chosen.has(doc)) continue;
      const packed = term.postings.packed[i]!;
      add(doc, term.entry.kind === 'word' ? 'content' : 'names', term.entry.text, contentGain(term, packed, K1));
      add(doc, 'definedWords', term.entry.text, definedGain(term, packed));
      if (packing.definesName(packed)) add(doc, 'defines', term.entry.text, term.weight * term.definesIdf);
    }
  }
  const words = new Map<number, Map<LexicalField, string[]>>();
  for (const [doc, fields] of found) {
    words.set(doc, new Map([...fields].map(([field, list]) => [field, [...new Set(list.sort((a, b) => b.gain - a.gain || (a.text < b.text ? -1 : 1)).map(({ text }) => text))].slice(0, 6)])));
  }
  return words;
}

const genericStems = new Set(['index', 'main', 'mod', '__init__', 'init', 'lib', 'package', 'setup', 'readme']);

/** The words of a path: those of the file's own name (or of its folder, when the name says nothing) and the rest. */
export function wordsOfPath(path: string): { stem: string; folders: string[] } {
  const folders = path.split('/');
  const base = folders.pop()!;
  let stem = base.replace(/(?:\.[A-Za-z0-9]{1,10})$/, '');
  if (genericStems.has(stem.toLowerCase()) && folders.length > 0) stem = folders.pop()!;
  return { stem, folders };
}

function scorePaths(terms: readonly FoundTerm[], index: RepoIndex, counted: Counted, scores: LexicalScores): void {
  const keys = new PathKeys();
  const wanted = new Map<number, FoundTerm>();
  for (const term of terms) {
    const id = keys.known(term.entry.term);
    wanted.set(id, term);
  }
  const perDoc = index.docs.map((doc) => {
    const { stem, folders } = wordsOfPath(doc.path);
    return { stem: keys.of(stem), folders: folders.map((folder) => keys.of(folder)) };
  });
  const files = new Map<number, number>();
  let total = 1;
  perDoc.forEach(({ stem, folders }, number) => {
    if (counted[number] !== true) return;
    total++;
    for (const key of new Set([...stem, ...folders.flat()])) files.set(key, (files.get(key) ?? 0) + 1);
  });
  perDoc.forEach(({ stem, folders }, number) => {
    const all = new Set([...stem, ...folders.flat()]);
    let mass = 0;
    for (const key of stem) mass += rarity(total, files.get(key) ?? 0);
    let cover = 0;
    for (const key of all) {
      const term = wanted.get(key);
      if (!term) continue;
      const gain = rarity(total, files.get(key) ?? 0) * term.entry.worth * term.weight;
      const inStem = stem.includes(key);
      scores.path[number]! += gain * (inStem ? 1 : 0.5);
      if (inStem) cover += gain / mass;
    }
    // Squared: a name spelled out in full counts, a common half of it hardly.
    scores.fileName[number] = cover * cover * mass;
  });
}

/** Small numbers for the words of paths; folders repeat, so each is taken apart once. */
class PathKeys {
  private readonly ids = new Map<string, number>();
  private readonly segments = new Map<string, number[]>();

  known(term: { a: number; b: number }): number {
    const key = `${term.a}:${term.b}`;
    let id = this.ids.get(key);
    if (id === undefined) this.ids.set(key, (id = this.ids.size));
    return id;
  }

  of(segment: string): number[] {
    let keys = this.segments.get(segment);
    if (keys) return keys;
    keys = [];
    for (const word of segment.split(/[^A-Za-z0-9_$\u0080-\uffff]+/)) {
      if (word.length < 2) continue;
      for (const part of termsOf(word).parts) {
        const id = this.known(part);
        if (!keys.includes(id)) keys.push(id);
      }
    }
    this.segments.set(segment, keys);
    return keys;
  }
}

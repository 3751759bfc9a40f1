import { maskPattern } from '../../journal/redact/masker.ts';
import type { Clue } from '../../model/code.ts';
import { type TermHash, compoundOf, termsOf } from '../../repo/index/words.ts';
import type { Frame } from './clues/frame.ts';
import { framesOf, linesOf } from './clues/index.ts';
import { type PathClue, errorsOf, factsOf, identifiersOf, pathsOf, quotedOf } from './clues/text.ts';
import { type Piece, type Zone, maxTicketLength, piecesOf } from './zones.ts';
import { chatter, stopWords } from './stop-words.ts';

/** Zones that count words apart from each other; environment and template headings only give clues. */
export const countedZones = ['title', 'prose', 'code', 'inline', 'log'] as const;
export type CountedZone = (typeof countedZones)[number];

/** One term of the ticket and how often each zone says it. */
export interface QueryTerm {
  term: TermHash;
  /** As first written in the ticket. */
  text: string;
  /** Compound: a whole name of several parts; word: one part. */
  kind: 'word' | 'compound';
  /** Occurrences by zone, in the order of `countedZones`. */
  counts: number[];
  /** 1, or less for words that people say about any trouble. */
  worth: number;
}

/** A name that looks like code. */
export interface NameClue {
  text: string;
  /** The whole name and, for dotted names, each part. */
  parts: string[];
  zone: Zone;
}

/** Everything the scout takes from a ticket. */
export interface Query {
  terms: QueryTerm[];
  names: NameClue[];
  paths: (PathClue & { zone: Zone | 'link' })[];
  frames: Frame[];
  /** Error messages and quoted texts, longest first, as they would stand in a literal. */
  phrases: { text: string; kind: 'error' | 'quoted'; zone: Zone }[];
  clues: Clue[];
  /** All text, capped. */
  text: string;
}

const MAX_TERMS = 1500;

/** Reads a ticket. Only its first million characters count; what Casebook itself put there in place of a secret says nothing about the code. */
export function readTicket(maskedTitle: string, maskedBody: string): Query {
  const title = withoutMasks(maskedTitle);
  const body = withoutMasks(maskedBody);
  const text = `${title}\n${body}`.slice(0, maxTicketLength);
  const pieces = piecesOf(title, body);
  const lines = linesOf(text);
  const frames = framesOf(lines);
  const zoneAt = zoneFinder(pieces, title.length + 1);
  const paths = pathsOf(lines).map((path) => ({ ...path, zone: path.text.startsWith('/') && /\/(?:blob|tree|blame|raw|src)\//.test(path.text) ? ('link' as const) : zoneAt(path.at) }));
  const errors = errorsOf(lines);
  const quoted = quotedOf(lines);
  const names = namesOf(pieces);
  const phrases = phrasesOf(errors, quoted, zoneAt);
  return { terms: termsOfPieces(pieces), names, paths, frames, phrases, clues: cluesOf(frames, errors, paths, names, quoted, lines), text };
}

/** Places in the text stay where they are. */
const withoutMasks = (text: string): string => text.replace(maskPattern, (mask) => ' '.repeat(mask.length));

function zoneFinder(pieces: readonly Piece[], bodyAt: number): (at: number) => Zone {
  const starts = pieces.filter((piece) => piece.at >= 0);
  return (at) => {
    if (at < bodyAt) return 'title';
    let low = 0;
    let high = starts.length - 1;
    let found: Zone = 'prose';
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (starts[middle]!.at <= at - bodyAt) {
        found = starts[middle]!.zone;
        low = middle + 1;
      } else high = middle - 1;
    }
    return found;
  };
}

function termsOfPieces(pieces: readonly Piece[]): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const add = (term: TermHash, text: string, kind: QueryTerm['kind'], zone: number, amount: number): void => {
    const key = `${term.a}:${term.b}`;
    let known = terms.get(key);
    if (!known) {
      if (terms.size >= MAX_TERMS) return;
      known = { term, text, kind, counts: countedZones.map(() => 0), worth: kind === 'word' && chatter.has(text.toLowerCase()) ? 0.35 : 1 };
      terms.set(key, known);
    }
    known.counts[zone]! += amount;
  };
  for (const piece of pieces) {
    const zone = countedZones.indexOf(piece.zone as CountedZone);
    if (zone < 0) continue;
    for (const match of piece.text.matchAll(/[A-Za-z0-9_$\u0080-\uffff]{2,80}/g)) addWord(match[0], zone, add);
    // Hyphenated names may be one compound in code: key-spacing, keySpacing.
    for (const match of piece.text.matchAll(/[A-Za-z][A-Za-z0-9]{0,40}(?:-[A-Za-z0-9]{1,40}){1,5}/g)) add(compoundOf(match[0].replaceAll('-', '_')), match[0], 'compound', zone, 1);
  }
  return [...terms.values()];
}

function addWord(word: string, zone: number, add: (term: TermHash, text: string, kind: QueryTerm['kind'], zone: number, amount: number) => void): void {
  if (stopWords.has(word.toLowerCase())) return;
  const { parts, compound } = termsOf(word);
  if (compound) {
    add(compound, word, 'compound', zone, 1);
    const pieces = word.split(/[_$]+|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])/).filter((piece) => piece.length > 1);
    parts.forEach((part, i) => {
      const text = pieces[i] ?? word;
      if (!stopWords.has(text.toLowerCase())) add(part, text, 'word', zone, 1);
    });
  } else {
    for (const part of parts) add(part, word, 'word', zone, 1);
    // "filename" in prose may be fileName in code.
    if (word.length >= 6 && /^[A-Za-z]+$/.test(word)) add(compoundOf(word), word, 'compound', zone, 0.5);
  }
}

function namesOf(pieces: readonly Piece[]): NameClue[] {
  const names: NameClue[] = [];
  for (const piece of pieces) {
    for (const found of identifiersOf(piece.text)) {
      const parts = found.text.split(/\.|::|#|->/).filter((part) => part.length > 1);
      names.push({ text: found.text, parts, zone: piece.zone });
    }
  }
  return names;
}

function phrasesOf(errors: ReturnType<typeof errorsOf>, quoted: ReturnType<typeof quotedOf>, zoneAt: (at: number) => Zone): Query['phrases'] {
  const phrases: Query['phrases'] = [];
  const seen = new Set<string>();
  const add = (text: string, kind: 'error' | 'quoted', at: number): void => {
    const trimmed = text.trim().slice(0, 200);
    if (trimmed.length < 4 || seen.has(trimmed)) return;
    seen.add(trimmed);
    phrases.push({ text: trimmed, kind, zone: zoneAt(at) });
  };
  for (const error of errors) add(error.message, 'error', error.at);
  for (const quote of quoted) add(quote.text, 'quoted', quote.at);
  return phrases.slice(0, 120);
}

function cluesOf(frames: readonly Frame[], errors: ReturnType<typeof errorsOf>, paths: readonly PathClue[], names: readonly NameClue[], quoted: ReturnType<typeof quotedOf>, lines: ReturnType<typeof linesOf>): Clue[] {
  const clues: Clue[] = [];
  const seen = new Set<string>();
  const add = (clue: Clue): void => {
    const key = `${clue.kind}\n${clue.text}`;
    if (seen.has(key) || clues.length >= 300) return;
    seen.add(key);
    clues.push(clue);
  };
  for (const frame of frames.slice(0, 60)) add({ kind: 'frame', text: frame.text, file: frame.file, ...(frame.line === undefined ? {} : { line: frame.line }) });
  for (const error of errors) add({ kind: 'error', text: error.name ? `${error.name}: ${error.message}` : error.message });
  for (const path of paths.slice(0, 60)) add({ kind: 'path', text: path.text, file: path.path, ...(path.line === undefined ? {} : { line: path.line }) });
  for (const name of names.slice(0, 120)) add({ kind: 'identifier', text: name.text });
  for (const quote of quoted.slice(0, 40)) add({ kind: 'quoted', text: quote.text });
  for (const fact of factsOf(lines)) add(fact);
  return clues;
}

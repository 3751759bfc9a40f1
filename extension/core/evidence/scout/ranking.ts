import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IndexedDoc, RepoIndex } from '../../repo/index/repo-index.ts';
import { type CloseReading, CloseReader } from './close-reading.ts';
import { type FoundTerm, lexicalFields, lookUp, nameRarity, scoreLexically } from './lexical.ts';
import { type Mentions, findMentions, mentionSignals } from './mentions.ts';
import type { Query } from './query.ts';
import { type SignalName, machineMadeFactor, roleFactors, signalNames, signals } from './weights.ts';

/** One root and its index. */
export interface RootIndex {
  name: string;
  path: string;
  index: RepoIndex;
}

/** A root while its documents are ranked. */
export interface RankedRoot extends RootIndex {
  terms: FoundTerm[];
  mentions: Mentions;
  /** Strength of each signal by document, before its weight. */
  strengths: Record<SignalName, Float64Array>;
  /** Weighted sum times the factor of the role. */
  scores: Float64Array;
  /** Documents that were read closely. */
  readings: Map<number, CloseReading>;
  /** What a signal found, for documents where words alone do not say it. */
  said: Map<SignalName, Map<number, string>>;
}

export interface RankedDoc {
  root: RankedRoot;
  doc: number;
}

/** How many candidates are read closely, over all roots together. */
export const closeReadings = 60;

/** Documents among which a fix is looked for; their words alone decide how rare a word is. */
function isEligible(doc: IndexedDoc): boolean {
  return roleFactors[doc.role] >= 0.2 && doc.length > 0;
}

/** What git's history says of files, by path. */
export interface Past {
  /** Files that commits about the same changed. */
  related: ReadonlyMap<string, Finding>;
  /** Files that are usually changed together with the given ones. */
  together(leaders: readonly string[]): ReadonlyMap<string, Finding>;
}

export interface Finding {
  /** 0 to 1. */
  strength: number;
  text: string;
}

/** How many first suspects lead to files that change with them. */
const LEADERS = 5;

export interface RankingInput {
  query: Query;
  roots: readonly RootIndex[];
  /** The past of each root by its name; empty without git. */
  pasts: ReadonlyMap<string, Past>;
  signal: AbortSignal;
}

/** Ranks the documents of all roots. Ties are broken by root and path, so that the same input always gives the same order. */
export function rank(input: RankingInput): { ranked: RankedDoc[]; roots: RankedRoot[]; opened: number } {
  const roots = input.roots.map((root) => firstLook(input, root));
  scaleTogether(roots);
  for (const root of roots) addUp(root);
  const candidates = inOrder(roots).slice(0, closeReadings);
  const opened = readClosely(input, candidates);
  compareReadings(input.query, candidates);
  followLeaders(input, roots, candidates);
  for (const root of roots) addUp(root);
  return { ranked: inOrder(roots), roots, opened };
}

function firstLook(input: RankingInput, root: RootIndex): RankedRoot {
  input.signal.throwIfAborted();
  const { docs } = root.index;
  const counted = docs.map(isEligible);
  const terms = lookUp(input.query, root.index, counted);
  const lexical = scoreLexically(terms, root.index, counted);
  const mentions = findMentions(input.query, docs, isEligible, nameRarity(root.index, counted));
  const strengths = Object.fromEntries(signalNames.map((name) => [name, new Float64Array(docs.length)])) as Record<SignalName, Float64Array>;
  for (const field of lexicalFields) strengths[field] = lexical[field];
  for (const name of mentionSignals) strengths[name] = mentions[name];
  const said = new Map<SignalName, Map<number, string>>(mentionSignals.map((name) => [name, mentions.said[name]]));
  docs.forEach((doc, number) => {
    // About -1 for a file of a few lines, 0 for a thousand words, 0.5 for ten thousand.
    strengths.size[number] = Math.log(Math.max(1, doc.length) / 1000) / 5;
  });
  const ranked: RankedRoot = { ...root, terms, mentions, strengths, scores: new Float64Array(docs.length), readings: new Map(), said };
  take(ranked, 'history', input.pasts.get(root.name)?.related);
  return ranked;
}

function take(root: RankedRoot, signal: SignalName, findings: ReadonlyMap<string, Finding> | undefined): void {
  if (!findings || findings.size === 0) return;
  root.index.docs.forEach((doc, number) => {
    const found = findings.get(doc.path);
    if (!found) return;
    root.strengths[signal][number] = found.strength;
    say(root, signal, number, found.text);
  });
}

function followLeaders(input: RankingInput, roots: readonly RankedRoot[], candidates: readonly RankedDoc[]): void {
  for (const root of roots) {
    const leaders = candidates.slice(0, LEADERS).filter((one) => one.root === root).map(({ doc }) => root.index.docs[doc]!.path);
    take(root, 'changedTogether', input.pasts.get(root.name)?.together(leaders));
  }
}

/** Brings the lexical sums of all roots to one scale: the best whole-file match is about 1. */
function scaleTogether(roots: readonly RankedRoot[]): void {
  let best = 0;
  for (const root of roots) {
    const { content, names } = root.strengths;
    root.index.docs.forEach((doc, number) => {
      if (isEligible(doc)) best = Math.max(best, content[number]! + names[number]!);
    });
  }
  const scale = 1 / (best || 1);
  for (const root of roots) {
    for (const field of lexicalFields) {
      const values = root.strengths[field];
      for (let i = 0; i < values.length; i++) values[i] = values[i]! * scale;
    }
    for (const term of root.terms) term.weight *= scale;
  }
}

function addUp(root: RankedRoot): void {
  root.scores.fill(0);
  for (const name of signalNames) {
    const { weight } = signals[name];
    const values = root.strengths[name];
    for (let i = 0; i < values.length; i++) root.scores[i]! += weight * values[i]!;
  }
  root.index.docs.forEach((doc, number) => {
    const score = root.scores[number]!;
    if (score > 0) root.scores[number] = score * roleFactors[doc.role] * (doc.machineMade ? machineMadeFactor : 1);
  });
}

function inOrder(roots: readonly RankedRoot[]): RankedDoc[] {
  const all: RankedDoc[] = [];
  for (const root of roots) {
    root.index.docs.forEach((_doc, doc) => {
      if (root.scores[doc]! > 0) all.push({ root, doc });
    });
  }
  return all.sort((left, right) => right.root.scores[right.doc]! - left.root.scores[left.doc]! || compareText(left.root.name, right.root.name) || compareText(left.root.index.docs[left.doc]!.path, right.root.index.docs[right.doc]!.path));
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function readClosely(input: RankingInput, candidates: readonly RankedDoc[]): number {
  const readers = new Map<RankedRoot, CloseReader>();
  let opened = 0;
  for (const { root, doc } of candidates) {
    input.signal.throwIfAborted();
    const file = root.index.docs[doc]!;
    if (file.size > 1_000_000 || file.role === 'binary') continue;
    let reader = readers.get(root);
    if (!reader) readers.set(root, (reader = new CloseReader(input.query, Float64Array.from(root.terms, (term) => term.weight * term.idf))));
    try {
      root.readings.set(doc, reader.read(readFileSync(path.join(root.path, file.path))));
      opened++;
    } catch {
      // Gone since the listing: it keeps what the index knew of it.
    }
  }
  return opened;
}

/** Signals that depend on the other candidates: what all of them share tells nothing. */
function compareReadings(query: Query, candidates: readonly RankedDoc[]): void {
  const pairFiles = new Map<number, number>();
  const phraseFiles = new Map<number, number>();
  for (const { root, doc } of candidates) {
    const reading = root.readings.get(doc);
    for (const pair of reading?.pairs ?? []) pairFiles.set(pair, (pairFiles.get(pair) ?? 0) + 1);
    for (const phrase of reading?.phrases.keys() ?? []) phraseFiles.set(phrase, (phraseFiles.get(phrase) ?? 0) + 1);
  }
  const folders = foldersOf(candidates);
  for (const { root, doc } of candidates) {
    scoreFolder(root, doc, folders);
    const reading = root.readings.get(doc);
    if (!reading) continue;
    root.strengths.passage[doc] = reading.passage;
    if (reading.lines[0]) say(root, 'passage', doc, `lines ${reading.lines[0][0]}–${reading.lines[0][1]}`);
    scorePairs(root, doc, reading, pairFiles);
    scorePhrases(query, root, doc, reading, phraseFiles);
  }
}

function say(root: RankedRoot, signal: SignalName, doc: number, text: string): void {
  const texts = root.said.get(signal) ?? new Map<number, string>();
  root.said.set(signal, texts);
  texts.set(doc, text);
}

function scorePairs(root: RankedRoot, doc: number, reading: CloseReading, files: ReadonlyMap<number, number>): void {
  let strength = 0;
  let best = 0;
  for (const pair of reading.pairs) {
    const first = root.terms[Math.floor(pair / 4096)]!;
    const second = root.terms[pair % 4096]!;
    const found = files.get(pair)!;
    const rarity = Math.log(1 + (closeReadings - found + 0.5) / (found + 0.5));
    const gain = rarity * Math.min(first.weight * first.idf, second.weight * second.idf);
    strength += gain;
    if (gain > best) {
      best = gain;
      say(root, 'wordPairs', doc, `“${first.entry.text} ${second.entry.text}”`);
    }
  }
  root.strengths.wordPairs[doc] = strength;
}

function scorePhrases(query: Query, root: RankedRoot, doc: number, reading: CloseReading, files: ReadonlyMap<number, number>): void {
  const caps = { errorMessage: 1, quotedText: 2, quotedName: 2 };
  for (const phrase of [...reading.phrases.keys()].sort((a, b) => a - b)) {
    const { text, kind } = query.phrases[phrase]!;
    const signal = kind === 'error' ? 'errorMessage' : /\s/.test(text) ? 'quotedText' : 'quotedName';
    const values = root.strengths[signal];
    if (values[doc] === 0) say(root, signal, doc, `“${text.slice(0, 80)}”`);
    values[doc] = Math.min(caps[signal], values[doc]! + 1 / files.get(phrase)!);
  }
}

function folderOf(root: RankedRoot, doc: number): string {
  return `${root.name}\n${path.posix.dirname(root.index.docs[doc]!.path)}`;
}

function foldersOf(candidates: readonly RankedDoc[]): Map<string, { doc: number; score: number }[]> {
  const folders = new Map<string, { doc: number; score: number }[]>();
  const best = candidates[0] ? candidates[0].root.scores[candidates[0].doc]! : 1;
  for (const { root, doc } of candidates) {
    const key = folderOf(root, doc);
    const list = folders.get(key) ?? [];
    folders.set(key, list);
    list.push({ doc, score: root.scores[doc]! / best });
  }
  return folders;
}

function scoreFolder(root: RankedRoot, doc: number, folders: ReadonlyMap<string, { doc: number; score: number }[]>): void {
  const others = (folders.get(folderOf(root, doc)) ?? []).filter((other) => other.doc !== doc).slice(0, 3);
  if (others.length === 0) return;
  root.strengths.folder[doc] = others.reduce((sum, other) => sum + other.score, 0) / 3;
  say(root, 'folder', doc, others.map((other) => path.posix.basename(root.index.docs[other.doc]!.path)).join(', '));
}

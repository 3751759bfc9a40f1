import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { OutlineSymbol, Outliner } from '../../repo/symbols/outline.ts';
import type { RankedDoc } from './ranking.ts';
import type { Query } from './query.ts';

/** Where in a suspect to look, and what is defined there. */
export interface Places {
  lines: [number, number][];
  symbols: string[];
}

const MAX_RANGES = 6;
const MAX_SYMBOLS = 8;
/** A symbol longer than this is shown as the passage in it, not as a whole. */
const LONGEST_SYMBOL = 80;

/**
 * Line ranges of one suspect, most telling first: frames and links of the ticket, phrases, names it defines that the ticket says, best passages.
 * Every range lies within the file as it is now.
 */
export async function placesOf(query: Query, { root, doc }: RankedDoc, outliner: Outliner | undefined): Promise<Places> {
  const file = root.index.docs[doc]!;
  let text: string;
  try {
    text = readFileSync(path.join(root.path, file.path), 'utf8');
  } catch {
    return { lines: [], symbols: [] };
  }
  const count = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  const outline = outliner ? await outliner.outline(file.path, text) : [];
  const found: [number, number][] = [];
  const symbols: string[] = [];
  const add = (from: number, to: number, whole: boolean): void => {
    if (from < 1 || from > count) return;
    const symbol = enclosing(outline, from);
    if (symbol && !symbols.includes(qualified(symbol))) symbols.push(qualified(symbol));
    const range: [number, number] = whole && symbol && symbol.endLine - symbol.line <= LONGEST_SYMBOL ? [symbol.line, Math.min(count, symbol.endLine)] : [from, Math.min(count, Math.max(from, to))];
    if (!found.some(([start, end]) => start <= range[0] && range[1] <= end)) found.push(range);
  };
  for (const line of root.mentions.lines.get(doc) ?? []) add(line.from, line.to, false);
  const reading = root.readings.get(doc);
  for (const phrase of reading?.phrases.entries() ?? []) if (query.phrases[phrase[0]]!.text.length >= 8) add(phrase[1], phrase[1], false);
  for (const symbol of namedSymbols(query, outline)) add(symbol.line, Math.min(symbol.endLine, symbol.line + LONGEST_SYMBOL), false);
  for (const [from, to] of reading?.lines ?? []) add(from, to, true);
  return { lines: found.slice(0, MAX_RANGES), symbols: symbols.slice(0, MAX_SYMBOLS) };
}

/** Symbols whose names the ticket says, those of several words first. */
function namedSymbols(query: Query, outline: readonly OutlineSymbol[]): OutlineSymbol[] {
  const said = new Set(query.names.filter((name) => name.zone !== 'environment').flatMap((name) => name.parts));
  return outline.filter((symbol) => said.has(lastPart(symbol.name)) && symbol.kind !== 'module').slice(0, 3);
}

function lastPart(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1);
}

function qualified(symbol: OutlineSymbol): string {
  return [...symbol.within, symbol.name].join('.');
}

/** The smallest symbol around a line. */
function enclosing(outline: readonly OutlineSymbol[], line: number): OutlineSymbol | undefined {
  let best: OutlineSymbol | undefined;
  for (const symbol of outline) {
    if (symbol.line <= line && line <= symbol.endLine && (!best || symbol.endLine - symbol.line <= best.endLine - best.line)) best = symbol;
  }
  return best;
}


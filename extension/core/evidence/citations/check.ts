import { decodeText, splitLines } from '../../base/encoding.ts';
import { sha256 } from '../../base/hash.ts';
import type { Citation, Snapshot } from '../../model/code.ts';
import { cleanRelative } from '../../repo/roots.ts';
import type { CodeReader } from '../../repo/work-tree.ts';
import type { ExtractedCitation } from './extract.ts';
import { type Occurrence, type Place, SearchText, atPlace, nearest } from './find.ts';
import { type CitedCode, PathResolver } from './resolve.ts';

export interface CheckDeps {
  snapshot: Snapshot;
  reader: CitedCode;
  /** The working tree as it is now. Without it nothing is found stale. */
  current?: CodeReader;
  signal?: AbortSignal;
}

/** What is shown of the real text where a quote is not found. */
const actualLines = 20;
const actualChars = 2000;

/**
 * Checks every citation against the snapshot, and those that hold there against the working tree. Results are in the order given.
 * Each file is read and decoded once, however many citations name it. Fails only if git does, or with `cancelled`.
 */
export async function checkCitations(list: readonly ExtractedCitation[], deps: CheckDeps): Promise<Citation[]> {
  const signal = deps.signal ?? new AbortController().signal;
  const resolver = new PathResolver(deps.snapshot, deps.reader, signal);
  const names = new Set(deps.snapshot.roots.map((root) => root.name));
  // Git fails as a whole on a path that leads out of the repository, and one bad citation must not hide what the others are.
  const likely = [...new Set(list.flatMap(({ file }) => cleanPath(file)))];
  await deps.reader.prefetch(likely.flatMap((file) => (names.has(file.split('/')[0] ?? '') ? [file] : [...names].map((name) => `${name}/${file}`))), signal);
  const files = new Map<string, Promise<CheckedFile>>();
  const checked: Citation[] = [];
  for (const cited of list) {
    const place = await resolver.resolve(cited.file);
    const base = { ...cited, file: place.file, origin: cited.origin ?? ('report' as const) };
    if (!place.ok) {
      checked.push({ ...base, state: 'missing', why: place.why });
      continue;
    }
    const file = files.get(place.file) ?? openFile(place.file, deps, signal);
    files.set(place.file, file);
    checked.push({ ...base, ...checkOne(cited, await file) });
  }
  return checked;
}

function cleanPath(cited: string): string[] {
  const clean = cleanRelative(cited);
  return clean.ok && clean.path !== '' ? [clean.path] : [];
}

type Found = Pick<Citation, 'state' | 'why' | 'actual' | 'movedTo' | 'blob'>;

/** One file in the snapshot, and now. */
interface CheckedFile {
  bytes?: Uint8Array;
  blob?: string;
  /** Undefined for binary content. */
  lines?: string[];
  search?: SearchText;
  /** `same`: byte for byte as in the snapshot, or nobody asked. */
  now: 'same' | 'gone' | { lines: string[] };
}

async function openFile(file: string, deps: CheckDeps, signal: AbortSignal): Promise<CheckedFile> {
  const bytes = await deps.reader.read(file, signal);
  if (!bytes) return { now: 'same' };
  const lines = linesOf(bytes);
  return { bytes, blob: sha256(bytes), ...(lines ? { lines, search: new SearchText(lines) } : {}), now: await readNow(file, bytes, deps, signal) };
}

async function readNow(file: string, before: Uint8Array, deps: CheckDeps, signal: AbortSignal): Promise<CheckedFile['now']> {
  if (!deps.current) return 'same';
  const now = await deps.current.read(file, signal);
  if (!now) return 'gone';
  return Buffer.compare(before, now) === 0 ? 'same' : { lines: linesOf(now) ?? [] };
}

function linesOf(bytes: Uint8Array): string[] | undefined {
  const decoded = decodeText(bytes);
  return decoded.kind === 'text' ? splitLines(decoded.text) : undefined;
}

function checkOne(cited: ExtractedCitation, file: CheckedFile): Found {
  if (!file.bytes) return { state: 'missing', why: 'the file is in the snapshot, but its content is no longer kept or too large' };
  const blob = file.blob === undefined ? {} : { blob: file.blob };
  if (!file.lines || !file.search) {
    if (cited.line !== undefined || hasWords(cited.quote)) return { state: 'missing', why: 'this is a binary file; it has no lines', ...blob };
    return { ...staleIfGone({ state: 'located', why: 'the file exists; it is binary' }, file), ...blob };
  }
  const place = placeOf(cited, file.lines.length);
  if (place && place.line > file.lines.length) return { state: 'missing', why: `the file has ${file.lines.length} lines`, ...blob };
  if (place && place.endLine > file.lines.length) return { state: 'missing', why: `the file ends at line ${file.lines.length}`, actual: textAt(file.lines, place), ...blob };
  if (!hasWords(cited.quote)) return { ...located(cited, place, file), ...blob };
  return { ...quoted(quoteLines(cited.quote ?? ''), place, file.lines, file.search, file.now), ...blob };
}

function placeOf(cited: ExtractedCitation, last: number): Place | undefined {
  if (cited.line === undefined) return undefined;
  const end = cited.endLine ?? cited.line;
  return { line: Math.min(cited.line, end), endLine: cited.line > last ? cited.line : Math.max(cited.line, end) };
}

/** A quote of brackets and white space alone proves nothing: it stands in every file. */
function hasWords(quote: string | undefined): boolean {
  return quote !== undefined && /[\p{L}\p{N}]/u.test(quote);
}

/** Blank lines around a quote are the writer's layout. */
function quoteLines(quote: string): string[] {
  const lines = quote.replace(/^\uFEFF/u, '').split(/\r\n|\n|\r/u);
  while (lines.length > 1 && lines.at(-1)?.trim() === '') lines.pop();
  while (lines.length > 1 && lines[0]?.trim() === '') lines.shift();
  return lines;
}

function located(cited: ExtractedCitation, place: Place | undefined, file: CheckedFile): Found {
  const emptyQuote = cited.quote !== undefined && cited.quote !== '' ? 'the quote has no words that could be checked; ' : '';
  if (!place) return staleIfGone({ state: 'located', why: `${emptyQuote}the file exists` }, file);
  if (file.now === 'gone') return gone;
  if (file.now !== 'same' && textOf(file.now.lines, place) !== textOf(file.lines ?? [], place)) {
    return { state: 'stale', why: 'the lines exist in the snapshot; they are different in the working tree now', actual: textAt(file.now.lines, place) };
  }
  return { state: 'located', why: `${emptyQuote}the place exists; no text was given to compare` };
}

const gone: Found = { state: 'stale', why: 'it holds in the snapshot; the file is gone from the working tree' };

function staleIfGone(found: Found, file: CheckedFile): Found {
  return file.now === 'gone' ? gone : found;
}

function quoted(quote: readonly string[], place: Place | undefined, lines: readonly string[], search: SearchText, now: CheckedFile['now']): Found {
  const exact = search.findExact(quote);
  const wanted = place ?? { line: 1, endLine: lines.length };
  const exactHere = atPlace(exact, wanted);
  if (exactHere) return current(exactHere, place ? 'the quote stands there exactly' : `no line was given; the quote stands at line ${exactHere.line}`, lines, now);
  const loose = search.findLoose(quote);
  const looseHere = atPlace(loose, wanted);
  if (looseHere) return current(looseHere, `the quote stands ${place ? 'there' : `at line ${looseHere.line}`}, apart from white space`, lines, now);
  const elsewhere = nearest(exact, wanted.line) ?? nearest(loose, wanted.line);
  if (elsewhere) {
    return { state: 'moved', movedTo: elsewhere.line, why: `the quote stands at line ${elsewhere.line}${exact.length > 0 ? '' : ', apart from white space'}`, actual: textAt(lines, wanted) };
  }
  return { state: 'missing', why: 'the quote is not in this file', ...(place ? { actual: textAt(lines, place) } : {}) };
}

/** A quote that holds in the snapshot is stale as soon as its lines are others, or elsewhere, in the working tree. */
function current(found: Occurrence, why: string, lines: readonly string[], now: CheckedFile['now']): Found {
  if (now === 'same') return { state: 'verified', why };
  if (now === 'gone') return gone;
  if (textOf(lines, found) === textOf(now.lines, found)) return { state: 'verified', why };
  const moved = nearest(new SearchText(now.lines).findExact(lines.slice(found.line - 1, found.endLine)), found.line);
  return {
    state: 'stale',
    why: moved ? `the quote holds in the snapshot; in the working tree it is at line ${moved.line} now` : 'the quote holds in the snapshot; the lines are different in the working tree now',
    actual: textAt(now.lines, found),
    ...(moved ? { movedTo: moved.line } : {}),
  };
}

function textOf(lines: readonly string[], place: Place): string {
  return lines.slice(place.line - 1, place.endLine).join('\n');
}

function textAt(lines: readonly string[], place: Place): string {
  const text = textOf(lines, { line: place.line, endLine: Math.min(place.endLine, place.line + actualLines - 1) });
  return text.length > actualChars ? `${text.slice(0, actualChars)}…` : text;
}

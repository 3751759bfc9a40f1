import MarkdownIt, { type Token } from 'markdown-it';
import { z } from 'zod';
import { Failure } from '../../base/failure.ts';
import type { Citation } from '../../model/code.ts';

export type CitationFailureReason = 'bad_citation';

/** A citation as somebody wrote it; its path is not resolved yet. */
export interface ExtractedCitation {
  file: string;
  line?: number;
  endLine?: number;
  quote?: string;
  note?: string;
  origin?: Citation['origin'];
}

/** Last segments that are cited although they have no ending. */
const plainNames = 'Dockerfile|Makefile|Gemfile|Rakefile|Procfile|Jenkinsfile|Vagrantfile|Justfile';
const segment = String.raw`[\p{L}\p{N}_@.~+$-]+`;
const ending = String.raw`\.[A-Za-z][A-Za-z0-9]{0,11}`;
const lines = String.raw`(?::L?(?<line>\d{1,7})(?:[-\u2013]L?(?<end>\d{1,7})|:\d{1,6})?|#L(?<hashLine>\d{1,7})(?:C\d+)?(?:-L?(?<hashEnd>\d{1,7})(?:C\d+)?)?)`;
const inText = new RegExp(String.raw`(?<![\p{L}\p{N}/\\:@.#_~+$-])(?<path>(?:${segment}/)*(?:${segment}${ending}|${plainNames}))${lines}(?![\p{L}\p{N}/])`, 'gu');
const wholeCode = new RegExp(String.raw`^(?<path>[^\s:#][^:#\n]*?)${lines}$`, 'u');
const blobLink = /^https?:\/\/[^/\s]+\/[^\s#?]+?\/(?:-\/)?blob\/[^/\s#?]+\/(?<path>[^\s#?]+)(?:\?[^#\s]*)?(?:#L(?<line>\d{1,7})(?:C\d+)?(?:-L?(?<end>\d{1,7})(?:C\d+)?)?)$/iu;
/** `host:port` looks like a cited file. */
const hostLike = /^[^/]+\.(?:com|org|net|io|dev|local|localhost|test|example|eu|de|uk|ai|app|cloud|internal)$/iu;

/** A piece of one paragraph, in order. */
type Piece = { kind: 'words'; text: string } | { kind: 'code'; text: string } | { kind: 'citation'; citation: ExtractedCitation };

/**
 * Citations in Markdown: `root/src/x.ts:12`, `x.ts:12-20`, `x.ts#L12-L20` in text or code spans, links to a file with a line, and blob links of a forge.
 * The inside of code blocks is no prose and not searched. A code block right after a paragraph that ends with a citation, one whose info string is a citation,
 * and a code span or quoted words separated from a citation by a colon or dash only, become its quote.
 */
export function extractCitations(markdown: string): ExtractedCitation[] {
  const tokens = new MarkdownIt({ html: false, linkify: false, typographer: false }).parse(markdown, {});
  const found: ExtractedCitation[] = [];
  let open: ExtractedCitation | undefined;
  for (const token of tokens) {
    if (token.type === 'inline') {
      const pieces = piecesOf(token.children ?? []);
      attachInlineQuotes(pieces);
      found.push(...pieces.flatMap((piece) => (piece.kind === 'citation' ? [piece.citation] : [])));
      open = lastCitation(pieces);
    } else if (token.type === 'fence' || token.type === 'code_block') {
      const named = citationsInWords(token.info.replace(/^\S+\s+/u, '').trim() || token.info.trim())[0];
      const target = open ?? named;
      if (!open && named) found.push(named);
      if (target && target.quote === undefined && token.content.trim() !== '') target.quote = token.content.replace(/\r?\n$/u, '');
      open = undefined;
    } else if (token.type.endsWith('_open') && token.type !== 'paragraph_open') {
      // A heading, list or table between a citation and a code block: they no longer clearly belong together.
      if (token.type !== 'blockquote_open') open = undefined;
    }
  }
  return found;
}

function piecesOf(children: readonly Token[]): Piece[] {
  const pieces: Piece[] = [];
  let link: { citation: ExtractedCitation } | undefined;
  for (const child of children) {
    if (child.type === 'link_open') {
      const citation = citationOfLink(String(child.attrGet('href') ?? ''));
      if (citation) {
        link = { citation };
        pieces.push({ kind: 'citation', citation });
      }
    } else if (child.type === 'link_close') link = undefined;
    else if (link) continue;
    else if (child.type === 'code_inline') {
      const citation = citationOfCode(child.content);
      pieces.push(citation ? { kind: 'citation', citation } : { kind: 'code', text: child.content });
    } else if (child.type === 'text') pieces.push(...wordsAndCitations(child.content));
    else if (child.type === 'softbreak' || child.type === 'hardbreak') pieces.push({ kind: 'words', text: '\n' });
  }
  return pieces;
}

function wordsAndCitations(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(inText)) {
    const citation = fromMatch(match);
    if (!citation || /\w+:\/\/\S*$/u.test(text.slice(0, match.index))) continue;
    if (match.index > at) pieces.push({ kind: 'words', text: text.slice(at, match.index) });
    pieces.push({ kind: 'citation', citation });
    at = match.index + match[0].length;
  }
  for (const match of text.slice(at).matchAll(/https?:\/\/\S+/gu)) {
    const citation = citationOfLink(match[0].replace(/[).,;]+$/u, ''));
    if (citation) pieces.push({ kind: 'citation', citation });
  }
  if (at < text.length) pieces.push({ kind: 'words', text: text.slice(at) });
  return pieces;
}

function citationsInWords(text: string): ExtractedCitation[] {
  return wordsAndCitations(text).flatMap((piece) => (piece.kind === 'citation' ? [piece.citation] : []));
}

function citationOfCode(text: string): ExtractedCitation | undefined {
  const match = wholeCode.exec(text.trim());
  const citation = match ? fromMatch(match) : undefined;
  // A code span may name a path with spaces, but `a ? b : 1` is code.
  return citation && /^[^?=<>|"'`;,{}]+$/u.test(citation.file) && (/[/.]/u.test(citation.file) || new RegExp(`^(?:${plainNames})$`, 'u').test(citation.file)) ? citation : undefined;
}

function citationOfLink(address: string): ExtractedCitation | undefined {
  const url = decoded(address);
  const blob = blobLink.exec(url);
  if (blob) return fromMatch(blob);
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(url)) return undefined;
  const match = wholeCode.exec(url);
  const citation = match ? fromMatch(match) : undefined;
  return citation && { ...citation, file: citation.file.replace(/^\.\//u, '') };
}

function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

function fromMatch(match: RegExpExecArray): ExtractedCitation | undefined {
  const groups = match.groups ?? {};
  const path = groups['path'] ?? '';
  if (hostLike.test(path)) return undefined;
  const line = Number(groups['line'] ?? groups['hashLine'] ?? 0);
  const end = Number(groups['end'] ?? groups['hashEnd'] ?? 0);
  return { file: path, ...(line > 0 ? { line } : {}), ...(end > 0 && line > 0 ? { endLine: end } : {}) };
}

function attachInlineQuotes(pieces: readonly Piece[]): void {
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind !== 'citation' || piece.citation.line === undefined) continue;
    const next = pieces[index + 1];
    const after = pieces[index + 2];
    if (next?.kind !== 'words') continue;
    const quoted = /^\s*[:\u2013\u2014-]\s*(?:"([^"\n]{3,})"|\u201c([^\u201d\n]{3,})\u201d)/u.exec(next.text);
    const words = quoted?.[1] ?? quoted?.[2];
    if (words !== undefined) piece.citation.quote = words;
    else if (after?.kind === 'code' && /^\s*[:\u2013\u2014-]?\s*$/u.test(next.text) && isQuote(after.text)) piece.citation.quote = after.text;
  }
}

/** A bare name in a code span says what is meant, not what is written there. */
function isQuote(code: string): boolean {
  return !/^[\w$.#]+(?:\(\))?$/u.test(code.trim());
}

/** The citation a paragraph ends with, when a code block may follow as its quote. */
function lastCitation(pieces: readonly Piece[]): ExtractedCitation | undefined {
  const index = pieces.findLastIndex((piece) => piece.kind === 'citation');
  const last = pieces[index];
  if (last?.kind !== 'citation' || last.citation.quote !== undefined || last.citation.line === undefined) return undefined;
  const rest = pieces.slice(index + 1);
  return rest.every((piece) => piece.kind === 'words' && /^[\s:.)\]*_\u2014-]*$/u.test(piece.text)) ? last.citation : undefined;
}

const listed = z.object({
  file: z.string().min(1),
  line: z.number().int().positive().nullish(),
  endLine: z.number().int().positive().nullish(),
  quote: z.string().nullish(),
  note: z.string().nullish(),
  origin: z.enum(['verdict', 'report', 'scout']).optional().catch(undefined),
});
const named = z.object({ file: z.unknown() });
const lists = z.union([
  z.object({ evidence: z.array(z.unknown()) }).transform((value) => value.evidence),
  z.object({ citations: z.array(z.unknown()) }).transform((value) => value.citations),
  z.array(z.unknown()).refine((items) => items.length === 0 || items.some((item) => named.safeParse(item).success)),
]);

/**
 * Citations of `analysis.json` (`evidence`), `citations.json` or a bare list; undefined when the value is none of them.
 * Throws Failure `bad_citation` when such a list has an item that is no citation: passed over, it would count as one that holds.
 */
export function citationsFromJson(value: unknown): ExtractedCitation[] | undefined {
  const list = lists.safeParse(value);
  if (!list.success) return undefined;
  const parsed = z.array(listed).safeParse(list.data);
  if (!parsed.success) throw new Failure<CitationFailureReason>('bad_citation', parsed.error.issues.map((issue) => `citation ${issue.path.join('.')}: ${issue.message}`).join('; '));
  return parsed.data.map(({ file, line, endLine, quote, note, origin }) => {
    const inPath = line ? undefined : citationOfCode(file);
    return {
      ...(inPath ?? { file }),
      ...(line ? { line } : {}),
      ...(endLine ? { endLine } : {}),
      ...(typeof quote === 'string' ? { quote } : {}),
      ...(typeof note === 'string' ? { note } : {}),
      ...(origin ? { origin } : {}),
    };
  });
}

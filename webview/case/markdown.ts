import MarkdownIt from 'markdown-it';
import { words } from './words.ts';

/**
 * Markdown to HTML without raw HTML, without remote content and with citations made clickable. The result still has to go through
 * `sanitize`; the two are separate so that this one is tested without a DOM.
 */

/** What is known of a cited place, by root-prefixed path. */
export interface KnownCitation {
  file: string;
  line?: number | undefined;
  state: string;
}

export interface RenderOptions {
  /** Places that were checked; a path in the text that ends one of these becomes a link, also without a line. */
  citations?: readonly KnownCitation[];
  /** Added to heading levels so that they nest under the section's own heading. */
  headingShift?: number;
}

/** `root/src/a.ts:12-30`, `src/a.ts:12`, `a.ts#L12-L30`; the extension keeps times and ratios out. */
const place = /(?<![\w/.@:-])((?:[\w.@+-]+\/)*[\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,9})(?:(?::|#L)(\d{1,6})(?:(?:-L?|–)(\d{1,6}))?)?(?![\w/])/gu;

export interface CitedPlace {
  at: number;
  text: string;
  file: string;
  line?: number;
  endLine?: number;
  state?: string;
}

/** Finds the places in plain text that are citations: a path with a line, or a path that was checked. */
export function findPlaces(text: string, known: readonly KnownCitation[] = []): CitedPlace[] {
  const found: CitedPlace[] = [];
  for (const match of text.matchAll(place)) {
    const [whole, path = '', first, last] = match;
    const line = first === undefined ? undefined : Number(first);
    const checked = bestMatch(path, line, known);
    if (!checked && line === undefined) continue;
    found.push({
      at: match.index,
      text: whole,
      file: checked?.file ?? path,
      ...(line === undefined ? {} : { line }),
      ...(last === undefined ? {} : { endLine: Number(last) }),
      ...(checked && (line === undefined || checked.line === line) ? { state: checked.state } : {}),
    });
  }
  return found;
}

function bestMatch(path: string, line: number | undefined, known: readonly KnownCitation[]): KnownCitation | undefined {
  const same = known.filter((citation) => citation.file === path || citation.file.endsWith(`/${path}`));
  return same.find((citation) => citation.line === line) ?? same[0];
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}

function citedHtml(cited: CitedPlace, code: boolean): string {
  const data = [`data-file="${escapeHtml(cited.file)}"`];
  if (cited.line !== undefined) data.push(`data-line="${cited.line}"`);
  if (cited.endLine !== undefined) data.push(`data-end-line="${cited.endLine}"`);
  const label = cited.state === undefined ? '' : ` aria-label="${escapeHtml(`${cited.text} (${citationWord(cited.state)})`)}" data-state="${escapeHtml(cited.state)}"`;
  return `<button type="button" class="cited${code ? ' code' : ''}" ${data.join(' ')}${label}>${escapeHtml(cited.text)}</button>`;
}

function citationWord(state: string): string {
  return Object.entries(words.citation).find(([name]) => name === state)?.[1].word ?? state;
}

function withPlaces(text: string, known: readonly KnownCitation[], code: boolean): string {
  const wrap = (plain: string) => (plain === '' ? '' : code ? `<code>${escapeHtml(plain)}</code>` : escapeHtml(plain));
  let html = '';
  let from = 0;
  for (const cited of findPlaces(text, known)) {
    html += wrap(text.slice(from, cited.at)) + citedHtml(cited, code);
    from = cited.at + cited.text.length;
  }
  return html + wrap(text.slice(from));
}

const allowedLink = /^(?:https?:|mailto:)/iu;

/** A link's target as a citation, when it is a relative path with or without a line. */
function linkedPlace(href: string, known: readonly KnownCitation[]): CitedPlace | undefined {
  let path = href;
  try {
    path = decodeURI(href);
  } catch {
    // Not percent-encoded text: taken as it stands.
  }
  if (/^[a-z][a-z0-9+.-]*:/iu.test(path) && !/\.\w+:\d/u.test(path)) return undefined;
  const clean = path.replace(/^\.\//u, '');
  const [cited] = findPlaces(clean, known);
  return cited && cited.at === 0 && cited.text.length === clean.length ? cited : undefined;
}

/** HTML of untrusted markdown; see the module's comment. */
export function renderMarkdown(markdown: string, options: RenderOptions = {}): string {
  const known = options.citations ?? [];
  const shift = options.headingShift ?? 2;
  const md = new MarkdownIt({ html: false, linkify: true, typographer: false });
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  md.validateLink = () => true;
  const rules = md.renderer.rules;
  let inLink = 0;
  const closers: string[] = [];
  rules.text = (tokens, index) => {
    const content = tokens[index]?.content ?? '';
    return inLink > 0 ? escapeHtml(content) : withPlaces(content, known, false);
  };
  rules.code_inline = (tokens, index) => {
    const content = tokens[index]?.content ?? '';
    return inLink > 0 ? `<code>${escapeHtml(content)}</code>` : withPlaces(content, known, true);
  };
  rules.image = (tokens, index) => {
    const token = tokens[index];
    return `<span class="image-placeholder">${escapeHtml(words.report.image(token?.content ?? '', String(token?.attrGet('src') ?? '')))}</span>`;
  };
  rules.link_open = (tokens, index) => {
    inLink += 1;
    const href = String(tokens[index]?.attrGet('href') ?? '');
    if (allowedLink.test(href)) {
      closers.push('</a>');
      return `<a href="${escapeHtml(href)}" title="${escapeHtml(href)}" rel="noopener noreferrer">`;
    }
    const cited = linkedPlace(href, known);
    closers.push(cited ? '</button>' : ` <span class="dead-link">(${escapeHtml(href)})</span>`);
    return cited ? citedHtml(cited, false).replace(/>[^<]*<\/button>$/u, '>') : '';
  };
  rules.link_close = () => {
    inLink -= 1;
    return closers.pop() ?? '';
  };
  rules.table_open = () => `<div class="table-wrap" role="region" tabindex="0" aria-label="${escapeHtml(words.report.table)}"><table>`;
  rules.table_close = () => '</table></div>';
  rules.heading_open = (tokens, index) => `<h${headingLevel(tokens[index]?.tag, shift)}>`;
  rules.heading_close = (tokens, index) => `</h${headingLevel(tokens[index]?.tag, shift)}>\n`;
  return md.render(markdown);
}

function headingLevel(tag: string | undefined, shift: number): number {
  return Math.min(6, Number(tag?.slice(1) ?? '1') + shift);
}

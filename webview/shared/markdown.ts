import MarkdownIt from 'markdown-it';
import { citation, markdown as words } from './words.ts';

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
  /** Level of the heading that the text stands under; its own headings begin one below and never skip a level. */
  under?: number;
}

/** `root/src/a.ts:12-30`, `src/a.ts:12`, `a.ts#L12-L30`; the extension keeps times and ratios out. */
const place = /(?<![\w/.@:+-])((?:[\w.@+-]+\/)*[\w+-][\w.+-]*\.[A-Za-z][A-Za-z0-9]{0,9})(?:(?::|#L)(\d{1,6})(?:(?:-L?|–)(\d{1,6}))?)?(?![\w/@])/gu;

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
      ...(checked && speaksFor(checked, line, known) ? { state: checked.state } : {}),
    });
  }
  return found;
}

/** Whether a check says something of the place as written: the same line, or, for a whole file, the one state all its citations have. */
function speaksFor(checked: KnownCitation, line: number | undefined, known: readonly KnownCitation[]): boolean {
  return line === undefined ? known.every((citation) => citation.file !== checked.file || citation.state === checked.state) : checked.line === line;
}

function bestMatch(path: string, line: number | undefined, known: readonly KnownCitation[]): KnownCitation | undefined {
  const same = known.filter((citation) => citation.file === path || citation.file.endsWith(`/${path}`));
  return same.find((citation) => citation.line === line) ?? same[0];
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}

/** The button's start, up to its closing tag; `label` replaces the place as its text. */
function citedHtml(cited: CitedPlace, code: boolean, label?: string): string {
  const data = [`data-file="${escapeHtml(cited.file)}"`];
  if (cited.line !== undefined) data.push(`data-line="${cited.line}"`);
  if (cited.endLine !== undefined) data.push(`data-end-line="${cited.endLine}"`);
  const word = cited.state === undefined ? '' : escapeHtml(citationWord(cited.state));
  if (word !== '') data.push(`title="${word}"`);
  return `<button type="button" class="cited${code ? ' code' : ''}" ${data.join(' ')}>${word === '' ? '' : `<span class="visually-hidden">${word}: </span>`}${label ?? escapeHtml(cited.text)}`;
}

function citationWord(state: string): string {
  return Object.entries(citation).find(([name]) => name === state)?.[1].word ?? state;
}

function withPlaces(text: string, known: readonly KnownCitation[], code: boolean): string {
  const wrap = (plain: string) => (plain === '' ? '' : code ? `<code>${escapeHtml(plain)}</code>` : escapeHtml(plain));
  let html = '';
  let from = 0;
  for (const cited of findPlaces(text, known)) {
    html += `${wrap(text.slice(from, cited.at))}${citedHtml(cited, code)}</button>`;
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
    return `<span class="image-placeholder">${escapeHtml(words.image(token?.content ?? '', String(token?.attrGet('src') ?? '')))}</span>`;
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
    return cited ? citedHtml(cited, false, '') : '';
  };
  rules.link_close = () => {
    inLink -= 1;
    return closers.pop() ?? '';
  };
  rules.table_open = () => `<div class="table-wrap" role="region" tabindex="0" aria-label="${escapeHtml(words.table)}"><table>`;
  rules.table_close = () => '</table></div>';
  const outline: number[] = [];
  const under = options.under ?? 2;
  rules.heading_open = (tokens, index) => {
    const level = Number(tokens[index]?.tag.slice(1) ?? '1');
    while ((outline.at(-1) ?? 0) >= level) outline.pop();
    outline.push(level);
    return `<h${Math.min(6, under + outline.length)}>`;
  };
  rules.heading_close = () => `</h${Math.min(6, under + outline.length)}>\n`;
  return md.render(markdown);
}

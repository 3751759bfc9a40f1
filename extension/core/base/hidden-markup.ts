import { inSpans, markdownSpans, type MarkdownSpan } from './markdown-spans.ts';

/** Markup that a rendered view would not show, or would show as something else. Offsets are UTF-16 units. */
export interface HiddenMarkup {
  kind: 'comment' | 'collapsed' | 'hidden_style' | 'image_text' | 'link_title' | 'link_target';
  start: number;
  end: number;
  /** What is hidden, in words that may be shown (still untrusted). */
  text: string;
}

/** A tag is looked at up to this length; a longer one cannot be a real tag and would make the search slow. */
const tag = /<[a-z][a-z0-9]{0,15}\b[^<>]{0,2000}>/gi;
const image = /!\[([^\][\n]{0,1000})\]\(([^\s()]{1,2000})(?:\s+["']([^"'\n]{0,1000})["'])?\s*\)/g;
const link = /(?<!!)\[([^\][\n]{1,1000})\]\(([^\s()]{1,2000})(?:\s+["']([^"'\n]{0,1000})["'])?\s*\)/g;
/** A link definition that nothing refers to is a known way to write a comment. */
const definitionComment = /^ {0,3}\[(?:\/\/|comment|#|_)\]:\s*(?:#|<>)\s*[("']([^\n]{0,2000})/gim;
const hidingStyle =
  /display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:;|["']|$)|font-size\s*:\s*0|(?:width|height)\s*:\s*0(?:px)?\s*(?:;|["']|$)|text-indent\s*:\s*-\d{3,}|left\s*:\s*-\d{3,}/i;
const whiteText = /(?:^|[\s"';])color\s*[:=]\s*["']?\s*(?:white|#fff(?:fff)?\b|transparent|rgba?\(\s*255\s*,\s*255\s*,\s*255)/i;

/** Finds hidden markup outside code, in order. Text inside fenced or inline code is what its author shows, so it is never reported. Linear. */
export function findHiddenMarkup(text: string, spans: readonly MarkdownSpan[] = markdownSpans(text)): HiddenMarkup[] {
  const found: HiddenMarkup[] = [];
  for (const span of spans) {
    if (span.kind !== 'comment') continue;
    const inner = text.slice(span.start + 4, span.end).replace(/-->$/, '').trim();
    if (inner !== '') found.push({ kind: 'comment', start: span.start, end: span.end, text: inner });
  }
  const add = (match: RegExpExecArray, kind: HiddenMarkup['kind'], hidden: string): void => {
    if (!inSpans(spans, match.index)) found.push({ kind, start: match.index, end: match.index + match[0].length, text: hidden });
  };
  for (const match of text.matchAll(definitionComment)) add(match, 'comment', (match[1] ?? '').replace(/[)"']\s*$/, ''));
  for (const match of text.matchAll(tag)) addTag(match, add);
  for (const match of text.matchAll(image)) {
    if ((match[1] ?? '') !== '' || match[3] !== undefined) add(match, 'image_text', [match[1], match[3]].filter(Boolean).join(' / '));
  }
  for (const match of text.matchAll(link)) {
    const [, label = '', target = '', title] = match;
    if (title !== undefined && title !== target && title !== label) add(match, 'link_title', title);
    if (looksLikeAddress(label) && hostOf(label) !== hostOf(target)) add(match, 'link_target', `${label} leads to ${target}`);
  }
  return found.sort((a, b) => a.start - b.start);
}

function addTag(match: RegExpExecArray, add: (match: RegExpExecArray, kind: HiddenMarkup['kind'], hidden: string) => void): void {
  const source = match[0];
  const name = /^<([a-z0-9]+)/i.exec(source)?.[1]?.toLowerCase();
  if (name === 'details') add(match, 'collapsed', source);
  else if (hidingStyle.test(source) || whiteText.test(source) || /\s(?:hidden|aria-hidden\s*=\s*["']?true)(?=[\s>=/])/i.test(source)) add(match, 'hidden_style', source);
  else if (name === 'img') {
    const alt = /\s(?:alt|title)\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(source);
    const words = alt?.[1] ?? alt?.[2] ?? '';
    if (words !== '') add(match, 'image_text', words);
  }
}

function looksLikeAddress(label: string): boolean {
  return /^(?:https?:\/\/|www\.)\S+$/i.test(label.trim());
}

function hostOf(address: string): string {
  return /^(?:[a-z]+:)?(?:\/\/)?(?:[^\s/@]*@)?([^\s/:?#]+)/i.exec(address.trim())?.[1]?.toLowerCase().replace(/^www\./, '') ?? '';
}

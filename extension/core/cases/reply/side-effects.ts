import { inSpans, markdownSpans, withoutSpans, type MarkdownSpan } from '../../base/markdown-spans.ts';

/** Something a posted text would do beyond being read. `span` is in UTF-16 units; `fix` replaces it and prevents the effect. */
export interface SideEffect {
  kind: 'mention' | 'reference' | 'closes' | 'command' | 'commit' | 'image';
  text: string;
  span: [number, number];
  fix: string;
  /** One sentence for the preview. */
  effect: string;
}

/**
 * An empty-looking character as an entity: it parts what GitHub would recognise, shows nothing, and in the source it is plain ASCII, so that
 * it does not hide from anybody who reads the draft.
 */
const parting = '&#8203;';
const closing = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?[ \t]*$/i;
const mention = /(?<![\p{L}\p{N}_`/.@&;+-])@([a-zA-Z0-9][a-zA-Z0-9-]{0,38}(?:\/[\w.-]{1,100})?)/gu;
const reference = /(?<![&\w/.-])((?:[\w-]{1,100}(?:\/[\w.-]{1,100})?)?)#(\d{1,10})(?![\w])/g;
const shortReference = /(?<![\w/-])GH-(\d{1,10})(?!\w)/gi;
const address = /https?:\/\/[\w.-]{1,200}(?::\d{1,5})?\/[\w.-]{1,100}\/[\w.-]{1,100}\/(?:issues|pull|pulls|discussions|commit)\/[\w-]{1,60}/g;
const commit = /(?<!&#8203;)(?<![\w&#/.-])(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}(?![\w-])/g;
const command = /^[ \t]{0,3}(\/[a-z][a-z_-]{1,30})(?=[ \t\r\n]|$)/gm;
const picture = /!\[([^\][\n]{0,500})\](?:\([^()\n]{0,2000}\)|\[[^\][\n]{0,200}\])/g;
const loadingTag = /<(?:img|video|audio|source|iframe|link|object|embed|svg|style|picture|script)\b[^<>]{0,2000}>?/gi;

/** Lists what posting `text` to a tracker would set off: pings, cross links, closed issues, bot commands, remote images. Code is not looked at, except for commands, which bots read everywhere. Linear. */
export function findSideEffects(text: string, spans: readonly MarkdownSpan[] = markdownSpans(text)): SideEffect[] {
  const prose = withoutSpans(text, spans, ' ', true);
  const comments = spans.filter((span) => span.kind === 'comment');
  const found: SideEffect[] = [];
  const add = (kind: SideEffect['kind'], start: number, matched: string, fix: string, effect: string): void => {
    found.push({ kind, text: matched, span: [start, start + matched.length], fix, effect });
  };
  for (const match of prose.matchAll(picture)) add('image', match.index, match[0], match[0].slice(1), 'loads an image from elsewhere for everybody who reads it');
  for (const match of prose.matchAll(loadingTag)) add('image', match.index, match[0], '', 'may load something from elsewhere for everybody who reads it');
  for (const match of prose.matchAll(address)) linked(match, prose, add, match[0].replace('://', `://${parting}`));
  for (const match of prose.matchAll(mention)) add('mention', match.index, match[0], `@${parting}${match[1] ?? ''}`, `notifies ${match[0]}`);
  for (const match of prose.matchAll(reference)) linked(match, prose, add, `${match[1] ?? ''}#${parting}${match[2] ?? ''}`);
  for (const match of prose.matchAll(shortReference)) linked(match, prose, add, match[0].replace('-', `${parting}-`));
  for (const match of prose.matchAll(commit)) add('commit', match.index, match[0], `${match[0].slice(0, 4)}${parting}${match[0].slice(4)}`, 'links a commit');
  for (const match of text.matchAll(command)) {
    const start = match.index + match[0].length - (match[1] ?? '').length;
    if (!inSpans(comments, start)) add('command', start, match[1] ?? '', `\\${match[1] ?? ''}`, `may be taken by a bot as the command ${match[1] ?? ''}`);
  }
  return found.sort((a, b) => a.span[0] - b.span[0]);
}

function linked(match: RegExpExecArray, prose: string, add: (kind: SideEffect['kind'], start: number, matched: string, fix: string, effect: string) => void, fix: string): void {
  const closes = closing.test(prose.slice(Math.max(0, match.index - 24), match.index));
  add(closes ? 'closes' : 'reference', match.index, match[0], fix, closes ? `closes ${match[0]} where the sender may` : `leaves a link on ${match[0]}`);
}

/** One line per side effect, for the preview of a gate. */
export function sideEffects(text: string): string[] {
  return [...new Set(findSideEffects(text).map((item) => `${item.text.length > 120 ? `${item.text.slice(0, 119)}…` : item.text}: ${item.effect}`))];
}

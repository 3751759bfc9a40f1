import { type TextLine, linesOf } from './clues/index.ts';

/** What a piece of a ticket is; words weigh differently by it. */
export type Zone = 'title' | 'prose' | 'heading' | 'code' | 'inline' | 'log' | 'environment';

export interface Piece {
  zone: Zone;
  text: string;
  /** Offset in the ticket's text; the title's pieces have -1. */
  at: number;
}

/** Only this much of a ticket is read; the rest is named in the statistics. */
export const maxTicketLength = 1_000_000;
/** Words beyond this many lines of one fenced block are a dump, not a description. */
const MAX_BLOCK_LINES = 400;

const fence = /^\s{0,8}(?:>\s?)?(?:[-*]\s+)?(`{3,}|~{3,})\s{0,4}([\w+#.-]{0,30})/;
const checkbox = /^\s{0,8}[-*] \[[ xX]\] /;
const environmentLine =
  /^\s{0,8}(?:[-*#>]{1,4}\s{0,3})?[*_`]{0,3}(?:os|operating system|platform|browsers?|node(?:\.?js)?|npm|yarn|pnpm|python|java|jdk|jvm|go|kotlin|gradle|maven|ruby|php|rust|chrome|firefox|safari|electron|v8|docker|kernel|shell|terminal|editor|environment|env|versions?|commit|date|plugins?|package manager|local environment|[\w. -]{0,40} versions?)\b[^:=]{0,40}[:=：]/i;
const packageListing = /^\s{0,8}[\w.@/-]{2,60}\s{1,30}(?:==\s{0,2})?v?\d+(?:\.\d+){1,3}\S{0,40}(?:\s+\S{0,120})?\s*$/;
const logLine = /^\s{0,8}(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|SEVERE)\]?\b|\[(?:trace|debug|info|warn(?:ing)?|error|fatal)\]|npm (?:ERR!|WARN)|[EWI]\d{4} |INTERNALERROR>|E {3,}|\s{0,10}at \S|Traceback|Caused by:|goroutine \d)/i;
const templateWords = new Set(
  'a an the is to of for and or in on with your you i what how do does did please describe description bug report issue issues problem expected actual current behavior behaviour result results output steps step reproduce reproduction reproducing repro minimal example code sample version versions environment info information system context additional details detail possible solution suggested fix screenshot screenshots screen shot logs log console link links summary feature request motivation proposal alternatives considered checklist prerequisites question tell us about happened happens instead did think should happen provide source configuration config using used use relevant demo url live test case related references reference notes note other any more where when who why browser os device platform command executed error message stack trace todo tldr tl dr'.split(' '),
);

/** Cuts a ticket into pieces by what they are. Runs in time linear to the text, whatever it holds. */
export function piecesOf(title: string, body: string): Piece[] {
  const pieces: Piece[] = [{ zone: 'title', text: title.slice(0, 2000), at: -1 }];
  const text = blankOut(body.slice(0, maxTicketLength));
  let closing: string | undefined;
  let blockLines = 0;
  let blockZone: Zone = 'code';
  for (const line of linesOf(text)) {
    const mark = fence.exec(line.text);
    if (closing !== undefined) {
      if (mark && mark[1]!.startsWith(closing) && mark[2] === '') closing = undefined;
      else if (blockLines++ < MAX_BLOCK_LINES) pieces.push({ zone: zoneInBlock(line.text, blockZone), text: line.text, at: line.at });
      continue;
    }
    if (mark) {
      closing = mark[1]!;
      blockLines = 0;
      blockZone = /^(?:log|logs|console|text|txt|output|pytb|stacktrace|sh-session|shell|bash|sh|cmd|powershell)$/i.test(mark[2]!) ? 'log' : 'code';
      continue;
    }
    addLine(line, pieces);
  }
  return pieces;
}

function zoneInBlock(line: string, zone: Zone): Zone {
  if (packageListing.test(line) || environmentLine.test(line)) return 'environment';
  return logLine.test(line) ? 'log' : zone;
}

function addLine(line: TextLine, pieces: Piece[]): void {
  const { text, at } = line;
  if (text.trim() === '' || checkbox.test(text)) return;
  if (packageListing.test(text) || (environmentLine.test(text) && text.length < 160)) return void pieces.push({ zone: 'environment', text, at });
  if (logLine.test(text)) return void pieces.push({ zone: 'log', text, at });
  if (/^(?: {4,}|\t)\S/.test(text) && !/^\s+(?:[-*+]|\d{1,3}[.)])\s/.test(text)) return void pieces.push({ zone: 'code', text, at });
  if (isTemplate(text)) return void pieces.push({ zone: 'heading', text, at });
  let from = 0;
  for (const found of text.matchAll(/`([^`]{1,400})`/g)) {
    if (found.index > from) pieces.push({ zone: 'prose', text: text.slice(from, found.index), at: at + from });
    pieces.push({ zone: 'inline', text: found[1]!, at: at + found.index + 1 });
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push({ zone: 'prose', text: text.slice(from), at: at + from });
}

/** A heading, or a line set in bold, that consists of the words of report templates. */
function isTemplate(text: string): boolean {
  if (!/^\s{0,3}(?:#{1,6}\s|\*\*|__)/.test(text) && !/:\s*$/.test(text)) return false;
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.length <= 14 && words.every((word) => templateWords.has(word));
}

/** HTML comments (report templates), images, HTML attributes and link targets become blanks; offsets stay as they are. */
function blankOut(text: string): string {
  const blank = (found: string): string => found.replaceAll(/[^\n]/g, ' ');
  const withoutComments = blankComments(text);
  return withoutComments
    .replaceAll(/!\[[^\]\n]{0,300}\]\([^)\s]{0,2000}(?: "[^"\n]{0,200}")?\)/g, blank)
    .replaceAll(/<(?:img|video|source|a|picture)\b[^<>]{0,2000}>/gi, blank)
    .replaceAll(/\bhttps?:\/\/[^\s<>()[\]"'`]{1,2000}/gi, blank)
    .replaceAll(/<\/?(?:details|summary|br|p|div|pre|b|i|em|strong|sub|sup|kbd|ul|ol|li|table|tr|td|th|code|h[1-6])\s{0,3}\/?>/gi, blank);
}

function blankComments(text: string): string {
  let result = '';
  let from = 0;
  for (;;) {
    const open = text.indexOf('<!--', from);
    if (open < 0) return result + text.slice(from);
    const close = text.indexOf('-->', open + 4);
    if (close < 0) return result + text.slice(from);
    result += text.slice(from, open) + text.slice(open, close + 3).replaceAll(/[^\n]/g, ' ');
    from = close + 3;
  }
}

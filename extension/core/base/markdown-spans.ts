/** A stretch of Markdown that is not prose; offsets are UTF-16 units, end exclusive. */
export interface MarkdownSpan {
  kind: 'fence' | 'code' | 'comment';
  start: number;
  end: number;
}

/** Longer runs of backticks are taken as text: no author writes them, and each length costs a search. */
const longestRun = 32;

/**
 * Finds fenced code, inline code and HTML comments, in order and without overlaps. Comments win over fences that open inside them
 * and the other way round, as in CommonMark; an unclosed fence or comment reaches to the end. Time is linear in the text.
 */
export function markdownSpans(text: string): MarkdownSpan[] {
  return new Scanner(text).scan();
}

class Scanner {
  private readonly spans: MarkdownSpan[] = [];
  /** Per run length: no closing run before this offset. Keeps unmatched backticks from being searched again and again. */
  private readonly noCloserBefore = new Map<number, number>();
  private paragraphEnd = -1;

  constructor(private readonly text: string) {}

  scan(): MarkdownSpan[] {
    let at = 0;
    let lineStart = true;
    while (at < this.text.length) {
      const next: number = (lineStart ? this.fenceAt(at) : undefined) ?? this.inlineAt(at);
      lineStart = this.text.charCodeAt(next - 1) === 10;
      at = next;
    }
    return this.spans;
  }

  /** Consumes a fenced block that opens on the line at `at`; undefined when there is none. */
  private fenceAt(at: number): number | undefined {
    const open = /^ {0,3}(?:> ?)*(`{3,}|~{3,})([^\n]*)/.exec(this.text.slice(at, at + 256));
    if (open === null) return undefined;
    const mark = open[1] ?? '';
    if (mark.startsWith('`') && (open[2] ?? '').includes('`')) return undefined;
    const close = new RegExp(`^[ >\\t]{0,8}${mark[0] ?? ''}{${Math.min(mark.length, 250)},}[ \\t]*\\r?$`);
    let line = this.endOfLine(at);
    while (line < this.text.length) {
      const end = this.endOfLine(line);
      if (end - line < 300 && close.test(this.text.slice(line, end).replace(/\n$/, ''))) {
        this.spans.push({ kind: 'fence', start: at, end });
        return end;
      }
      line = end;
    }
    this.spans.push({ kind: 'fence', start: at, end: this.text.length });
    return this.text.length;
  }

  /** Consumes inline code, a comment, or text up to the next thing of interest or the end of the line. */
  private inlineAt(at: number): number {
    const char = this.text[at];
    if (char === '`') return this.codeAt(at);
    if (char === '<' && this.text.startsWith('<!--', at)) return this.commentAt(at);
    if (char === '\\' && at + 1 < this.text.length && this.text[at + 1] !== '\n') return at + 2;
    let end = at + 1;
    while (end < this.text.length) {
      const code = this.text.charCodeAt(end);
      if (this.text.charCodeAt(end - 1) === 10 || code === 96 || code === 60 || code === 92) break;
      end++;
    }
    return end;
  }

  private commentAt(at: number): number {
    const close = this.text.indexOf('-->', at + 4);
    const end = close === -1 ? this.text.length : close + 3;
    this.spans.push({ kind: 'comment', start: at, end });
    return end;
  }

  private codeAt(at: number): number {
    const length = this.runAt(at);
    const after = at + length;
    if (length > longestRun || (this.noCloserBefore.get(length) ?? -1) > after) return after;
    if (this.paragraphEnd < after) this.paragraphEnd = this.endOfParagraph(after);
    for (let from = after; from < this.paragraphEnd; ) {
      const run = this.text.indexOf('`', from);
      if (run === -1 || run >= this.paragraphEnd) break;
      const found = this.runAt(run);
      if (found === length) {
        this.spans.push({ kind: 'code', start: at, end: run + length });
        return run + length;
      }
      from = run + found;
    }
    this.noCloserBefore.set(length, this.paragraphEnd);
    return after;
  }

  private runAt(at: number): number {
    let end = at;
    while (this.text.charCodeAt(end) === 96) end++;
    return end - at;
  }

  private endOfLine(at: number): number {
    const newline = this.text.indexOf('\n', at);
    return newline === -1 ? this.text.length : newline + 1;
  }

  private endOfParagraph(at: number): number {
    const blank = /\n[ \t]*\r?\n/g;
    blank.lastIndex = at;
    return blank.exec(this.text)?.index ?? this.text.length;
  }
}

/** The text with every span of the given kinds replaced by `filler`; `keepLength` pads so that offsets stay valid. */
export function withoutSpans(text: string, spans: readonly MarkdownSpan[], filler: ' ' | '' = ' ', keepLength = false): string {
  const parts: string[] = [];
  let at = 0;
  for (const span of spans) {
    parts.push(text.slice(at, span.start), keepLength ? filler.repeat(span.end - span.start) : filler);
    at = span.end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** Whether `offset` lies in one of the ordered spans; logarithmic. */
export function inSpans(spans: readonly MarkdownSpan[], offset: number): boolean {
  let low = 0;
  let high = spans.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const span = spans[middle];
    if (span === undefined) return false;
    if (offset < span.start) high = middle - 1;
    else if (offset >= span.end) low = middle + 1;
    else return true;
  }
  return false;
}

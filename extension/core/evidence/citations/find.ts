/** Where a quote occurs: 1-based first and last line. */
export interface Occurrence {
  line: number;
  endLine: number;
}

export interface Place {
  line: number;
  endLine: number;
}

/** More occurrences than this are not told apart. */
const maxOccurrences = 2000;

/** Lines joined by LF, with the offset at which each begins: one text for exact search whatever the file's line ends are. */
export class SearchText {
  private readonly exact: string;
  private readonly starts: number[] = [];
  private loose: { text: string; lines: number[] } | undefined;

  constructor(private readonly lines: readonly string[]) {
    let at = 0;
    for (const line of lines) {
      this.starts.push(at);
      at += line.length + 1;
    }
    this.exact = lines.join('\n');
  }

  /** Places where the quote stands to the letter; line ends of any kind are equal. */
  findExact(quote: readonly string[]): Occurrence[] {
    const wanted = quote.join('\n');
    return occurrences(this.exact, wanted).map((at) => {
      const line = this.lineAt(at);
      return { line, endLine: line + quote.length - 1 };
    });
  }

  /** Places where it stands when every run of white space, line breaks too, counts as one space. */
  findLoose(quote: readonly string[]): Occurrence[] {
    const wanted = quote.join('\n').trim().replaceAll(/\s+/gu, ' ');
    this.loose ??= compact(this.lines);
    const { text, lines } = this.loose;
    return occurrences(text, wanted).map((at) => ({ line: lines[at] ?? 1, endLine: lines[at + wanted.length - 1] ?? 1 }));
  }

  private lineAt(offset: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }
}

function compact(lines: readonly string[]): { text: string; lines: number[] } {
  const parts: string[] = [];
  const map: number[] = [];
  for (const [index, line] of lines.entries()) {
    const words = line.trim().replaceAll(/\s+/gu, ' ');
    if (words === '') continue;
    const part = parts.length === 0 ? words : ` ${words}`;
    parts.push(part);
    for (let at = 0; at < part.length; at += 1) map.push(index + 1);
  }
  return { text: parts.join(''), lines: map };
}

function occurrences(text: string, wanted: string): number[] {
  if (wanted === '') return [];
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1 && found.length < maxOccurrences; at = text.indexOf(wanted, at + 1)) found.push(at);
  return found;
}

/** The occurrence that begins within the place. */
export function atPlace(found: readonly Occurrence[], place: Place): Occurrence | undefined {
  return found.find((occurrence) => occurrence.line >= place.line && occurrence.line <= place.endLine);
}

/** The occurrence whose first line is closest to `line`; the earlier one of two. */
export function nearest(found: readonly Occurrence[], line: number): Occurrence | undefined {
  return found.reduce<Occurrence | undefined>((best, occurrence) => (best === undefined || Math.abs(occurrence.line - line) < Math.abs(best.line - line) ? occurrence : best), undefined);
}

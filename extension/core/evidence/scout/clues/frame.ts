/** One frame of a stack trace, as written in the ticket. */
export interface Frame {
  /** The whole line, trimmed and cut. */
  text: string;
  /** Path as the trace gives it, with forward slashes; may be absolute, from another machine. */
  file: string;
  line?: number;
  /** Function, method or qualified name. */
  symbol?: string;
  /** Offset of the frame's line in the text. */
  at: number;
}

/**
 * Reads one family of stack traces. It is given one line at a time (never longer than 2 000 characters) and the line after it;
 * every pattern must run in time linear to the line.
 */
export type FrameParser = (line: string, next: string | undefined) => Omit<Frame, 'text' | 'at'> | undefined;

/** A frame's place from matched pieces; undefined when there is no path. */
export function place(file: string | undefined, line: string | undefined, symbol?: string): Omit<Frame, 'text' | 'at'> | undefined {
  if (!file) return undefined;
  const path = cleanPath(file);
  if (path === '' || path.length > 400) return undefined;
  const number = line === undefined ? Number.NaN : Number.parseInt(line, 10);
  const name = symbol?.trim();
  return { file: path, ...(Number.isSafeInteger(number) && number > 0 ? { line: number } : {}), ...(name ? { symbol: name } : {}) };
}

/** Forward slashes; no scheme, query, drive letter or bundler prefix. */
export function cleanPath(file: string): string {
  return file
    .replaceAll('\\', '/')
    .replace(/^(?:webpack-internal|webpack|file|https?|ng|rollup|vite|app|node):\/{0,3}/i, '')
    .replace(/^[A-Za-z]:\//, '/')
    .replace(/[?#].*$/s, '')
    .replace(/^(?:\.\/)+/, '')
    .trim();
}

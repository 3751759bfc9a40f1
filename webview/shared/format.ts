/** A span of time in at most two units, e.g. `4 s`, `2 min 5 s`, `3 h 10 min`, `2 d 4 h`. Never negative. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return withRest(minutes, 'min', seconds % 60, 's');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return withRest(hours, 'h', minutes % 60, 'min');
  return withRest(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function withRest(value: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${value} ${unit}` : `${value} ${unit} ${rest} ${restUnit}`;
}

/** Milliseconds from an ISO time to `now`; undefined when the time cannot be read. */
export function since(iso: string, now: number): number | undefined {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? undefined : Math.max(0, now - at);
}

/** A count in short form: 950, 1.2k, 34k, 1.5M. */
export function compact(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 1_000_000 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value))}${unit}`;
}

/** `12`, `12–30` or nothing, for a citation's lines. */
export function lines(line: number | undefined, endLine: number | undefined): string {
  if (line === undefined) return '';
  return endLine !== undefined && endLine > line ? `${line}–${endLine}` : String(line);
}

/** An ISO time in the reader's own locale; the text itself when it is no time. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The last segment of a root-prefixed path and the folder before it. */
export function splitPath(file: string): { name: string; folder: string } {
  const at = file.lastIndexOf('/');
  return at < 0 ? { name: file, folder: '' } : { name: file.slice(at + 1), folder: file.slice(0, at) };
}

/** Cuts at a word's end near `length` UTF-16 units, without breaking a surrogate pair. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length).replace(/[\uD800-\uDBFF]$/u, '');
  const space = cut.lastIndexOf(' ');
  return `${space > length * 0.6 ? cut.slice(0, space) : cut}…`;
}

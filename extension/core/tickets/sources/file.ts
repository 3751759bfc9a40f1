import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../base/clock.ts';
import { isFailure } from '../../base/failure.ts';
import { ticketSummary, type Attachment, type Ticket, type TicketSummary } from '../../model/ticket.ts';
import { ticketFailure } from '../copies.ts';
import { normaliseTicket } from '../normalise.ts';
import { bySeverityThenRecency } from '../order.ts';
import { decodeTicket, maxTicketBytes, parseTicket } from '../parse.ts';
import type { Mask, RawTicket } from '../raw.ts';
import type { TicketPage, TicketQuery, TicketSource } from '../source.ts';

export interface FileSourceOptions {
  mask: Mask;
  clock: Clock;
  /** Against which relative references are resolved, and from which keys are told. */
  cwd: string;
  /** Folders whose *.md and *.json are offered as saved queries. */
  folders: () => readonly string[];
  /** Keeps the bytes of an image beside a ticket and returns their hash; without it images count as not readable. */
  keep?: (bytes: Uint8Array) => Promise<string>;
}

const formats: Record<string, 'json' | 'markdown' | 'text'> = { '.json': 'json', '.md': 'markdown', '.markdown': 'markdown', '.txt': 'text', '.log': 'text', '.eml': 'text' };
const textExtensions = new Set(['.txt', '.log', '.md', '.csv', '.json', '.xml', '.yaml', '.yml', '.har', '.patch', '.diff', '.trace']);
const imageTypes: Record<string, string> = { '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.gif': 'image/gif', '.webp': 'image/webp' };
const pageSize = 50;
const maxListed = 2000;
const maxAttachmentBytes = 256 * 1024;
const maxImageBytes = 5 * 1024 * 1024;

/** Tickets in files: Markdown with front matter, JSON, plain text; folders of them as saved queries. */
export class FileSource implements TicketSource {
  readonly id = 'file';
  readonly label = 'Files';

  constructor(private readonly options: FileSourceOptions) {}

  accepts(reference: string): boolean {
    if (/[\n\r\0]/.test(reference) || reference.length > 4096 || /^https?:/i.test(reference)) return false;
    return reference.startsWith('file://') || formats[extname(reference).toLowerCase()] !== undefined || /^(?:\.{0,2}|~|[a-z]:)[\\/]\S/i.test(reference);
  }

  async fetch(reference: string, signal: AbortSignal): Promise<Ticket> {
    const file = this.pathOf(reference);
    const raw = await this.readRaw(file, signal);
    const attachments = await Promise.all((raw.attachments ?? []).map((item) => this.readAttachment(item, dirname(file), signal)));
    return normaliseTicket({ ...raw, attachments }, this.options);
  }

  async queries(): Promise<TicketQuery[]> {
    return this.options.folders().map((folder) => ({ id: `file:${folder}`, label: basename(folder) || folder, query: folder }));
  }

  /** Lists the tickets of a folder (not below it), most severe first. Files that hold no ticket are left out. */
  async list(query: string, cursor: string | undefined, signal: AbortSignal): Promise<TicketPage> {
    const folder = resolve(this.options.cwd, query);
    const names = await readdir(folder).catch((error: unknown) => Promise.reject(failureOf(error, folder)));
    const wanted = names.filter((name) => /\.(?:md|markdown|json)$/i.test(name) && !name.startsWith('.')).sort();
    const items: TicketSummary[] = [];
    for (const name of wanted.slice(0, maxListed)) {
      signal.throwIfAborted();
      const summary = await this.summary(join(folder, name), signal);
      if (summary !== undefined) items.push(summary);
    }
    items.sort(bySeverityThenRecency);
    const from = Math.max(0, Number.parseInt(cursor ?? '0', 10) || 0);
    const next = from + pageSize;
    return { items: items.slice(from, next), total: items.length, ...(next < items.length ? { next: String(next) } : {}) };
  }

  private async summary(file: string, signal: AbortSignal): Promise<TicketSummary | undefined> {
    try {
      return ticketSummary.parse(normaliseTicket(await this.readRaw(file, signal), this.options));
    } catch (error) {
      if (isFailure(error, 'bad_content', 'no_access', 'not_found', 'bad_reference')) return undefined;
      throw error;
    }
  }

  private pathOf(reference: string): string {
    if (!reference.startsWith('file://')) {
      const home = process.env['HOME'] ?? process.env['USERPROFILE'];
      const expanded = home !== undefined && /^~[\\/]/.test(reference) ? join(home, reference.slice(2)) : reference;
      return resolve(this.options.cwd, expanded);
    }
    try {
      return fileURLToPath(reference);
    } catch (error) {
      throw ticketFailure('bad_reference', 'This file URL does not name a file here', { cause: error });
    }
  }

  private async readRaw(file: string, signal: AbortSignal): Promise<RawTicket> {
    const bytes = await readCapped(file, maxTicketBytes, signal);
    if (bytes === undefined) throw ticketFailure('bad_content', `${file} is larger than ${maxTicketBytes / 1024 / 1024} MB`, { detail: { file } });
    const format = formats[extname(file).toLowerCase()] ?? 'auto';
    const text = decodeTicket(bytes);
    if (text.trim() === '') throw ticketFailure('bad_content', `There is nothing in ${file}`, { detail: { file } });
    const raw = parseTicket(text, { source: this.id, key: this.keyOf(file), format });
    return { ...raw, title: raw.title === '' ? basename(file) : raw.title };
  }

  private keyOf(file: string): string {
    const inside = relative(this.options.cwd, file);
    return (inside === '' || inside.startsWith('..') || isAbsolute(inside) ? file : inside).split(sep).join('/');
  }

  /** An attachment that is a file beside the ticket, or below it, is read; one that points anywhere else stays unread. */
  private async readAttachment(item: NonNullable<RawTicket['attachments']>[number], folder: string, signal: AbortSignal): Promise<Attachment> {
    if (item.readable || item.url !== undefined || isAbsolute(item.name)) return item;
    try {
      const [inside, file] = await Promise.all([realpath(folder), realpath(join(folder, item.name))]);
      if (!file.startsWith(inside + sep)) return item;
      const extension = extname(file).toLowerCase();
      const mediaType = imageTypes[extension];
      if (mediaType !== undefined && this.options.keep !== undefined) {
        const bytes = await readCapped(file, maxImageBytes, signal);
        return bytes === undefined ? item : { ...item, mediaType, blob: await this.options.keep(bytes), readable: true };
      }
      if (!textExtensions.has(extension)) return { ...item, ...(mediaType === undefined ? {} : { mediaType }) };
      const bytes = await readCapped(file, maxAttachmentBytes, signal);
      return bytes === undefined ? item : { ...item, mediaType: 'text/plain', text: decodeTicket(bytes), readable: true };
    } catch (error) {
      signal.throwIfAborted();
      if (isFailure(error) || (error instanceof Error && 'code' in error)) return item;
      throw error;
    }
  }
}

/** Reads a regular file, or undefined when it is larger than `cap`; the size is checked on the open file, so that it cannot grow in between. */
async function readCapped(file: string, cap: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
  signal.throwIfAborted();
  try {
    // A pipe or a device would be waited for without end, so its kind is looked at before it is opened.
    if (!(await stat(file)).isFile()) throw ticketFailure('bad_reference', 'This is not a regular file', { detail: { file } });
    const handle = await open(file, 'r');
    try {
      const size = (await handle.stat()).size;
      if (size > cap) return undefined;
      const buffer = Buffer.alloc(size);
      const { bytesRead } = await handle.read(buffer, 0, size, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw isFailure(error) ? error : failureOf(error, file);
  }
}

function failureOf(error: unknown, file: string): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') return ticketFailure('not_found', `There is no such file: ${file}`, { detail: { file }, cause: error });
  if (code === 'EACCES' || code === 'EPERM') return ticketFailure('no_access', `There is no permission to read ${file}`, { detail: { file, code }, cause: error });
  return ticketFailure('bad_reference', `${file} cannot be read as a file`, { detail: { file, code }, cause: error });
}

import type { Clock } from '../base/clock.ts';
import { canonicalJson, sha256 } from '../base/hash.ts';
import { wellFormed } from '../base/text.ts';
import { countHidden, findInvisible } from '../base/untrusted.ts';
import { ticket as ticketShape, type TextFindings, type Ticket, type Truncation } from '../model/ticket.ts';
import type { Mask, RawTicket } from './raw.ts';

/** Longest texts that are kept, in UTF-16 units, and longest lists; what goes beyond is cut with a notice. */
export const caps = { title: 1000, description: 500_000, message: 200_000, field: 50_000, log: 20_000, entries: 5000, keys: 200 } as const;

/**
 * Turns what a source read into a `Ticket`: well-formed Unicode, secrets masked, sizes bounded with notices, findings counted,
 * content hashed. Texts keep their invisible characters and hidden markup (counted in `findings`); `forPeople` and `forModel` deal
 * with them where the text is used, so that the record shows what really arrived.
 */
export function normaliseTicket(raw: RawTicket, services: { mask: Mask; clock: Clock }): Ticket {
  const cleaner = new Cleaner(services.mask);
  const parsed = ticketShape.omit({ findings: true, hash: true, revision: true, fetchedAt: true, stale: true, id: true }).parse(raw);
  const { truncations: given, ...rest } = parsed;
  const cleaned = cleaner.value(rest, []) as typeof rest;
  const content = { ...cleaned, id: `${cleaned.source}:${cleaned.key}`, title: oneLine(cleaned.title), truncations: [...given, ...cleaner.truncations] };
  cleaner.findings.notReadable = countUnreadable(content);
  const hash = sha256(canonicalJson(content));
  return ticketShape.parse({ ...content, findings: cleaner.findings, revision: raw.revision ?? hash, hash, fetchedAt: new Date(services.clock.now()).toISOString() });
}

/** Recomputes the content hash of a ticket; equal to `ticket.hash` unless somebody changed it. */
export function ticketHash(ticket: Ticket): string {
  const { findings: _findings, revision: _revision, hash: _hash, fetchedAt: _fetchedAt, stale: _stale, ...content } = ticket;
  return sha256(canonicalJson(content));
}

/** Whether `now` says something else than `before`: a new revision, to be journaled as `ticket.revised`. */
export function isRevision(before: Ticket, now: Ticket): boolean {
  return before.id === now.id && before.hash !== now.hash;
}

function oneLine(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  return line === '' ? '(no title)' : line;
}

function countUnreadable(content: { attachments: { readable: boolean }[]; thread: { attachments: { readable: boolean }[] }[] }): number {
  return [...content.attachments, ...content.thread.flatMap((message) => message.attachments)].filter((item) => !item.readable).length;
}

/** Walks a ticket and cleans each text once. Names of people and labels are texts too: an order may hide in any of them. */
class Cleaner {
  readonly findings: TextFindings = { invisible: 0, bidi: 0, control: 0, tags: 0, hiddenMarkup: 0, masked: 0, brokenUnicode: 0, notReadable: 0 };
  readonly truncations: Truncation[] = [];

  constructor(private readonly mask: Mask) {}

  value(value: unknown, path: string[]): unknown {
    if (typeof value === 'string') return this.text(value, path);
    if (Array.isArray(value)) return this.list(value, path).map((item) => this.value(item, path));
    if (value !== null && typeof value === 'object') {
      const entries = Object.entries(value).filter(([key, inner]) => inner !== undefined && key !== '__proto__');
      const kept = entries.slice(0, caps.keys);
      if (kept.length < entries.length) this.cut(path, kept.length, entries.length, 'fields');
      return Object.fromEntries(kept.map(([key, inner]) => [path.length === 1 ? wellFormed(key).text : key, this.value(inner, [...path, key])]));
    }
    return value;
  }

  private text(source: string, path: string[]): string {
    const formed = wellFormed(source);
    this.findings.brokenUnicode += formed.replaced;
    const cap = capOf(path);
    let text = formed.text;
    if (text.length > cap) {
      // Never in the middle of a surrogate pair.
      text = text.slice(0, cap).replace(/[\ud800-\udbff]$/, '');
      this.cut(path, text.length, formed.text.length, 'characters');
    }
    const hidden = countHidden(text);
    for (const kind of ['invisible', 'bidi', 'control', 'tags', 'hiddenMarkup'] as const) this.findings[kind] += hidden[kind];
    const masked = this.maskThrough(text);
    this.findings.masked += masked.count;
    return masked.text;
  }

  /** A secret broken up by zero-width characters would come whole again when they are taken out for the model, so that form decides. */
  private maskThrough(text: string): { text: string; count: number } {
    const direct = this.mask(text);
    const invisible = findInvisible(text);
    if (invisible.length === 0) return direct;
    const parts: string[] = [];
    let at = 0;
    for (const char of invisible) {
      parts.push(text.slice(at, char.at));
      at = char.at + char.length;
    }
    const seen = this.mask([...parts, text.slice(at)].join(''));
    return seen.count > direct.count ? seen : direct;
  }

  /** Of a thread the newest are kept, of everything else the first. */
  private list(items: unknown[], path: string[]): unknown[] {
    if (items.length <= caps.entries) return items;
    this.cut(path, caps.entries, items.length, 'entries');
    return path[0] === 'thread' ? items.slice(-caps.entries) : items.slice(0, caps.entries);
  }

  private cut(path: string[], kept: number, total: number, what: string): void {
    this.truncations.push({ section: path[0] ?? 'ticket', kept, total, note: `${path.join('.')}: ${kept} of ${total} ${what} kept` });
  }
}

function capOf(path: readonly string[]): number {
  const [section, field] = path;
  if (section === 'title') return caps.title;
  if (section === 'description') return caps.description;
  if (section === 'thread' && field === 'text') return caps.message;
  if (section === 'console' || section === 'network' || section === 'actions') return caps.log;
  return section === 'attachments' ? caps.message : caps.field;
}

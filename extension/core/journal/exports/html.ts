import { Failure } from '../../base/failure.ts';
import { tableRanges, applyRanges } from '../redact/masker.ts';
import type { AnyEvent, Gap, JournalFailureReason } from '../port.ts';
import { foldListing, type ListingFacts, toListing } from '../listing.ts';

const style = `
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1f2328; background: #fff; }
  h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; border-bottom: 1px solid #d1d9e0; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; } dt { font-weight: 600; } dd { margin: 0; }
  ol { list-style: none; padding: 0; } li { border-left: 3px solid #d1d9e0; padding: .25rem .75rem; margin: .5rem 0; }
  li.gap { border-color: #b35900; } li.decision { border-color: #0969da; }
  table { border-collapse: collapse; } th, td { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top; border-bottom: 1px solid #d1d9e0; }
  .meta { color: #59636e; font-size: .85rem; } pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f6f8fa; padding: .5rem; margin: .25rem 0; }
  @media (prefers-color-scheme: dark) { body { color: #e6edf3; background: #0d1117; } pre { background: #161b22; } .meta { color: #9198a1; } h2, li, th, td { border-color: #3d444d; } }
`;

/** Longer texts are cut in the report; the JSON lines have all of it. */
const longestText = 20_000;

/**
 * One case as a single page: no scripts, nothing loaded from anywhere, a content security policy that forbids both, and every text
 * escaped, because the ticket and the model wrote most of it. Times are UTC.
 */
export async function exportHtml(caseId: string, items: AsyncIterable<AnyEvent | { gap: Gap }>, signal?: AbortSignal): Promise<string> {
  const facts = new Map<string, ListingFacts>();
  const rows: string[] = [];
  const latest: { verdict?: string; reply?: string; report?: string } = {};
  for await (const item of items) {
    signal?.throwIfAborted();
    if ('gap' in item) {
      rows.push(gapRow(item.gap));
      continue;
    }
    foldListing(facts, item);
    rows.push(eventRow(item));
    note(latest, item);
  }
  const found = facts.get(caseId);
  if (found === undefined) throw new Failure<JournalFailureReason>('not_found', `there is no case ${caseId} in this journal`);
  const listing = toListing(found);
  const head = fields({ Case: listing.case, Ticket: listing.ticketId, Opened: time(listing.openedAt), 'Last event': time(listing.lastEventAt), Classification: [listing.classification, listing.bugConfirmation].filter(Boolean).join(', ') });
  return htmlPage(
    listing.title,
    `<h1>${escapeHtml(listing.title)}</h1>
${head}
${section('Verdict', latest.verdict)}${section('Report', latest.report)}${section('Reply', latest.reply)}<h2>Record</h2>
<ol>
${rows.join('\n')}
</ol>
<p class="meta">Written by Casebook. Times are UTC. Secrets were masked when the events were recorded.</p>`,
  );
}

/** A page that loads nothing and runs nothing, and whose policy forbids both. `title` is escaped here; `body` is HTML with every text escaped already. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

function note(latest: { verdict?: string; reply?: string; report?: string }, event: AnyEvent): void {
  if (event.body === null) return;
  if (event.kind === 'verdict.submitted') latest.verdict = readable(event.body.verdict);
  else if (event.kind === 'verdict.overridden') latest.verdict = `${latest.verdict ?? ''}\n\nOverridden by ${event.actor.name}:\n${readable(event.body)}`;
  else if (event.kind === 'report.written') latest.report = event.body.markdown;
  else if (event.kind === 'reply.drafted' || event.kind === 'reply.edited') latest.reply = event.body.text;
}

function eventRow(event: AnyEvent): string {
  const who = [event.actor.kind, event.actor.name, event.actor.via].filter((part) => part !== undefined).join(' · ');
  const decided = event.actor.kind === 'person' || event.actor.kind === 'policy' ? ' class="decision"' : '';
  const body = event.body === null ? '<p class="meta">The content was erased, or cannot be read.</p>' : text(readable(event.body));
  const flags = event.flags?.masked === undefined ? '' : ` · ${event.flags.masked} masked`;
  return `<li${decided}><div><strong>${escapeHtml(event.kind)}</strong> <span class="meta">${time(event.ts)} · ${escapeHtml(who)}${flags} · ${escapeHtml(event.id)}</span></div>${body}</li>`;
}

function gapRow(gap: Gap): string {
  return `<li class="gap"><strong>Gap</strong> <span class="meta">${escapeHtml(`${gap.session}/${gap.segment}`)}, bytes ${gap.offset} to ${gap.offset + gap.length}: ${escapeHtml(gap.why)}</span></li>`;
}

function section(title: string, content: string | undefined): string {
  return content === undefined ? '' : `<h2>${title}</h2>\n${text(content)}\n`;
}

function fields(values: Record<string, string>): string {
  const rows = Object.entries(values).filter(([, value]) => value !== '');
  return `<dl>${rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`;
}

/** A value as indented text: names and values, no quotes and braces. */
function readable(value: unknown, indent = ''): string {
  if (typeof value === 'string') return value.includes('\n') ? `\n${value.replace(/^/gm, indent)}` : value;
  if (Array.isArray(value)) return value.map((item: unknown) => `\n${indent}- ${readable(item, `${indent}  `).trimStart()}`).join('');
  if (value === null || typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, item]) => `\n${indent}${name}: ${readable(item, `${indent}  `)}`)
    .join('')
    .replace(/^\n/, indent === '' ? '' : '\n');
}

function text(content: string): string {
  const clean = applyRanges(content, tableRanges(content));
  const cut = clean.length > longestText ? `${clean.slice(0, longestText)}\n… ${clean.length - longestText} more characters` : clean;
  return `<pre>${escapeHtml(cut)}</pre>`;
}

const time = (iso: string): string => escapeHtml(iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC'));

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** Invisible and direction-changing characters are made visible too: a report must read as it is. */
export function escapeHtml(raw: string): string {
  return raw
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu, (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`);
}

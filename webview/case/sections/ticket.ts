import { html, nothing, type TemplateResult } from 'lit';
import type { Attachment, TextFindings, ThreadMessage, Ticket } from '../../../extension/core/model/ticket.ts';
import { localTime } from '../../shared/format.ts';
import { renderMarkdown } from '../../shared/markdown.ts';
import { CaseSection } from '../parts/section.ts';
import { button, chip, facts, icon } from '../../shared/ui.ts';
import { sanitize } from '../../shared/sanitize.ts';
import { words } from '../words.ts';

/** Entries of a log or thread drawn at once; "Show More" adds as many. */
const PAGE = 40;
/** Sources whose text is markdown; any other text is shown letter by letter, so that a trace loses nothing. */
const markdownSources = new Set(['github']);

/** The ticket as it came: data, shown and never acted on. */
export class CaseTicket extends CaseSection {
  private readonly shown = new Map<string, number>();
  private readonly drawn = new Map<string, Node[]>();

  protected override render(): TemplateResult {
    const { ticket } = this.model.state;
    return this.disclosure('ticket', { openByDefault: this.model.state.verdict === undefined && this.model.state.report === undefined, summary: html`<span class="dim">${ticket.key}</span>` }, () => html`
      ${this.findings(ticket.findings)} ${this.about(ticket)}
      <h3>${words.ticket.description}</h3>
      ${ticket.description === '' ? html`<p class="dim">${words.ticket.noDescription}</p>` : this.text(ticket, ticket.description)}
      ${this.records(ticket)} ${this.log(words.ticket.console, 'console', ticket, ticket.console)} ${this.network(ticket)} ${this.log(words.ticket.actions, 'actions', ticket, ticket.actions)} ${this.thread(ticket)} ${this.attachments(ticket)}
      <p class="dim small">${words.ticket.untrusted}</p>
    `);
  }

  private findings(findings: TextFindings): unknown {
    const found = (Object.entries(findings) as [keyof TextFindings, number][]).filter(([name, count]) => count > 0 && name !== 'notReadable');
    if (found.length === 0) return nothing;
    return html`<ul class="chips" aria-label=${words.reply.findings}>${found.map(([name, count]) => html`<li>${chip(words.finding[name](count), name === 'masked' ? 'lock' : 'eye', 'warn')}</li>`)}</ul>`;
  }

  private about(ticket: Ticket): unknown {
    const entries: [string, string][] = [[words.ticket.source, ticket.source]];
    if (ticket.status) entries.push([words.ticket.state, ticket.status]);
    entries.push([words.ticket.severity, words.severity[ticket.severity]]);
    if (ticket.reporter) entries.push([words.ticket.reporter, ticket.reporter]);
    if (ticket.assignees.length > 0) entries.push([words.ticket.assignees, ticket.assignees.join(', ')]);
    if (ticket.labels.length > 0) entries.push([words.ticket.labels, ticket.labels.join(', ')]);
    if (ticket.createdAt) entries.push([words.ticket.created, localTime(ticket.createdAt)]);
    if (ticket.updatedAt) entries.push([words.ticket.updated, localTime(ticket.updatedAt)]);
    return facts(entries);
  }

  private records(ticket: Ticket): unknown {
    const groups: [string, string, Record<string, string>][] = [
      [words.ticket.where, 'where', ticket.where],
      [words.ticket.environment, 'environment', ticket.environment],
      [words.ticket.formData, 'formData', ticket.formData],
      [words.ticket.customData, 'customData', ticket.customData],
      [words.ticket.customer, 'customer', ticket.customer],
    ];
    return groups.map(([title, section, record]) => (Object.keys(record).length === 0 ? nothing : html`<h3>${title}</h3>${facts(Object.entries(record))}${this.truncated(ticket, section)}`));
  }

  private text(ticket: Ticket, text: string): TemplateResult {
    if (!markdownSources.has(ticket.source)) return html`<pre class="plain-text">${text}</pre>`;
    let nodes = this.drawn.get(text);
    if (!nodes) {
      // A changed ticket has other texts; what is no longer shown need not be kept.
      if (this.drawn.size > PAGE * 10) this.drawn.clear();
      nodes = [...sanitize(renderMarkdown(text, { under: 3 })).childNodes];
      this.drawn.set(text, nodes);
    }
    return html`<div class="markdown" @click=${this.clicked}>${nodes}</div>`;
  }

  private readonly clicked = (event: Event): void => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-file]') : null;
    const file = target?.dataset['file'];
    const line = Number(target?.dataset['line']);
    if (file !== undefined) void this.model.request('openCitation', { file, ...(line > 0 ? { line } : {}) });
  };

  private log(title: string, section: string, ticket: Ticket, entries: Ticket['console']): unknown {
    if (entries.length === 0) return nothing;
    const count = this.shown.get(section) ?? PAGE;
    return html`<h3>${title}</h3>
      <ol class="log">${entries.slice(0, count).map((entry) => html`<li class=${entry.level === 'error' ? 'level-error' : ''}>${entry.time ? html`<span class="dim">${clock(entry.time)}</span> ` : nothing}${entry.level ? html`<span class="level">${entry.level}</span> ` : nothing}<span>${entry.text}</span></li>`)}</ol>
      ${this.more(section, count, entries.length)}${this.truncated(ticket, section)}`;
  }

  private network(ticket: Ticket): unknown {
    if (ticket.network.length === 0) return nothing;
    const count = this.shown.get('network') ?? PAGE;
    return html`<h3>${words.ticket.network}</h3>
      <ol class="log">${ticket.network.slice(0, count).map((entry) => html`<li class=${entry.error !== undefined || (entry.status ?? 0) >= 400 ? 'level-error' : ''}>${entry.time ? html`<span class="dim">${clock(entry.time)}</span> ` : nothing}<span class="level">${entry.method ?? ''} ${entry.status ?? words.ticket.failedRequest}</span> <span>${entry.url}</span>${entry.durationMs === undefined ? nothing : html` <span class="dim">${entry.durationMs} ms</span>`}${entry.error ? html` <span>${entry.error}</span>` : nothing}</li>`)}</ol>
      ${this.more('network', count, ticket.network.length)}${this.truncated(ticket, 'network')}`;
  }

  private thread(ticket: Ticket): unknown {
    if (ticket.thread.length === 0) return nothing;
    const count = this.shown.get('thread') ?? PAGE;
    return html`<h3>${words.ticket.thread}</h3>
      <ol class="thread">${ticket.thread.slice(0, count).map((message) => this.message(ticket, message))}</ol>
      ${this.more('thread', count, ticket.thread.length)}${this.truncated(ticket, 'thread')}`;
  }

  private message(ticket: Ticket, message: ThreadMessage): TemplateResult {
    const arrow = { in: 'arrow-down', out: 'arrow-up', system: 'circle-small-filled' }[message.direction];
    return html`<li class="message direction-${message.direction}">
      <p class="message-head">${icon(arrow)}<strong>${message.sender}</strong><span class="dim">${words.ticket.direction[message.direction]}${message.time ? `, ${localTime(message.time)}` : ''}</span></p>
      ${message.direction === 'system' ? html`<p class="dim">${message.text}</p>` : this.text(ticket, message.text)}
      ${message.attachments.length > 0 ? this.attachmentList(message.attachments) : nothing}
    </li>`;
  }

  private attachments(ticket: Ticket): unknown {
    const unreadable = ticket.findings.notReadable;
    if (ticket.attachments.length === 0 && unreadable === 0) return nothing;
    return html`<h3>${words.ticket.attachments}${unreadable > 0 ? html` <span class="attention">${words.ticket.notReadable(unreadable)}</span>` : nothing}</h3>${this.attachmentList(ticket.attachments)}${this.truncated(ticket, 'attachments')}`;
  }

  private attachmentList(attachments: readonly Attachment[]): TemplateResult {
    return html`<ul class="plain">${attachments.map((attachment) => html`<li>${icon(attachment.readable ? 'file' : 'circle-slash')} ${attachment.name} <span class="dim">${attachment.mediaType ?? ''}${attachment.readable ? '' : ` ${words.ticket.unreadable}`}</span>${attachment.text ? html`<details><summary>${words.ticket.attachments}: ${attachment.name}</summary><pre class="plain-text">${attachment.text}</pre></details>` : nothing}${this.showImage(attachment)}</li>`)}</ul>`;
  }

  /** Images open in the editor's own viewer; the panel itself loads none. */
  private showImage({ blob, name }: Attachment): unknown {
    if (blob === undefined) return nothing;
    return html` <button type="button" class="cited" aria-label=${`${words.ticket.showImage}: ${name}`} @click=${() => void this.model.request('openAttachment', { blob })}>${words.ticket.showImage}</button>`;
  }

  private truncated(ticket: Ticket, section: string): unknown {
    return ticket.truncations.filter((cut) => cut.section === section).map((cut) => html`<p class="warning-line">${icon('fold')}${words.ticket.truncated(String(cut.kept), cut.total === undefined ? undefined : String(cut.total), cut.note)}</p>`);
  }

  private more(section: string, count: number, total: number): unknown {
    if (total <= count) return nothing;
    const grow = () => {
      this.shown.set(section, count + PAGE);
      this.requestUpdate();
    };
    return button({ label: words.ticket.more(total - count), icon: 'ellipsis', onClick: grow });
  }
}

/** The time of day of a log line, which is what one compares there. */
function clock(iso: string): string {
  return /T(\d\d:\d\d:\d\d)/u.exec(iso)?.[1] ?? iso;
}
customElements.define('casebook-ticket', CaseTicket);

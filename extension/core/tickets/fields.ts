import { linkedAttachments } from './attachments.ts';
import { readIssueForm } from './issue-form.ts';
import { severityFrom } from './order.ts';
import type { RawTicket } from './raw.ts';

type Fields = Record<string, unknown>;

/** Model field → the names it goes by in front matter, exports and trackers; the first that is present wins. */
const names = {
  key: ['key', 'id', 'number', 'ticket', 'ticketid', 'iid'],
  title: ['title', 'subject', 'summary', 'name', 'headline'],
  description: ['description', 'body', 'text', 'content', 'message', 'details'],
  url: ['url', 'html_url', 'web_url', 'link', 'permalink'],
  status: ['status', 'state'],
  severity: ['severity', 'priority', 'importance', 'urgency', 'impact'],
  labels: ['labels', 'tags', 'keywords'],
  reporter: ['reporter', 'author', 'user', 'from', 'createdby', 'requester'],
  assignees: ['assignees', 'assignee', 'assigned', 'owner'],
  createdAt: ['createdat', 'created', 'created_at', 'date', 'opened'],
  updatedAt: ['updatedat', 'updated', 'updated_at', 'modified'],
  where: ['where', 'location', 'page', 'component', 'module', 'area'],
  environment: ['environment', 'env', 'system'],
  formData: ['formdata', 'form', 'fields'],
  customData: ['customdata', 'custom', 'attributes', 'metadata'],
  customer: ['customer', 'session', 'contact', 'company'],
  console: ['console', 'consolelogs', 'logs', 'log'],
  network: ['network', 'networkactivity', 'requests', 'networklogs'],
  actions: ['actions', 'actionlog', 'steps', 'events'],
  thread: ['thread', 'comments', 'messages', 'conversation', 'replies'],
  attachments: ['attachments', 'files', 'images'],
  truncations: ['truncations'],
  revision: ['revision', 'etag'],
} as const;

/** Single facts that belong into `environment` even when they stand alone. */
const environmentNames = new Set(['version', 'os', 'platform', 'browser', 'node', 'device', 'runtime', 'build', 'locale', 'language', 'screen']);
/** Fields of our own model, and of tracker exports, that carry nothing about the problem. */
const ignored = new Set(['source', 'hash', 'findings', 'fetchedat', 'stale', 'node_id', 'events_url', 'comments_url', 'labels_url', 'repository_url', 'timeline_url', 'reactions', 'author_association', 'locked', 'performed_via_github_app']);

/**
 * Maps a record (front matter, our own JSON, or an issue as GitHub's API gives it) to a raw ticket, leniently: unknown fields go to
 * `customData`, wrong types are turned into text, nothing throws. `body` is the text below the front matter.
 */
export function rawFromFields(fields: Fields, given: { source: string; key: string; title: string; body?: string }): RawTicket {
  const taken = new Set<string>();
  const folded = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase().replace(/[\s-]/g, ''), { name, value }]));
  const pick = (field: keyof typeof names): unknown => {
    for (const name of names[field]) {
      const found = folded.get(name);
      if (found === undefined || found.value === null || taken.has(found.name)) continue;
      // GitHub's `comments` may be a mere count.
      if (field === 'thread' && typeof found.value === 'number') continue;
      taken.add(found.name);
      return found.value;
    }
    return undefined;
  };
  const description = given.body ?? text(pick('description')) ?? '';
  const form = readIssueForm(description);
  const labels = list(pick('labels')).map(nameOf).filter((label) => label !== '');
  const severity = text(pick('severity'));
  const key = text(pick('key'));
  const raw: RawTicket = {
    source: given.source,
    key: given.key,
    title: text(pick('title')) ?? given.title,
    description,
    severity: severityFrom([...(severity === undefined ? [] : [severity, `priority: ${severity}`]), ...labels]),
    labels,
    assignees: list(pick('assignees')).map(nameOf),
    where: { ...form.where, ...record(pick('where'), 'where') },
    environment: { ...form.environment, ...record(pick('environment'), 'environment') },
    formData: { ...form.formData, ...record(pick('formData'), 'form') },
    customData: { ...(key === undefined || key === given.key ? {} : { id: key }), ...record(pick('customData'), 'custom') },
    customer: record(pick('customer'), 'customer'),
    console: [...list(pick('console')).map(logEntry), ...form.console],
    network: list(pick('network')).map(networkEntry),
    actions: list(pick('actions')).map(logEntry),
    thread: list(pick('thread')).map(message),
    attachments: [...list(pick('attachments')).map(attachment), ...linkedAttachments(description)],
    truncations: list(pick('truncations')).flatMap(truncation),
    ...optional('url', text(pick('url'))),
    ...optional('status', text(pick('status'))),
    ...optional('reporter', nameOf(pick('reporter')) || undefined),
    ...optional('createdAt', text(pick('createdAt'))),
    ...optional('updatedAt', text(pick('updatedAt'))),
    ...optional('revision', text(pick('revision'))),
  };
  addRest(raw, folded, taken);
  return raw;
}

function addRest(raw: RawTicket, folded: ReadonlyMap<string, { name: string; value: unknown }>, taken: ReadonlySet<string>): void {
  for (const [name, entry] of folded) {
    if (taken.has(entry.name) || ignored.has(name) || name.endsWith('_url')) continue;
    const value = text(entry.value);
    if (value === undefined || value === '') continue;
    const target = environmentNames.has(name) ? raw.environment : raw.customData;
    if (target !== undefined && entry.name !== '__proto__' && !Object.hasOwn(target, entry.name)) target[entry.name] = value;
  }
}

function optional<K extends string>(name: K, value: string | undefined): { [P in K]?: string } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { [P in K]?: string });
}

/** A value as text; objects as JSON, dates as ISO, nothing as undefined. */
function text(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  // Empty lists and objects stand for nothing.
  return typeof value === 'object' && Object.keys(value).length === 0 ? undefined : JSON.stringify(value);
}

function list(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return value.includes('\n') ? value.split('\n').filter((line) => line.trim() !== '') : value.split(/\s*,\s*/).filter((part) => part !== '');
  return [value];
}

function isRecord(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
}

/** `{name: …}`, `{login: …}` and plain text all name somebody or something. */
function nameOf(value: unknown): string {
  if (isRecord(value)) return text(value['login'] ?? value['name'] ?? value['email'] ?? value['title']) ?? '';
  return text(value) ?? '';
}

function record(value: unknown, alone: string): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) return { [alone]: text(value) ?? '' };
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => (text(inner) === undefined ? [] : [[key, text(inner) ?? '']])));
}

function logEntry(value: unknown): { time?: string; level?: string; text: string } {
  if (!isRecord(value)) return { text: text(value) ?? '' };
  return { text: text(value['text'] ?? value['message'] ?? value['log'] ?? value['name']) ?? JSON.stringify(value), ...optional('time', text(value['time'] ?? value['date'] ?? value['timestamp'])), ...optional('level', text(value['level'] ?? value['priority'] ?? value['type'])) };
}

function networkEntry(value: unknown): NonNullable<RawTicket['network']>[number] {
  if (!isRecord(value)) return { url: text(value) ?? '' };
  const status = Number(value['status'] ?? value['statusCode']);
  const duration = Number(value['durationMs'] ?? value['duration']);
  return {
    url: text(value['url']) ?? '',
    ...optional('time', text(value['time'] ?? value['date'])),
    ...optional('method', text(value['method'] ?? value['type'])),
    ...optional('error', text(value['error'])),
    ...(Number.isInteger(status) ? { status } : {}),
    ...(Number.isFinite(duration) ? { durationMs: duration } : {}),
  };
}

function message(value: unknown): NonNullable<RawTicket['thread']>[number] {
  if (!isRecord(value)) return { sender: 'unknown', direction: 'in', text: text(value) ?? '' };
  const body = text(value['text'] ?? value['body'] ?? value['message']) ?? '';
  const direction = value['direction'];
  return {
    sender: nameOf(value['sender'] ?? value['user'] ?? value['author'] ?? value['from']) || 'unknown',
    direction: direction === 'out' || direction === 'system' ? direction : 'in',
    text: body,
    attachments: [...list(value['attachments']).map(attachment), ...linkedAttachments(body)],
    ...optional('id', text(value['id'])),
    ...optional('time', text(value['time'] ?? value['created_at'] ?? value['createdAt'] ?? value['date'])),
  };
}

function attachment(value: unknown): NonNullable<RawTicket['attachments']>[number] {
  if (!isRecord(value)) return { name: text(value) ?? '', readable: false };
  const content = text(value['text']);
  const blob = text(value['blob']);
  return {
    name: nameOf(value) || text(value['url']) || 'attachment',
    readable: content !== undefined || blob !== undefined,
    ...optional('url', text(value['url'])),
    ...optional('mediaType', text(value['mediaType'] ?? value['content_type'])),
    ...optional('blob', blob),
    ...optional('text', content),
  };
}

function truncation(value: unknown): NonNullable<RawTicket['truncations']> {
  if (!isRecord(value) || !Number.isInteger(value['kept'])) return [];
  const total = Number(value['total']);
  return [{ section: text(value['section']) ?? '', kept: Number(value['kept']), note: text(value['note']) ?? '', ...(Number.isInteger(total) ? { total } : {}) }];
}

import { mkdir, mkdtemp, rm, stat, symlink, writeFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../extension/core/base/clock.ts';
import { Failure, isFailure } from '../../../extension/core/base/failure.ts';
import { ticket as ticketShape, type Ticket } from '../../../extension/core/model/ticket.ts';
import { FolderCopies, fetchOrCopy, ticketFailure } from '../../../extension/core/tickets/copies.ts';
import { caps, isRevision, normaliseTicket, ticketHash } from '../../../extension/core/tickets/normalise.ts';
import { bySeverityThenRecency, filterTickets, severityFrom } from '../../../extension/core/tickets/order.ts';
import { firstLine } from '../../../extension/core/tickets/parse.ts';
import type { RawTicket } from '../../../extension/core/tickets/raw.ts';
import { TicketSources } from '../../../extension/core/tickets/registry.ts';
import { rankSimilar } from '../../../extension/core/tickets/similar.ts';
import { FileSource } from '../../../extension/core/tickets/sources/file.ts';
import { GitHubSource } from '../../../extension/core/tickets/sources/github.ts';
import { TextSource } from '../../../extension/core/tickets/sources/text.ts';
import { ticketCommand } from '../../../extension/cli/tickets.ts';
import type { CliContext } from '../../../extension/cli/command.ts';
import { nullLogger } from '../../../extension/core/base/logger.ts';

const signal = new AbortController().signal;
const clock = new FakeClock();
const mask = (text: string) => ({ text: text.replaceAll('hunter2', '[masked]'), count: text.split('hunter2').length - 1 });
const services = { mask, clock };
const raw = (more: Partial<RawTicket> = {}): RawTicket => ({ source: 'text', key: 'k', title: 't', description: 'd', ...more });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casebook-tickets-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function files(more: Partial<ConstructorParameters<typeof FileSource>[0]> = {}): FileSource {
  return new FileSource({ ...services, cwd: folder, folders: () => [folder], ...more });
}
async function read(name: string, content: string | Uint8Array, more?: Parameters<typeof files>[0]): Promise<Ticket> {
  await writeFile(join(folder, name), content);
  return files(more).fetch(name, signal);
}
async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(() => undefined, (thrown: unknown) => thrown);
  if (!isFailure(error)) throw error instanceof Error ? error : new Error('it resolved');
  return error.reason;
}

describe('normaliseTicket', () => {
  it('masks every text, counts, and gives a hash that follows the content only', () => {
    const ticket = normaliseTicket(raw({ title: 'my hunter2', customData: { a: 'hunter2' }, thread: [{ sender: 'hunter2', direction: 'in', text: 'hunter2' }], labels: ['hunter2'] }), services);
    expect(JSON.stringify(ticket)).not.toContain('hunter2');
    expect(ticket.findings.masked).toBe(5);
    expect(ticketHash(ticket)).toBe(ticket.hash);
    expect(ticket.revision).toBe(ticket.hash);
    clock.advance(1000);
    const later = normaliseTicket(raw({ title: 'my hunter2', customData: { a: 'hunter2' }, thread: [{ sender: 'hunter2', direction: 'in', text: 'hunter2' }], labels: ['hunter2'], revision: 'r2' }), services);
    expect(later.hash).toBe(ticket.hash);
    expect(later.fetchedAt).not.toBe(ticket.fetchedAt);
    expect(isRevision(ticket, normaliseTicket(raw({ title: 'other' }), services))).toBe(true);
  });
  it('T07: a secret cut in two by an invisible character is masked all the same', () => {
    const ticket = normaliseTicket(raw({ description: 'hun\u200bter2' }), services);
    expect(ticket.description).toBe('[masked]');
  });
  it('makes Unicode well-formed, with a count, and keeps the rest', () => {
    const ticket = normaliseTicket(raw({ description: 'a\ud800b \udc00 🐛' }), services);
    expect(ticket.description).toBe('a\ufffdb \ufffd 🐛');
    expect(ticket.findings.brokenUnicode).toBe(2);
  });
  it('T04: a line of a megabyte and NUL are cut with a notice, not refused', () => {
    const ticket = normaliseTicket(raw({ description: `\0${'🐛'.repeat(600_000)}` }), services);
    expect(ticket.description.length).toBeLessThanOrEqual(caps.description);
    expect(ticket.description).not.toMatch(/\p{Surrogate}/u);
    expect(ticket.truncations).toMatchObject([{ section: 'description', total: 1_200_001 }]);
    expect(ticket.findings.control).toBe(1);
  });
  it('of a long thread the newest stay', () => {
    const thread = Array.from({ length: caps.entries + 5 }, (_, index) => ({ sender: 's', direction: 'in' as const, text: String(index) }));
    const ticket = normaliseTicket(raw({ thread }), services);
    expect(ticket.thread[0]?.text).toBe('5');
    expect(ticket.truncations).toMatchObject([{ section: 'thread', kept: caps.entries, total: caps.entries + 5 }]);
  });
});

describe('files', () => {
  it('Markdown with front matter', async () => {
    const ticket = await read('a.md', '---\ntitle: Crash on save\nid: SUP-7\npriority: urgent\ntags: [ui, save]\nfrom: anna@example.com\nversion: 2.4\ncreated: 2026-01-05\nenvironment:\n  OS: Linux\n  Browser: Firefox\npage: /settings\ncustom:\n  plan: pro\ndepth: 3\ncomments:\n  - {from: bob, direction: out, text: "Hi"}\n  - Still broken\n---\n# Body\n\nIt crashes.\n');
    expect(ticket).toMatchObject({ id: 'file:a.md', title: 'Crash on save', description: '# Body\n\nIt crashes.\n', severity: 'critical', labels: ['ui', 'save'], reporter: 'anna@example.com', createdAt: '2026-01-05' });
    expect(ticket.environment).toEqual({ OS: 'Linux', Browser: 'Firefox', version: '2.4' });
    expect(ticket.where).toEqual({ where: '/settings' });
    expect(ticket.customData).toEqual({ id: 'SUP-7', plan: 'pro', depth: '3' });
    expect(ticket.thread.map((message) => [message.sender, message.direction, message.text])).toEqual([['bob', 'out', 'Hi'], ['unknown', 'in', 'Still broken']]);
  });
  it('Markdown without front matter takes its heading', async () => expect((await read('a.md', 'Hello,\n\n## It hangs\n\nText')).title).toBe('It hangs'));
  it('{id, title, body}', async () => expect(await read('a.json', '{"id":"x-1","title":"T","body":"B"}')).toMatchObject({ id: 'file:a.json', title: 'T', description: 'B', customData: { id: 'x-1' } }));
  it('an issue as the GitHub API gives it', async () => {
    const issue = { number: 5, title: 'T', body: '![s](https://x/y.png)', user: { login: 'anna' }, labels: [{ name: 'bug' }, { name: 'P1' }], html_url: 'https://github.com/o/r/issues/5', state: 'open', comments: 3, node_id: 'N', created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-02T00:00:00Z', assignees: [{ login: 'bob' }], reactions: { '+1': 1 } };
    const ticket = await read('a.json', JSON.stringify(issue));
    expect(ticket).toMatchObject({ title: 'T', reporter: 'anna', labels: ['bug', 'P1'], severity: 'high', url: 'https://github.com/o/r/issues/5', status: 'open', assignees: ['bob'], updatedAt: '2026-01-02T00:00:00Z' });
    expect(ticket.customData).toEqual({ id: '5', comments: '3' });
    expect(ticket.findings.notReadable).toBe(1);
  });
  it('our own shape comes back as it was', async () => {
    const own = normaliseTicket(raw({ title: 'T', description: 'D', severity: 'high', labels: ['x'], where: { page: 'p' }, environment: { os: 'l' }, formData: { f: 'v' }, customer: { plan: 'pro' }, console: [{ text: 'c', level: 'error', time: '1' }], network: [{ url: 'u', status: 500, method: 'GET', durationMs: 5 }], actions: [{ text: 'a' }], thread: [{ sender: 's', direction: 'out', text: 't', id: '1' }], truncations: [{ section: 'thread', kept: 1, total: 2, note: 'n' }] }), services);
    const back = await read('a.json', JSON.stringify(own));
    for (const key of ['title', 'description', 'severity', 'labels', 'where', 'environment', 'formData', 'customer', 'console', 'network', 'actions', 'thread', 'truncations'] as const) expect(back[key], key).toEqual(own[key]);
  });
  it('plain text, UTF-16 and Windows-1252', async () => {
    expect((await read('a.txt', 'Größe falsch\nmehr')).title).toBe('Größe falsch');
    expect((await read('b.txt', Buffer.from('\ufeffGröße', 'utf16le'))).title).toBe('Größe');
    expect((await read('c.txt', Buffer.from([0x47, 0x72, 0xf6, 0xdf, 0x65]))).title).toBe('Größe');
    expect((await read('d.md', '\ufeff---\ntitle: T\n---\nx')).title).toBe('T');
  });
  it.each([
    ['alias bomb', 'a.md', `---\na: &a [x,x]\n${'bcdefgh'.split('').map((name, index) => `${name}: &${name} [*${'abcdefg'[index]},*${'abcdefg'[index]}]`).join('\n')}\n---\n`],
    ['bad YAML', 'a.md', '---\ntitle: [a\n---\nx'],
    ['duplicate keys', 'a.md', '---\ntitle: a\ntitle: b\n---\nx'],
    ['a list as front matter', 'a.md', '---\n- a\n---\nx'],
    ['bad JSON', 'a.json', '{"title":'],
    ['a JSON list', 'a.json', '[]'],
    ['JSON without a ticket in it', 'package.json', '{"dependencies":{}}'],
    ['JSON whose title and body say nothing', 'a.json', '{"id":5,"title":[],"body":" "}'],
    ['an empty file', 'a.txt', ' \n'],
    ['an empty Markdown file', 'a.md', ''],
    ['binary', 'a.txt', Buffer.from([1, 0, 2, 0, 0])],
    ['too large', 'a.txt', Buffer.alloc(5 * 1024 * 1024 + 1, 97)],
  ] as const)('%s is bad_content', async (_name, file, content) => {
    expect(await reasonOf(read(file, content))).toBe('bad_content');
  });
  it('missing, a folder, a pipe of the system', async () => {
    expect(await reasonOf(files().fetch('none.md', signal))).toBe('not_found');
    await mkdir(join(folder, 'd.md'));
    expect(await reasonOf(files().fetch('d.md', signal))).toBe('bad_reference');
    expect(await reasonOf(files().fetch('/dev/zero', signal))).toBe('bad_reference');
  });
  it('keys that would reach into objects are data or dropped', async () => {
    const ticket = await read('a.json', '{"title":"T","__proto__":{"polluted":"yes"},"constructor":"c","custom":{"__proto__":"x"}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(ticket.customData['constructor']).toBe('c');
  });
  it('T16: attachments beside the ticket are kept, others are counted', async () => {
    await mkdir(join(folder, 'inside'), { recursive: true });
    await writeFile(join(folder, 'inside', 'app.log'), 'line one');
    await writeFile(join(folder, 'inside', 'shot.png'), Buffer.from([137, 80, 78, 71]));
    await writeFile(join(folder, 'up.log'), 'not for this ticket');
    await symlink(join(folder, 'up.log'), join(folder, 'inside', 'evil.log'));
    const kept: Uint8Array[] = [];
    const keep = async (bytes: Uint8Array) => `blob${kept.push(bytes)}`;
    const ticket = await read('inside/a.md', '---\ntitle: T\nattachments: [app.log, shot.png, evil.log, ../up.log, gone.txt, data.bin]\n---\n', { keep });
    expect(ticket.attachments.map((item) => [item.name, item.readable, item.text ?? item.blob])).toEqual([['app.log', true, 'line one'], ['shot.png', true, 'blob1'], ['evil.log', false, undefined], ['../up.log', false, undefined], ['gone.txt', false, undefined], ['data.bin', false, undefined]]);
    expect(ticket.findings.notReadable).toBe(4);
    expect(kept).toHaveLength(1);
  });
  it('T28: a folder is a query: only tickets, by severity then recency, in pages', async () => {
    for (let index = 0; index < 60; index++) await writeFile(join(folder, `t${String(index).padStart(2, '0')}.json`), JSON.stringify({ title: `T${index}`, body: 'b', priority: index === 41 ? 'P0' : index % 2 ? 'low' : undefined, updated: `2026-01-01T00:00:${String(index).padStart(2, '0')}Z` }));
    await writeFile(join(folder, 'package.json'), '{}');
    await writeFile(join(folder, 'x.bin'), 'x');
    const [query] = await files().queries();
    const first = await files().list(query?.query ?? '', undefined, signal);
    expect(first.total).toBe(60);
    expect(first.items.slice(0, 3).map((item) => item.title)).toEqual(['T41', 'T59', 'T57']);
    const second = await files().list(query?.query ?? '', first.next, signal);
    expect(second.items).toHaveLength(10);
    expect(second.items.at(-1)?.severity).toBe('unknown');
    expect(await reasonOf(files().list(join(folder, 'none'), undefined, signal))).toBe('not_found');
  });
});

describe('text', () => {
  it('title is the first line that says something', () => {
    expect(firstLine('\n---\nHi there,\n\n**The list is empty**\n')).toBe('The list is empty');
    expect(firstLine('```\nTypeError: x\n```')).toBe('TypeError: x');
    expect(firstLine('<!-- template -->\n### Bug\ntext')).toBe('Bug');
    expect(firstLine('🐛'.repeat(300))).toBe(`${'🐛'.repeat(99)}…`);
    expect(firstLine('')).toBe('');
  });
  it('the same text is the same ticket; the origin is kept', () => {
    const text = new TextSource(services);
    const one = text.fromText('It crashes', 'selection', 'src/a.ts');
    expect(one.id).toBe(text.fromText('It crashes', 'selection').id);
    expect(one).toMatchObject({ where: { file: 'src/a.ts' }, customData: { origin: 'selection' } });
    expect(() => text.fromText(' \n', 'clipboard')).toThrow(Failure);
    expect(text.fromText('{ "not": json', 'pasted').description).toBe('{ "not": json');
    expect(text.fromText('{"title":"T","body":"B"}', 'stdin').title).toBe('T');
  });
});

describe('registry', () => {
  it('asks the most particular source first', () => {
    const github = new GitHubSource({ ...services, token: async () => undefined, copies: new FolderCopies(folder) });
    const sources = new TicketSources([github, files(), new TextSource(services)]);
    const idOf = (reference: string): string => sources.forReference(reference).id;
    expect(['o/r#1', 'https://github.com/o/r/issues/1', './t.md', 'a b.json', '/x/y', 'It is broken', 'https://other.example/1', 'first line\nsee ./a.md'].map(idOf)).toEqual(['github', 'github', 'file', 'file', 'file', 'text', 'text', 'text']);
    expect(() => sources.forReference('  ')).toThrow(Failure);
  });
});

describe('T28: severity and order', () => {
  it.each([
    [['bug', 'P0'], 'critical'], [['priority: high'], 'high'], [['severity/2'], 'high'], [['sev-1'], 'critical'], [['Priority:Medium'], 'medium'], [['minor'], 'low'], [['low', 'blocker'], 'critical'],
    [['bug', 'good first issue'], 'unknown'], [['low-hanging fruit'], 'unknown'], [['high contrast'], 'unknown'], [['area: critical path rendering engine'], 'unknown'], [['prio 3'], 'medium'], [['impact:4'], 'low'],
  ] as const)('%j → %s', (labels, severity) => expect(severityFrom(labels)).toBe(severity));
  it('unknown and undated last, 500 items', () => {
    const item = (id: string, severity: Ticket['severity'], updatedAt?: string) => ({ id, source: 's', key: id, title: id, severity, labels: [], ...(updatedAt === undefined ? {} : { updatedAt }) });
    const items = [item('u', 'unknown', '2030-01-01'), item('l', 'low'), item('h1', 'high', '2026-01-01'), item('h2', 'high', '2026-02-01'), item('h3', 'high'), item('c', 'critical', 'no date'), ...Array.from({ length: 500 }, (_, index) => item(`z${index}`, 'unknown'))];
    expect(items.sort(bySeverityThenRecency).slice(0, 6).map((entry) => entry.id)).toEqual(['c', 'h2', 'h1', 'h3', 'l', 'u']);
    expect(filterTickets(items, 'HIGH h2')).toHaveLength(1);
  });
});

describe('last known copies', () => {
  it('are private files that survive, and a damaged one counts as none', async () => {
    const copies = new FolderCopies(join(folder, 'copies'));
    const ticket = normaliseTicket(raw(), services);
    await copies.put(ticket);
    const [name = ''] = await readdir(join(folder, 'copies'));
    expect((await stat(join(folder, 'copies', name))).mode & 0o777).toBe(0o600);
    expect(await new FolderCopies(join(folder, 'copies')).get(ticket.id)).toEqual(ticket);
    await writeFile(join(folder, 'copies', name), JSON.stringify({ ...ticket, description: 'changed behind our back' }));
    expect(await copies.get(ticket.id)).toBeUndefined();
    expect(await copies.get('text:other')).toBeUndefined();
  });
  it('a copy that cannot be saved does not spoil the read', async () => {
    const errors: unknown[] = [];
    await writeFile(join(folder, 'file'), '');
    const ticket = normaliseTicket(raw(), services);
    expect(await fetchOrCopy(ticket.id, async () => ticket, { copies: new FolderCopies(join(folder, 'file')), clock, onCopyError: (error) => errors.push(error) })).toBe(ticket);
    expect(errors).toHaveLength(1);
  });
  it('a failure other than being unreachable is passed on', async () => {
    const copies = new FolderCopies(folder);
    const ticket = normaliseTicket(raw(), services);
    await copies.put(ticket);
    expect(await reasonOf(fetchOrCopy(ticket.id, () => Promise.reject(ticketFailure('not_found', 'gone')), { copies, clock }))).toBe('not_found');
  });
});

describe('rankSimilar', () => {
  const make = (id: string, description: string): Ticket => normaliseTicket(raw({ key: id, description }), services);
  it('finds the same message with other numbers, the same files and symbols, and says why', () => {
    const ticket = make('now', "TypeError: Cannot read property 'a' of undefined at line 12\n    at saveDraft (src/store/draft.ts:10:5)");
    const ranked = rankSimilar(ticket, [
      { case: 'c1', title: 'one', ticket: make('1', "TypeError: Cannot read property 'b' of undefined at line 99"), classification: 'bug' },
      { case: 'c2', title: 'two', ticket: make('2', 'Nothing in common with it'), classification: undefined },
      { case: 'c3', title: 'three', ticket: make('3', 'Where is it?'), files: ['app/src/store/draft.ts'] },
      { case: 'c4', title: 'four', ticket: make('now', 'changed since') },
    ]);
    expect(ranked.map((item) => item.case)).toEqual(['c4', 'c1', 'c3']);
    expect(ranked[1]?.classification).toBe('bug');
    expect(ranked[1]?.why).toContain('same message');
    expect(ranked[2]?.why).toBe('same file “draft.ts”');
  });
  it('what every case mentions says little', () => {
    const common = Array.from({ length: 30 }, (_, index) => ({ case: `c${index}`, title: 't', ticket: make(String(index), 'see index.ts') }));
    const ranked = rankSimilar(make('now', 'in index.ts and rareThing.ts'), [...common, { case: 'rare', title: 't', ticket: make('rare', 'rareThing.ts') }]);
    expect(ranked.map((item) => item.case)).toEqual(['rare']);
  });
});

describe('casebook ticket show', () => {
  async function run(args: string[], stdin = ''): Promise<{ code: number; out: string; err: string }> {
    let out = '';
    let err = '';
    const context: CliContext = { write: (text) => (out += text), writeError: (text) => (err += text), readStdin: async () => stdin, cwd: folder, env: {}, signal, logger: nullLogger };
    return { code: await ticketCommand(mask).run(args, context), out, err };
  }
  it('prints the normalised ticket', async () => {
    await writeFile(join(folder, 'a.md'), '---\ntitle: A\u202eB\n---\nbody hunter2 \u001b[31m');
    const shown = await run(['show', 'a.md']);
    expect(shown.code).toBe(0);
    expect(shown.out).toContain('A⟦U+202E⟧B');
    expect(shown.out).toContain('direction controls: 1, control characters: 1, masked secrets: 1');
    expect(shown.out).not.toMatch(/\u001b|hunter2|\u202e/);
    const json = await run(['show', '--json', 'a.md']);
    expect(ticketShape.parse(JSON.parse(json.out)).description).toBe('body [masked] \u001b[31m');
  });
  it('reads standard input', async () => expect((await run(['show', '-'], 'It is broken')).out).toMatch(/^It is broken\n/));
  it('says what is wrong, with the documented exit codes', async () => {
    const missing = await run(['show', 'none.md', '--json']);
    expect(missing).toMatchObject({ code: 3, err: `There is no such file: ${join(folder, 'none.md')}\n` });
    expect(missing.out).toContain('"reason":"not_found"');
    expect((await run([])).code).toBe(2);
    expect((await run(['show', 'x', '--bad'])).code).toBe(2);
  });
});

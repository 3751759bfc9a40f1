import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Editor } from '../../../extension/core/link/editor.ts';
import { headlessEditor } from '../../../extension/core/link/headless-editor.ts';
import { tokenFor } from '../../../extension/core/mcp/auth.ts';
import type { AnyEvent } from '../../../extension/core/journal/port.ts';
import { type Answer, type LinkTable, linkTable, textsOf, until } from './harness.ts';
import { connectHttp, type HttpClient } from './http-client.ts';

let table: LinkTable;
let root = '';
afterEach(() => table.link.close('shutdown'));

/** An editor with the second line of `a.txt` selected, and `b.txt` behind it. */
const editor: Editor = {
  ...headlessEditor,
  window: true,
  selection: async () => ({ path: join(root, 'a.txt'), text: 'two', start: { line: 1, character: 0 }, end: { line: 1, character: 3 } }),
  openEditors: async () => ['b.txt', 'a.txt'].map((label, shownAt) => ({ path: join(root, label), label, language: 'plaintext', active: label === 'a.txt', dirty: false, shownAt })),
};

async function start(family: 'gemini' | 'copilot'): Promise<HttpClient> {
  table = await linkTable({ 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' }, { editor });
  ({ root } = table);
  const token = tokenFor(table.token, family);
  const client =
    family === 'gemini'
      ? await connectHttp({ port: table.link.port }, `Bearer ${token}`, { name: 'streamable-http-client' })
      : await connectHttp({ socketPath: (JSON.parse(await readFile(table.link.files['copilot'] ?? '', 'utf8')) as { socketPath: string }).socketPath }, `Nonce ${token}`, { name: 'copilot-cli' });
  await client.listen();
  return client;
}

const decide = async (what: 'accept' | 'reject'): Promise<void> => {
  const { id, revision } = await table.oneSet();
  await table.desk.decideAll(id, what, { via: 'test', revision });
};
const event = <K extends AnyEvent['kind']>(kind: K) => until(() => table.events(kind)[0]);
const told = (client: HttpClient, method: string) => client.hear((frame) => ((frame as { method?: string }).method === method ? (frame as { params: unknown }).params : undefined));

describe('Gemini’s companion', () => {
  const open = async (newContent: string): Promise<HttpClient> => {
    const client = await start('gemini');
    const answer = await client.call('openDiff', { filePath: join(root, 'a.txt'), newContent });
    expect(answer).toMatchObject({ result: { content: [] } });
    await table.oneSet();
    return client;
  };

  it('is told what is open, the file in front first, lines and characters from 1', async () => {
    const client = await start('gemini');
    const files = [
      { path: join(root, 'a.txt'), timestamp: 1, isActive: true, cursor: { line: 2, character: 4 }, selectedText: 'two' },
      { path: join(root, 'b.txt'), timestamp: 0, isActive: false },
    ];
    expect(await told(client, 'ide/contextUpdate')).toEqual({ workspaceState: { openFiles: files, isTrusted: true } });
  });

  it('a diff is answered at once, and its outcome is told later: accepted with the text', async () => {
    const client = await open('one\nzwei\n');
    await decide('accept');
    expect(await told(client, 'ide/diffAccepted')).toEqual({ filePath: join(root, 'a.txt'), content: 'one\nzwei\n' });
    expect(await table.read('a.txt')).toBe('one\ntwo\n');
  });

  it('rejected', async () => {
    const client = await open('one\nzwei\n');
    await decide('reject');
    expect(await told(client, 'ide/diffRejected')).toEqual({ filePath: join(root, 'a.txt') });
  });

  it('a file that a person emptied can only be refused to it, and is written by Casebook: it takes an empty text for none', async () => {
    const client = await open('one\nzwei\n');
    const { id, revision } = await table.oneSet();
    await table.desk.edit(id, 'w/a.txt', '', { via: 'test', revision });
    await decide('accept');
    expect(await told(client, 'ide/diffRejected')).toEqual({ filePath: join(root, 'a.txt') });
    expect((await event('changeset.settled')).body).toMatchObject({ outcome: 'accepted', answer: { verdict: 'reject', writes: 'casebook' } });
    expect(await table.read('a.txt')).toBe('');
  });

  it('closeDiff gives the text as JSON, with what a person has edited, and nothing for a diff that is not open', async () => {
    const client = await open('one\nzwei\n');
    const { id, revision } = await table.oneSet();
    await table.desk.edit(id, 'w/a.txt', 'one\nnoch zwei\n', { via: 'test', revision });
    expect(textsOf(await client.call('closeDiff', { filePath: join(root, 'a.txt'), suppressNotification: true }))).toEqual(['{"content":"one\\nnoch zwei\\n"}']);
    expect(textsOf(await client.call('closeDiff', { filePath: join(root, 'b.txt') }))).toEqual([]);
  });

  it('when the link ends it is told no, since it takes no key any more when its editor goes; the set stays pending', async () => {
    const client = await open('one\nzwei\n');
    const ended = table.link.close('shutdown');
    expect(await told(client, 'ide/diffRejected')).toEqual({ filePath: join(root, 'a.txt') });
    await ended;
    expect((await event('changeset.detached')).body).toEqual({ why: 'shutdown' });
    expect(await table.pending()).toHaveLength(1);
  });
});

describe('Copilot CLI', () => {
  /** Proposes, does something once the set is on the desk, and gives the answer. */
  const proposed = async (then: () => Promise<void>): Promise<Answer> => {
    const client = await start('copilot');
    const answer = client.call('open_diff', { original_file_path: join(root, 'a.txt'), new_file_contents: 'one\nzwei\n', tab_name: 'tab' });
    await table.oneSet();
    await then();
    return answer;
  };
  const wordsOf = (answer: Answer): unknown => JSON.parse(textsOf(answer)[0] ?? '');

  it('is told what is selected, lines from 0', async () => {
    const client = await start('copilot');
    expect(await told(client, 'selection_changed')).toMatchObject({ text: 'two', filePath: join(root, 'a.txt'), selection: { start: { line: 1, character: 0 }, end: { line: 1, character: 3 }, isEmpty: false } });
    expect(textsOf(await client.call('get_selection', {}))[0]).toContain('"text":"two"');
  });

  it('waits for SAVED, and nothing is written under it', async () => {
    expect(wordsOf(await proposed(() => decide('accept')))).toMatchObject({ success: true, result: 'SAVED', tab_name: 'tab' });
    expect(await table.read('a.txt')).toBe('one\ntwo\n');
  });

  it('or for REJECTED', async () => {
    expect(wordsOf(await proposed(() => decide('reject')))).toMatchObject({ success: true, result: 'REJECTED' });
  });

  it('what a person has edited is REJECTED to it and written by Casebook', async () => {
    const answer = await proposed(async () => {
      const { id, revision } = await table.oneSet();
      await table.desk.edit(id, 'w/a.txt', 'one\nnoch zwei\n', { via: 'test', revision });
      await decide('accept');
    });
    expect(wordsOf(answer)).toMatchObject({ result: 'REJECTED' });
    expect(await table.read('a.txt')).toBe('one\nnoch zwei\n');
  });

  it('when the link ends, neither is said: the call fails, and the set stays pending', async () => {
    const answer = await proposed(() => table.link.close('shutdown'));
    expect(answer.result?.isError).toBe(true);
    expect(textsOf(answer).join()).not.toMatch(/SAVED|REJECTED/u);
    expect(await table.pending()).toHaveLength(1);
  });

  it('close_diff tells whether there was one', async () => {
    const client = await start('copilot');
    expect(wordsOf(await client.call('close_diff', { tab_name: 'other' }))).toMatchObject({ already_closed: true });
  });
});

describe('opencode', () => {
  it('is told lines from 1, and has no tools', async () => {
    table = await linkTable({ 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' }, { editor });
    ({ root } = table);
    const client = await table.client('opencode');
    const told = await client.hear((frame) => ((frame as { method?: string }).method === 'selection_changed' ? (frame as { params: unknown }).params : undefined));
    expect(told).toMatchObject({ text: 'two', selection: { start: { line: 2, character: 0 }, end: { line: 2, character: 3 } } });
    expect((await client.request('tools/list')).result?.tools).toEqual([]);
  });
});

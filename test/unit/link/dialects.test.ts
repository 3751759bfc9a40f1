import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { headlessEditor } from '../../../extension/core/link/headless-editor.ts';
import { type LinkTable, linkTable, textsOf, until, type WireClient } from './harness.ts';

let table: LinkTable;
afterEach(() => table.link.close('shutdown'));

const propose = (client: WireClient, file: string, text: string, tab = file) => client.call('openDiff', { old_file_path: join(table.root, file), new_file_path: join(table.root, file), new_file_contents: text, tab_name: tab });
const show = (client: WireClient, args: unknown) => client.call('openDiff', args);
const decide = async (what: 'accept' | 'reject'): Promise<void> => {
  const { id, revision } = await table.oneSet();
  await table.desk.decideAll(id, what, { via: 'test', revision });
};

describe('I32: what is no clear yes is never taken for one', () => {
  it('Claude: each failure is a failed call, which leaves the question to its own terminal', async () => {
    table = await linkTable({ 'a.txt': 'one\n', 'folder/x': '' });
    const client = await table.client();
    const wrong: [string, unknown][] = [
      ['no arguments', {}],
      ['a path outside', { old_file_path: '/etc/hosts', new_file_path: '/etc/hosts', new_file_contents: 'x', tab_name: '1' }],
      ['a folder', { old_file_path: join(table.root, 'folder'), new_file_contents: 'x', tab_name: '2' }],
      ['git’s own folder', { old_file_path: join(table.root, '.git/config'), new_file_contents: 'x', tab_name: '3' }],
      ['Kitsoki’s spelling', { path: 'a.txt', new_text: 'x' }],
    ];
    for (const [what, args] of wrong) {
      const answer = await show(client, args);
      expect(answer.result?.isError, what).toBe(true);
      expect(textsOf(answer).join(), what).not.toMatch(/FILE_SAVED|DIFF_REJECTED|TAB_CLOSED/u);
    }
    expect(await table.pending()).toEqual([]);
  });

  it('Kitsoki: each failure says rejected, with no word in it that could be read as a yes', async () => {
    table = await linkTable({ 'a.txt': 'one\n' });
    const client = await table.client('kitsoki');
    for (const args of [{}, { path: 'a.txt' }, { path: '/etc/hosts', new_text: 'accept' }, { path: 'a.txt', new_text_path: '/etc/hosts' }, { path: 'a.txt', new_text_path: join(tmpdir(), 'nothing-here') }, { path: 'a.txt', new_text: 4 }]) {
      const answer = await show(client, args);
      expect(answer.result?.isError).toBe(true);
      expect(textsOf(answer)).toEqual(['{"verdict":"rejected","reason":"not_possible"}']);
    }
    const open = show(client, { path: 'a.txt', new_text: 'two\n' });
    await table.oneSet();
    await table.link.close('shutdown');
    expect(textsOf(await open)).toEqual(['{"verdict":"rejected","reason":"not_decided"}']);
    expect(await table.read('a.txt')).toBe('one\n');
  });
});

describe('Kitsoki', () => {
  it('hears accepted once Casebook has written, also a text that lies in a file', async () => {
    table = await linkTable({ 'a.txt': 'one\n' });
    const client = await table.client('kitsoki');
    const folder = await mkdtemp(join(tmpdir(), 'casebook-kitsoki-'));
    await writeFile(join(folder, 'new.txt'), 'from a file\n');
    const open = show(client, { path: 'a.txt', new_text_path: join(folder, 'new.txt'), title: 'Fix it' });
    expect((await table.oneSet()).title).toBe('Fix it');
    await decide('accept');
    expect(textsOf(await open)).toEqual(['{"verdict":"accepted"}']);
    expect(await table.read('a.txt')).toBe('from a file\n');
    await rm(folder, { recursive: true });
  });
  it('hears rejected for a part, which Casebook writes itself', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    table = await linkTable({ 'a.txt': lines.join('\n') });
    const client = await table.client('kitsoki');
    const open = show(client, { path: 'a.txt', new_text: lines.with(0, 'first').with(29, 'last').join('\n') });
    const { id, revision } = await table.oneSet();
    const { review } = await table.desk.file(id, 'w/a.txt');
    await table.desk.decide(id, review.hunks.map((hunk, index) => ({ file: 'w/a.txt', hunk: hunk.id, decision: index === 0 ? ('accept' as const) : ('reject' as const) })), { via: 'test', revision });
    expect(textsOf(await open)).toEqual(['{"verdict":"rejected"}']);
    expect(await table.read('a.txt')).toBe(lines.with(0, 'first').join('\n'));
  });
});

describe('Claude', () => {
  it('hears the final text in LF, whatever the file’s line ends, and nothing is written under it', async () => {
    table = await linkTable({ 'a.txt': '\uFEFFone\r\ntwo\r\n' });
    const client = await table.client();
    const open = propose(client, 'a.txt', '\uFEFFone\n2\n');
    const set = await table.oneSet();
    const edited = await table.desk.edit(set.id, 'w/a.txt', 'one\nzwei\n', { via: 'test', revision: set.revision });
    await table.desk.decideAll(set.id, 'accept', { via: 'test', revision: edited.revision });
    expect(textsOf(await open)).toEqual(['FILE_SAVED', 'one\nzwei\n']);
    expect(await table.read('a.txt')).toBe('\uFEFFone\r\ntwo\r\n');
    await writeFile(join(table.root, 'a.txt'), '\uFEFFone\r\nzwei\r\n');
    expect((await until(() => table.events('changeset.observed')[0])).body).toEqual({ result: 'matches' });
  });

  it('I29: gone with a diff open, its set stays pending without it, and other clients’ diffs stay as they are', async () => {
    table = await linkTable({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    const [first, second] = [await table.client(), await table.client()];
    void propose(first, 'a.txt', 'two\n').catch(() => undefined);
    const set = await table.oneSet();
    const other = propose(second, 'b.txt', 'two\n');
    await until(async () => ((await table.pending()).length === 2 ? true : undefined));
    first.socket.terminate();
    await until(() => table.events('changeset.detached')[0]);
    expect((await table.pending()).map((one) => [one.files[0]?.path, one.caller.attached])).toEqual([['a.txt', false], ['b.txt', true]]);
    await table.desk.decideAll(set.id, 'accept', { via: 'test', revision: set.revision });
    expect(await table.read('a.txt')).toBe('two\n');
    await decide('reject');
    expect(textsOf(await other)[0]).toBe('DIFF_REJECTED');
  });

  it('I26: three clients at once get their own answers, and none can close another’s diff', async () => {
    table = await linkTable({ 'a.txt': '0\n', 'b.txt': '0\n', 'c.txt': '0\n' });
    const clients = [await table.client(), await table.client(), await table.client()];
    const open = clients.map((client, index) => propose(client, `${'abc'[index]}.txt`, `${index + 1}\n`, 'the same tab'));
    const sets = await until(async () => {
      const pending = await table.pending();
      return pending.length === 3 ? pending : undefined;
    });
    const lost = expect(open[0]).rejects.toThrow('closed');
    await clients[0]?.close();
    await lost;
    expect(textsOf(await (clients[1] as WireClient).call('closeAllDiffTabs', {}))).toEqual(['CLOSED_1_DIFF_TABS']);
    const third = sets.find((set) => set.files[0]?.path === 'c.txt');
    await table.desk.decideAll(third?.id ?? '', 'accept', { via: 'test', revision: third?.revision ?? 0 });
    expect(textsOf(await (open[2] as NonNullable<(typeof open)[2]>))).toEqual(['FILE_SAVED', '3\n']);
    expect((await (open[1] as NonNullable<(typeof open)[1]>)).result?.isError).toBe(true);
    expect(table.events('changeset.settled').map((event) => event.body?.outcome).sort((a, b) => String(a).localeCompare(String(b)))).toEqual(['accepted', 'decided_elsewhere']);
  });

  it('closing twice means no: the set is decided elsewhere with the file as it was', async () => {
    table = await linkTable({ 'a.txt': 'one\n' });
    const client = await table.client();
    const open = propose(client, 'a.txt', 'two\n', 't');
    await table.oneSet();
    await client.call('close_tab', { tab_name: 't' });
    await client.call('close_tab', { tab_name: 't' });
    expect((await open).result?.isError).toBe(true);
    const [settled] = table.events('changeset.settled');
    expect(settled?.body).toMatchObject({ outcome: 'decided_elsewhere' });
    expect(settled?.body?.files[0]?.final).toEqual(settled?.body?.files[0]?.base);
  });

  it('closing once, then writing: the set is decided elsewhere with what was written', async () => {
    table = await linkTable({ 'a.txt': 'one\n' });
    const client = await table.client();
    const open = propose(client, 'a.txt', 'two\n', 't');
    await table.oneSet();
    expect(textsOf(await client.call('close_tab', { tab_name: 't' }))).toEqual(['CLOSED']);
    await writeFile(join(table.root, 'a.txt'), 'two\n');
    expect((await open).result?.isError).toBe(true);
    const [settled] = table.events('changeset.settled');
    expect(settled?.body?.files[0]?.final).toMatchObject(settled?.body?.files[0]?.proposed ?? {});
    expect(await readFile(join(table.root, 'a.txt'), 'utf8')).toBe('two\n');
  });
});

describe('what the editor knows', () => {
  it('I33: diagnostics of the file that was asked for, by whatever spelling, and its own spelling in the answer', async () => {
    const diagnostic = { message: 'bad', severity: 'Error' as const, start: { line: 1, character: 0 }, end: { line: 1, character: 3 }, source: 'ts', code: '2304' };
    table = await linkTable(
      { 'a b.txt': '', 'b.txt': '' },
      { editor: { ...headlessEditor, window: true, diagnostics: async (path) => [{ path: join(table.root, 'b.txt'), diagnostics: [diagnostic] }].filter((one) => path === undefined || one.path === path) } },
    );
    const client = await table.client();
    const ask = async (args: unknown): Promise<unknown> => JSON.parse(textsOf(await client.call('getDiagnostics', args))[0] ?? '');
    const shape = { message: 'bad', severity: 'Error', range: { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } }, source: 'ts', code: '2304' };
    const b = join(table.root, 'b.txt');
    for (const args of [{ uri: b }, { path: b }, { uri: `file://${b}` }, { filePath: 'b.txt' }]) expect(await ask(args)).toMatchObject([{ diagnostics: [shape] }]);
    expect(await ask({})).toEqual([{ uri: `file://${b}`, diagnostics: [shape] }]);
    for (const uri of [`file://${table.root}/a b.txt`, `file://${table.root}/a%20b.txt`, `file://${table.root}/none.txt`]) expect(await ask({ uri })).toEqual([{ uri, diagnostics: [] }]);
    expect((await client.request('tools/list')).result?.tools?.map((tool) => tool.name)).toContain('getDiagnostics');
  });

  it('without a window there is nothing to tell, which is said and not made up', async () => {
    table = await linkTable({ 'a.txt': '' });
    const client = await table.client();
    expect((await client.request('tools/list')).result?.tools?.map((tool) => tool.name)).toEqual(['openDiff', 'close_tab', 'closeAllDiffTabs', 'getWorkspaceFolders']);
    expect(textsOf(await client.call('getCurrentSelection', {}))).toEqual(['{"success":false,"message":"No text editor is open."}']);
    expect(textsOf(await client.call('getOpenEditors', {}))).toEqual(['{"tabs":[]}']);
    expect((await client.call('openFile', { filePath: 'a.txt' })).result?.isError).toBe(true);
    expect(textsOf(await client.call('getWorkspaceFolders', {}))).toEqual([JSON.stringify({ success: true, folders: [{ name: 'w', uri: `file://${table.root}`, path: table.root, index: 0 }], rootPath: table.root })]);
    expect(textsOf(await client.call('saveDocument', { filePath: 'a.txt' }))[0]).toContain('is not open');
  });
});

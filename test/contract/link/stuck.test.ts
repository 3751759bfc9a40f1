import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { headlessEditor } from '../../../extension/core/link/headless-editor.ts';
import { type Answer, type LinkTable, linkTable, textsOf } from '../../unit/link/harness.ts';

let table: LinkTable;
afterEach(() => table.link.close('shutdown'));

const large = 'x'.repeat(1024 * 1024);
const calls = 24;

describe('a client that does not read', () => {
  it('delays nobody: another is answered and told of its decision meanwhile; what waited is all there when it reads again', async () => {
    let root = '';
    table = await linkTable({ 'a.txt': 'one\n' }, { editor: { ...headlessEditor, window: true, selection: async () => ({ path: join(root, 'a.txt'), text: large, start: { line: 0, character: 0 }, end: { line: 0, character: 3 } }) } });
    ({ root } = table);
    const [stuck, other] = [await table.client(), await table.client()];
    stuck.socket.pause();
    const waiting = Array.from({ length: calls }, (_none, index) => stuck.request('tools/call', { name: 'getCurrentSelection', arguments: {} }, `stuck-${index}`));
    const isAnswered = (): boolean => stuck.heard.some((frame) => String((frame as Answer).id).startsWith('stuck-'));

    const open = other.call('openDiff', { old_file_path: join(root, 'a.txt'), new_file_path: join(root, 'a.txt'), new_file_contents: 'two\n', tab_name: 'tab' });
    const { id, revision } = await table.oneSet();
    await table.desk.decideAll(id, 'accept', { via: 'test', revision });
    expect(textsOf(await open)).toEqual(['FILE_SAVED', 'two\n']);
    expect(textsOf(await other.call('getWorkspaceFolders', {})).join()).toContain(root);
    expect(isAnswered()).toBe(false);

    stuck.socket.resume();
    expect((await Promise.all(waiting)).map(({ result }) => result?.isError)).toEqual(Array.from({ length: calls }, () => undefined));
  });
});

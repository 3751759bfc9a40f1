import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nullLogger } from '../../../../extension/core/base/logger.ts';
import * as fake from '../fake-vscode.ts';
import { FakeDesk } from './fake-desk.ts';

vi.mock('vscode', async () => import('../fake-vscode.ts'));
const { ReviewBoard } = await import('../../../../extension/host/review/board.ts');
const { ReviewFiles } = await import('../../../../extension/host/review/files.ts');
const { sideUri } = await import('../../../../extension/host/review/native.ts');

let desk: FakeDesk;
let board: InstanceType<typeof ReviewBoard>;
let files: InstanceType<typeof ReviewFiles>;
let fired: string[];
let now: number;
let marked: boolean;

beforeEach(() => {
  desk = new FakeDesk();
  board = new ReviewBoard(desk, nullLogger);
  now = Date.parse('2026-02-01T00:00:00.000Z');
  marked = false;
  files = new ReviewFiles({ board: async () => board, needsMark: () => marked, via: 'diff editor', now: () => (now += 1000) });
  fired = [];
  files.onDidChangeFile((events) => void fired.push(...events.map(({ uri }) => String(uri))));
  board.onSet((state) => files.changed(state));
});
afterEach(() => {
  files.dispose();
  board.dispose();
});

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
const put = (base: string, proposed: string): { set: string; base: ReturnType<typeof sideUri>; proposed: ReturnType<typeof sideUri> } => {
  const set = desk.put([{ path: 'a.ts', base, proposed }]);
  return { set, base: sideUri(set, 'app/a.ts', 'base'), proposed: sideUri(set, 'app/a.ts', 'proposed') };
};

describe('the two sides as files of the editor', () => {
  it('shows base and proposal; the base and a settled proposal are read-only', async () => {
    const one = put('old\n', 'new\n');
    expect(text(await files.readFile(one.base))).toBe('old\n');
    expect(text(await files.readFile(one.proposed))).toBe('new\n');
    expect((await files.stat(one.base)).permissions).toBe(fake.FilePermission.Readonly);
    expect((await files.stat(one.proposed)).permissions).toBeUndefined();
    desk.change(one.set, { status: 'settled' });
    await expect.poll(async () => (await files.stat(one.proposed)).permissions).toBe(fake.FilePermission.Readonly);
    await expect(files.writeFile(one.proposed, Buffer.from('late\n'))).rejects.toMatchObject({ code: 'NoPermissions' });
    await expect(files.writeFile(one.base, Buffer.from('x'))).rejects.toMatchObject({ code: 'NoPermissions' });
  });

  it('D03: saving keeps the text as a draft and decides nothing', async () => {
    const one = put('old\n', 'new\n');
    await files.readFile(one.proposed);
    await files.writeFile(one.proposed, Buffer.from('mine\n'));
    expect(desk.called('edit')).toEqual([[one.set, 'app/a.ts', 'mine\n', { via: 'diff editor', revision: 0 }]]);
    expect(desk.called('decide')).toEqual([]);
    expect((await desk.state(one.set)).status).toBe('pending');
    expect(text(await files.readFile(one.proposed))).toBe('mine\n');
  });

  it('D38: two files of one name show their own proposals', async () => {
    const set = desk.put([
      { path: 'x/a.ts', base: '', proposed: 'in x\n' },
      { path: 'y/a.ts', base: '', proposed: 'in y\n' },
    ]);
    expect(text(await files.readFile(sideUri(set, 'app/x/a.ts', 'proposed')))).toBe('in x\n');
    expect(text(await files.readFile(sideUri(set, 'app/y/a.ts', 'proposed')))).toBe('in y\n');
  });

  it('moves a document’s time with its content only, and tells the editor of changes made elsewhere', async () => {
    const one = put('old\n', 'new\n');
    const first = await files.stat(one.proposed);
    desk.change(one.set, { reviewed: true } as never);
    await expect.poll(() => board.known(one.set)).toBeDefined();
    expect((await files.stat(one.proposed)).mtime).toBe(first.mtime);
    expect(fired).toEqual([]);
    desk.redraft(one.set, 'app/a.ts', 'theirs\n');
    await expect.poll(() => fired).toEqual([String(one.proposed)]);
    expect((await files.stat(one.proposed)).mtime).toBeGreaterThan(first.mtime);
    expect((await files.stat(one.base)).mtime).toBe(first.mtime);
  });

  it('does not tell the editor of its own save', async () => {
    const one = put('old\n', 'new\n');
    await files.readFile(one.proposed);
    await files.writeFile(one.proposed, Buffer.from('mine\n'));
    desk.change(one.set, {});
    await expect.poll(() => board.known(one.set)?.files[0]?.draft).toBeDefined();
    expect(fired).toEqual([]);
  });

  it('refuses once to save over what somebody else wrote meanwhile, and loses neither text', async () => {
    const one = put('old\n', 'new\n');
    await files.readFile(one.proposed);
    desk.redraft(one.set, 'app/a.ts', 'same size\n');
    await expect.poll(() => fired.length).toBe(1);
    await expect(files.writeFile(one.proposed, Buffer.from('my size !\n'))).rejects.toMatchObject({ code: 'Unavailable' });
    expect(desk.called('edit')).toEqual([]);
    await files.writeFile(one.proposed, Buffer.from('my size !\n'));
    expect(desk.called('edit')).toHaveLength(1);
  });

  it('leaves the text in the editor when it cannot be kept', async () => {
    const { Failure } = await import('../../../../extension/core/base/failure.ts');
    const one = put('old\n', 'new\n');
    await files.readFile(one.proposed);
    await board.view(one.set, 'app/a.ts');
    desk.failWith = new Failure('stale_revision', 'look again');
    await expect(files.writeFile(one.proposed, Buffer.from('mine\n'))).rejects.toMatchObject({ code: 'Unavailable' });
  });

  it('hands text to the editor as UTF-8, marked where a setting would misread it, and takes the mark off again', async () => {
    const latin = desk.put([{ path: 'l.txt', base: Buffer.from('gr\xfc\xdfe\n', 'latin1'), proposed: Buffer.from('gr\xfc\xdfe an alle\n', 'latin1') }]);
    const uri = sideUri(latin, 'app/l.txt', 'proposed');
    expect(text(await files.readFile(uri))).toBe('grüße an alle\n');
    marked = true;
    const bytes = await files.readFile(uri);
    expect(text(bytes)).toBe('\ufeffgrüße an alle\n');
    expect((await files.stat(uri)).size).toBe(bytes.length);
    await files.writeFile(uri, Buffer.from('\ufeffgrüße\n'));
    expect(desk.called('edit').at(-1)?.[2]).toBe('grüße\n');
  });

  it('keeps unsaved text as it is on the screen: what runs on save has no say', async () => {
    const one = put('old\n', 'new\n');
    await files.readFile(one.proposed);
    const document = {
      uri: one.proposed,
      isDirty: true,
      getText: () => 'mine  \n',
      // A formatter trims on save.
      save: async () => {
        await files.writeFile(one.proposed, Buffer.from('mine\n'));
        return true;
      },
    };
    await files.keep(document as never);
    expect(desk.called('edit').map((args) => args[2])).toEqual(['mine  \n']);
    expect(text(await files.readFile(one.proposed))).toBe('mine  \n');
    // The editor reads again what a formatter made different.
    expect(fired).toEqual([String(one.proposed)]);
  });

  it('says that a document is gone with its set or file', async () => {
    const one = put('old\n', 'new\n');
    await expect(files.stat(sideUri('set_9', 'app/a.ts', 'base'))).rejects.toMatchObject({ code: 'FileNotFound' });
    await expect(files.stat(sideUri(one.set, 'app/b.ts', 'base'))).rejects.toMatchObject({ code: 'FileNotFound' });
  });
});

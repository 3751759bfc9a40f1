import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nullLogger } from '../../../../extension/core/base/logger.ts';
import * as fake from '../fake-vscode.ts';
import { FakeDesk } from './fake-desk.ts';

vi.mock('vscode', async () => import('../fake-vscode.ts'));
const { ReviewBoard } = await import('../../../../extension/host/review/board.ts');
const { createBuffers } = await import('../../../../extension/host/review/buffers.ts');
const { DiskWatcher, pathsOf } = await import('../../../../extension/host/review/watcher.ts');
const { HunkLenses } = await import('../../../../extension/host/review/lenses.ts');
const { NativeReviews, sideUri } = await import('../../../../extension/host/review/native.ts');
const { ReviewTabs } = await import('../../../../extension/host/review/tabs.ts');
const { SavedFiles } = await import('../../../../extension/host/review/saved-files.ts');

interface Tab {
  label: string;
  input: unknown;
  isActive: boolean;
  isDirty: boolean;
  group: { viewColumn: number };
}
const group = { viewColumn: 1, activeTab: undefined as Tab | undefined, tabs: [] as Tab[] };
const tabEvents = new fake.EventEmitter<{ opened: Tab[]; closed: Tab[]; changed: Tab[] }>();
const opened: unknown[][] = [];
const saved = new fake.EventEmitter();
const changedText = new fake.EventEmitter();

beforeEach(() => {
  fake.window.tabGroups.all = [group];
  fake.window.tabGroups.activeTabGroup = group;
  fake.window.tabGroups.onDidChangeTabs = tabEvents.event as never;
  fake.workspace.onDidSaveTextDocument = saved.event as never;
  fake.workspace.onDidChangeTextDocument = changedText.event as never;
  group.tabs = [];
  group.activeTab = undefined;
  opened.length = 0;
  fake.commands.executeCommand = async (...args) => void opened.push(args);
  fake.workspace.textDocuments = [];
  fake.workspace.applied.length = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

function tabOf(set: string, file: string): Tab {
  return { label: file, input: new fake.TabInputTextDiff(sideUri(set, file, 'base'), sideUri(set, file, 'proposed')), isActive: true, isDirty: false, group };
}
function openTab(tab: Tab): void {
  group.tabs.push(tab);
  group.activeTab = tab;
}
function closeTab(tab: Tab): void {
  group.tabs = group.tabs.filter((one) => one !== tab);
  group.activeTab = group.tabs[0];
  tabEvents.fire({ opened: [], closed: [tab], changed: [] });
}

describe('tabs of reviews', () => {
  it('D02: a closed tab is told once, a dragged one not at all', async () => {
    const tabs = new ReviewTabs();
    const closed: unknown[] = [];
    tabs.onClosed((shown) => closed.push(shown));
    const tab = tabOf('set_1', 'app/a.ts');
    openTab(tab);
    expect(tabs.active()).toEqual({ set: 'set_1', file: 'app/a.ts' });
    closeTab(tab);
    const moved = tabOf('set_1', 'app/a.ts');
    openTab(moved);
    await vi.advanceTimersByTimeAsync(1000);
    expect(closed).toEqual([]);
    closeTab(moved);
    await vi.advanceTimersByTimeAsync(1000);
    expect(closed).toEqual([{ set: 'set_1', file: 'app/a.ts' }]);
    tabs.dispose();
  });

  it('tells nothing of tabs that are not reviews, nor of those it closes itself', async () => {
    const tabs = new ReviewTabs();
    const closed: unknown[] = [];
    tabs.onClosed((shown) => closed.push(shown));
    const other: Tab = { ...tabOf('set_1', 'app/a.ts'), input: new fake.TabInputText(fake.Uri.file('/app/a.ts')) };
    const own = tabOf('set_1', 'app/a.ts');
    openTab(other);
    openTab(own);
    fake.window.tabGroups.close = async () => {
      closeTab(own);
      return true;
    };
    await tabs.closeAll('set_1');
    closeTab(other);
    await vi.advanceTimersByTimeAsync(1000);
    expect(closed).toEqual([]);
    tabs.dispose();
  });

  it('D01: a tab with unsaved text stays when its set is settled', async () => {
    const tabs = new ReviewTabs();
    const going: unknown[] = [];
    fake.window.tabGroups.close = (async (list: unknown[]) => void going.push(...list)) as never;
    openTab({ ...tabOf('set_1', 'app/a.ts'), isDirty: true });
    openTab(tabOf('set_1', 'app/b.ts'));
    await tabs.closeAll('set_1');
    expect(going).toEqual([group.tabs[1]]);
    tabs.dispose();
  });
});

describe('opening in the diff editor', () => {
  async function native(): Promise<{ desk: FakeDesk; reviews: InstanceType<typeof NativeReviews>; tabs: InstanceType<typeof ReviewTabs> }> {
    const desk = new FakeDesk();
    const tabs = new ReviewTabs();
    return { desk, tabs, reviews: new NativeReviews(new ReviewBoard(desk, nullLogger), tabs) };
  }

  it('I36: quietly never takes the focus, nor covers the group somebody works in', async () => {
    const { desk, reviews } = await native();
    group.tabs = [{ ...tabOf('x', 'app/x'), input: new fake.TabInputText(fake.Uri.file('/app/x')) }];
    await reviews.open(desk.put([{ path: 'a.ts', base: '1\n', proposed: '2\n' }]), { quietly: true });
    expect(opened[0]?.[0]).toBe('vscode.diff');
    expect(opened[0]?.[4]).toMatchObject({ preserveFocus: true, viewColumn: fake.ViewColumn.Beside, preview: false });
  });

  it('I37: gathers reviews in the group where one is, and finds a tab that is open', async () => {
    const { desk, reviews } = await native();
    const first = desk.put([{ path: 'a.ts', base: '1\n', proposed: '2\n' }]);
    const second = desk.put([{ path: 'a.ts', base: '1\n', proposed: '3\n' }]);
    const beside = { viewColumn: 2 };
    fake.window.tabGroups.all = [group, { viewColumn: 2, tabs: [{ ...tabOf(first, 'app/a.ts'), group: beside }] }];
    await reviews.open(second, { quietly: true });
    await reviews.open(first);
    expect(opened.map((args) => (args[4] as { viewColumn: number }).viewColumn)).toEqual([2, 2]);
  });

  it('opens several files in one tab, and says what is new or deleted', async () => {
    const { desk, reviews, tabs } = await native();
    const set = desk.put([{ path: 'a.ts', base: '1\n', proposed: '2\n' }, { path: 'new.ts', proposed: '1\n' }, { path: 'gone.ts', base: '1\n' }], { title: 'Three files\nand more' });
    await reviews.open(set);
    expect(opened[0]?.[0]).toBe('vscode.changes');
    expect(opened[0]?.[1]).toBe('Review: Three files and more');
    const resources = opened[0]?.[2] as unknown[][];
    expect(resources.map(([, original, modified]) => [original !== undefined, modified !== undefined])).toEqual([[true, true], [false, true], [true, false]]);
    openTab({ label: 'Review: Three files and more', input: undefined, isActive: true, isDirty: false, group });
    expect(tabs.active()).toEqual({ set });
  });

  it('shows the hunk that was asked for', async () => {
    const { desk, reviews } = await native();
    const set = desk.put([{ path: 'a.ts', base: '1\n2\n3\n4\n', proposed: '1\ntwo\n3\nfour\n' }]);
    const view = await desk.file(set, 'app/a.ts');
    await reviews.open(set, { file: 'app/a.ts', hunk: view.review.hunks[1]?.id ?? '' });
    expect(opened[0]?.[4]).toMatchObject({ selection: { start: { line: 3 } } });
  });
});

describe('code lenses', () => {
  it('stand over each hunk and say what was decided; none over unsaved text', async () => {
    const desk = new FakeDesk();
    const board = new ReviewBoard(desk, nullLogger);
    const lenses = new HunkLenses({ board: async () => board }, nullLogger);
    const set = desk.put([{ path: 'a.ts', base: '1\n2\n3\n4\n', proposed: '1\ntwo\n3\nfour\n' }]);
    const document = { uri: sideUri(set, 'app/a.ts', 'proposed'), isDirty: false };
    const shown = await lenses.provideCodeLenses(document as never);
    expect(shown.map((lens) => [lens.range.start.line, lens.command?.title])).toEqual([[1, '$(check) Accept'], [1, '$(close) Reject'], [3, '$(check) Accept'], [3, '$(close) Reject']]);
    const hunk = (await desk.file(set, 'app/a.ts')).review.hunks[0]?.id ?? '';
    board.note(await desk.decide(set, [{ file: 'app/a.ts', hunk, decision: 'reject' }], { via: 'x', revision: 0 }));
    expect((await lenses.provideCodeLenses(document as never))[0]?.command?.title).toBe('$(close) Rejected: take back');
    expect(await lenses.provideCodeLenses({ ...document, isDirty: true } as never)).toEqual([]);
  });
});

describe('open documents with unsaved text', () => {
  const document = (over: object) => ({ uri: fake.Uri.file('/app/a.ts'), isDirty: true, eol: 1, getText: () => '1\n2\n3', lineCount: 3, lineAt: (line: number) => ({ range: { end: new fake.Position(line, 1) } }), ...over });

  it('D13: are part of what a change stands on, by their real path too', () => {
    fake.workspace.textDocuments = [document({}), document({ uri: fake.Uri.file('/link/b.ts'), getText: () => 'linked' }), document({ uri: fake.Uri.file('/app/c.ts'), isDirty: false })];
    const buffers = createBuffers((path) => path.replace('/link/', '/app/'));
    expect(buffers.unsaved('/app/a.ts')).toBe('1\n2\n3');
    expect(buffers.unsaved('/app/b.ts')).toBe('linked');
    expect(buffers.unsaved('/app/c.ts')).toBeUndefined();
  });

  it('D13: are changed line by line, and only while they are as expected', async () => {
    fake.workspace.textDocuments = [document({})];
    const buffers = createBuffers((path) => path);
    expect(await buffers.replace('/app/a.ts', 'something else', 'x')).toBe(false);
    expect(await buffers.replace('/app/gone.ts', '', 'x')).toBe(false);
    expect(fake.workspace.applied).toEqual([]);
    expect(await buffers.replace('/app/a.ts', '1\n2\n3', '1\ntwo\n3\n4')).toBe(true);
    const made = fake.workspace.applied[0]?.replaced.map(({ range, text }) => [range.start.line, range.start.character, range.end.line, range.end.character, text]);
    expect(made).toEqual([[2, 1, 2, 1, '\n4'], [1, 0, 2, 0, 'two\n']]);
  });

  it('keep their line ends', async () => {
    fake.workspace.textDocuments = [document({ eol: 2, getText: () => '1\r\n2\r\n3' })];
    await createBuffers((path) => path).replace('/app/a.ts', '1\r\n2\r\n3', 'one\n2\n3');
    expect(fake.workspace.applied[0]?.replaced.map(({ text }) => text)).toEqual(['one\r\n']);
  });
});

describe('files saved by a person', () => {
  it('are known with the time of their last save', () => {
    let now = 100;
    const files = new SavedFiles(() => now, (path) => path.replace('/link/', '/app/'));
    saved.fire({ uri: fake.Uri.file('/link/a.ts') });
    saved.fire({ uri: fake.Uri.from({ scheme: 'casebook-review', path: '/app/b.ts' }) });
    now = 200;
    saved.fire({ uri: fake.Uri.file('/app/c.ts') });
    expect([...files.since(100)]).toEqual(['/app/a.ts', '/app/c.ts']);
    expect([...files.since(150)]).toEqual(['/app/c.ts']);
    files.dispose();
  });
});

describe('the watch over what sets stand on', () => {
  it('looks only at the sets whose file changed, once for many changes, and not after they are settled', async () => {
    const disk = new fake.EventEmitter();
    fake.workspace.createFileSystemWatcher = (() => ({ onDidChange: disk.event, onDidCreate: disk.event, onDidDelete: disk.event, dispose() {} })) as never;
    const desk = new FakeDesk();
    const board = new ReviewBoard(desk, nullLogger);
    const one = desk.put([{ path: 'a.ts', base: '1\n', proposed: '2\n' }]);
    desk.put([{ path: 'b.ts', base: '1\n', proposed: '2\n' }]);
    await board.load();
    const watcher = new DiskWatcher(board, { folders: () => [{ root: 'app', paths: ['/real/app', '/link/app'] }] }, nullLogger);
    for (let count = 0; count < 5; count += 1) disk.fire(fake.Uri.file('/link/app/a.ts'));
    changedText.fire({ document: { uri: fake.Uri.file('/real/app/a.ts') } });
    disk.fire(fake.Uri.file('/real/app/unrelated.ts'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(desk.called('refresh')).toEqual([[one, 'app/a.ts']]);
    desk.change(one, { status: 'settled' });
    await vi.advanceTimersByTimeAsync(10);
    disk.fire(fake.Uri.file('/real/app/a.ts'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(desk.called('refresh')).toHaveLength(1);
    watcher.dispose();
  });

  it('knows a renamed file under both of its names', () => {
    const state = { id: 'set_1', files: [{ root: 'app', path: 'new.ts', from: 'old.ts' }] };
    expect([...pathsOf([state as never], [{ root: 'app', paths: ['/app'] }]).keys()]).toEqual(['/app/new.ts', '/app/old.ts']);
  });
});

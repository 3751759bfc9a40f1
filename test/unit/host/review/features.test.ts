import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nullLogger } from '../../../../extension/core/base/logger.ts';
import type { SetState } from '../../../../extension/core/review/desk/state.ts';
import type { Services } from '../../../../extension/services.ts';
import { type CommandId, commands, settings } from '../../../../extension/shared/ids.ts';
import { dismiss, ScriptedPrompter } from '../fakes.ts';
import * as fake from '../fake-vscode.ts';
import { FakeDesk } from './fake-desk.ts';

vi.mock('vscode', async () => import('../fake-vscode.ts'));
const { Reviews } = await import('../../../../extension/host/review/reviews.ts');
const { sideUri } = await import('../../../../extension/host/review/native.ts');
const { arrivalsFeature } = await import('../../../../extension/features/review/arrivals.ts');
const { closingFeature } = await import('../../../../extension/features/review/closing.ts');
const { decideFeature } = await import('../../../../extension/features/review/decide.ts');
const { openReviewFeature } = await import('../../../../extension/features/review/open.ts');
const { readRequest } = await import('../../../../extension/features/review/request.ts');
const { limitWords } = await import('../../../../extension/features/review/show.ts');
const { undoFeature } = await import('../../../../extension/features/review/undo.ts');
const { agentWordsFeature } = await import('../../../../extension/features/review/words.ts');

const tabs = new fake.EventEmitter<{ closed: unknown[] }>();
const group = { viewColumn: 1, activeTab: undefined as unknown, tabs: [] as unknown[] };
const openedDiffs = (): unknown[][] => executed.filter(([command]) => command === 'vscode.diff' || command === 'vscode.changes');
let executed: unknown[][];
let desk: FakeDesk;
let prompter: ScriptedPrompter;
let values: Map<string, unknown>;
let reviews: InstanceType<typeof Reviews>;
let registered: Map<CommandId, (argument: unknown) => Promise<unknown>>;

beforeEach(() => {
  executed = [];
  fake.commands.executeCommand = async (...args) => void executed.push(args);
  fake.window.tabGroups.all = [group];
  fake.window.tabGroups.activeTabGroup = group;
  fake.window.tabGroups.onDidChangeTabs = tabs.event as never;
  group.tabs = [];
  fake.workspace.textDocuments = [];
  fake.workspace.isTrusted = true;
  desk = new FakeDesk();
  values = new Map<string, unknown>([[settings.reviewOpenIn, 'none'], [settings.reviewCloseTab, 'keepPending'], [settings.reviewDifftool, '']]);
  registered = new Map();
  vi.useFakeTimers();
});
afterEach(() => {
  reviews.dispose();
  vi.useRealTimers();
});

function services(script: (string | typeof dismiss)[] = []): Services {
  prompter = new ScriptedPrompter(script);
  reviews = new Reviews(async () => desk, nullLogger);
  const core = { review: desk };
  return {
    log: nullLogger,
    prompter,
    reviews,
    reviewPanels: { active: undefined },
    settings: { get: (id: string) => values.get(id) },
    roots: () => [{ name: 'app', path: '/app' }],
    core: async () => core,
    onBoard: (use: (board: unknown, core: unknown) => unknown) => use(undefined, core),
    commands: {
      register(id: CommandId, _needsTrust: boolean, run: (argument: unknown) => Promise<unknown>) {
        registered.set(id, run);
        return { dispose() {} };
      },
    },
  } as unknown as Services;
}

const run = async (id: CommandId, argument?: unknown): Promise<unknown> => registered.get(id)?.(argument);
const pending = (over: Partial<SetState> = {}): string => desk.put([{ path: 'a.ts', base: '1\n2\n3\n4\n', proposed: '1\ntwo\n3\nfour\n' }], over);

describe('deciding', () => {
  it('D28: a double click, or a click and a key at once, is one decision', async () => {
    decideFeature.register(services());
    const set = pending();
    const hunk = (await desk.file(set, 'app/a.ts')).review.hunks[0]?.id;
    await Promise.all([run(commands.reviewAcceptHunk, { set, file: 'app/a.ts', hunk }), run(commands.reviewAcceptHunk, { set, file: 'app/a.ts', hunk }), run(commands.reviewAcceptHunk, { set, file: 'app/a.ts', hunk })]);
    expect(desk.called('decide')).toEqual([[set, [{ file: 'app/a.ts', hunk, decision: 'accept' }], { via: 'diff editor', revision: 0 }]]);
  });

  it('D01: what is decided is what is on the screen: unsaved text becomes the draft first', async () => {
    decideFeature.register(services());
    const set = pending();
    fake.workspace.textDocuments = [{ uri: sideUri(set, 'app/a.ts', 'proposed'), isDirty: true, getText: () => '1\nmine\n3\nfour\n', save: async () => true }];
    await run(commands.reviewAcceptFile, { set, file: 'app/a.ts' });
    expect(desk.calls.filter(({ name }) => name === 'edit' || name === 'decide').map(({ name }) => name)).toEqual(['edit', 'decide']);
    expect(desk.called('edit')[0]?.[2]).toBe('1\nmine\n3\nfour\n');
  });

  it('decides nothing where no change is at the cursor', async () => {
    decideFeature.register(services());
    const set = pending();
    const editor = { document: { uri: sideUri(set, 'app/a.ts', 'proposed'), lineCount: 4 }, selection: { active: { line: 0 } } };
    fake.window.activeTextEditor = editor as never;
    await run(commands.reviewAcceptHunk);
    expect(desk.called('decide')).toEqual([]);
    fake.window.activeTextEditor = { ...editor, selection: { active: { line: 1 } }, revealRange() {} } as never;
    await run(commands.reviewRejectHunk);
    expect(desk.called('decide')).toHaveLength(1);
    fake.window.activeTextEditor = undefined;
  });

  it('says so when a set was settled a moment before', async () => {
    const { Failure } = await import('../../../../extension/core/base/failure.ts');
    decideFeature.register(services());
    const set = pending();
    await (await reviews.board()).load();
    const decide = desk.decideAll.bind(desk);
    desk.decideAll = async () => Promise.reject(new Failure('settled', 'over'));
    await run(commands.reviewAcceptAll, { set });
    expect(prompter.seen.map(({ title }) => title)).toEqual(['This review has its outcome already.']);
    desk.decideAll = decide;
  });
});

describe('a command without an argument', () => {
  const settledState = (id: string): Partial<SetState> => ({ id, title: 'Settled before', status: 'settled', settled: { at: '2026-01-01T00:00:00.000Z', outcome: 'accepted', by: [], files: [], heard: true, standing: true } });
  const inFront = (set: string): void => void (group.activeTab = { label: 'a', input: new fake.TabInputTextDiff(sideUri(set, 'app/a.ts', 'base'), sideUri(set, 'app/a.ts', 'proposed')), isActive: true, group });
  afterEach(() => void (group.activeTab = undefined));

  it('D17: undo is not about the pending review in front, and never done to a set that nobody named', async () => {
    undoFeature.register(services(['Settled before', 'Undo']));
    inFront(pending());
    const set = pending(settledState('set_done'));
    await run(commands.reviewUndo);
    expect(prompter.seen[0]).toMatchObject({ kind: 'pick', labels: ['Settled before'] });
    expect(desk.called('undo')).toEqual([[set, 'palette']]);
  });

  it('D17: rejecting everything asks, with counts, and does nothing when it is dismissed', async () => {
    decideFeature.register(services([dismiss, 'Reject All']));
    const set = pending();
    await run(commands.reviewRejectAll, { kind: 'set', set });
    expect(desk.called('decideAll')).toEqual([]);
    expect(prompter.seen[0]).toMatchObject({ kind: 'modal', title: expect.stringMatching(/^Reject \d+ changes? in 1 file of/u) as string });
    await run(commands.reviewRejectAll, { kind: 'set', set });
    expect(desk.called('decideAll')).toHaveLength(1);
  });

  it('J17: the record says on which surface something was decided', async () => {
    decideFeature.register(services(['Third']));
    const [first, second, third] = [pending(), pending(), pending({ title: 'Third' })];
    await run(commands.reviewAcceptAll, { kind: 'set', set: first });
    inFront(second);
    await run(commands.reviewAcceptAll);
    group.activeTab = undefined;
    await run(commands.reviewAcceptAll);
    expect(desk.called('decideAll').map(([set, , act]) => [set, (act as { via: string }).via])).toEqual([[first, 'reviews view'], [second, 'diff editor'], [third, 'palette']]);
  });

  it('is about the review in front where it can be', async () => {
    decideFeature.register(services());
    pending();
    const set = pending();
    inFront(set);
    await run(commands.reviewAcceptAll);
    expect(desk.called('decideAll').map(([id]) => id)).toEqual([set]);
  });
});

describe('what arrives', () => {
  it('I36: one notification for sets that come together, and none while the list is in sight', async () => {
    const made = services(['Review']);
    arrivalsFeature.register(made);
    await vi.advanceTimersByTimeAsync(1);
    for (let count = 0; count < 5; count += 1) pending();
    await vi.advanceTimersByTimeAsync(1000);
    expect(prompter.seen.map(({ title }) => title)).toEqual(['5 proposed changes wait for your decision.']);
    expect(executed.map(([command]) => command)).toEqual(['casebook.reviews.focus']);
    reviews.listVisible = () => true;
    pending();
    await vi.advanceTimersByTimeAsync(1000);
    expect(prompter.seen).toHaveLength(1);
  });

  it('I36: opens the first of them only, quietly, where the setting says', async () => {
    values.set(settings.reviewOpenIn, 'diffEditor');
    arrivalsFeature.register(services());
    await vi.advanceTimersByTimeAsync(1);
    fake.commands.executeCommand = async (...args) => {
      executed.push(args);
      group.tabs = [{ label: 'a', input: new fake.TabInputTextDiff(args[1], args[2]), isActive: true, isDirty: false, group }];
    };
    for (let count = 0; count < 5; count += 1) pending();
    await vi.advanceTimersByTimeAsync(1000);
    expect(openedDiffs()).toHaveLength(1);
    expect(openedDiffs()[0]?.[4]).toMatchObject({ preserveFocus: true });
    expect(prompter.seen).toEqual([]);
  });

  it('D16: what was pending before is not announced again, nor what nobody waits for', async () => {
    pending();
    arrivalsFeature.register(services());
    await vi.advanceTimersByTimeAsync(1);
    pending({ caller: { name: '', attached: false, capabilities: { writer: 'casebook', canEdit: true, canPartial: true, canEmpty: true, redelivers: false, canExplain: true } } });
    await vi.advanceTimersByTimeAsync(1000);
    expect(prompter.seen).toEqual([]);
    expect(executed).toEqual([]);
  });
});

describe('closing a tab', () => {
  const closeTab = (set: string): void => tabs.fire({ closed: [{ label: 'a', input: new fake.TabInputTextDiff(sideUri(set, 'app/a.ts', 'base'), sideUri(set, 'app/a.ts', 'proposed')) }] });

  it('D02: decides nothing, says so, and reopens on demand', async () => {
    closingFeature.register(services(['Reopen']));
    const set = pending();
    closeTab(set);
    await vi.advanceTimersByTimeAsync(1000);
    expect(desk.called('decide')).toEqual([]);
    expect(prompter.seen[0]?.title).toContain('is still pending; closing its tab decided nothing');
    expect(executed).toEqual([[commands.reviewOpenNative, { set, file: 'app/a.ts' }]]);
  });

  it('D02: says nothing while the review can be seen in the list', async () => {
    closingFeature.register(services());
    reviews.listVisible = () => true;
    closeTab(pending());
    await vi.advanceTimersByTimeAsync(1000);
    expect(prompter.seen).toEqual([]);
  });

  it('D02: is a rejection only where a setting says so, and the record says it was a closed tab', async () => {
    values.set(settings.reviewCloseTab, 'reject');
    closingFeature.register(services());
    const set = pending();
    closeTab(set);
    await vi.advanceTimersByTimeAsync(1000);
    expect(desk.called('decide')).toEqual([[set, [{ file: 'app/a.ts', hunk: '*', decision: 'reject' }], expect.objectContaining({ via: 'closed tab' })]]);
  });
});

describe('what a caller cannot be told', () => {
  const caller = (over: object): Pick<SetState, 'caller' | 'origin'> => ({ origin: { client: 'codex' }, caller: { name: 'codex', attached: true, capabilities: { writer: 'agent', canEdit: false, canPartial: false, canEmpty: true, redelivers: false, canExplain: false, ...over } } });

  it('is said before anything is decided', () => {
    expect(limitWords(caller({}))).toMatch(/^codex cannot be told of a partial acceptance, your edits, reasons and comments\./);
    expect(limitWords(caller({ canEdit: true, canPartial: true, canExplain: true }))).toBeUndefined();
    expect(limitWords({ ...caller({}), caller: { ...caller({}).caller, attached: false } })).toBeUndefined();
  });

  it('is offered as words for its next prompt once the set is settled, and only then', async () => {
    agentWordsFeature.register(services(['Copy']));
    const set = pending();
    await vi.advanceTimersByTimeAsync(10);
    expect(prompter.seen).toEqual([]);
    desk.change(set, { status: 'settled', settled: { at: '2026-01-01T00:00:00.000Z', outcome: 'partly_accepted', by: [], files: [], heard: true, answer: { verdict: 'reject', writes: 'casebook', nextPrompt: 'I took the first change.' } } });
    await vi.advanceTimersByTimeAsync(10);
    expect(prompter.clipboard).toBe('I took the first change.');
  });
});

describe('a program that asks for a review', () => {
  const roots = [{ name: 'app', path: '/app' }, { name: 'lib', path: '/app/lib' }];

  it('names a file by its path, absolute or from the first root; the innermost root holds it', async () => {
    expect(await readRequest({ path: '/app/lib/x.ts', new_text: 'x', title: 'T' }, roots)).toMatchObject({ kind: 'text', client: 'command', proposal: { title: 'T', disk: 'proposed', files: [{ root: 'lib', path: 'x.ts', proposed: { kind: 'text', text: 'x' } }] } });
    expect(await readRequest({ path: 'src/a.ts', new_text: '' }, roots)).toMatchObject({ proposal: { title: 'src/a.ts', files: [{ root: 'app', path: 'src/a.ts' }] } });
    expect(await readRequest({ paths: ['/app/a.ts'], base: 'main' }, roots)).toMatchObject({ kind: 'paths', base: 'main', paths: [{ root: 'app', path: 'a.ts' }] });
  });

  it('is refused outside of the workspace, and when it cannot be understood', async () => {
    for (const path of ['/etc/passwd', '/app/../etc/passwd', '../x', '/application/x', '/app']) await expect(readRequest({ path, new_text: 'x' }, roots), path).rejects.toMatchObject({ reason: 'outside_roots' });
    await expect(readRequest({ path: 'a.ts', new_text: 7 }, roots)).rejects.toMatchObject({ reason: 'bad_message' });
    await expect(readRequest({ paths: 'a.ts' }, roots)).rejects.toMatchObject({ reason: 'bad_message' });
    await expect(readRequest({ path: 'a.ts', new_text: '', capabilities: { writer: 'nobody' } }, roots)).rejects.toMatchObject({ reason: 'bad_message' });
    expect(await readRequest('set_1', roots)).toBeUndefined();
    expect(await readRequest({ set: 'set_1' }, roots)).toBeUndefined();
  });

  it('says what it can be told', async () => {
    expect(await readRequest({ path: 'a.ts', new_text: '', client: 'codex', capabilities: { writer: 'agent', canPartial: false } }, roots)).toMatchObject({ client: 'codex', capabilities: { writer: 'agent', canPartial: false, canEdit: true } });
  });

  it('hears the verdict of a person, and none where a policy decided or nobody did', async () => {
    openReviewFeature.register(services());
    const ask = async (over: Partial<SetState>): Promise<unknown> => {
      const asked = run(commands.reviewOpen, { path: '/app/a.ts', new_text: 'new\n' });
      await vi.advanceTimersByTimeAsync(10);
      const set = (await desk.list()).pending.at(-1)?.id ?? 'none';
      desk.change(set, { status: 'settled', ...over });
      return asked;
    };
    const settled = { at: '', by: [], files: [], heard: true };
    expect(await ask({ settled: { ...settled, outcome: 'accepted', answer: { verdict: 'accept', writes: 'casebook' } } })).toMatchObject({ verdict: 'accept', reviewed: true, surface: 'editor', outcome: 'accepted' });
    expect(await ask({ settled: { ...settled, outcome: 'accepted', policy: 'docs', answer: { verdict: 'accept', writes: 'casebook' } } })).toMatchObject({ verdict: 'accept', reviewed: false });
    expect(await ask({ settled: { ...settled, outcome: 'abandoned' } })).toMatchObject({ verdict: null, reviewed: false, outcome: 'abandoned' });
  });

  it('gets no verdict out of a workspace that is not trusted, nor from a program that only shows', async () => {
    openReviewFeature.register(services());
    fake.workspace.isTrusted = false;
    expect(await run(commands.reviewOpen, { path: '/app/a.ts', new_text: 'new\n' })).toEqual({ verdict: null, reviewed: false, surface: 'none' });
    values.set(settings.reviewDifftool, '/bin/true');
    vi.useRealTimers();
    expect(await run(commands.reviewOpen, { path: '/app/a.ts', new_text: 'new\n' })).toEqual({ verdict: null, reviewed: true, surface: 'difftool' });
    values.set(settings.reviewDifftool, '/nowhere/difftool');
    expect(await run(commands.reviewOpen, { path: '/app/a.ts', new_text: 'new\n' })).toEqual({ verdict: null, reviewed: false, surface: 'none' });
    expect(desk.called('propose')).toEqual([]);
  });
});

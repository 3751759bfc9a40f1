import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../extension/core/base/emitter.ts';
import { nullLogger } from '../../../extension/core/base/logger.ts';
import { Ambient, type AmbientNews } from '../../../extension/core/link/ambient.ts';
import type { Editor, EditorChange, EditorSelection, OpenEditor } from '../../../extension/core/link/editor.ts';
import { headlessEditor } from '../../../extension/core/link/headless-editor.ts';
import { isShared, sharedEditor, type SharingRules } from '../../../extension/core/link/shared-editor.ts';
import { Sharing } from '../../../extension/core/repo/sharing.ts';

const at = (path: string, text: string): EditorSelection => ({ path, text, start: { line: 0, character: 0 }, end: { line: 0, character: text.length } });
const open = (path: string, shownAt = 0): OpenEditor => ({ path, label: path, language: 'plaintext', active: false, dirty: false, shownAt });

/** An editor whose state is set by hand. */
function scripted() {
  const changes = new Emitter<EditorChange>();
  const state: { selection: EditorSelection | undefined; editors: OpenEditor[]; looks: number } = { selection: undefined, editors: [], looks: 0 };
  const editor: Editor = {
    ...headlessEditor,
    window: true,
    onDidChange: changes.subscribe,
    selection: async () => ((state.looks += 1), state.selection),
    openEditors: async () => state.editors,
    diagnostics: async (path) => (path === undefined ? state.editors.map((one) => one.path) : [path]).map((one) => ({ path: one, diagnostics: [{ message: 'token ghp_0123456789abcdefghijklmnopqrstuvwxyzAB', severity: 'Error', start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }] })),
    isDirty: async () => true,
    save: async () => true,
  };
  return { changes, state, editor };
}
const roots = () => [{ name: 'w', path: '/w' }];
const rules = (over: Partial<SharingRules> = {}): SharingRules => ({ paused: () => false, files: () => new Sharing(['private/**']), mask: () => true, ...over });
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await delay(2);
};

describe('I21: what is not shared leaves by no door', () => {
  it.each(['/w/.env', '/w/deep/id_rsa', '/w/private/plan.md', '/w/certs/server.pem', '/elsewhere/notes.md', '/w-secret/a.ts'])('%s', async (path) => {
    const { state, editor } = scripted();
    state.selection = at(path, 'SECRET=1');
    state.editors = [open(path), open('/w/a.ts')];
    const shared = sharedEditor(editor, rules(), roots);
    expect(await shared.selection()).toBeUndefined();
    expect((await shared.openEditors()).map((one) => one.path)).toEqual(['/w/a.ts']);
    expect((await shared.diagnostics()).map((one) => one.path)).toEqual(['/w/a.ts']);
    expect(await shared.diagnostics(path)).toEqual([]);
    expect(await shared.isDirty(path)).toBeUndefined();
    expect(await shared.save(path)).toBeUndefined();
  });
  it('nothing at all while sharing is paused', async () => {
    const { state, editor, changes } = scripted();
    state.selection = at('/w/a.ts', 'x');
    state.editors = [open('/w/a.ts')];
    const shared = sharedEditor(editor, rules({ paused: () => true }), roots);
    const heard: EditorChange[] = [];
    shared.onDidChange((change) => heard.push(change));
    changes.fire({ kind: 'diagnostics', paths: ['/w/a.ts'] });
    expect([await shared.selection(), await shared.openEditors(), await shared.diagnostics(), heard]).toEqual([undefined, [], [], []]);
  });
  it('news of diagnostics names only files that are shared', () => {
    const { editor, changes } = scripted();
    const heard: EditorChange[] = [];
    sharedEditor(editor, rules(), roots).onDidChange((change) => heard.push(change));
    changes.fire({ kind: 'diagnostics', paths: ['/w/.env', '/w/a.ts'] });
    changes.fire({ kind: 'diagnostics', paths: ['/w/.env'] });
    expect(heard).toEqual([{ kind: 'diagnostics', paths: ['/w/a.ts'] }]);
  });
  it('secrets in what is shared are masked, unless the rule says otherwise', async () => {
    const { state, editor } = scripted();
    state.selection = at('/w/a.ts', 'const t = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB";');
    state.editors = [open('/w/a.ts')];
    const shown = async (mask: boolean) => {
      const shared = sharedEditor(editor, rules({ mask: () => mask }), roots);
      return `${(await shared.selection())?.text} ${(await shared.diagnostics())[0]?.diagnostics[0]?.message}`;
    };
    expect(await shown(true)).not.toContain('ghp_0123456789');
    expect((await shown(false)).match(/ghp_0123456789/gu)).toHaveLength(2);
  });
  it('a root in a root: what any of them keeps back is kept back', () => {
    const nested = [...roots(), { name: 'p', path: '/w/private' }];
    expect(isShared('/w/private/plan.md', new Sharing(['private/**']), nested)).toBe(false);
    expect(isShared('/w/src/plan.md', new Sharing(['private/**']), nested)).toBe(true);
  });
});

describe('I24, I25: what changes in the editor is told', () => {
  function followed(pace = 20) {
    const { state, editor, changes } = scripted();
    const ambient = new Ambient(editor, () => true, nullLogger, pace);
    const news: AmbientNews[] = [];
    const listening = ambient.onNews((one) => news.push(one));
    const move = (text: string): void => {
      state.selection = at('/w/a.ts', text);
      changes.fire({ kind: 'selection' });
    };
    const texts = () => news.map((one) => (one.kind === 'context' ? one.context.selection?.text : one.paths.join()));
    return { state, ambient, news, listening, move, texts, changes };
  }
  it('the first move at once, the ones meanwhile as one, the last always', async () => {
    const { move, texts, state, ambient } = followed();
    move('1');
    await until(() => texts().length === 1);
    for (let step = 2; step <= 50; step += 1) move(String(step));
    await until(() => texts().at(-1) === '50');
    expect(texts()).toEqual(['1', '50']);
    expect(state.looks).toBe(2);
    ambient.dispose();
  });
  it('nothing when nothing is different', async () => {
    const { move, texts, state, ambient } = followed();
    move('same');
    await until(() => texts().length === 1);
    move('same');
    await until(() => state.looks === 2);
    move('other');
    await until(() => texts().length > 1);
    expect(texts()).toEqual(['same', 'other']);
    ambient.dispose();
  });
  it('a huge selection is cut, whole characters only, and says so', async () => {
    const { move, news, ambient } = followed();
    move(`${'x'.repeat(16 * 1024 - 1)}😀${'y'.repeat(1_000_000)}`);
    await until(() => news.length === 1);
    const text = news[0]?.kind === 'context' ? (news[0].context.selection?.text ?? '') : '';
    expect(text.length).toBeLessThan(16 * 1024 + 100);
    expect(text.isWellFormed()).toBe(true);
    expect(text).toContain('cut by Casebook');
    ambient.dispose();
  });
  it('files of diagnostics are gathered', async () => {
    const { changes, texts, ambient } = followed();
    changes.fire({ kind: 'diagnostics', paths: ['/w/a'] });
    changes.fire({ kind: 'diagnostics', paths: ['/w/b'] });
    changes.fire({ kind: 'diagnostics', paths: ['/w/a', '/w/b'] });
    await until(() => texts().length > 1);
    expect(texts()).toEqual(['/w/a', '/w/b,/w/a']);
    ambient.dispose();
  });
  it('the editor is not looked at while nobody listens, and a client that comes later gets the present state', async () => {
    const { move, listening, state, ambient } = followed();
    listening.dispose();
    move('unseen');
    await delay(0);
    expect(state.looks).toBe(0);
    state.editors = [open('/w/old', 1), open('/w/new', 2)];
    expect(await ambient.current()).toMatchObject({ selection: { text: 'unseen' }, editors: [{ path: '/w/new' }, { path: '/w/old' }] });
    ambient.dispose();
  });
});

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeskTool } from '../../../extension/core/mcp/tool.ts';
import { createEditorTools, type EditorKnowledge } from '../../../extension/host/agent-tools.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'casebook-tools-')));
  mkdirSync(join(base, 'src'));
  writeFileSync(join(base, 'src/a.ts'), 'export const a = 1;\n');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function tools(over: Partial<EditorKnowledge> = {}): Record<'diagnostics' | 'symbols', DeskTool> {
  const knowledge: EditorKnowledge = {
    problems: (path) => [
      { path: path ?? join(base, 'src/a.ts'), line: 3, severity: 'error', message: 'Type\n  mismatch', source: 'ts' },
      { path: '/home/somebody/secret.ts', line: 1, severity: 'error', message: 'not yours' },
    ],
    symbolsNamed: async (query) => [{ name: query, kind: 'function', container: 'Store', path: join(base, 'src/a.ts'), line: 4, endLine: 9 }],
    symbolsIn: async (path) => [{ name: 'a', kind: 'constant', path, line: 1 }],
    ...over,
  };
  const [diagnostics, symbols] = createEditorTools(knowledge, () => [{ name: 'app', path: base }]);
  if (diagnostics === undefined || symbols === undefined) throw new Error('two tools were expected');
  return { diagnostics, symbols };
}
const signal = new AbortController().signal;

describe('the editor’s read tools for agents', () => {
  it('tells problems by place and keeps to the roots', async () => {
    expect(await tools().diagnostics.call({}, signal)).toEqual({ ok: true, text: 'app/src/a.ts:3: error: Type mismatch [ts]' });
    expect(await tools().diagnostics.call({ file: 'app/src/a.ts' }, signal)).toEqual({ ok: true, text: 'app/src/a.ts:3: error: Type mismatch [ts]' });
    expect(await tools().diagnostics.call({ file: 'app/../../etc/passwd' }, signal)).toMatchObject({ ok: false });
    expect(await tools({ problems: () => [] }).diagnostics.call(undefined, signal)).toEqual({ ok: true, text: 'No problems are reported there.' });
  });

  it('says how much it left out', async () => {
    const many = Array.from({ length: 205 }, (_, index) => ({ path: join(base, 'src/a.ts'), line: index + 1, severity: 'hint' as const, message: 'x' }));
    const answer = await tools({ problems: () => many }).diagnostics.call({}, signal);
    expect(answer.text.split('\n')).toHaveLength(201);
    expect(answer.text).toContain('… and 5 more');
  });

  it('finds symbols by name or outlines a file, not both', async () => {
    expect((await tools().symbols.call({ query: 'save' }, signal)).text).toBe('app/src/a.ts:4-9: function Store.save');
    expect((await tools().symbols.call({ file: 'app/src/a.ts' }, signal)).text).toBe('app/src/a.ts:1: constant a');
    expect(await tools().symbols.call({ query: 'a', file: 'app/src/a.ts' }, signal)).toMatchObject({ ok: false });
    expect(await tools().symbols.call('nonsense', signal)).toMatchObject({ ok: false });
  });

  it('answers a broken language server in words', async () => {
    expect(await tools({ symbolsNamed: async () => Promise.reject(new Error('server died')) }).symbols.call({ query: 'a' }, signal)).toEqual({ ok: false, text: 'server died' });
  });
});

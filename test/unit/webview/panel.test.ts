import { describe, expect, it } from 'vitest';
import type { FromPanel, PanelRequests } from '../../../extension/shared/protocol.ts';
import { concludedCase, interruptedCase, openedCase, questionCase, runningCase, scoutCase } from '../../fixtures/case-states.ts';
import { cost, tokens } from '../../../webview/case/usage.ts';
import { compact, duration, lines, shorten } from '../../../webview/shared/format.ts';
import { findPlaces, renderMarkdown } from '../../../webview/shared/markdown.ts';
import { announcement, applyFix, evidenceView, locateSpan, openFindings, runActions, silence } from '../../../webview/case/model.ts';
import { parseToPanel } from '../../../webview/case/parse.ts';
import { RequestClient } from '../../../webview/shared/requests.ts';
import { readUiState, UiStore, type UiState } from '../../../webview/shared/ui-state.ts';

describe('requests', () => {
  it('settles each request once, by its id, in whatever order the replies come', async () => {
    const sent: FromPanel[] = [];
    const client = new RequestClient<PanelRequests>((message) => sent.push(message));
    const first = client.request('copyReply', {});
    const second = client.request('stopRun', { run: 'run_1' });
    expect(sent).toEqual([
      { type: 'request', id: 1, name: 'copyReply', args: {} },
      { type: 'request', id: 2, name: 'stopRun', args: { run: 'run_1' } },
    ]);
    client.settle({ type: 'reply', id: 2, ok: false, message: 'The run has ended.' });
    client.settle({ type: 'reply', id: 1, ok: true, value: 7 });
    client.settle({ type: 'reply', id: 1, ok: false, message: 'late' });
    await expect(second).rejects.toThrow('The run has ended.');
    await expect(first).resolves.toBe(7);
    expect(client.pending).toBe(0);
  });

  it('rejects what waits, and whatever comes later, once the panel is gone', async () => {
    const client = new RequestClient<PanelRequests>(() => {});
    const waiting = client.request('copyReply', {});
    client.dispose();
    await expect(waiting).rejects.toThrow('closed');
    await expect(client.request('copyReply', {})).rejects.toThrow('closed');
  });
});

describe('messages from the host', () => {
  it('takes the protocol and ignores everything else', () => {
    const settings = { cursorMarks: false, canPost: true, engineLabel: '', journal: 'recording' };
    expect(parseToPanel({ type: 'case', state: openedCase, settings })).toMatchObject({ type: 'case' });
    expect(parseToPanel({ type: 'case', state: { id: 'x' }, settings })).toBeUndefined();
    expect(parseToPanel({ type: 'reveal', part: 'reply' })).toEqual({ type: 'reveal', part: 'reply' });
    expect(parseToPanel({ type: 'reveal', part: 'body' })).toBeUndefined();
    expect(parseToPanel({ type: 'reply', id: 3, ok: false })).toEqual({ type: 'reply', id: 3, ok: false, message: 'The request failed.' });
    for (const odd of [undefined, null, 'case', [], { type: 'vscode-theme' }, { type: 'reply', id: 'x', ok: true }]) expect(parseToPanel(odd)).toBeUndefined();
  });
});

describe('what is kept through a reload', () => {
  it('comes back as it was, per case, and forgets the oldest cases first', () => {
    let stored: UiState | undefined;
    const store = new UiStore(undefined, (state) => (stored = structuredClone(state)));
    store.show('case_a');
    store.setDraft('reply', 'half a sentence');
    store.replyBase = 'saved';
    store.setOpen('steps', false);
    store.show('case_b');
    expect(store.draft('reply')).toBeUndefined();
    const again = new UiStore(stored, () => {});
    again.show('case_a');
    expect(again.draft('reply')).toBe('half a sentence');
    expect(again.replyBase).toBe('saved');
    expect(again.isOpen('steps', true)).toBe(false);
    for (let index = 0; index < 30; index++) store.show(`case_${index}`);
    expect(Object.keys(stored?.items ?? {})).toHaveLength(20);
    expect(stored?.items['case_a']).toBeUndefined();
  });

  it('counts an unknown shape as nothing', () => {
    expect(readUiState({ version: 1, items: { x: {} } })).toEqual({ version: 2, items: {} });
    expect(readUiState({ version: 2, items: { x: { open: { a: 'yes' }, drafts: { reply: 4 } } } })).toEqual({ version: 2, items: { x: { open: {}, drafts: {} } } });
  });
});

describe('formats', () => {
  it('says unknown, never 0, for what nobody reported', () => {
    expect(cost({ inputTokens: 9, outputTokens: 1, cachedTokens: 0, turns: 1 })).toBe('unknown');
    expect(cost({ inputTokens: 9, outputTokens: 1, cachedTokens: 0, turns: 1, usd: 0.004 })).toBe('< $0.01');
    expect(tokens({ inputTokens: 0, outputTokens: 0, cachedTokens: 0, turns: 3 })).toBe('unknown');
    expect(tokens({ inputTokens: 48_210, outputTokens: 3_120, cachedTokens: 0, turns: 3 })).toBe('48k in, 3.1k out');
  });

  it('keeps times, counts and lines short', () => {
    expect([0, 61_000, 3_600_000, 100_800_000, -5].map(duration)).toEqual(['0 s', '1 min 1 s', '1 h', '1 d 4 h', '0 s']);
    expect([999, 1_000, 9_950, 1_500_000].map(compact)).toEqual(['999', '1k', '9.9k', '1.5M']);
    expect([lines(4, 9), lines(4, 4), lines(undefined, 3)]).toEqual(['4–9', '4', '']);
    expect(shorten(`ab😀cd`, 3)).toBe('ab…');
  });
});

describe('derived views', () => {
  it('groups citations by file, the verdict first, and keeps uncited suspects apart', () => {
    const view = evidenceView(concludedCase);
    expect(view.groups.map((group) => [group.file.split('/').at(-1), group.citations.length, group.rank])).toEqual([
      ['discounts.ts', 2, 1],
      ['basket.ts', 1, 2],
      ['voucher-list.ts', 1, 3],
      ['guards.ts', 1, undefined],
    ]);
    expect(view.others.map((group) => group.file)).toEqual(['webshop/src/api/vouchers.ts']);
    expect(view.counts).toEqual({ verified: 1, located: 1, moved: 1, stale: 1, missing: 1 });
  });

  it('offers only what can be done with the last run', () => {
    expect(runActions(runningCase)).toEqual({ stop: 'run_01jp', again: false, resume: false });
    expect(runActions(interruptedCase)).toEqual({ again: true, resume: true });
    expect(runActions(scoutCase)).toEqual({ again: true, resume: false });
    expect(runActions({ ...interruptedCase, status: 'closed' })).toEqual({ again: false, resume: false });
  });

  it('T24: says that a run has been silent for a minute, unless it waits for a person or has ended', () => {
    const last = Date.parse(runningCase.runs.at(-1)?.lastEventAt ?? '');
    expect(silence(runningCase, last + 59_000)).toBeUndefined();
    expect(silence(runningCase, last + 75_000)).toBe(75_000);
    expect(silence(questionCase, last + 75_000)).toBeUndefined();
    expect(silence(interruptedCase, last + 999_000)).toBeUndefined();
  });

  it('announces what changed, once', () => {
    expect(announcement(undefined, runningCase)).toBeUndefined();
    expect(announcement(runningCase, questionCase)).toEqual({ kind: 'question', count: 3 });
    expect(announcement(runningCase, concludedCase)).toEqual({ kind: 'verdict' });
    expect(announcement(runningCase, interruptedCase)).toEqual({ kind: 'status', status: 'interrupted' });
    expect(announcement(runningCase, { ...runningCase, lastEventAt: 'later' })).toBeUndefined();
  });
});

describe('findings in an edited draft', () => {
  it('finds a span again only where it is certain', () => {
    expect(locateSpan('fix by Friday', 'fix by Friday', [7, 13])).toEqual([7, 13]);
    expect(locateSpan('fix by Friday', 'Hello. fix by Friday', [7, 13])).toEqual([14, 20]);
    expect(locateSpan('fix by Friday', 'Friday, or Friday', [7, 13])).toBeUndefined();
    expect(locateSpan('fix by Friday', 'fix soon', [7, 13])).toBeUndefined();
  });

  it('applies a fix there', () => {
    const finding = { rule: 'promise', severity: 'block', message: '', span: [7, 13] as [number, number], fix: 'soon' } as const;
    expect(applyFix('fix by Friday', 'Oh, fix by Friday!', { ...finding, span: [...finding.span] })).toBe('Oh, fix by soon!');
    expect(applyFix('fix by Friday', 'gone', { ...finding, span: [...finding.span] })).toBeUndefined();
    expect(openFindings({ text: '', edited: false, findings: [{ ...finding, span: [...finding.span] }], overridden: { promise: 'agreed' }, blockers: [] })).toEqual([]);
  });
});

describe('markdown', () => {
  const known = [{ file: 'app/src/a.ts', line: 12, state: 'verified' }];

  it('finds paths with lines and known paths, and no versions, times or addresses', () => {
    expect(findPlaces('see src/a.ts:12, lib/b.py#L3-L9 and src/a.ts', known)).toEqual([
      { at: 4, text: 'src/a.ts:12', file: 'app/src/a.ts', line: 12, state: 'verified' },
      { at: 17, text: 'lib/b.py#L3-L9', file: 'lib/b.py', line: 3, endLine: 9 },
      { at: 36, text: 'src/a.ts', file: 'app/src/a.ts', state: 'verified' },
    ]);
    expect(findPlaces('v1.2.3:4 at 10:30, node.js, https://x.example/a.js:3, me@x.ts:4', known)).toEqual([]);
    expect(findPlaces('src/a.ts', [...known, { file: 'app/src/a.ts', line: 40, state: 'missing' }])[0]).not.toHaveProperty('state');
  });

  it('never passes raw HTML, remote images or other links than web and mail', () => {
    const rendered = renderMarkdown('<img src=x onerror=alert(1)> ![pic](https://t.example/p.png) [x](javascript:alert(1)) [y](command:evil) [z](https://ok.example) <script>1</script>');
    expect(rendered).not.toMatch(/<img|<script|href="(?:javascript|command)/u);
    expect(rendered).toContain('Image not loaded (pic): https://t.example/p.png');
    expect(rendered).toContain('(javascript:alert(1))');
    expect(rendered).toContain('<a href="https://ok.example" title="https://ok.example"');
  });

  it('makes citations buttons, in code and as links too, with escaped data', () => {
    expect(renderMarkdown('`src/a.ts:12`', { citations: known })).toContain('data-file="app/src/a.ts" data-line="12" title="Verified"');
    expect(renderMarkdown('[here](src/a.ts#L12)', { citations: known })).toMatch(/<button[^>]*data-line="12"[^>]*>.*here<\/button>/u);
    expect(renderMarkdown('a"b.ts:3')).not.toContain('a"b');
  });

  it('keeps headings in order under the section, however the text skips', () => {
    expect(renderMarkdown('### a\n\n# b\n\n#### c', { under: 3 }).match(/<h\d/gu)).toEqual(['<h4', '<h4', '<h5']);
  });
});

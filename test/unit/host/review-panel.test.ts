import { afterAll, describe, expect, it } from 'vitest';
import { Failure } from '../../../extension/core/base/failure.ts';
import { Bodies } from '../../../extension/features/review-panel/bodies.ts';
import { parseFromReview } from '../../../extension/features/review-panel/parse.ts';
import { createReviewRequestHandler, type ReviewRequestDeps } from '../../../extension/features/review-panel/requests.ts';
import type { ReviewRequestName } from '../../../extension/shared/review-protocol.ts';
import { charactersPerLine, linesPerSlice } from '../../../extension/shared/review-protocol.ts';
import { hunksOf, table } from '../review/desk-harness.ts';
import { removeTrees } from '../review/trees.ts';

afterAll(removeTrees);

const numbered = (count: number, changed: Record<number, string> = {}): string => Array.from({ length: count }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join('');
const before = numbered(1000);
const after = numbered(1000, { 3: 'three', 4: 'four', 500: 'half' });

async function atDesk(files: Record<string, string> = { 'a.txt': after }) {
  const t = await table({ 'a.txt': before });
  const { set, answer } = await t.propose(files);
  const bodies = new Bodies(set, t.desk);
  const said: string[] = [];
  const deps: ReviewRequestDeps = {
    set,
    desk: t.desk,
    bodies,
    prompter: { writeClipboard: async (text) => void said.push(text) },
    openNative: async (file) => void said.push(`native ${file ?? ''}`),
    openCitation: async () => undefined,
    openCase: async () => undefined,
    remember: async (chosen) => void said.push(JSON.stringify(chosen)),
    redraw: () => void said.push('redraw'),
    requireTrust: () => undefined,
  };
  const handler = (over: Partial<ReviewRequestDeps> = {}) => createReviewRequestHandler({ ...deps, ...over });
  const ask = (name: ReviewRequestName, args: unknown, over: Partial<ReviewRequestDeps> = {}): Promise<unknown> => {
    const request = parseFromReview({ type: 'request', id: 1, name, args });
    if (request?.type !== 'request') throw new Error(`${name} is not understood`);
    return handler(over)(request);
  };
  return { t, set, answer, bodies, said, ask };
}

describe('what the panel is given of a file', () => {
  it('is where the hunks are; lines come in slices, cut where they are long, with what cannot be seen spelled out', async () => {
    const { bodies } = await atDesk({ 'a.txt': numbered(1000, { 3: `x${'y'.repeat(5000)}`, 500: 'a\u202eb' }) });
    const body = await bodies.file('w/a.txt');
    expect(body).toMatchObject({ lines: { base: 1000, proposed: 1000 }, hunkCount: 2, revision: 0 });
    expect(JSON.stringify(body)).not.toContain('yyy');
    const slice = await bodies.lines('w/a.txt', body.content, 'proposed', 0, 1000);
    expect(slice.lines).toHaveLength(linesPerSlice);
    expect(slice.lines[2]).toEqual({ text: `x${'y'.repeat(charactersPerLine - 1)}`, end: 'LF', length: 5001 });
    expect((await bodies.lines('w/a.txt', body.content, 'proposed', 499, 500)).lines).toEqual([{ text: 'a⟦U+202E⟧b', end: 'LF' }]);
  });

  it('has no lines of a content that is not shown any more', async () => {
    const { t, set, bodies } = await atDesk();
    const { content } = await bodies.file('w/a.txt');
    await t.desk.edit(set, 'w/a.txt', before.replace('line 1\n', 'mine\n'), { via: 'test', revision: 0 });
    const fresh = await bodies.file('w/a.txt');
    expect(fresh.content).not.toBe(content);
    expect((await bodies.lines('w/a.txt', content, 'proposed', 0, 5)).lines).toEqual([]);
    expect((await bodies.lines('w/a.txt', fresh.content, 'proposed', 0, 1)).lines[0]?.text).toBe('mine');
  });

  it('shows a hunk that was decided in parts as one change, whole and with its parts', async () => {
    const { t, set, bodies } = await atDesk();
    const [first = ''] = await hunksOf(t.desk, set, 'w/a.txt');
    const parts = await bodies.parts('w/a.txt', first);
    if (!('parts' in parts)) throw new Error('too large');
    expect(parts.parts).toHaveLength(4);
    await t.desk.decide(set, [{ file: 'w/a.txt', hunk: parts.parts[3]?.id ?? '', decision: 'reject' }], { via: 'test', revision: 0 });
    const { hunks, hunkCount } = await bodies.file('w/a.txt');
    expect(hunkCount).toBe(2);
    expect(hunks[0]).toMatchObject({ id: first, baseStart: 2, baseEnd: 4, proposedStart: 2, proposedEnd: 4 });
    expect(hunks[0]?.parts?.map(({ decision }) => decision)).toEqual([undefined, undefined, undefined, 'reject']);
    expect(await bodies.parts('w/a.txt', first)).toMatchObject({ parts: [{}, {}, {}, { decision: 'reject' }] });
  });

  it('gives the exact text of a change for editing, and finds text in changed lines only', async () => {
    const { t, set, bodies } = await atDesk({ 'a.txt': after, 'new.txt': 'half of it\n' });
    const [first = ''] = await hunksOf(t.desk, set, 'w/a.txt');
    expect(await bodies.hunkText('w/a.txt', first)).toEqual({ text: 'three\nfour\n' });
    const found = await bodies.search(['w/a.txt', 'w/new.txt'], 'HALF', new AbortController().signal);
    expect(found.hits.map(({ file, side, line }) => [file, side, line])).toEqual([
      ['w/a.txt', 'proposed', 500],
      ['w/new.txt', 'proposed', 1],
    ]);
    expect((await bodies.search(['w/a.txt'], 'line 7\n', new AbortController().signal)).hits).toEqual([]);
  });
});

describe('what the panel may ask', () => {
  it('decides on the revision that was seen, and looks again when that is gone', async () => {
    const { t, set, said, ask } = await atDesk();
    await expect(ask('decide', { file: 'w/a.txt', hunks: ['*'], decision: 'accept', revision: 7, confirmed: false })).rejects.toMatchObject({ reason: 'stale_revision' });
    expect(said).toEqual(['redraw']);
    expect(await ask('decide', { file: 'w/a.txt', hunks: ['*'], decision: 'accept', revision: 0, confirmed: false })).toBeUndefined();
    expect((await t.desk.state(set)).settled?.outcome).toBe('accepted');
    await expect(ask('decideAll', { decision: 'reject', revision: 0, confirmed: true })).rejects.toMatchObject({ reason: 'settled' });
  });

  it('D33: accepts what looks cut short only when it is confirmed, by file and for the whole set', async () => {
    const { t, set, ask } = await atDesk({ 'a.txt': numbered(10) });
    const warned = { confirm: [{ file: 'w/a.txt', warnings: [{ kind: 'drops_lines', from: 1000, to: 10, share: 0.99 }] }] };
    expect(await ask('decide', { file: 'w/a.txt', hunks: ['*'], decision: 'accept', revision: 0, confirmed: false })).toEqual(warned);
    expect(await ask('decideAll', { decision: 'accept', revision: 0, confirmed: false })).toEqual(warned);
    expect((await t.desk.state(set)).status).toBe('pending');
    expect(await ask('decideAll', { decision: 'accept', revision: 0, confirmed: true })).toBeUndefined();
    expect(await t.read('a.txt')).toBe(numbered(10));
  });

  it('only looks in a restricted workspace', async () => {
    const { t, set, said, ask } = await atDesk();
    const refuse = { requireTrust: () => { throw new Failure('not_trusted', 'restricted'); } };
    const acts: [ReviewRequestName, unknown][] = [
      ['decide', { file: 'w/a.txt', hunks: ['*'], decision: 'accept', revision: 0, confirmed: true }],
      ['decideAll', { decision: 'accept', revision: 0, confirmed: true }],
      ['edit', { file: 'w/a.txt', text: 'x', revision: 0 }],
      ['comment', { text: 'x' }],
      ['markReviewed', { file: 'w/a.txt', reviewed: true }],
      ['refresh', {}],
      ['undo', {}],
    ];
    for (const [name, args] of acts) await expect(ask(name, args, refuse), name).rejects.toMatchObject({ reason: 'not_trusted' });
    expect((await t.desk.state(set)).files[0]?.decisions).toEqual({});
    expect(await ask('file', { file: 'w/a.txt' }, refuse)).toMatchObject({ hunkCount: 2 });
    await ask('openNative', {}, refuse);
    expect(said).toEqual(['native ']);
  });

  it.each([
    ['decide', { file: 'w/a', hunks: [], decision: 'accept', revision: 0, confirmed: true }],
    ['decide', { file: 'w/a', hunks: ['h'], decision: 'accept', revision: 0 }],
    ['decide', { file: 'w/a', hunks: ['h'], decision: 'edited', revision: 0, confirmed: true }],
    ['comment', { text: '   ' }],
    ['edit', { file: 'w/a', text: 'x'.repeat(400_001), revision: 0 }],
    ['lines', { file: 'w/a', content: 'c', side: 'both', from: 0, to: 1 }],
    ['finish', {}],
    ['constructor', {}],
  ])('refuses %s %#', (name, args) => {
    expect(parseFromReview({ type: 'request', id: 1, name, args })).toBeUndefined();
  });
});

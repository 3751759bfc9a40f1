import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../extension/core/model/code.ts';
import { checkCitations } from '../../../extension/core/evidence/citations/check.ts';
import type { ExtractedCitation } from '../../../extension/core/evidence/citations/extract.ts';
import type { CitedCode } from '../../../extension/core/evidence/citations/resolve.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Code in memory, keyed by `root/path`; counts how often each file is read. */
function code(files: Record<string, string | Uint8Array>) {
  const reads: string[] = [];
  const names = [...new Set(Object.keys(files).map((path) => path.split('/')[0] ?? ''))];
  const snapshot: Snapshot = { takenAt: '', roots: names.map((name) => ({ name, path: `/${name}`, kind: 'plain', dirty: [], dirtyCount: 0 })) };
  const get = (path: string): Uint8Array | undefined => (typeof files[path] === 'string' ? bytes(files[path]) : files[path]);
  const reader: CitedCode = {
    async read(path) {
      reads.push(path);
      return get(path);
    },
    async list(root) {
      return Object.keys(files).filter((path) => path.startsWith(`${root}/`)).map((path) => path.slice(root.length + 1));
    },
    async resolve(path) {
      return get(path) ? { ok: true, entry: { path, kind: 'file', id: path, size: 0 } } : { ok: false, why: 'there is no such file in the snapshot' };
    },
    async prefetch() {},
  };
  return { snapshot, reader, reads, current: { read: async (path: string) => get(path) } };
}

async function one(files: Record<string, string | Uint8Array>, cited: ExtractedCitation, now?: Record<string, string>) {
  const [checked] = await checkCitations([cited], { ...code(files), current: code(now ?? files).current });
  return checked!;
}

const text = 'alpha\nbeta gamma\n\tdelta(1);\nalpha\nomega\n';

describe('states of a citation', () => {
  it('verified: the quote stands at the cited lines', async () => {
    expect(await one({ 'r/a.ts': text }, { file: 'r/a.ts', line: 2, quote: 'beta gamma' })).toMatchObject({ state: 'verified', file: 'r/a.ts', why: 'the quote stands there exactly' });
    expect(await one({ 'r/a.ts': text }, { file: 'r/a.ts', line: 2, endLine: 3, quote: 'gamma\r\n\tdelta(1);\r\n' })).toMatchObject({ state: 'verified' });
    expect((await one({ 'r/a.ts': text }, { file: 'r/a.ts', line: 3, quote: '  delta(1);' })).why).toContain('apart from white space');
    expect((await one({ 'r/a.ts': text }, { file: 'r/a.ts', quote: 'omega' })).why).toContain('line 5');
  });

  it('located: the place exists and nothing was quoted that could be compared', async () => {
    expect(await one({ 'r/a.ts': text }, { file: 'r/a.ts', line: 5 })).toMatchObject({ state: 'located' });
    expect(await one({ 'r/a.ts': text }, { file: 'r/a.ts' })).toMatchObject({ state: 'located' });
    expect(await one({ 'r/a.ts': 'f({\n});\n' }, { file: 'r/a.ts', line: 2, quote: '});' })).toMatchObject({ state: 'located' });
  });

  it('moved: the quote stands elsewhere in the file, nearest first', async () => {
    expect(await one({ 'r/a.ts': text }, { file: 'r/a.ts', line: 3, quote: 'alpha' })).toMatchObject({ state: 'moved', movedTo: 4, actual: '\tdelta(1);' });
    expect(await one({ 'r/a.ts': text }, { file: 'r/a.ts', line: 2, quote: 'alpha' })).toMatchObject({ state: 'moved', movedTo: 1 });
  });

  it('T10: missing: no such file or line, or the quote is nowhere; the real text is shown', async () => {
    expect(await one({ 'r/a.ts': text }, { file: 'r/a.ts', line: 2, quote: 'beta delta' })).toMatchObject({ state: 'missing', actual: 'beta gamma' });
    expect(await one({ 'r/a.ts': text }, { file: 'r/a.ts', line: 6 })).toMatchObject({ state: 'missing', why: 'the file has 5 lines' });
    expect(await one({ 'r/a.ts': text }, { file: 'r/a.ts', line: 4, endLine: 9 })).toMatchObject({ state: 'missing' });
    expect(await one({ 'r/a.ts': text }, { file: 'r/b.ts', line: 1 })).toMatchObject({ state: 'missing' });
    expect((await one({ 'r/a.ts': 'x'.repeat(9000) }, { file: 'r/a.ts', line: 1, quote: 'nope' })).actual?.length).toBeLessThan(2010);
  });

  it('stale: it holds in the snapshot, the working tree is different at those lines now', async () => {
    const changed = text.replace('beta gamma', 'beta GAMMA');
    expect(await one({ 'r/a.ts': text }, { file: 'r/a.ts', line: 2, quote: 'beta gamma' }, { 'r/a.ts': changed })).toMatchObject({ state: 'stale', actual: 'beta GAMMA' });
    expect(await one({ 'r/a.ts': text }, { file: 'r/a.ts', line: 2 }, { 'r/a.ts': changed })).toMatchObject({ state: 'stale' });
    expect(await one({ 'r/a.ts': text }, { file: 'r/a.ts', line: 5, quote: 'omega' }, { 'r/a.ts': changed })).toMatchObject({ state: 'verified' });
    expect(await one({ 'r/a.ts': text }, { file: 'r/a.ts', line: 5, quote: 'omega' }, { 'r/a.ts': `new\n${text}` })).toMatchObject({ state: 'stale', movedTo: 6 });
    expect(await one({ 'r/a.ts': text }, { file: 'r/a.ts', line: 5, quote: 'omega' }, { 'r/x.ts': '' })).toMatchObject({ state: 'stale' });
  });
});

describe('paths of a citation', () => {
  it('takes a path without root when only one root has it', async () => {
    const files = { 'r/a.ts': 'x\n', 's/b.ts': 'y\n', 'r/both.ts': '1', 's/both.ts': '2' };
    expect(await one(files, { file: 'b.ts', line: 1 })).toMatchObject({ state: 'located', file: 's/b.ts' });
    expect(await one(files, { file: './b.ts', line: 1 })).toMatchObject({ file: 's/b.ts' });
    expect(await one(files, { file: 'both.ts', line: 1 })).toMatchObject({ state: 'missing', why: 'the path is in several roots: r/both.ts, s/both.ts' });
  });

  it.each(['../etc/passwd', 'r/../../etc/passwd', '/etc/passwd', 'C:\\x', 'r/a.ts\0'])('does not follow %j', async (file) => {
    const checked = await one({ 'r/a.ts': 'x' }, { file, line: 1 });
    expect(checked.state).toBe('missing');
    expect(checked.why).toMatch(/not followed|NUL/u);
  });

  it('tells when only the case is wrong', async () => {
    const checked = await one({ 'r/src/App.ts': 'x' }, { file: 'r/src/app.ts', line: 1 });
    expect(checked.state).toBe('missing');
    expect(checked.why).toContain('r/src/App.ts');
  });
});

describe('encodings and line ends', () => {
  const utf16 = (order: 'le' | 'be', bom: boolean): Uint8Array => {
    const buffer = Buffer.from(`${bom ? '\uFEFF' : ''}first line\r\nzweite Zeile mit Wörtern\r\n`, 'utf16le');
    return order === 'le' ? buffer : buffer.swap16();
  };
  it.each<[string, Uint8Array]>([
    ['CRLF', bytes('first line\r\nzweite Zeile mit Wörtern\r\n')],
    ['CR', bytes('first line\rzweite Zeile mit Wörtern\r')],
    ['a BOM', bytes('\uFEFFfirst line\nzweite Zeile mit Wörtern')],
    ['UTF-16 LE', utf16('le', true)],
    ['UTF-16 BE', utf16('be', true)],
    ['UTF-16 LE without a mark', utf16('le', false)],
    ['Windows-1252', Buffer.from('first line\nzweite Zeile mit Wörtern\n', 'latin1')],
  ])('%s', async (_name, content) => {
    expect(await one({ 'r/a.ts': content }, { file: 'r/a.ts', line: 2, quote: 'zweite Zeile mit Wörtern' }, undefined)).toMatchObject({ state: 'verified' });
    expect(await one({ 'r/a.ts': content }, { file: 'r/a.ts', line: 1, endLine: 2, quote: 'first line\nzweite Zeile mit Wörtern' })).toMatchObject({ state: 'verified', why: 'the quote stands there exactly' });
    expect(await one({ 'r/a.ts': content }, { file: 'r/a.ts', line: 3 })).toMatchObject({ state: 'missing' });
  });

  it('has no lines in binary files', async () => {
    expect(await one({ 'r/a.bin': new Uint8Array([1, 0, 0, 2, 0, 9, 9, 9, 9]) }, { file: 'r/a.bin', line: 1 })).toMatchObject({ state: 'missing' });
  });
});

const word = fc.stringMatching(/^[a-z]{1,6}$/u);
const line = fc.array(fc.oneof(word, fc.constantFrom('(', ')', '{', '\t', '  ', 'é', '😀', '\u00a0')), { maxLength: 6 }).map((parts) => parts.join(' '));
const eol = fc.constantFrom('\n', '\r\n', '\r');

describe('whatever the file', () => {
  it('a quote cut from it is verified, and moved after lines were put above it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 30 }), eol, fc.nat(), fc.nat(4), fc.integer({ min: 1, max: 5 }), async (some, end, at, more, above) => {
        // Words of its own make each line unique, so that "elsewhere" is never also "there".
        const lines = some.map((content, index) => `${content} line${index}x`);
        const first = at % lines.length;
        const last = Math.min(lines.length - 1, first + more);
        const quote = lines.slice(first, last + 1).join('\n');
        const cited = { file: 'r/a.ts', line: first + 1, endLine: first + 1, quote };
        expect(await one({ 'r/a.ts': lines.join(end) }, cited)).toMatchObject({ state: 'verified', why: 'the quote stands there exactly' });
        const grown = [...Array.from({ length: above }, (_, index) => `new${index}`), ...lines];
        expect(await one({ 'r/a.ts': grown.join(end) }, cited)).toMatchObject({ state: 'moved', movedTo: first + 1 + above });
      }),
      { numRuns: 150 },
    );
  });

  it('is never verified or moved when the text is not there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 20 }), eol, fc.array(line, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 22 }), async (lines, end, quote, cited) => {
        const squeeze = (value: string): string => value.replaceAll(/\s+/gu, ' ').trim();
        const wanted = squeeze(quote.join('\n'));
        fc.pre(/[\p{L}\p{N}]/u.test(wanted) && !squeeze(lines.join('\n')).includes(wanted));
        expect((await one({ 'r/a.ts': lines.join(end) }, { file: 'r/a.ts', line: cited, quote: quote.join('\n') })).state).toBe('missing');
      }),
      { numRuns: 300 },
    );
  });
});

it('reads a file once for all its citations', async () => {
  const held = code({ 'r/a.ts': text, 'r/b.ts': text });
  await checkCitations(Array.from({ length: 40 }, (_, index) => ({ file: index % 2 ? 'r/a.ts' : 'a.ts', line: 1 + (index % 5) })).concat([{ file: 'r/b.ts', line: 1 }]), held);
  expect(held.reads).toEqual(['r/a.ts', 'r/b.ts']);
});

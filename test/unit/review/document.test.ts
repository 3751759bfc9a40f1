import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeDocument, encodeDocument, linesOf } from '../../../extension/core/review/files/document.ts';
import { codingArbitrary, codings, textArbitrary, toBytes } from './samples.ts';

const same = (bytes: Uint8Array): void => {
  const document = decodeDocument(bytes);
  if (document.kind === 'text') expect(Buffer.from(encodeDocument(document)).equals(Buffer.from(bytes))).toBe(true);
  else expect(document.size).toBe(bytes.length);
};

describe('reading a file as lines', () => {
  it('gives the same bytes again, for any bytes at all', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), same), { numRuns: 2000 });
    const awkward = fc.array(fc.constantFrom(0, 10, 13, 65, 0xef, 0xbb, 0xbf, 0xff, 0xfe, 0x81, 0x9f, 0xc3, 0xa9, 0xd8, 0xdc), { maxLength: 24 });
    fc.assert(fc.property(awkward, (bytes) => same(Uint8Array.from(bytes))), { numRuns: 3000 });
  });

  it('reads text in every encoding as what it is, with the ends it has', () => {
    fc.assert(
      fc.property(codingArbitrary.chain((coding) => fc.tuple(fc.constant(coding), textArbitrary(coding))), ([coding, text]) => {
        const bytes = toBytes(text, coding);
        const document = decodeDocument(bytes, { encoding: coding.encoding });
        if (document.kind !== 'text') throw new Error(document.why);
        expect(document.lines.map((line) => line.text + line.end).join('')).toBe(text);
        expect(document.bom).toBe(coding.bom);
        expect(Buffer.from(encodeDocument(document)).equals(Buffer.from(bytes))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(codings)('recognises $encoding (mark: $bom) without being told', (coding) => {
    const document = decodeDocument(toBytes(`first line\r\ncaf\u00e9${coding.encoding === 'windows-1252' ? '€' : ''}\n`, coding));
    // Without a byte that only one of them knows, Latin-1 and Windows-1252 are the same file.
    expect(document).toMatchObject({ kind: 'text', bom: coding.bom, encoding: coding.encoding === 'latin-1' ? 'windows-1252' : coding.encoding });
  });

  it('gives each line its own end', () => {
    expect(linesOf('a\nb\r\nc\rd')).toEqual([{ text: 'a', end: '\n' }, { text: 'b', end: '\r\n' }, { text: 'c', end: '\r' }, { text: 'd', end: '' }]);
    expect(linesOf('\r\r\n\n')).toEqual([{ text: '', end: '\r' }, { text: '', end: '\r\n' }, { text: '', end: '\n' }]);
    expect(linesOf('')).toEqual([]);
  });

  it('D32: a picture, a NUL far into a file, odd UTF-16 and an LFS pointer are whole files with size and hash', () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]);
    expect(decodeDocument(png)).toMatchObject({ kind: 'whole', why: 'binary', size: 12, hash: expect.stringMatching(/^[0-9a-f]{64}$/u) as string });
    const late = Buffer.alloc(9001, 'text ');
    late[9000] = 0;
    expect(decodeDocument(late)).toMatchObject({ kind: 'whole', why: 'binary' });
    expect(decodeDocument(Buffer.from([0xff, 0xfe, 0x41]))).toMatchObject({ kind: 'whole', why: 'undecodable' });
    expect(decodeDocument(Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]))).toMatchObject({ kind: 'whole', why: 'undecodable' });
    expect(decodeDocument(Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n'))).toMatchObject({ kind: 'whole', why: 'lfs_pointer' });
    expect(decodeDocument(Buffer.from('plain text\n', 'utf16le'))).toMatchObject({ kind: 'text', encoding: 'utf-16le', bom: false });
    expect(decodeDocument(Buffer.from('a hint does not make text of it\0'), { encoding: 'latin-1' })).toMatchObject({ kind: 'whole', why: 'binary' });
  });

  it('D29: a file beyond the limit is whole, under the hash it already has', () => {
    expect(decodeDocument(Buffer.alloc(2000, 'x'), { maxBytes: 1999, hash: 'known' })).toEqual({ kind: 'whole', why: 'too_large', size: 2000, hash: 'known' });
  });

  it('refuses to write what an encoding has no place for', () => {
    expect(() => encodeDocument({ encoding: 'latin-1', bom: false, lines: [{ text: '€', end: '\n' }] })).toThrow(/U\+20AC/u);
    expect(() => encodeDocument({ encoding: 'windows-1252', bom: false, lines: [{ text: '→', end: '\n' }] })).toThrow(/U\+2192/u);
    expect(() => encodeDocument({ encoding: 'utf-8', bom: false, lines: [{ text: '\ud800', end: '' }] })).toThrow(/U\+D800/u);
    expect(Buffer.from(encodeDocument({ encoding: 'windows-1252', bom: false, lines: [{ text: '€Ÿ\u0081', end: '' }] }))).toEqual(Buffer.from([0x80, 0x9f, 0x81]));
  });
});

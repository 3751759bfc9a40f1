import * as fc from 'fast-check';
import type { TextEncoding } from '../../../extension/core/review/files/encodings.ts';

/** One way to write a file: encoding with or without its mark. */
export interface Coding {
  encoding: TextEncoding;
  bom: boolean;
}

export const codings: Coding[] = [
  { encoding: 'utf-8', bom: false },
  { encoding: 'utf-8', bom: true },
  { encoding: 'utf-16le', bom: true },
  { encoding: 'utf-16be', bom: true },
  { encoding: 'utf-16le', bom: false },
  { encoding: 'utf-16be', bom: false },
  { encoding: 'latin-1', bom: false },
  { encoding: 'windows-1252', bom: false },
];

/** Text to bytes without the code under test. */
export function toBytes(text: string, coding: Coding): Uint8Array {
  if (coding.encoding === 'utf-8') return Buffer.concat([coding.bom ? Buffer.from([0xef, 0xbb, 0xbf]) : Buffer.alloc(0), Buffer.from(text, 'utf8')]);
  if (coding.encoding === 'latin-1') return Buffer.from(text, 'latin1');
  if (coding.encoding === 'windows-1252') return Buffer.from(text.replaceAll('€', '\u0080').replaceAll('“', '\u0093'), 'latin1');
  const little = Buffer.concat([coding.bom ? Buffer.from([0xff, 0xfe]) : Buffer.alloc(0), Buffer.from(text, 'utf16le')]);
  return coding.encoding === 'utf-16le' ? little : little.swap16();
}

/** A few words, so that lines repeat and diffs have something to be wrong about; some only for their encoding. */
const words = (coding: Coding): string[] => {
  const plain = ['', 'a', 'b', 'if (x) {', '}', '  return 1;', '\tcall();', 'long line of some text'];
  if (coding.encoding === 'latin-1') return [...plain, 'caf\u00e9', '\u00c4\u00d6'];
  if (coding.encoding === 'windows-1252') return [...plain, 'caf\u00e9', '€ 3', '“x'];
  return [...plain, 'café', '需求', '😀 x'];
};

export const lineArbitrary = (coding: Coding): fc.Arbitrary<string> => fc.constantFrom(...words(coding));
export const endArbitrary = fc.constantFrom<'\n' | '\r\n' | '\r'>('\n', '\n', '\r\n', '\r\n', '\r');

/** A file's lines with ends of every kind; a lone CR never stands before an empty line with LF, which would be one CRLF. */
export const textArbitrary = (coding: Coding, maxLines = 24): fc.Arbitrary<string> =>
  fc.record({ lines: fc.array(fc.tuple(lineArbitrary(coding), endArbitrary), { maxLength: maxLines }), single: fc.option(endArbitrary), open: fc.boolean() }).map(({ lines, single, open }) => {
    const text = lines.map(([line, end]) => line + (single ?? end)).join('');
    const last = lines.at(-1);
    return open && last ? text.slice(0, text.length - (single ?? last[1]).length) : text;
  });

export const codingArbitrary = fc.constantFrom(...codings);

import { Failure } from '../../base/failure.ts';
import type { ReviewFailureReason } from './failure.ts';

/** Encodings in which a file is reviewed hunk by hunk. Single-byte ones map every byte to one character and back. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin-1' | 'windows-1252';

/** Windows-1252 between 0x80 and 0x9f (WHATWG Encoding Standard); the five unassigned bytes are the control characters of the same number. */
const windowsHigh = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const windowsByte = new Map(Array.from(windowsHigh, (character, index) => [character, 0x80 + index]));

/** The text of bytes without a byte order mark, or undefined when they are not valid in that encoding. Always undone exactly by `encodeText`. */
export function decodeBytes(bytes: Uint8Array, encoding: TextEncoding): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (encoding === 'latin-1') return buffer.toString('latin1');
  // Not TextDecoder: some versions of Node read its windows-1252 as Latin-1.
  if (encoding === 'windows-1252') return buffer.toString('latin1').replaceAll(/[\u0080-\u009f]/gu, (character) => windowsHigh[character.charCodeAt(0) - 0x80] ?? character);
  if (encoding === 'utf-8') {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return undefined;
    }
  }
  if (buffer.length % 2 === 1) return undefined;
  // Swapped by hand, since an editor's runtime need not know UTF-16BE. A half surrogate survives both ways, so it is no loss.
  return encoding === 'utf-16le' ? buffer.toString('utf16le') : Buffer.from(buffer).swap16().toString('utf16le');
}

/** Bytes of a text without a byte order mark. Fails `unencodable` rather than write a question mark. */
export function encodeText(text: string, encoding: TextEncoding): Uint8Array {
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const missing = unencodable(text, encoding);
  if (missing.length > 0) {
    const shown = missing.slice(0, 20);
    throw new Failure<ReviewFailureReason>('unencodable', `${encoding} has no place for ${shown.map(codePointName).join(', ')}`, { detail: { encoding, characters: shown.map(codePointName) } });
  }
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  if (encoding === 'latin-1') return Buffer.from(text, 'latin1');
  const bytes = Buffer.allocUnsafe(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    bytes[index] = code < 0x80 || (code > 0x9f && code < 0x100) ? code : (windowsByte.get(text.charAt(index)) ?? code);
  }
  return bytes;
}

/** The different characters of a text that an encoding cannot hold. */
export function unencodable(text: string, encoding: TextEncoding): string[] {
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return [];
  if (encoding === 'utf-8') return text.isWellFormed() ? [] : [...new Set(text.match(/\p{Surrogate}/gu))];
  const beyond = new Set(text.match(encoding === 'latin-1' ? /[^\u0000-\u00ff]/gu : /[^\u0000-\u007f\u00a0-\u00ff]/gu));
  return [...beyond].filter((character) => encoding === 'latin-1' || !windowsByte.has(character));
}

/** The byte order mark of an encoding that has one. */
export function byteOrderMark(encoding: TextEncoding): Uint8Array {
  if (encoding === 'utf-8') return Uint8Array.of(0xef, 0xbb, 0xbf);
  if (encoding === 'utf-16le') return Uint8Array.of(0xff, 0xfe);
  if (encoding === 'utf-16be') return Uint8Array.of(0xfe, 0xff);
  return new Uint8Array();
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

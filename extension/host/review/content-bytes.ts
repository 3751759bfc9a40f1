import { isUtf8 } from 'node:buffer';
import type { FileView } from '../../core/review/port.ts';
import { decodeDocument, joinLines } from '../../core/review/files/document.ts';
import { byteOrderMark, decodeBytes } from '../../core/review/files/encodings.ts';
import type { Content } from '../../core/review/files/file-review.ts';
import type { Side } from './addresses.ts';

const mark = byteOrderMark('utf-8');

/**
 * A side's content as the editor is to read it: text always as UTF-8, whatever its encoding on disk is; anything else byte by byte. `marked`: with a byte order
 * mark, by which the editor knows UTF-8 even where a setting names another encoding; it does not show it.
 */
export function bytesFor(view: Pick<FileView, 'review'>, side: Side, marked: boolean): Uint8Array {
  const content = side === 'base' ? view.review.base : view.review.proposed;
  const text = textOf(view, side, content);
  if (text === undefined) return content.kind === 'file' ? content.bytes : new Uint8Array();
  const body = Buffer.from(text, 'utf8');
  return marked ? Buffer.concat([mark, body]) : body;
}

/** The text of what the editor saves; undefined for bytes that are no text. */
export function savedText(bytes: Uint8Array): string | undefined {
  const body = hasMark(bytes) ? bytes.subarray(mark.length) : bytes;
  if (isUtf8(body)) return Buffer.from(body).toString('utf8');
  // Saved with another encoding on purpose; recognised as any file is.
  const document = decodeDocument(bytes);
  return document.kind === 'text' ? joinLines(document.lines) : undefined;
}

function textOf({ review }: Pick<FileView, 'review'>, side: Side, content: Content): string | undefined {
  if (content.kind === 'link') return `${content.target}\n`;
  if (content.kind !== 'file') return '';
  if (review.body.kind === 'lines') {
    const { encoding, bom } = review.body[side];
    return decodeBytes(content.bytes.subarray(bom ? byteOrderMark(encoding).length : 0), encoding);
  }
  const document = decodeDocument(content.bytes);
  return document.kind === 'text' ? joinLines(document.lines) : undefined;
}

function hasMark(bytes: Uint8Array): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

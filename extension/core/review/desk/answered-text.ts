import { Failure } from '../../base/failure.ts';
import type { BlobStore } from '../../journal/port.ts';
import type { CallerAnswer } from '../../model/change.ts';
import { decodeDocument, joinLines } from '../files/document.ts';
import type { DeskFailureReason } from '../port.ts';

/**
 * The text that an answer accepts in place of the proposed one, with the file's own line ends; undefined where the proposal was accepted as it is, or nothing was.
 * `key`: `root/path`. Fails `not_found` when its bytes are not kept any more or are no text.
 */
export async function editedText(answer: Pick<CallerAnswer, 'edited'> | undefined, key: string, blobs: Pick<BlobStore, 'get'>): Promise<string | undefined> {
  const hash = answer?.edited?.[key];
  if (hash === undefined) return undefined;
  const bytes = await blobs.get(hash);
  const document = bytes === undefined ? undefined : decodeDocument(bytes, { maxBytes: bytes.length });
  if (document?.kind !== 'text') throw new Failure<DeskFailureReason>('not_found', 'The accepted content cannot be read as text.');
  return joinLines(document.lines);
}

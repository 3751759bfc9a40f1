import { Failure } from '../../base/failure.ts';
import { sha256 } from '../../base/hash.ts';
import type { BlobStore } from '../../journal/port.ts';
import type { ContentRef } from '../../model/change.ts';
import type { Content } from '../files/file-review.ts';
import type { DeskFailureReason } from '../port.ts';

/** Keeps the bytes of a content as a blob and gives what events say of it. */
export async function keepContent(blobs: Pick<BlobStore, 'put'>, content: Content): Promise<ContentRef> {
  if (content.kind !== 'file') return content;
  const hash = await blobs.put(content.bytes);
  return { kind: 'file', hash, size: content.bytes.length, ...(content.mode === undefined ? {} : { mode: content.mode }) };
}

/** The exact content again. Fails `not_found` when its bytes were erased, `corrupt` when they are not what the hash says. */
export async function contentOf(blobs: BlobStore, ref: ContentRef): Promise<Content> {
  if (ref.kind !== 'file') return ref;
  const bytes = await blobs.get(ref.hash);
  if (bytes === undefined) throw new Failure<DeskFailureReason>('not_found', 'The bytes of this change are no longer kept.', { detail: { hash: ref.hash } });
  return { kind: 'file', bytes, ...(ref.mode === undefined ? {} : { mode: ref.mode }) };
}

/** Whether two contents are the same thing on disk; modes count only where both are known. */
export function sameRef(a: ContentRef, b: ContentRef): boolean {
  if (a.kind === 'file' && b.kind === 'file') return a.hash === b.hash && (a.mode === undefined || b.mode === undefined || (a.mode & 0o7777) === (b.mode & 0o7777));
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  return a.kind === b.kind;
}

/** Whether a content is what a reference names, whatever its mode; no blob is read for it. */
export function isContent(content: Content, ref: ContentRef): boolean {
  if (content.kind === 'file' && ref.kind === 'file') return content.bytes.length === ref.size && sha256(content.bytes) === ref.hash;
  return content.kind === ref.kind && (content.kind !== 'link' || ref.kind !== 'link' || content.target === ref.target);
}

/** Whether two contents are the same bytes or the same link, whatever their modes. */
export function sameBytes(a: Content, b: Content): boolean {
  if (a.kind === 'file' && b.kind === 'file') return Buffer.compare(a.bytes, b.bytes) === 0;
  return a.kind === b.kind && (a.kind !== 'link' || b.kind !== 'link' || a.target === b.target);
}

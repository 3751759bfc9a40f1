import type { BlobStore } from '../../journal/port.ts';
import type { FileChange } from '../../model/change.ts';
import { linesOf } from '../files/document.ts';
import type { Content, FileReview } from '../files/file-review.ts';
import { keepContent } from './contents.ts';
import { countsOf } from './views.ts';

/** A comparison as events hold it: contents by their blobs. */
export async function recorded(review: FileReview, file: { encoding?: string | undefined; by?: FileChange['by']; merged?: boolean | undefined }, blobs: Pick<BlobStore, 'put'>): Promise<FileChange> {
  const { kind, root, path, from } = review;
  const [base, proposed] = await Promise.all([keepContent(blobs, review.base), keepContent(blobs, review.proposed)]);
  return {
    kind,
    root,
    path,
    ...(from === undefined ? {} : { from }),
    base,
    proposed,
    ...(file.encoding === undefined ? {} : { encoding: file.encoding }),
    ...(file.by === undefined ? {} : { by: file.by }),
    ...(file.merged === true ? { merged: true } : {}),
    counts: entryCounts(review) ?? countsOf(review.hunks),
  };
}

/** Lines of a new or deleted text, which is one hunk. */
function entryCounts(review: FileReview): FileChange['counts'] | undefined {
  const lines = (content: Content): number => (content.kind === 'file' && content.bytes.length <= 1024 * 1024 && !content.bytes.includes(0) ? linesOf(Buffer.from(content.bytes).toString('utf8')).length : 0);
  if (review.base.kind === 'absent') return { hunks: review.hunks.length, added: lines(review.proposed), removed: 0 };
  if (review.proposed.kind === 'absent') return { hunks: review.hunks.length, added: 0, removed: lines(review.base) };
  return undefined;
}

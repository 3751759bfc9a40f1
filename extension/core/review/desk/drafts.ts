import { Failure } from '../../base/failure.ts';
import type { EventBody } from '../../journal/kinds/index.ts';
import type { BlobStore } from '../../journal/port.ts';
import type { Content } from '../files/file-review.ts';
import { pairText } from '../files/pair.ts';
import { resolveFile } from '../files/resolve.ts';
import { runInSlices } from '../files/slices.ts';
import type { ReviewFailureReason } from '../files/failure.ts';
import { unifiedDiff } from '../files/unified.ts';
import { contentOf, keepContent, sameBytes } from './contents.ts';
import { textOfBytes } from './present.ts';
import { carriedDecisions } from './rebasing.ts';
import { type FileState, shownRef } from './state.ts';
import { countsOf, reviewOf, type Views } from './views.ts';

/**
 * A person's text for the proposed side, in the file's encoding and line ends, as it is recorded. Undefined text, or text that says what was proposed, is no draft.
 * Fails `impossible_decision` where there is no text to edit, `unencodable`.
 */
export async function draftToRecord(file: FileState, text: string | undefined, revision: number, deps: { blobs: BlobStore; views: Views }): Promise<EventBody<'file.edited'>> {
  const { blobs, views } = deps;
  const [base, proposed, shown, before] = await Promise.all([contentOf(blobs, file.base), contentOf(blobs, file.proposed), contentOf(blobs, shownRef(file)), views.shown(file)]);
  const content = text === undefined ? proposed : await written(shown, text);
  const draft = sameBytes(content, proposed) ? undefined : content;
  const after = await reviewOf(file, base, draft ?? proposed);
  const { from: _renamed, ...place } = file;
  const patch = draft === undefined ? undefined : unifiedDiff(await reviewOf(place, proposed, draft), { base: `proposed/${file.path}`, proposed: `reviewer/${file.path}` });
  return {
    root: file.root,
    path: file.path,
    revision,
    counts: countsOf(after.hunks),
    carried: carriedDecisions(file, before.hunks, after.hunks),
    ...(draft === undefined ? {} : { draft: await keepContent(blobs, draft) }),
    ...(patch === undefined ? {} : { patch }),
  };
}

/** The whole proposed side as text, with a person's lines in place of what one hunk proposes. */
export async function textWithHunk(file: FileState, hunk: string, text: string, views: Views): Promise<string> {
  const review = await views.shown(file);
  const created = review.hunks.find((candidate) => candidate.kind === 'entry' && candidate.what === 'create');
  if (created?.id === hunk) return text;
  const { after } = resolveFile(review, new Map([[hunk, { decision: 'edited', text }]]), { pending: 'proposed' });
  const whole = after.kind === 'file' ? textOfBytes(after.bytes) : undefined;
  if (whole === undefined) throw new Failure<ReviewFailureReason>('impossible_decision', `${file.key} is not edited as text.`);
  return whole;
}

async function written(shown: Content, text: string): Promise<Content> {
  if (shown.kind !== 'file') throw new Failure<ReviewFailureReason>('impossible_decision', 'There is no text here to edit.');
  const pair = await runInSlices(pairText(shown.bytes, text));
  if (pair.kind === 'whole') throw new Failure<ReviewFailureReason>(pair.why === 'unencodable' ? 'unencodable' : 'impossible_decision', pair.why === 'unencodable' ? "The file's encoding has no place for some of these characters." : 'This file is not edited as text.');
  return { ...shown, bytes: pair.proposedBytes };
}

import { mapAtOnce } from '../../base/at-once.ts';
import { Failure } from '../../base/failure.ts';
import { newId } from '../../base/ids.ts';
import type { BlobStore } from '../../journal/port.ts';
import { type ChangeSet, type FileChange, fileKey } from '../../model/change.ts';
import { reviewFile } from '../files/file-review.ts';
import type { TextEncoding } from '../files/encodings.ts';
import type { DeskFailureReason, Proposal, ProposedFile } from '../port.ts';
import { sameBytes } from './contents.ts';
import type { PresentFiles } from './present.ts';
import { movedTo, type MovedReview } from './rebasing.ts';
import { recorded } from './recorded.ts';
import { refName, type SetState } from './state.ts';
import { reviewOf } from './views.ts';

/** A proposal as it will be recorded, with hunks where both sides changed the same lines since the caller looked. */
export interface Received {
  changeSet: ChangeSet;
  conflicts: { file: string; hunks: string[]; origins: Record<string, string[]> }[];
}

/** Files of a set that are worked on at a time: most of it is waiting for the disk. */
export const filesAtOnce = 8;

export interface IntakeDeps {
  blobs: BlobStore;
  present: PresentFiles;
}

/**
 * Takes a proposal in: every path checked, every base compared with what is there now (a proposal on an older base is re-based), every content kept.
 * Undefined when nothing would change. Fails `bad_proposal`.
 */
export async function receive(proposal: Proposal, deps: IntakeDeps, signal?: AbortSignal): Promise<Received | undefined> {
  if (new Set(proposal.files.map(fileKey)).size !== proposal.files.length) throw new Failure<DeskFailureReason>('bad_proposal', 'A file appears twice in this proposal.');
  const kept = deps.blobs.together();
  const taken = await mapAtOnce(proposal.files, filesAtOnce, async (proposed) => {
    const { review, conflicts: own, origins, merged } = await compare(proposal, proposed, deps, signal);
    return review.hunks.length === 0 ? [] : [{ change: await recorded(review, { ...proposed, merged }, kept), own, origins }];
  });
  await kept.done();
  const files = taken.flat().map((one) => one.change);
  const conflicts = taken.flat().filter((one) => one.own.length > 0).map(({ change, own, origins }) => ({ file: fileKey(change), hunks: own, origins }));
  if (files.length === 0) return undefined;
  const { title, explanation, origin, disk } = proposal;
  return { changeSet: { id: newId('set'), title: title.trim() === '' ? fallbackTitle(files) : title, ...(explanation === undefined ? {} : { explanation }), origin, disk, files }, conflicts };
}

/** The same change again: same client, files, bases and contents. */
export function isSameProposal(state: SetState, other: ChangeSet): boolean {
  if (state.origin.client !== other.origin.client || state.disk !== other.disk || state.files.length !== other.files.length) return false;
  const known = new Set(state.files.map(identity));
  return other.files.every((file) => known.has(identity(file)));
}

function identity(file: FileChange): string {
  return [fileKey(file), file.from ?? '', refName(file.base), refName(file.proposed)].join('\n');
}

async function compare(proposal: Proposal, file: ProposedFile, deps: IntakeDeps, signal?: AbortSignal): Promise<MovedReview & { merged: boolean }> {
  const encoding = file.encoding === undefined ? {} : { encoding: file.encoding };
  if (proposal.disk === 'applied') {
    // Both sides are given and exact: the difference is there already.
    if (file.base === undefined || file.proposed.kind === 'text') throw new Failure<DeskFailureReason>('bad_proposal', `${fileKey(file)}: what was there before is not given.`);
    await deps.present.at(file, { link: true });
    return { review: await reviewOf({ ...file, ...encoding }, file.base, file.proposed, signal), conflicts: [], origins: {}, merged: false };
  }
  const through = (file.proposed.kind === 'file' || file.proposed.kind === 'text') && file.from === undefined;
  const { content: present } = await deps.present.at({ root: file.root, path: file.from ?? file.path }, { link: !through });
  if (file.from !== undefined && file.from !== file.path) await refuseTaken(file, deps.present);
  const decode = file.encoding === undefined ? {} : { decode: { encoding: file.encoding as TextEncoding } };
  const from = file.from === undefined ? {} : { from: file.from };
  const given = await reviewFile({ root: file.root, path: file.path, ...from, base: file.base ?? present, proposed: file.proposed, ...decode }, signal === undefined ? {} : { signal });
  // Compared again by exact bytes, as every later look does, so that ids are those that will be asked for.
  const review = await reviewOf({ ...file, ...encoding }, given.base, given.proposed, signal);
  if (file.base === undefined || sameBytes(file.base, present)) return { review, conflicts: [], origins: {}, merged: false };
  const moved = await movedTo(present, { ...file, ...encoding }, file.base, given.proposed, signal);
  return { ...moved, merged: !sameBytes(moved.review.proposed, given.proposed) };
}

/** A rename never goes over a file that is there; on a disk that does not tell cases apart, the file itself is. */
async function refuseTaken(file: ProposedFile, present: PresentFiles): Promise<void> {
  if (file.from?.toLowerCase() === file.path.toLowerCase()) return;
  const there = await present.at(file, { link: true });
  if (there.content.kind !== 'absent') throw new Failure<DeskFailureReason>('bad_proposal', `${fileKey(file)} is there already; a file cannot be renamed onto it.`);
}

function fallbackTitle(files: readonly FileChange[]): string {
  const first = files[0]?.path ?? '';
  return files.length === 1 ? first : `${first} and ${files.length - 1} more`;
}

/** Why the desk and its sources refuse. In a file without the rooms below, since the pages of panels know the words for these reasons too. */

export type DeskFailureReason =
  /** No such set, file, hunk or comment. */
  | 'not_found'
  /** The set has its outcome already; `detail.outcome` says which. */
  | 'settled'
  /** The set was re-based since the person saw it; look again. */
  | 'stale_revision'
  /** Something is still undecided. */
  | 'undecided'
  /** Nothing of it was written by Casebook or seen on disk, or its blobs are gone. */
  | 'nothing_to_undo'
  /** What is on disk is no longer what the set left there; nothing was changed. */
  | 'changed_since'
  /** Paths that no review may touch (outside of the roots, git's own folder), or no file at all. */
  | 'bad_proposal'
  | 'closed';

export type CheckpointFailureReason = 'not_found' | 'closed';

export type SourceFailureReason =
  /** The revision to compare with names no commit. */
  | 'no_such_revision'
  /** No change can be read out of the patch. */
  | 'bad_patch';

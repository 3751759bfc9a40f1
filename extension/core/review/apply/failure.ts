import { errorCode } from '../../base/files.ts';
import { Failure, isFailure, messageOf } from '../../base/failure.ts';

export type WriteFailureReason =
  /** What is on disk (or in an open buffer) is no longer the base; `detail.conflicts` names each path. Merge and ask again. */
  | 'base_changed'
  /** An open buffer holds unsaved text; the change belongs into the buffer. */
  | 'dirty_buffer'
  | 'unknown_root'
  /** No clean relative path. */
  | 'bad_path'
  /** A link on the way leads out of the root, or is not followed by policy, or leads nowhere. */
  | 'link_refused'
  /** Git's own folder. */
  | 'protected'
  /** Two changes of one file in a set. */
  | 'duplicate_path'
  | 'read_only'
  /** A folder where a file should go, or a file where a folder should be. */
  | 'in_the_way'
  /** The file would belong to somebody else afterwards. */
  | 'owner'
  /** Another write, alive or not yet recovered, has one of the files. */
  | 'busy'
  /** Read back, the file was not what was written. */
  | 'verify_failed'
  | 'cancelled'
  | 'io';

export interface WriteConflict {
  /** `root/path`. */
  path: string;
  found: 'absent' | 'file' | 'link' | 'folder' | 'other';
  /** SHA-256 of the bytes found, where it is a file. */
  hash?: string;
}

/** A file that could not be put back, because somebody else has changed it since; `kept`: where its content before that is, if it is nowhere else. */
export interface LeftBehind {
  path: string;
  kept?: string;
}

/** `detail` of every failure of a write. `rolledBack`: nothing of the set is on disk; false: `recoverWrites` has to finish. */
export interface WriteFailureDetail {
  path?: string;
  code?: string;
  conflicts?: WriteConflict[];
  rolledBack: boolean;
  left: LeftBehind[];
}

export function writeFailure(reason: WriteFailureReason, message: string, detail: Partial<WriteFailureDetail> = {}, cause?: unknown): Failure<WriteFailureReason> {
  return new Failure(reason, message, { detail: { rolledBack: true, left: [], ...detail } satisfies WriteFailureDetail, ...(cause === undefined ? {} : { cause }) });
}

/** Any error as a failure of a write, with what became of the roll back. */
export function withRollback(error: unknown, rolledBack: boolean, left: LeftBehind[]): Failure<WriteFailureReason> {
  if (isFailure<WriteFailureReason>(error)) {
    const detail = typeof error.detail === 'object' ? error.detail : {};
    return new Failure(error.reason, error.message, { detail: { ...detail, rolledBack, left }, cause: error.cause ?? error });
  }
  const code = errorCode(error);
  return writeFailure('io', messageOf(error), { rolledBack, left, ...(code === undefined ? {} : { code }) }, error);
}

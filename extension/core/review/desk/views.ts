import { Failure } from '../../base/failure.ts';
import type { BlobStore } from '../../journal/port.ts';
import type { TextEncoding } from '../files/encodings.ts';
import type { Content, FileReview } from '../files/file-review.ts';
import { reviewFile } from '../files/file-review.ts';
import { type Hunk, splitFor } from '../files/hunks.ts';
import { runInSlices } from '../files/slices.ts';
import { type Warning, warningSteps } from '../files/warnings.ts';
import type { FileChange } from '../../model/change.ts';
import type { DeskFailureReason, FileView } from '../port.ts';
import { contentOf } from './contents.ts';
import { type FileState, type HunkState, refName, type SetState, shownRef } from './state.ts';

/** Comparisons kept for surfaces that ask again, as a number of files. */
const keptReviews = 48;
/** A comparison of more bytes than this is not kept. */
const keptBytes = 4 * 1024 * 1024;

/** One file's comparison with where decisions stand. Nothing here is decided or written. */
export class Views {
  private readonly kept = new Map<string, Promise<FileReview>>();
  private readonly warned = new WeakMap<FileReview, Promise<Warning[]>>();

  constructor(private readonly blobs: BlobStore) {}

  /** Fails `not_found` for a file that is not in the set, or whose bytes were erased. */
  async file(state: SetState, key: string, signal?: AbortSignal): Promise<FileView> {
    const file = fileOf(state, key);
    const [own, shown, proposed] = await Promise.all([this.proposal(file, signal), this.shown(file, signal), contentOf(this.blobs, file.proposed)]);
    const ids = Object.keys(file.decisions);
    const hunks = splitFor(shown.hunks, ids);
    const ownIds = new Set(own.hunks.map((hunk) => hunk.id));
    return {
      set: state.id,
      revision: state.revision,
      file,
      review: { ...shown, hunks },
      proposed,
      decisions: decisionsOf(file, hunks),
      edited: new Set(file.draft === undefined ? [] : hunks.filter((hunk) => !ownIds.has(hunk.id.split('.')[0] ?? '')).map((hunk) => hunk.id)),
      conflicts: new Set(file.conflicts),
      origins: new Map(Object.entries(file.origins ?? {})),
      warnings: await this.warnings(own),
    };
  }

  /** From the base to the agent's own proposal. */
  proposal(file: FileState, signal?: AbortSignal): Promise<FileReview> {
    return this.review(file, file.proposed, signal);
  }

  /** From the base to what is shown: the person's draft where there is one. */
  shown(file: FileState, signal?: AbortSignal): Promise<FileReview> {
    return this.review(file, shownRef(file), signal);
  }

  private warnings(review: FileReview): Promise<Warning[]> {
    const made = this.warned.get(review) ?? runInSlices(warningSteps(review));
    this.warned.set(review, made);
    return made;
  }

  private review(file: FileState, to: FileState['proposed'], signal?: AbortSignal): Promise<FileReview> {
    const name = [file.key, file.from ?? '', refName(file.base), refName(to), modeOf(file.base), modeOf(to), file.encoding ?? ''].join('\n');
    const known = this.kept.get(name);
    if (known !== undefined) {
      this.kept.delete(name);
      this.kept.set(name, known);
      return known;
    }
    const made = this.compare(file, to, signal);
    const bytes = (file.base.kind === 'file' ? file.base.size : 0) + (to.kind === 'file' ? to.size : 0);
    if (bytes <= keptBytes) {
      this.kept.set(name, made);
      // One that failed or was cancelled is made anew for the next who asks.
      made.catch(() => this.kept.delete(name));
      for (const oldest of this.kept.keys()) {
        if (this.kept.size <= keptReviews) break;
        this.kept.delete(oldest);
      }
    }
    return made;
  }

  private async compare(file: FileState, to: FileState['proposed'], signal?: AbortSignal): Promise<FileReview> {
    const [base, proposed] = await Promise.all([contentOf(this.blobs, file.base), contentOf(this.blobs, to)]);
    return reviewOf(file, base, proposed, signal);
  }
}

/** Compares exact contents for a set; the same call everywhere, so that hunk ids are the same everywhere. */
export function reviewOf(file: Pick<FileChange, 'root' | 'path' | 'from' | 'encoding'>, base: Content, proposed: Content, signal?: AbortSignal): Promise<FileReview> {
  const { root, path, from, encoding } = file;
  const decode = encoding === undefined ? {} : { decode: { encoding: encoding as TextEncoding } };
  return reviewFile({ root, path, ...(from === undefined ? {} : { from }), base, proposed, ...decode }, signal === undefined ? {} : { signal });
}

export function fileOf(state: SetState, key: string): FileState {
  const file = state.files.find((candidate) => candidate.key === key);
  if (file === undefined) throw new Failure<DeskFailureReason>('not_found', `There is no ${key} in this change set.`, { detail: { set: state.id, file: key } });
  return file;
}

/**
 * What was decided of a hunk or part. Accepting "all of the file" never takes a conflict: there somebody else's lines would go, so it is accepted by itself or not at all;
 * rejecting all keeps what is there and covers conflicts too.
 */
export function decisionOn(file: Pick<FileState, 'decisions' | 'conflicts'> & { rest?: HunkState | undefined }, hunk: string): HunkState | undefined {
  const own = file.decisions[hunk];
  if (own !== undefined || file.rest === undefined) return own;
  return file.rest.decision === 'accept' && file.conflicts.includes(hunk.split('.')[0] ?? '') ? undefined : file.rest;
}

/** Decisions by hunk, those on all of the file spelled out. */
export function decisionsOf(file: FileState, hunks: readonly Hunk[]): Map<string, 'accept' | 'reject'> {
  const found = new Map<string, 'accept' | 'reject'>();
  for (const { id } of hunks) {
    const state = decisionOn(file, id);
    if (state !== undefined) found.set(id, state.decision);
  }
  return found;
}

/** What lists show of a comparison. */
export function countsOf(hunks: readonly Hunk[]): FileChange['counts'] {
  const lines = hunks.filter((hunk) => hunk.kind === 'lines');
  return { hunks: hunks.length, added: lines.reduce((sum, hunk) => sum + hunk.added.length, 0), removed: lines.reduce((sum, hunk) => sum + hunk.removed.length, 0) };
}

function modeOf(ref: FileState['base']): string {
  return ref.kind === 'file' ? String(ref.mode ?? '') : '';
}

import type { BlobStore } from '../../journal/port.ts';
import { type ContentRef, type FileChange, fileKey, type HunkDecision } from '../../model/change.ts';
import type { Content, FileReview } from '../files/file-review.ts';
import { type Hunk, splitFor } from '../files/hunks.ts';
import { rebaseFile } from '../files/rebase.ts';
import type { TextEncoding } from '../files/encodings.ts';
import { contentOf, keepContent, sameBytes } from './contents.ts';
import { recorded } from './recorded.ts';
import type { FileState } from './state.ts';
import { decisionsOf, reviewOf, type Views } from './views.ts';

/** A file of a set on what is there now. */
export interface RebasedFile {
  change: FileChange & { draft?: ContentRef };
  conflicts: string[];
  /** Of conflicts, by hunk: the lines that the proposal was made on. */
  origins: Record<string, string[]>;
  carried: HunkDecision[];
  /** Everything that was proposed is there already. */
  gone: boolean;
}

/**
 * Puts a pending file of a set on what its place has become. A proposal and a person's draft are merged into it by lines; an applied change is what is there now.
 * Decisions on hunks that are still the same are carried over, those on conflicts never.
 */
export async function rebaseOnto(present: Content, file: FileState, disk: 'proposed' | 'applied', deps: { blobs: BlobStore; views: Views }, signal?: AbortSignal): Promise<RebasedFile> {
  const { blobs, views } = deps;
  const [base, proposed, before] = await Promise.all([contentOf(blobs, file.base), contentOf(blobs, file.proposed), views.shown(file, signal)]);
  const draft = file.draft === undefined ? undefined : await contentOf(blobs, file.draft);
  const moved = disk === 'applied' ? { review: await reviewOf(file, base, present, signal), conflicts: [], origins: {} } : await movedTo(present, file, base, proposed, signal);
  const drafted = draft === undefined || disk === 'applied' ? undefined : await movedTo(present, file, base, draft, signal);
  const shown = drafted ?? moved;
  const merged = file.merged === true || (disk === 'proposed' && !sameBytes(moved.review.proposed, proposed));
  const change = await recorded(moved.review, { ...file, merged }, blobs);
  const gone = moved.review.hunks.length === 0 && (drafted === undefined || drafted.review.hunks.length === 0);
  return {
    change: { ...change, ...(drafted === undefined ? {} : { draft: await keepContent(blobs, drafted.review.proposed), counts: { ...change.counts, hunks: drafted.review.hunks.length } }) },
    conflicts: shown.conflicts,
    origins: shown.origins,
    carried: carriedDecisions(file, before.hunks, shown.review.hunks),
    gone,
  };
}

/** More lines than this are not told again for a conflict. */
const fewLines = 200;

export interface MovedReview {
  review: FileReview;
  /** Ids of hunks where both sides changed the same lines. */
  conflicts: string[];
  origins: Record<string, string[]>;
}

/** A proposal made on `base`, put on `present`. Where they cannot be merged by lines all of it is a conflict. */
export async function movedTo(present: Content, file: Pick<FileChange, 'root' | 'path' | 'from' | 'encoding'>, base: Content, proposed: Content, signal?: AbortSignal): Promise<MovedReview> {
  const renamed = file.from !== undefined && file.from !== file.path;
  if (present.kind === 'file' && base.kind === 'file' && proposed.kind === 'file') {
    const decode = file.encoding === undefined ? {} : { decode: { encoding: file.encoding as TextEncoding } };
    const moved = await rebaseFile({ root: file.root, path: file.path, base: base.bytes, current: present.bytes, proposed: { bytes: proposed.bytes }, ...decode }, signal === undefined ? {} : { signal });
    const mode = proposed.mode !== undefined && base.mode !== undefined && proposed.mode !== base.mode ? proposed.mode : present.mode;
    const target: Content = moved.review.proposed.kind === 'file' ? { ...moved.review.proposed, ...(mode === undefined ? {} : { mode }) } : moved.review.proposed;
    const review = await reviewOf(file, present, target, signal);
    const known = new Set(review.hunks.map((hunk) => hunk.id));
    const conflicts = moved.conflicts.flatMap((conflict) => conflict.hunks).filter((hunk) => known.has(hunk));
    const origins: Record<string, string[]> = {};
    for (const conflict of moved.conflicts) if (conflict.base.length <= fewLines) for (const hunk of conflict.hunks) if (known.has(hunk)) origins[hunk] = [...(origins[hunk] ?? []), ...conflict.base.map((line) => line.text)];
    return { review, conflicts: moved.whole ? review.hunks.map((hunk) => hunk.id) : conflicts, origins };
  }
  const review = await reviewOf(renamed && present.kind === 'absent' ? { ...file, from: file.path } : file, present, proposed, signal);
  return { review, conflicts: review.hunks.map((hunk) => hunk.id), origins: {} };
}

/**
 * Decisions whose hunk is there again; one that has become a conflict has other lines or neighbours, and so another id.
 * Hunks alike in both differ only by their number and are asked again, since after a change before them the numbers may mean others.
 */
export function carriedDecisions(file: FileState, before: readonly Hunk[], after: readonly Hunk[]): HunkDecision[] {
  const ids = Object.keys(file.decisions);
  const twins = new Set([...before, ...after].filter((hunk) => /-\d+$/u.test(hunk.id)).map((hunk) => hunk.id.replace(/-\d+$/u, '')));
  const decided = decisionsOf(file, splitFor(before, ids));
  const there = splitFor(after, ids);
  return there.flatMap(({ id }) => {
    const whole = id.split('.')[0] ?? '';
    const decision = decided.get(id);
    return decision === undefined || twins.has(whole.replace(/-\d+$/u, '')) ? [] : [{ file: fileKey(file), hunk: id, decision }];
  });
}

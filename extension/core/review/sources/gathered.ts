import type { Clock } from '../../base/clock.ts';
import type { ChangeOrigin } from '../../model/change.ts';
import type { Git } from '../../repo/git.ts';
import { pathFault } from '../apply/places.ts';
import type { Proposal, ProposedFile } from '../port.ts';

/** Something that differs but cannot be reviewed, with the reason in words; named, never silently left out. An empty path is the whole root. */
export interface Left {
  root: string;
  path: string;
  why: string;
}

/** What a source found. No proposal: nothing that can be reviewed differs. */
export interface Gathered {
  proposal?: Proposal;
  left: Left[];
}

/** What the sources need; `folder` is Casebook's for this workspace, as for snapshots. */
export interface SourceDeps {
  git: Git;
  folder: string;
  clock: Clock;
}

/** Whether a person saved this file (`root`, path from it) from an editor since the base was taken. */
export type SavedByPerson = (root: string, path: string) => boolean;

/** More than this in one set, base and new content together, is left for a set of its own. Bytes. */
export const maxSetBytes = 256 * 1024 * 1024;

/** The parts of several roots as one result. A path that no review may touch is named, and the rest still comes. */
export function gathered(title: string, origin: ChangeOrigin, disk: Proposal['disk'], files: readonly ProposedFile[], left: readonly Left[]): Gathered {
  const named = [...left];
  const touched = files.filter((file) => {
    const why = pathFault(file.path) ?? (file.from === undefined ? undefined : pathFault(file.from));
    if (why !== undefined) named.push({ root: file.root, path: file.path, why });
    return why === undefined;
  });
  return touched.length === 0 ? { left: named } : { proposal: { title, origin, disk, files: touched }, left: named };
}

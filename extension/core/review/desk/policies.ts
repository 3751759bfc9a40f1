import picomatch from 'picomatch';
import type { ChangeSet } from '../../model/change.ts';

/** A rule by which sets are accepted without a person; none exists unless somebody at this machine wrote it into their settings. */
export interface ReviewPolicy {
  name: string;
  /** Paths from the root that it covers; every file of a set must match one. */
  globs: readonly string[];
  /** Lines added and removed in the whole set, at most. */
  maxLines?: number;
  /** Clients (`origin.client`) it covers; absent: any. */
  origins?: readonly string[];
}

/** The first policy that covers a set as a whole. Deletions, modes, links and what is not compared by lines are never covered. */
export function policyFor(changeSet: ChangeSet, policies: readonly ReviewPolicy[]): ReviewPolicy | undefined {
  if (changeSet.disk === 'applied') return undefined;
  return policies.find((policy) => {
    if (policy.globs.length === 0 || (policy.origins !== undefined && !policy.origins.includes(changeSet.origin.client))) return false;
    const covers = picomatch([...policy.globs], { dot: true });
    const lines = changeSet.files.reduce((sum, file) => sum + file.counts.added + file.counts.removed, 0);
    return lines <= (policy.maxLines ?? Number.POSITIVE_INFINITY) && changeSet.files.every((file) => (file.kind === 'modify' || file.kind === 'create') && covers(file.path));
  });
}

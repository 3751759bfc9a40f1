import type { Snapshot, SnapshotRoot } from '../../model/code.ts';
import { findRepository, objectEnvironment, type Repository, takeSnapshot } from '../../repo/snapshot.ts';
import { diffTrees } from '../../repo/tree-diff.ts';
import type { ChangeOrigin } from '../../model/change.ts';
import type { ProposedFile } from '../port.ts';
import { type Gathered, gathered, type Left, type SavedByPerson, type SourceDeps } from './gathered.ts';
import { gitChanges, splitOmitted } from './git-changes.ts';
import { plainChanges } from './plain-changes.ts';
import { treeAt } from './working-tree.ts';

/** A state of the workspace that changes are told from, and what the set made of them says of itself. */
export interface CheckpointBase {
  snapshot: Snapshot;
  title: string;
  origin: ChangeOrigin;
}

/** Everything that differs on disk from a checkpoint's snapshot (`applied`): files as they were then are the bases, with their exact bytes, also untracked ones. */
export async function checkpointProposal(base: CheckpointBase, deps: SourceDeps & { savedByPerson?: SavedByPerson }, signal: AbortSignal): Promise<Gathered> {
  const now = await takeSnapshot(base.snapshot.roots.map(({ name, path }) => ({ name, path })), deps, signal);
  const files: ProposedFile[] = [];
  const left: Left[] = [];
  for (const [index, before] of base.snapshot.roots.entries()) {
    const current = now.roots[index];
    if (current === undefined || sameState(before, current)) continue;
    const found = await changesOfRoot(before, current, deps, signal);
    files.push(...found.files);
    left.push(...found.left);
  }
  return gathered(base.title, base.origin, 'applied', files, left);
}

/** Whether two snapshots hold the same content. Cheap: trees and listings are named by it. */
function sameState(before: SnapshotRoot, now: SnapshotRoot): boolean {
  return before.kind === now.kind && before.tree === now.tree && before.listing === now.listing;
}

async function changesOfRoot(before: SnapshotRoot, now: SnapshotRoot, deps: SourceDeps & { savedByPerson?: SavedByPerson }, signal: AbortSignal): Promise<{ files: ProposedFile[]; left: Left[] }> {
  const root = { name: before.name, path: before.path };
  const saved = deps.savedByPerson === undefined ? {} : { savedByPerson: deps.savedByPerson };
  if (before.kind === 'plain' && now.kind === 'plain') return plainChanges({ root, before, now, ...saved }, deps.folder, signal);
  const repository = await findRepository(deps.git, root.path, signal);
  if (before.tree === undefined || now.tree === undefined || repository === undefined) {
    return { files: [], left: [{ root: root.name, path: '', why: 'it has become a git repository, or is none any more, since the comparison began' }] };
  }
  const isStored = await storedThen(before, repository, deps, signal);
  const unknownBefore = new Set((before.omitted ?? []).map((sentence) => splitOmitted(sentence)[0]));
  return gitChanges({ root, repository, now: { ...now, tree: now.tree }, before: before.tree, isStored, unknownBefore, ...saved }, deps, signal);
}

/**
 * Whether the snapshot holds a file as git stores it. Of paths that differed from HEAD when it was taken it holds the bytes as they lay on disk;
 * without a commit to compare with, every file counts as such.
 */
async function storedThen(before: SnapshotRoot, repository: Repository, deps: SourceDeps, signal: AbortSignal): Promise<(path: string) => boolean> {
  const head = before.commit === undefined ? undefined : await treeAt(deps.git, repository, before.commit, signal);
  if (head === undefined || before.tree === undefined) return () => false;
  const env = await objectEnvironment(repository, deps.folder);
  const touched = new Set((await diffTrees(deps.git, repository.top, head, before.tree, { signal, env })).map(({ path }) => path));
  return (path) => !touched.has(path);
}

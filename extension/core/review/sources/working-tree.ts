import { Failure, isFailure } from '../../base/failure.ts';
import type { Git } from '../../repo/git.ts';
import type { Root } from '../../repo/roots.ts';
import { findRepository, type Repository, takeSnapshot } from '../../repo/snapshot.ts';
import type { ProposedFile } from '../port.ts';
import type { SourceFailureReason } from '../failure.ts';
import { type Gathered, gathered, type Left, type SourceDeps } from './gathered.ts';
import { gitChanges } from './git-changes.ts';

/**
 * Everything in the working trees that differs from a revision (default HEAD): tracked, staged and untracked files, not ignored ones. It is on disk
 * already (`applied`): accepting keeps, rejecting restores. A revision that only some of the roots know is compared in those; fails `no_such_revision` when none does.
 */
export async function workingTreeProposal(roots: readonly Root[], base: string | undefined, deps: SourceDeps, signal: AbortSignal): Promise<Gathered> {
  const files: ProposedFile[] = [];
  const left: Left[] = [];
  const snapshot = await takeSnapshot(roots, deps, signal);
  let known = 0;
  for (const [index, root] of roots.entries()) {
    const now = snapshot.roots[index];
    const repository = now?.kind === 'git' ? await findRepository(deps.git, root.path, signal) : undefined;
    if (now?.tree === undefined || repository === undefined) {
      left.push({ root: root.name, path: '', why: 'there is no git here to compare with; a checkpoint shows what changes from now on' });
      continue;
    }
    const before = await treeAt(deps.git, repository, base ?? 'HEAD', signal);
    if (before === undefined && base !== undefined) {
      left.push({ root: root.name, path: '', why: `it has no revision ${base}` });
      continue;
    }
    known += 1;
    const tree = before ?? (await emptyTree(deps.git, repository, signal));
    const found = await gitChanges({ root, repository, now: { ...now, tree: now.tree }, before: tree, isStored: () => true, unknownBefore: new Set() }, deps, signal);
    files.push(...found.files);
    left.push(...found.left);
  }
  if (base !== undefined && known === 0) throw new Failure<SourceFailureReason>('no_such_revision', `No folder here has a revision ${base}.`, { detail: { base } });
  return gathered(`Working tree against ${base ?? 'HEAD'}`, { client: 'working-tree', against: base ?? 'HEAD' }, 'applied', files, left);
}

/** The tree of a root's folder at a revision; undefined when the revision is not there (or there is no commit yet), the empty tree when only the folder is not. */
export async function treeAt(git: Git, repository: Repository, revision: string, signal: AbortSignal): Promise<string | undefined> {
  const { code, stdout } = await git.run(repository.top, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{tree}`], { signal, codes: [0, 1, 128] });
  if (code !== 0) return undefined;
  const top = new TextDecoder().decode(stdout).trim();
  if (repository.prefix === '') return top;
  try {
    const records = await git.records(repository.top, ['ls-tree', '-z', '-d', top, '--', repository.prefix.slice(0, -1)], { signal });
    return / tree ([0-9a-f]+)\t/u.exec(records[0] ?? '')?.[1] ?? (await emptyTree(git, repository, signal));
  } catch (error) {
    if (isFailure(error, 'no_such_object')) return emptyTree(git, repository, signal);
    throw error;
  }
}

/** The id of the empty tree depends on the repository's hash function; git knows the tree without storing it. */
async function emptyTree(git: Git, repository: Repository, signal: AbortSignal): Promise<string> {
  return (await git.text(repository.top, ['hash-object', '-t', 'tree', '--stdin'], { signal, stdin: '' })).trim();
}

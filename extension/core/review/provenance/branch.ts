import type { Git } from '../../repo/git.ts';
import type { Root } from '../../repo/roots.ts';
import { findRepository } from '../../repo/snapshot.ts';
import type { SetState } from '../desk/state.ts';
import type { ReviewDesk } from '../port.ts';
import { setTrailer } from './trailers.ts';

/** Which commits a branch has of its own, and since when. */
export interface BranchFacts {
  name: string;
  /** The commit it left its base at. */
  forkedAt: string;
  /** ISO 8601. */
  since: string;
  /** Sets that its commits name. */
  sets: string[];
  /** Paths from the root that its commits or the working tree have different from the fork. */
  paths: Set<string>;
}

/** Where branches are taken to have left from, when nobody says: what this one follows, then the usual names. */
const usualBases = ['@{upstream}', 'origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'];

/** What is particular to the branch that is checked out in a root; undefined without git or without a base to compare with. */
export async function branchFacts(git: Git, root: Root, base: string | undefined, signal: AbortSignal): Promise<BranchFacts | undefined> {
  const repository = await findRepository(git, root.path, signal);
  if (repository === undefined) return undefined;
  const name = (await git.text(root.path, ['rev-parse', '--abbrev-ref', 'HEAD'], { signal, codes: [0, 128] })).trim();
  const forkedAt = await forkOf(git, root, base, name, signal);
  if (forkedAt === undefined) return undefined;
  const since = (await git.text(root.path, ['log', '-1', '--format=%cI', forkedAt], { signal })).trim();
  const named = await git.text(root.path, ['log', `--format=%(trailers:key=${setTrailer},valueonly)`, `${forkedAt}..HEAD`], { signal });
  const changed = await git.records(root.path, ['diff', '--name-only', '-z', '--relative', '--no-renames', forkedAt], { signal });
  const untracked = await git.records(root.path, ['ls-files', '-z', '--others', '--exclude-standard'], { signal });
  return { name, forkedAt, since: new Date(since).toISOString(), sets: named.split('\n').map((row) => row.trim()).filter((row) => row !== ''), paths: new Set([...changed, ...untracked]) };
}

async function forkOf(git: Git, root: Root, base: string | undefined, branch: string, signal: AbortSignal): Promise<string | undefined> {
  for (const candidate of base === undefined ? usualBases.filter((name) => name !== branch) : [base]) {
    const known = await git.run(root.path, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${candidate}^{commit}`], { signal, codes: [0, 1, 128] });
    if (known.code !== 0) continue;
    const { code, stdout } = await git.run(root.path, ['merge-base', 'HEAD', new TextDecoder().decode(known.stdout).trim()], { signal, codes: [0, 1] });
    if (code === 0) return new TextDecoder().decode(stdout).trim();
  }
  return undefined;
}

/** Whether a set belongs to a branch: its commits name it, or it was settled since the fork on a file that the branch has changed. */
export function isOfBranch(state: SetState, root: Root, facts: BranchFacts): boolean {
  if (facts.sets.includes(state.id)) return true;
  const at = state.settled?.at ?? state.openedAt;
  return at >= facts.since && state.files.some((file) => file.root === root.name && facts.paths.has(file.path));
}

/** The sets of a case, or of the branches that are checked out, pending ones too; oldest first. */
export async function setsOf(what: { case: string } | { branch: true; base?: string }, deps: { desk: Pick<ReviewDesk, 'list'>; git: Git; roots(): readonly Root[] }, signal: AbortSignal): Promise<SetState[]> {
  const { pending, settled } = await deps.desk.list({ settled: Number.POSITIVE_INFINITY });
  const all = [...settled.toReversed(), ...pending];
  if ('case' in what) return all.filter((state) => state.origin.case === what.case);
  const branches = await Promise.all(deps.roots().map(async (root) => ({ root, facts: await branchFacts(deps.git, root, what.base, signal) })));
  return all.filter((state) => branches.some(({ root, facts }) => facts !== undefined && isOfBranch(state, root, facts)));
}

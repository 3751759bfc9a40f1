import type { Git } from './git.ts';

/** An entry of a git tree: mode as git writes it (`100644`, `100755`, `120000`, `160000`) and object id. */
export interface TreeEntry {
  mode: string;
  id: string;
}

/** One path that two trees have different. `before` is absent for a new path, `after` for one that is gone; `from`: the path before a rename. */
export interface TreeDifference {
  path: string;
  from?: string;
  before?: TreeEntry;
  after?: TreeEntry;
}

/** What differs between two trees, renames found by git (at least half of the content the same). Paths are from the trees' top. */
export async function diffTrees(git: Git, cwd: string, before: string, after: string, run: { signal: AbortSignal; env?: Readonly<Record<string, string>> }): Promise<TreeDifference[]> {
  if (before === after) return [];
  const records = await git.records(cwd, ['diff-tree', '-r', '-z', '-M', '--raw', '--no-abbrev', before, after], { ...run, maxBytes: 256 * 1024 * 1024 });
  const found: TreeDifference[] = [];
  for (let at = 0; at + 1 < records.length; ) {
    // :<old mode> <new mode> <old id> <new id> <status>[score] (git-diff-tree(1), "Raw output format"); a rename has two paths.
    const [oldMode = '', newMode = '', oldId = '', newId = '', status = ''] = (records[at] ?? '').slice(1).split(' ');
    const renamed = status.startsWith('R');
    const first = records[at + 1] ?? '';
    const path = renamed ? (records[at + 2] ?? '') : first;
    found.push({
      path,
      ...(renamed ? { from: first } : {}),
      ...(status === 'A' ? {} : { before: { mode: oldMode, id: oldId } }),
      ...(status === 'D' ? {} : { after: { mode: newMode, id: newId } }),
    });
    at += renamed ? 3 : 2;
  }
  return found;
}

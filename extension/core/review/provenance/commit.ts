import { isFailure } from '../../base/failure.ts';
import type { Git } from '../../repo/git.ts';
import type { Root } from '../../repo/roots.ts';
import { findRepository } from '../../repo/snapshot.ts';
import { setTrailer } from './trailers.ts';

/** The commit that a line came with, as `git blame` tells it of the text as it is now. */
export interface CommitOrigin {
  id: string;
  author: string;
  /** ISO 8601. */
  at: string;
  summary: string;
  /** Sets that the commit says it holds (`Casebook-Set:`). */
  sets: string[];
  /** Where the line was in that commit; `path` from the root, `line` from 1. Absent when that was outside of the root. */
  place?: { path: string; line: number; bytes: Uint8Array };
}

/** Undefined when the line is in no commit, or there is no git. */
export async function commitOfLine(git: Git, root: Root, path: string, line: number, text: string, signal: AbortSignal): Promise<CommitOrigin | undefined> {
  const repository = await findRepository(git, root.path, signal);
  if (repository === undefined) return undefined;
  try {
    const told = await git.text(root.path, ['blame', '--porcelain', '-L', `${line},${line}`, '--contents', '-', '--', path], { signal, stdin: text });
    const [head = '', ...rest] = told.split('\n');
    const [id = '', original = ''] = head.split(' ');
    if (/^0*$/u.test(id)) return undefined;
    const field = (name: string): string => rest.find((row) => row.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
    const trailers = await git.text(root.path, ['log', '-1', `--format=%(trailers:key=${setTrailer},valueonly)`, id], { signal });
    const filename = field('filename');
    const inside = filename.startsWith(repository.prefix) ? filename.slice(repository.prefix.length) : undefined;
    const bytes = inside === undefined ? undefined : (await git.run(root.path, ['cat-file', 'blob', `${id}:${filename}`], { signal })).stdout;
    return {
      id,
      author: field('author'),
      at: new Date(Number(field('author-time')) * 1000).toISOString(),
      summary: field('summary'),
      sets: trailers.split('\n').map((row) => row.trim()).filter((row) => row !== ''),
      ...(inside === undefined || bytes === undefined ? {} : { place: { path: inside, line: Number(original), bytes } }),
    };
  } catch (error) {
    signal.throwIfAborted();
    // A file that no commit has, or a line beyond what it has.
    if (isFailure(error)) return undefined;
    throw error;
  }
}

import { z } from 'zod';
import { decodeText, splitLines } from '../../base/encoding.ts';
import type { Root } from '../../repo/roots.ts';
import { type Repository, findRepository } from '../../repo/snapshot.ts';
import { chosenRoots, numbered } from './files.ts';
import { findPlace, namePlace } from './places.ts';
import { type ToolContext, maxOutputBytes, readTool, refused } from './tool.ts';

const revision = z.string().min(1).max(200).describe('Commit, branch or tag');
const rootName = z.string().optional().describe('Name of the root; needed when there are several and no path is given');

export const gitLog = readTool({
  name: 'git_log',
  description: 'Lists commits, newest first: hash, date, author, subject. Optionally only those that touch a path or whose message holds a text.',
  inputSchema: z.object({
    root: rootName,
    path: z.string().optional(),
    rev: revision.optional(),
    text: z.string().max(500).optional().describe('Plain text in the message'),
    since: z.string().max(40).regex(/^[\w :.+-]+$/u).optional().describe('Date, e.g. 2026-01-31'),
    limit: z.number().int().min(1).max(200).optional(),
  }),
  async run(input, context, signal) {
    const { root, path } = await where(context, input.path, input.root);
    const { repository } = await repositoryOf(context, root, signal);
    const commit = await commitOf(context, root, input.rev ?? 'HEAD', signal);
    const args = [
      'log', '--no-color', '--date=short', '--format=%h %ad %an: %s', `--max-count=${input.limit ?? 30}`,
      ...(input.text === undefined ? [] : ['--fixed-strings', '--regexp-ignore-case', `--grep=${input.text}`]),
      ...(input.since === undefined ? [] : [`--since=${input.since}`]),
      commit, '--', repository.prefix + path || '.',
    ];
    const output = await context.git.run(repository.top, args, { signal, maxBytes: maxOutputBytes, cut: true });
    return { text: new TextDecoder().decode(output.stdout).trim() || 'No commit matches.', truncated: output.truncated };
  },
});

export const gitShow = readTool({
  name: 'git_show',
  description: 'Shows a commit with its changes, or with a path the file as it was at that commit. Files that are not shared are left out.',
  inputSchema: z.object({ rev: revision, root: rootName, path: z.string().optional(), offset: z.number().int().positive().optional(), limit: z.number().int().positive().optional() }),
  async run(input, context, signal) {
    const { root, path } = await where(context, input.path, input.root);
    const { repository } = await repositoryOf(context, root, signal);
    const commit = await commitOf(context, root, input.rev, signal);
    if (path !== '') return showFile(context, { root, repository, commit, path, offset: input.offset ?? 1, limit: input.limit ?? 2000 }, signal);
    return showCommit(context, repository, commit, signal);
  },
});

async function showFile(context: ToolContext, wanted: { root: Root; repository: Repository; commit: string; path: string; offset: number; limit: number }, signal: AbortSignal) {
  const { root, repository, commit, path, offset, limit } = wanted;
  const name = `${root.name}/${path} at ${commit.slice(0, 10)}`;
  const output = await context.git.run(root.path, ['cat-file', 'blob', `${commit}:${repository.prefix}${path}`], { signal, maxBytes: 16 * 1024 * 1024 });
  const decoded = decodeText(output.stdout);
  if (decoded.kind === 'binary') throw refused(`${name} is a binary file.`);
  return numbered(splitLines(decoded.text), offset, limit, name);
}

/** Names first, then the changes of the shared ones only; renames are told as deletion and addition, so that no name hides behind another. */
async function showCommit(context: ToolContext, repository: Repository, commit: string, signal: AbortSignal) {
  const options = ['--no-color', '--no-renames', '--diff-merges=first-parent'];
  const head = await context.git.text(repository.top, ['show', '--no-patch', '--no-color', '--date=iso', '--format=commit %H%nAuthor: %an%nDate: %ad%n%n%B', commit], { signal });
  const names = await context.git.records(repository.top, ['show', ...options, '--format=', '--name-only', '-z', commit], { signal });
  const own = names.filter((name) => name !== '' && name.startsWith(repository.prefix));
  const shared = own.filter((name) => context.sharing.isShared(name));
  const notes = [
    ...(shared.length < own.length ? [`[${own.length - shared.length} files of this commit are not shared]`] : []),
    ...(own.length < names.length ? [`[${names.length - own.length} files are outside of the root]`] : []),
  ];
  const shown = shared.slice(0, 300);
  if (shown.length === 0) return { text: [head.trim(), ...notes].join('\n\n') };
  const patch = await context.git.run(repository.top, ['show', ...options, '--format=', '--patch', commit, '--', ...shown], { signal, maxBytes: maxOutputBytes, cut: true });
  const text = new TextDecoder().decode(patch.stdout);
  return { text: [head.trim(), ...notes, text.trim()].join('\n\n'), truncated: patch.truncated || shared.length > shown.length };
}

export const gitBlame = readTool({
  name: 'git_blame',
  description: 'Says for lines of a file which commit changed them last: hash, author, date, line.',
  inputSchema: z.object({ path: z.string().min(1), line: z.number().int().positive(), endLine: z.number().int().positive().optional() }),
  async run(input, context, signal) {
    const place = await findPlace(context, input.path);
    const { repository } = await repositoryOf(context, place.root, signal);
    const end = Math.min(Math.max(input.line, input.endLine ?? input.line), input.line + 500);
    const args = ['blame', '--date=short', '-L', `${input.line},${end}`, '--', repository.prefix + place.path];
    return { text: (await context.git.text(repository.top, args, { signal })).trimEnd() };
  },
});

async function where(context: ToolContext, path: string | undefined, rootAsked: string | undefined): Promise<{ root: Root; path: string }> {
  if (path !== undefined && path !== '' && path !== '.') {
    return rootAsked === undefined || context.roots.some((root) => path.startsWith(`${root.name}/`)) ? namePlace(context, path) : namePlace(context, `${rootAsked}/${path}`);
  }
  const roots = chosenRoots(context, rootAsked);
  const [root, second] = roots;
  if (!root || second) throw refused(`Name one root: ${roots.map((each) => each.name).join(', ')}.`);
  return { root, path: '' };
}

async function repositoryOf(context: ToolContext, root: Root, signal: AbortSignal): Promise<{ repository: Repository }> {
  const repository = await findRepository(context.git, root.path, signal);
  if (!repository) throw refused(`${root.name} is in no git repository.`);
  return { repository };
}

/** The full hash; what begins with a dash or names a path inside an object never reaches git as such. */
async function commitOf(context: ToolContext, root: Root, rev: string, signal: AbortSignal): Promise<string> {
  if (!/^[\p{L}\p{N}_@][\p{L}\p{N}_@./{}^~+-]*$/u.test(rev)) throw refused(`${rev.slice(0, 100)} is not the name of a commit.`);
  return (await context.git.text(root.path, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${rev}^{commit}`], { signal }).catch(() => {
    signal.throwIfAborted();
    throw refused(`There is no commit ${rev}.`);
  })).trim();
}

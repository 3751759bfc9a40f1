import { readdir, stat } from 'node:fs/promises';
import picomatch from 'picomatch';
import { z } from 'zod';
import { decodeText, splitLines } from '../../base/encoding.ts';
import { isFailure } from '../../base/failure.ts';
import { walk } from '../../repo/plain-snapshot.ts';
import type { Root } from '../../repo/roots.ts';
import { readRegular } from '../../repo/work-tree.ts';
import { findPlace } from './places.ts';
import { type Output, type ToolContext, maxOutputBytes, readTool, refused } from './tool.ts';

const maxFileBytes = 16 * 1024 * 1024;
const maxLineChars = 2000;
const maxListed = 2000;

const path = z.string().min(1).describe('root/path, or a path that only one root has');

export const read = readTool({
  name: 'read',
  description: 'Reads a text file. Every line comes with its number and a tab in front, which are not part of the file.',
  inputSchema: z.object({
    path,
    offset: z.number().int().positive().optional().describe('First line, from 1'),
    limit: z.number().int().positive().optional().describe('Number of lines; 2000 when left out'),
  }),
  async run({ path: asked, offset = 1, limit = 2000 }, context) {
    const place = await findPlace(context, asked);
    if ((await stat(place.real)).isDirectory()) throw refused(`${asked} is a folder. Use list.`);
    const bytes = await readRegular(place.real, maxFileBytes);
    if (!bytes) throw refused(`${asked} cannot be read: it is no regular file, or larger than 16 MiB.`);
    const decoded = decodeText(bytes);
    if (decoded.kind === 'binary') throw refused(`${asked} is a binary file of ${bytes.length} bytes.`);
    return numbered(splitLines(decoded.text), offset, limit, `${place.root.name}/${place.path}`);
  },
});

/** Lines with their numbers, as many as fit. */
export function numbered(lines: readonly string[], offset: number, limit: number, name: string): Output {
  if (offset > lines.length) throw refused(`${name} has ${lines.length} lines.`);
  const wanted = lines.slice(offset - 1, offset - 1 + limit);
  const rows: string[] = [];
  let size = 0;
  for (const [index, line] of wanted.entries()) {
    const row = `${offset + index}\t${line.length > maxLineChars ? `${line.slice(0, maxLineChars)}… [${line.length - maxLineChars} more characters]` : line}`;
    size += Buffer.byteLength(row) + 1;
    if (size > maxOutputBytes - 512) break;
    rows.push(row);
  }
  const next = offset + rows.length;
  const more = next <= lines.length ? `\n[Lines ${next} to ${lines.length} follow; read on with offset ${next}.]` : '';
  return { text: rows.join('\n') + more };
}

export const list = readTool({
  name: 'list',
  description: 'Lists a folder: names, folders with a slash at the end. Without a path it lists the roots.',
  inputSchema: z.object({ path: path.optional() }),
  async run({ path: asked }, context) {
    if (asked === undefined || asked === '.' || asked === '/') return { text: context.roots.map((root) => `${root.name}/`).join('\n') };
    const place = await findPlace(context, asked);
    const items = await readdir(place.real, { withFileTypes: true }).catch(() => {
      throw refused(`${asked} is not a folder.`);
    });
    const rows = items.sort((a, b) => (a.name < b.name ? -1 : 1)).map((item) => {
      const mark = item.isDirectory() ? '/' : item.isSymbolicLink() ? ' (link)' : '';
      const inside = place.path === '' ? item.name : `${place.path}/${item.name}`;
      return `${item.name}${mark}${context.sharing.isShared(inside) ? '' : ' (not shared)'}`;
    });
    return { text: rows.slice(0, maxListed).join('\n') || '(empty)', truncated: rows.length > maxListed };
  },
});

export const glob = readTool({
  name: 'glob',
  description: 'Finds files by name, e.g. **/*.test.ts. Ignored files are left out. Results are root/path.',
  inputSchema: z.object({ pattern: z.string().min(1).max(500), root: z.string().optional().describe('Only in this root') }),
  async run({ pattern, root }, context, signal) {
    const roots = chosenRoots(context, root);
    const found: string[] = [];
    let hidden = 0;
    for (const each of roots) {
      const own = pattern.startsWith(`${each.name}/`) ? pattern.slice(each.name.length + 1) : pattern;
      const matches = picomatch(own, { dot: true, maxLength: 1000, ...(own.includes('/') ? {} : { basename: true }) });
      for (const file of await filesOf(context, each, signal)) {
        if (!matches(file)) continue;
        if (context.sharing.isShared(file)) found.push(`${each.name}/${file}`);
        else hidden += 1;
      }
    }
    const note = hidden > 0 ? `\n[${hidden} more not shared]` : '';
    return { text: (found.slice(0, maxListed).join('\n') || 'No file matches.') + note, truncated: found.length > maxListed };
  },
});

export function chosenRoots(context: ToolContext, name: string | undefined): readonly Root[] {
  if (name === undefined) return context.roots;
  const root = context.roots.find((candidate) => candidate.name === name);
  if (!root) throw refused(`There is no root ${name}. Roots: ${context.roots.map((candidate) => candidate.name).join(', ')}.`);
  return [root];
}

/** Files of a root that git does not ignore; without git all but the usual dependency folders, at most 50,000. */
export async function filesOf(context: ToolContext, root: Root, signal: AbortSignal): Promise<string[]> {
  try {
    return [...new Set(await context.git.records(root.path, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { signal }))].sort();
  } catch (error) {
    if (!isFailure(error, 'not_a_repository', 'git_missing')) throw error;
  }
  const files: string[] = [];
  for await (const file of walk(root.path, '', signal)) {
    files.push(file.path);
    if (files.length >= 50_000) break;
  }
  return files.sort();
}

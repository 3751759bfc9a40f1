import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { decodeText, splitLines } from '../../base/encoding.ts';
import { childEnvironment, runToEnd } from '../../base/process.ts';
import { type Root, realPlace } from '../../repo/roots.ts';
import { readRegular } from '../../repo/work-tree.ts';
import { filesOf } from './files.ts';
import { findPlace } from './places.ts';
import { type Output, type ToolContext, maxOutputBytes, readTool, refused } from './tool.ts';

const searchMillis = 20_000;
const maxPlainFiles = 20_000;
const maxLineChars = 400;

const grepInput = z.object({
  pattern: z.string().min(1).max(1000).describe('Regular expression without look-around and back references'),
  path: z.string().optional().describe('Only in this file or folder: root/path'),
  glob: z.string().max(300).optional().describe('Only files whose name matches, e.g. *.ts'),
  ignoreCase: z.boolean().optional(),
  literal: z.boolean().optional().describe('Take the pattern as plain text'),
  context: z.number().int().min(0).max(10).optional().describe('Lines shown around each hit'),
});
type GrepInput = z.infer<typeof grepInput>;

export const grep = readTool({
  name: 'grep',
  description: 'Searches file contents. Ignored, binary and not shared files are left out. Results are root/path:line:text.',
  inputSchema: grepInput,
  async run(input, context, signal) {
    const places = input.path === undefined ? context.roots.map((root) => ({ root, inside: '' })) : [await findPlace(context, input.path)];
    const rows: string[] = [];
    let truncated = false;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(searchMillis)]);
    for (const { root, inside: path } of places) {
      const output = context.ripgrep === undefined ? await searchPlain(input, root, path, context, limited) : await searchWithRipgrep(input, root, path, context.ripgrep, context, limited);
      rows.push(...output.rows);
      truncated ||= output.truncated;
      if (limited.aborted) break;
    }
    signal.throwIfAborted();
    const note = context.ripgrep === undefined && input.literal !== true ? '[ripgrep is not here: the pattern was searched as plain text]\n' : '';
    const text = rows.length === 0 ? 'No line matches.' : rows.join('\n');
    return { text: note + text, truncated: truncated || limited.aborted } satisfies Output;
  },
});

interface Rows {
  rows: string[];
  truncated: boolean;
}

/** Its expressions are finite automata, so no pattern can run away; `--no-config` keeps a configured `--pre` program out. Links are not followed. */
async function searchWithRipgrep(input: GrepInput, root: Root, path: string, ripgrep: string, context: ToolContext, signal: AbortSignal): Promise<Rows> {
  const args = [
    '--no-config', '--no-messages', '--color=never', '--no-heading', '--with-filename', '--line-number', '--null', '--hidden', '--sort=path',
    '--engine=default', '--regex-size-limit=10M', '--max-filesize=4M', '--max-count=200', `--max-columns=${maxLineChars}`, '--max-columns-preview',
    ...(input.ignoreCase ? ['--ignore-case'] : []),
    ...(input.literal ? ['--fixed-strings'] : []),
    ...(input.context ? [`--context=${input.context}`] : []),
    ...(input.glob === undefined ? [] : [`--glob=${input.glob}`]),
    // Last, since a later glob wins over an earlier one.
    ...context.sharing.patterns.map((pattern) => `--iglob=!${pattern}`),
    '--glob=!.git',
    '--regexp', input.pattern, '--', path === '' ? '.' : `./${path}`,
  ];
  const done = await runToEnd(context.processes, ripgrep, args, { cwd: root.path, env: childEnvironment(context.env), signal, maxBytes: maxOutputBytes, graceMs: 500 });
  if (done.code === 2 && done.stdout.length === 0) throw refused(`The search failed: ${done.stderr.trim().slice(0, 500) || 'the pattern is not a valid expression'}.`);
  const lines = new TextDecoder().decode(done.stdout).split('\n');
  // The last line of cut output may be half of one, and half of a secret is not recognised as one.
  lines.pop();
  const rows = lines.flatMap((line) => shownHit(line, root, context));
  return { rows, truncated: done.truncated };
}

/** `./path NUL line:text` (hit), `./path NUL line-text` (context) or `--`. */
function shownHit(line: string, root: Root, context: ToolContext): string[] {
  const cut = line.indexOf('\0');
  if (cut === -1) return line === '--' ? ['--'] : [];
  const path = line.slice(0, cut).replace(/^\.\//u, '');
  if (!context.sharing.isShared(path)) return [];
  return [`${root.name}/${path}:${line.slice(cut + 1)}`];
}

/** Plain text only, because a JavaScript expression from a model can take for ever; bounded by files, sizes and the signal. */
async function searchPlain(input: GrepInput, root: Root, path: string, context: ToolContext, signal: AbortSignal): Promise<Rows> {
  const fold = (text: string): string => (input.ignoreCase ? text.toLowerCase() : text);
  const wanted = fold(input.pattern);
  const single = path !== '' && (await isFile(root, path));
  const files = single ? [path] : (await filesOf(context, root, signal)).filter((file) => path === '' || file.startsWith(`${path}/`));
  const matches = input.glob === undefined ? undefined : (await import('picomatch')).default(input.glob, { dot: true, ...(input.glob.includes('/') ? {} : { basename: true }) });
  const rows: string[] = [];
  let size = 0;
  for (const file of files.slice(0, maxPlainFiles)) {
    if (signal.aborted) return { rows, truncated: true };
    if (!context.sharing.isShared(file) || (matches && !matches(file))) continue;
    const place = await realPlace(root, file);
    if (!place.ok || !context.sharing.isShared(place.inside)) continue;
    const bytes = await readRegular(place.path, 1024 * 1024);
    const decoded = bytes && decodeText(bytes);
    if (decoded?.kind !== 'text') continue;
    for (const [index, line] of splitLines(decoded.text).entries()) {
      if (!fold(line).includes(wanted)) continue;
      const row = `${root.name}/${file}:${index + 1}:${line.slice(0, maxLineChars)}`;
      size += Buffer.byteLength(row) + 1;
      if (size > maxOutputBytes) return { rows, truncated: true };
      rows.push(row);
    }
  }
  return { rows, truncated: files.length > maxPlainFiles };
}

async function isFile(root: Root, path: string): Promise<boolean> {
  const place = await realPlace(root, path);
  return place.ok && (await stat(place.path)).isFile();
}

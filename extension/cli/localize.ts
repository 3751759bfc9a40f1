import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Failure } from '../core/base/failure.ts';
import { NodeProcesses } from '../core/base/node-processes.ts';
import { ScoutRunner } from '../core/evidence/scout/runner.ts';
import type { ScoutTicket } from '../core/evidence/scout/scout.ts';
import { resolveHome } from '../core/journal/home.ts';
import type { ScoutResult } from '../core/model/code.ts';
import { Git } from '../core/repo/git.ts';
import { type CliCommand, type CliContext, exitCode } from './command.ts';

const usage = `casebook localize --repo DIR [--repo DIR]... --ticket FILE [options]

FILE is JSON with id, title and body, or text whose first line is the title; - reads standard input.
  --limit N      how many files to give (20)
  --cache DIR    where the index is kept between calls (the state folder of Casebook)
  --no-cache     keep no index
  --no-git       use no git: no history, files found by walking
  --explain      for people: each file with its lines and reasons, before the JSON

The last line is one JSON object: ranked [{file, score, lines, symbols, why}], pinned, history, related, clues, stats.
With several folders each file is prefixed by the name of its folder.`;

/** `casebook localize`: the scout from a terminal. No model, no network. */
export const localizeCommand: CliCommand = {
  name: 'localize',
  summary: 'Rank the files that a ticket is about',
  usage,
  async run(args, context) {
    const { values } = parseArgs({
      args,
      options: {
        repo: { type: 'string', multiple: true },
        ticket: { type: 'string' },
        cache: { type: 'string' },
        'no-cache': { type: 'boolean' },
        'no-git': { type: 'boolean' },
        limit: { type: 'string' },
        explain: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    });
    const limit = values.limit === undefined ? undefined : Number(values.limit);
    if (values.ticket === undefined || (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0))) {
      context.writeError(`usage: ${usage}\n`);
      return exitCode.usage;
    }
    const roots = await rootsAt((values.repo ?? ['.']).map((folder) => resolve(context.cwd, folder)));
    const ticket = await readTicketFile(values.ticket, context);
    const cacheFolder = values['no-cache'] === true ? undefined : values.cache === undefined ? join(resolveHome(context.env), 'index') : resolve(context.cwd, values.cache);
    const runner = new ScoutRunner({ cacheFolder, grammars: grammarsFolder(), git: new Git({ processes: new NodeProcesses(), env: context.env }), logger: context.logger });
    const result = await runner.run({ ticket, roots, git: values['no-git'] === true ? 'off' : 'auto', ...(limit === undefined ? {} : { limit }) }, context.signal);
    if (values.explain === true) context.write(explained(result, roots.length > 1));
    context.write(`${JSON.stringify(asJson(ticket.id, result, roots.length > 1))}\n`);
    return exitCode.ok;
  },
};

async function rootsAt(folders: readonly string[]): Promise<{ name: string; path: string }[]> {
  const roots: { name: string; path: string }[] = [];
  for (const folder of folders) {
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory() !== true) throw new Failure('no_folder', `${folder} is not a folder`);
    const path = await realpath(folder);
    let name = basename(path);
    for (let i = 2; roots.some((root) => root.name === name); i++) name = `${basename(path)}-${i}`;
    roots.push({ name, path });
  }
  return roots;
}

async function readTicketFile(file: string, context: CliContext): Promise<ScoutTicket> {
  const text = file === '-' ? await context.readStdin() : await readFile(resolve(context.cwd, file), 'utf8');
  const parsed = parseJson(text);
  if (parsed !== undefined && typeof parsed === 'object' && parsed !== null && 'title' in parsed) {
    const { id, title, body } = parsed as { id?: unknown; title: unknown; body?: unknown };
    return { id: typeof id === 'string' || typeof id === 'number' ? String(id) : basename(file), title: typeof title === 'string' ? title : '', body: typeof body === 'string' ? body : '' };
  }
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  return { id: basename(file), title: (lines[first] ?? '').replace(/^#+\s*/, ''), body: lines.slice(first + 1).join('\n') };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Beside the built command, else those of the package, when run from source. */
function grammarsFolder(): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url));
  return [join(here, 'grammars'), join(here, '..', 'grammars'), join(here, '../../node_modules/@vscode/tree-sitter-wasm/wasm')].find((folder) => existsSync(join(folder, 'tree-sitter.wasm')));
}

function asJson(id: string, result: ScoutResult, several: boolean): object {
  const named = ({ root, file }: { root: string; file: string }): string => (several ? `${root}/${file}` : file);
  const { pinned } = result;
  return {
    ticket: id,
    clues: result.clues,
    history: result.history,
    related: result.related.map((one) => ({ ...one, file: named(one) })),
    stats: result.stats,
    ...(pinned ? { pinned: { ...pinned, file: named(pinned) } } : {}),
    ranked: result.suspects.map((suspect) => ({ file: named(suspect), score: suspect.score, lines: suspect.lines, symbols: suspect.symbols, why: suspect.why })),
  };
}

function explained(result: ScoutResult, several: boolean): string {
  const lines = result.suspects.flatMap((suspect, i) => [
    `${String(i + 1).padStart(2)}. ${several ? `${suspect.root}/` : ''}${suspect.file}  (${suspect.score.toFixed(3)})${suspect.lines.length > 0 ? `  lines ${suspect.lines.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(', ')}` : ''}`,
    ...suspect.why.map((reason) => `      ${reason.weight.toFixed(3)} ${reason.signal}: ${reason.text}`),
  ]);
  return `${lines.join('\n')}\n\n`;
}

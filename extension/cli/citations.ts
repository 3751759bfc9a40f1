import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../core/base/clock.ts';
import { messageOf } from '../core/base/failure.ts';
import { NodeProcesses } from '../core/base/node-processes.ts';
import { checkCitations } from '../core/evidence/citations/check.ts';
import { type ExtractedCitation, citationsFromJson, extractCitations } from '../core/evidence/citations/extract.ts';
import type { Citation, Snapshot } from '../core/model/code.ts';
import { Git } from '../core/repo/git.ts';
import { nameRoots } from '../core/repo/roots.ts';
import { SnapshotReader } from '../core/repo/snapshot-reader.ts';
import { takeSnapshot } from '../core/repo/snapshot.ts';
import { WorkTreeReader } from '../core/repo/work-tree.ts';
import { lineForTerminal } from './terminal-text.ts';
import { type CliCommand, type CliContext, exitCode } from './command.ts';

const usage = 'casebook citations check FILE [--repo DIR]... [--json]';

/** `casebook citations check`: are the code citations of a Markdown or JSON file (`-`: standard input) true of these folders as they are now? */
export const citationsCommand: CliCommand = {
  name: 'citations',
  summary: 'Check the code citations of a Markdown or JSON file',
  usage,
  async run(args, context) {
    const request = readArguments(args);
    if (!request) {
      context.writeError(`usage: ${usage}\n`);
      return exitCode.usage;
    }
    const folder = await mkdtemp(join(tmpdir(), 'casebook-check-'));
    try {
      const text = request.file === '-' ? await context.readStdin() : await readFile(resolve(context.cwd, request.file), 'utf8');
      const listed = readCitations(text, request.file);
      const { snapshot, citations } = await check(listed, request.repos, folder, context);
      context.write(request.json ? `${JSON.stringify({ snapshot, citations })}\n` : asText(citations));
      return citations.every((citation) => citation.state === 'verified' || citation.state === 'located') ? exitCode.ok : exitCode.problems;
    } catch (error) {
      if (context.signal.aborted) return exitCode.interrupted;
      context.writeError(`${messageOf(error)}\n`);
      return exitCode.failed;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function readArguments(args: string[]): { file: string; repos: string[]; json: boolean } | undefined {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { repo: { type: 'string', multiple: true }, json: { type: 'boolean' } } });
    const [action, file, ...more] = positionals;
    if (action !== 'check' || file === undefined || more.length > 0) return undefined;
    return { file, repos: values.repo ?? ['.'], json: values.json === true };
  } catch {
    return undefined;
  }
}

/** JSON when it is JSON of a known shape; everything else is Markdown. */
function readCitations(text: string, file: string): ExtractedCitation[] {
  if (!/^\s*[[{]/u.test(text)) return extractCitations(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (file.endsWith('.json')) throw error;
    return extractCitations(text);
  }
  return citationsFromJson(value) ?? extractCitations(text);
}

async function check(listed: ExtractedCitation[], repos: string[], folder: string, context: CliContext): Promise<{ snapshot: Snapshot; citations: Citation[] }> {
  const { signal } = context;
  const git = new Git({ processes: new NodeProcesses(), env: context.env });
  const roots = await nameRoots(repos.map((repo) => resolve(context.cwd, repo)));
  const snapshot = await takeSnapshot(roots, { git, folder, clock: systemClock }, signal);
  const citations = await checkCitations(listed, { snapshot, reader: new SnapshotReader(snapshot, { git, folder }), current: new WorkTreeReader(roots), signal });
  return { snapshot, citations };
}

function asText(citations: readonly Citation[]): string {
  const rows = citations.map((citation) => {
    const place = citation.line === undefined ? citation.file : `${citation.file}:${citation.line}${citation.endLine === undefined ? '' : `-${citation.endLine}`}`;
    const actual = citation.actual === undefined ? '' : citation.actual.split('\n').map((line) => `\n    | ${lineForTerminal(line)}`).join('');
    return `${citation.state.padEnd(8)}  ${lineForTerminal(`${place}  ${citation.why ?? ''}`)}${actual}\n`;
  });
  const held = citations.filter((citation) => citation.state === 'verified' || citation.state === 'located').length;
  return `${rows.join('')}${citations.length} citations, ${held} hold, ${citations.length - held} do not\n`;
}

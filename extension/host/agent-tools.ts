import type { DeskTool, ToolAnswer } from '../core/mcp/tool.ts';
import { messageOf } from '../core/base/failure.ts';
import { resolveCitation, type Root } from './roots.ts';

export interface EditorProblem {
  path: string;
  /** 1-based. */
  line: number;
  severity: 'error' | 'warning' | 'information' | 'hint';
  message: string;
  source?: string;
}

export interface EditorSymbol {
  name: string;
  kind: string;
  container?: string;
  path: string;
  line: number;
  endLine?: number;
}

/** What the editor and its language servers know of the workspace; paths are absolute. */
export interface EditorKnowledge {
  problems(path: string | undefined): EditorProblem[];
  symbolsNamed(query: string): Promise<EditorSymbol[]>;
  symbolsIn(path: string): Promise<EditorSymbol[]>;
}

const LIMIT = 200;

/** The read tools `diagnostics` and `symbols` for agents that run inside the editor. They see the workspace's folders and nothing else. */
export function createEditorTools(knowledge: EditorKnowledge, roots: () => readonly Root[]): DeskTool[] {
  return [diagnosticsTool(knowledge, roots), symbolsTool(knowledge, roots)];
}

function diagnosticsTool(knowledge: EditorKnowledge, roots: () => readonly Root[]): DeskTool {
  return {
    name: 'diagnostics',
    description: "Problems that the editor's compilers and linters report right now, for one file or for the whole workspace. A file that was never opened may have none reported.",
    inputSchema: { type: 'object', properties: { file: { type: 'string', description: 'Path with the root name in front; absent for all files' } }, additionalProperties: false },
    readOnly: true,
    call: async (input) =>
      answering(() => {
        const file = textOf(input, 'file');
        const found = knowledge.problems(file === undefined ? undefined : resolveCitation(file, roots()));
        const lines = found.flatMap((problem) => {
          const place = placeOf(problem.path, roots());
          return place === undefined ? [] : [`${place}:${problem.line}: ${problem.severity}: ${oneLine(problem.message)}${problem.source === undefined ? '' : ` [${problem.source}]`}`];
        });
        return listed(lines, 'No problems are reported there.');
      }),
  };
}

function symbolsTool(knowledge: EditorKnowledge, roots: () => readonly Root[]): DeskTool {
  return {
    name: 'symbols',
    description: "Names known to the editor's language servers: those that match a query in the whole workspace, or the outline of one file. Give exactly one of the two.",
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'Part of a name' }, file: { type: 'string', description: 'Path with the root name in front' } },
      additionalProperties: false,
    },
    readOnly: true,
    call: async (input) =>
      answering(async () => {
        const [query, file] = [textOf(input, 'query'), textOf(input, 'file')];
        if ((query === undefined) === (file === undefined)) return { ok: false, text: 'Give either query or file.' };
        const found = file === undefined ? await knowledge.symbolsNamed(query ?? '') : await knowledge.symbolsIn(resolveCitation(file, roots()));
        const lines = found.flatMap((symbol) => {
          const place = placeOf(symbol.path, roots());
          const range = symbol.endLine === undefined || symbol.endLine === symbol.line ? `${symbol.line}` : `${symbol.line}-${symbol.endLine}`;
          return place === undefined ? [] : [`${place}:${range}: ${symbol.kind} ${symbol.container === undefined || symbol.container === '' ? '' : `${symbol.container}.`}${symbol.name}`];
        });
        return listed(lines, 'No such symbol is known. The language server may not be ready; grep finds text in any case.');
      }),
  };
}

function textOf(input: unknown, name: string): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const value: unknown = Object.entries(input).find(([key]) => key === name)?.[1];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** `<root>/<path>` of an absolute path; undefined outside of the roots, where an agent has no business. */
function placeOf(path: string, roots: readonly Root[]): string | undefined {
  const root = roots.find((candidate) => path.startsWith(`${candidate.path}/`) || path.startsWith(`${candidate.path}\\`));
  return root === undefined ? undefined : `${root.name}/${path.slice(root.path.length + 1).replaceAll('\\', '/')}`;
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');

function listed(lines: readonly string[], none: string): ToolAnswer {
  if (lines.length === 0) return { ok: true, text: none };
  const more = lines.length - LIMIT;
  return { ok: true, text: [...lines.slice(0, LIMIT), ...(more > 0 ? [`… and ${more} more; ask for one file.`] : [])].join('\n') };
}

/** A tool answers in words and never throws: the model reads why and goes on. */
async function answering(work: () => ToolAnswer | Promise<ToolAnswer>): Promise<ToolAnswer> {
  try {
    return await work();
  } catch (error) {
    return { ok: false, text: messageOf(error) };
  }
}

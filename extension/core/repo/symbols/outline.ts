import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language, Node, Parser } from '@vscode/tree-sitter-wasm';
import { type Grammar, type SymbolKind, grammarFor } from './definitions.ts';
import { roughOutline } from './rough.ts';

/** Something a file defines. Lines are 1-based and inclusive. */
export interface OutlineSymbol {
  name: string;
  kind: SymbolKind;
  line: number;
  endLine: number;
  /** Names of what it is defined in, outermost first. */
  within: string[];
}

const MAX_SYMBOLS = 4000;
const MAX_TEXT = 1_000_000;
const PARSE_MICROSECONDS = 400_000;

interface Runtime {
  Language: typeof Language;
  Parser: typeof Parser;
}

/**
 * Outlines of source files by tree-sitter; by indentation and key words where no grammar is shipped or the parser gives up.
 * Grammars are loaded when first needed and kept. One outliner serves one folder of grammar files.
 */
export class Outliner {
  private readonly languages = new Map<string, Promise<Language | undefined>>();
  private runtime: Promise<Runtime> | undefined;

  /** `grammars`: the folder with `tree-sitter.wasm` and `tree-sitter-<language>.wasm`; absent: rough outlines only. */
  constructor(private readonly grammars?: string) {}

  /** Symbols in the order of their first lines. Never fails: what cannot be parsed has a rough outline or none. */
  async outline(file: string, text: string): Promise<OutlineSymbol[]> {
    const grammar = grammarFor(file);
    if (text.length > MAX_TEXT) return [];
    if (!grammar || this.grammars === undefined) return roughOutline(text);
    const language = await this.language(grammar.name);
    if (!language) return roughOutline(text);
    return parse(await this.runtime!, language, grammar, text) ?? roughOutline(text);
  }

  private language(name: string): Promise<Language | undefined> {
    let language = this.languages.get(name);
    if (!language) this.languages.set(name, (language = this.load(name)));
    return language;
  }

  private async load(name: string): Promise<Language | undefined> {
    try {
      const folder = this.grammars!;
      this.runtime ??= startRuntime(folder);
      const { Language } = await this.runtime;
      return await Language.load(await readFile(path.join(folder, `tree-sitter-${name}.wasm`)));
    } catch {
      return undefined;
    }
  }
}

/**
 * Loads the parser's script and its WebAssembly. The script is CommonJS and asks for `__filename` when it starts, which there is none of in our
 * bundle of ES modules; it gets one for as long as it is loading, and then asks `locateFile` for everything.
 */
async function startRuntime(folder: string): Promise<Runtime> {
  const scope: { __filename?: string } = globalThis;
  const lacking = scope.__filename === undefined;
  if (lacking) scope.__filename = fileURLToPath(import.meta.url);
  let loaded: Runtime & { default?: Runtime };
  try {
    loaded = await import('@vscode/tree-sitter-wasm');
  } finally {
    if (lacking) delete scope.__filename;
  }
  const runtime = loaded.default ?? loaded;
  await runtime.Parser.init({ locateFile: (file) => path.join(folder, file) });
  return runtime;
}

function parse(runtime: Runtime, language: Language, grammar: Grammar, text: string): OutlineSymbol[] | undefined {
  const parser = new runtime.Parser();
  try {
    parser.setLanguage(language);
    parser.setTimeoutMicros(PARSE_MICROSECONDS);
    const tree = parser.parse(text);
    if (!tree) return undefined;
    try {
      return collect(tree.rootNode, grammar);
    } finally {
      tree.delete();
    }
  } catch {
    return undefined;
  } finally {
    parser.delete();
  }
}

/** Walks inside the parser and hands out only what defines something: looking at every node from here takes many times as long. */
function collect(root: Node, grammar: Grammar): OutlineSymbol[] {
  const symbols: OutlineSymbol[] = [];
  const open: { name: string; end: number }[] = [];
  for (const node of root.descendantsOfType(Object.keys(grammar.kinds))) {
    if (symbols.length >= MAX_SYMBOLS) break;
    const name = node && nameOf(node);
    if (!node || !name) continue;
    while (open.length > 0 && open.at(-1)!.end <= node.startIndex) open.pop();
    symbols.push({ name, kind: grammar.kinds[node.type]!, line: node.startPosition.row + 1, endLine: node.endPosition.row + 1, within: open.map((outer) => outer.name) });
    open.push({ name, end: node.endIndex });
  }
  return symbols;
}

/** The defined name; undefined for what defines nothing after all (a variable that holds no function, a forward declaration). */
function nameOf(node: Node): string | undefined {
  if (node.type === 'variable_declarator' || node.type === 'public_field_definition') return holdsFunction(node.childForFieldName('value')) ? textOf(node.childForFieldName('name')) : undefined;
  if (node.type === 'assignment_expression') return holdsFunction(node.childForFieldName('right')) ? textOf(node.childForFieldName('left')) : undefined;
  if (node.type.endsWith('_specifier') && !node.childForFieldName('body')) return undefined;
  const named = node.childForFieldName('name') ?? node.childForFieldName('type');
  if (named && node.type !== 'function_definition') return textOf(named);
  const declared = node.childForFieldName('name') ?? innermostDeclarator(node);
  return textOf(declared);
}

/** C: `int *(*name)(…)` wraps the name in declarators. */
function innermostDeclarator(node: Node): Node | null {
  let inner: Node | null = node;
  for (let i = 0; i < 10 && inner; i++) {
    const next: Node | null = inner.childForFieldName('declarator');
    if (!next) return inner === node ? null : inner;
    inner = next;
  }
  return inner;
}

function holdsFunction(value: Node | null): boolean {
  return value !== null && /^(?:arrow_function|function_expression|function|generator_function|class)$/.test(value.type);
}

function textOf(node: Node | null): string | undefined {
  const text = node?.text.slice(0, 120).trim();
  return text === undefined || text === '' || text.includes('\n') ? undefined : text;
}

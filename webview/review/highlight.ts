import hljs from 'highlight.js/lib/core';

/** A stretch of a line and what the grammar calls it (`keyword`, `string`, …). */
export interface Token {
  text: string;
  scope?: string;
}

const languages = new Set(['bash', 'c', 'cpp', 'csharp', 'css', 'dart', 'diff', 'dockerfile', 'elixir', 'go', 'graphql', 'haskell', 'ini', 'java', 'javascript', 'json', 'kotlin', 'less', 'lua', 'makefile', 'markdown', 'perl', 'php', 'powershell', 'protobuf', 'python', 'r', 'ruby', 'rust', 'scala', 'scss', 'sql', 'swift', 'typescript', 'xml', 'yaml']);

const byEnding: Record<string, string> = {
  sh: 'bash', zsh: 'bash', h: 'c', cc: 'cpp', cxx: 'cpp', hpp: 'cpp', hh: 'cpp', cs: 'csharp', patch: 'diff', ex: 'elixir', exs: 'elixir', gql: 'graphql', hs: 'haskell', toml: 'ini', cfg: 'ini', conf: 'ini', properties: 'ini',
  js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'javascript', jsonc: 'json', ipynb: 'json', kt: 'kotlin', kts: 'kotlin', mk: 'makefile', md: 'markdown', pl: 'perl', pm: 'perl', ps1: 'powershell', proto: 'protobuf',
  py: 'python', pyi: 'python', rb: 'ruby', rs: 'rust', sc: 'scala', ts: 'typescript', mts: 'typescript', cts: 'typescript', tsx: 'typescript', html: 'xml', htm: 'xml', svg: 'xml', vue: 'xml', xsd: 'xml', yml: 'yaml',
};

/** The grammar for a path, by its name or ending. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'dockerfile' || name === 'makefile') return name;
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const found = byEnding[ending] ?? ending;
  return languages.has(found) ? found : undefined;
}

/** Loads a grammar; false when it cannot be, and text then stays without colours. */
export async function loadLanguage(language: string): Promise<boolean> {
  if (hljs.getLanguage(language)) return true;
  try {
    const { grammars } = await import('./grammars.ts');
    const grammar = grammars[language];
    if (grammar === undefined) return false;
    hljs.registerLanguage(language, grammar);
    return true;
  } catch {
    return false;
  }
}

/** Longer stretches stay plain, so that no slice holds the page up. */
const MAX_CHARACTERS = 60_000;

/** Colours of neighbouring lines; a construct that began above them is not known of. Undefined when they are to stay plain. */
export function tokensOf(lines: readonly string[], language: string): Token[][] | undefined {
  const text = lines.join('\n');
  if (text.length > MAX_CHARACTERS) return undefined;
  return linesIn(hljs.highlight(text, { language, ignoreIllegals: true }).value);
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" };

/** Reads the library's own markup (spans with one class list, five entities) back into tokens, so that no markup has to be put into the page. */
function linesIn(markup: string): Token[][] {
  const lines: Token[][] = [[]];
  const scopes: string[] = [];
  for (const piece of markup.match(/<span class="[^"]*">|<\/span>|[^<]+/gu) ?? []) {
    if (piece === '</span>') scopes.pop();
    else if (piece.startsWith('<span')) scopes.push(/hljs-(\w+)/u.exec(piece)?.[1] ?? '');
    else pushText(lines, piece.replaceAll(/&(?:amp|lt|gt|quot|#x27);/gu, (entity) => entities[entity] ?? entity), scopes.findLast((scope) => scope !== ''));
  }
  return lines;
}

function pushText(lines: Token[][], text: string, scope: string | undefined): void {
  for (const [index, part] of text.split('\n').entries()) {
    if (index > 0) lines.push([]);
    if (part !== '') lines.at(-1)?.push(scope === undefined ? { text: part } : { text: part, scope });
  }
}

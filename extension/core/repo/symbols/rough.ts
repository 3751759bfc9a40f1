import type { SymbolKind } from './definitions.ts';
import type { OutlineSymbol } from './outline.ts';

const definition =
  /^(\s{0,40})(?:(?:export|default|public|private|protected|internal|open|override|static|final|abstract|sealed|data|inline|suspend|async|virtual|extern|unsafe|pub(?:\([a-z]{1,10}\))?|local|case|companion|mutating|@\w{1,40})\s{1,4}){0,8}(class|interface|trait|protocol|struct|enum|object|module|namespace|extension|actor|record|fun|func|function|fn|def|sub|defmodule|defp|type)\s{1,4}([A-Za-z_$][\w$]{0,80}(?:(?:::|\.)[\w$]{1,80}){0,5}[?!]?)/;

const kinds: Readonly<Record<string, SymbolKind>> = {
  class: 'class', struct: 'class', object: 'class', extension: 'class', actor: 'class', record: 'class', interface: 'interface', trait: 'interface', protocol: 'interface',
  enum: 'enum', module: 'module', namespace: 'module', defmodule: 'module', type: 'type',
};

const MAX_LINES = 60_000;

/** An outline from key words and indentation, for languages without a grammar: a definition lasts until the next line that is indented no deeper and closes nothing. */
export function roughOutline(text: string): OutlineSymbol[] {
  const lines = text.split('\n', MAX_LINES);
  const symbols: OutlineSymbol[] = [];
  const open: { symbol: OutlineSymbol; indent: number }[] = [];
  lines.forEach((full, number) => {
    const line = full.slice(0, 400);
    const indent = line.search(/\S/);
    if (indent < 0) return;
    const closes = /^\s*(?:[})\]]|end\b)/.test(line);
    for (let last = open.at(-1); last && indent <= last.indent; last = open.at(-1)) {
      if (closes && indent === last.indent) last.symbol.endLine = number + 1;
      open.pop();
    }
    for (const { symbol } of open) symbol.endLine = number + 1;
    const found = definition.exec(line);
    if (!found) return;
    const symbol: OutlineSymbol = { name: found[3]!, kind: kinds[found[2]!] ?? 'function', line: number + 1, endLine: number + 1, within: open.map((outer) => outer.symbol.name) };
    symbols.push(symbol);
    open.push({ symbol, indent });
  });
  return symbols;
}

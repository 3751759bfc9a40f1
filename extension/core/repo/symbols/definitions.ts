import { extensionOf } from '../kinds.ts';

/** What is defined: names follow VS Code's symbol kinds where there is one. */
export type SymbolKind = 'class' | 'interface' | 'enum' | 'function' | 'method' | 'type' | 'module' | 'property';

export interface Grammar {
  /** Part of the file name `tree-sitter-<name>.wasm`. */
  name: string;
  /** Node types that define something. */
  kinds: Readonly<Record<string, SymbolKind>>;
}

const script: Grammar['kinds'] = {
  function_declaration: 'function',
  generator_function_declaration: 'function',
  class_declaration: 'class',
  class: 'class',
  method_definition: 'method',
  abstract_class_declaration: 'class',
  interface_declaration: 'interface',
  type_alias_declaration: 'type',
  enum_declaration: 'enum',
  internal_module: 'module',
  function_signature: 'function',
  // These three count only when a function or class is their value.
  variable_declarator: 'function',
  public_field_definition: 'method',
  assignment_expression: 'function',
};

const cFamily: Grammar['kinds'] = { function_definition: 'function', class_specifier: 'class', struct_specifier: 'class', enum_specifier: 'enum', namespace_definition: 'module' };

const grammars: Readonly<Record<string, Grammar>> = {
  javascript: { name: 'javascript', kinds: script },
  typescript: { name: 'typescript', kinds: script },
  tsx: { name: 'tsx', kinds: script },
  python: { name: 'python', kinds: { function_definition: 'function', class_definition: 'class' } },
  java: {
    name: 'java',
    kinds: { class_declaration: 'class', interface_declaration: 'interface', enum_declaration: 'enum', record_declaration: 'class', annotation_type_declaration: 'interface', method_declaration: 'method', constructor_declaration: 'method' },
  },
  go: { name: 'go', kinds: { function_declaration: 'function', method_declaration: 'method', type_spec: 'type' } },
  rust: { name: 'rust', kinds: { function_item: 'function', struct_item: 'class', enum_item: 'enum', trait_item: 'interface', impl_item: 'class', mod_item: 'module', macro_definition: 'function' } },
  ruby: { name: 'ruby', kinds: { method: 'method', singleton_method: 'method', class: 'class', module: 'module' } },
  php: {
    name: 'php',
    kinds: { function_definition: 'function', method_declaration: 'method', class_declaration: 'class', interface_declaration: 'interface', trait_declaration: 'class', enum_declaration: 'enum' },
  },
  csharp: {
    name: 'c-sharp',
    kinds: { class_declaration: 'class', interface_declaration: 'interface', struct_declaration: 'class', record_declaration: 'class', enum_declaration: 'enum', method_declaration: 'method', constructor_declaration: 'method', property_declaration: 'property' },
  },
  cpp: { name: 'cpp', kinds: cFamily },
};

const byExtension: Readonly<Record<string, keyof typeof grammars>> = {
  js: 'javascript', jsx: 'javascript', mjs: 'javascript', cjs: 'javascript', ts: 'typescript', mts: 'typescript', cts: 'typescript', tsx: 'tsx',
  py: 'python', pyi: 'python', java: 'java', go: 'go', rs: 'rust', rb: 'ruby', rake: 'ruby', php: 'php', cs: 'csharp',
  c: 'cpp', h: 'cpp', cc: 'cpp', cpp: 'cpp', cxx: 'cpp', hh: 'cpp', hpp: 'cpp', hxx: 'cpp',
};

/** The grammar for a file, by its extension; undefined when none is shipped. */
export function grammarFor(path: string): Grammar | undefined {
  const name = byExtension[extensionOf(path)];
  return name === undefined ? undefined : grammars[name];
}

import type { ScoutResult } from '../../model/code.ts';
import { explainLexically } from './lexical.ts';
import type { RankedDoc, RankedRoot } from './ranking.ts';

const MAX_TESTS = 6;
const MAX_DOCS = 4;

/** Tests and documents that mention what the ticket mentions, tests of the suspects first. */
export function relatedFiles(roots: readonly RankedRoot[], suspects: readonly RankedDoc[]): ScoutResult['related'] {
  return [...pick(roots, suspects, 'test', MAX_TESTS), ...pick(roots, suspects, 'doc', MAX_DOCS)];
}

function pick(roots: readonly RankedRoot[], suspects: readonly RankedDoc[], kind: 'test' | 'doc', limit: number): ScoutResult['related'] {
  const stems = new Set(suspects.slice(0, 8).map(({ root, doc }) => stemOf(root.index.docs[doc]!.path)));
  const found: { root: RankedRoot; doc: number; score: number }[] = [];
  for (const root of roots) {
    root.index.docs.forEach((file, doc) => {
      if (file.role !== kind || file.length === 0) return;
      const { content, names, path, definedWords } = root.strengths;
      const score = content[doc]! + names[doc]! + path[doc]! + definedWords[doc]! / 2 + (kind === 'test' && stems.has(stemOf(file.path)) ? 0.5 : 0);
      if (score > 0.15) found.push({ root, doc, score });
    });
  }
  found.sort((left, right) => right.score - left.score || (left.root.name + left.root.index.docs[left.doc]!.path < right.root.name + right.root.index.docs[right.doc]!.path ? -1 : 1));
  const chosen = found.slice(0, limit);
  const words = new Map(roots.map((root) => [root, explainLexically(root.terms, new Set(chosen.filter((one) => one.root === root).map(({ doc }) => doc)))]));
  return chosen.map(({ root, doc }) => {
    const fields = words.get(root)!.get(doc);
    const said = [...(fields?.get('names') ?? []), ...(fields?.get('content') ?? [])].slice(0, 5).join(', ');
    return { root: root.name, file: root.index.docs[doc]!.path, kind, why: said === '' ? 'named like a suspect' : `mentions ${said}` };
  });
}

/** `test_parser.py`, `parser.test.ts`, `ParserTest.java` and `parser_test.go` all test `parser`. */
function stemOf(path: string): string {
  const base = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return base.replace(/\.[^.]+$/, '').replaceAll(/[._-]|tests?|specs?|^it$/g, '');
}

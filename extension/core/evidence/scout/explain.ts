import type { ScoutReason } from '../../model/code.ts';
import { type LexicalField, explainLexically, lexicalFields } from './lexical.ts';
import type { RankedDoc, RankedRoot } from './ranking.ts';
import { type SignalName, leastReason, machineMadeFactor, roleFactors, signalNames, signals } from './weights.ts';

const MAX_REASONS = 6;

/** "Why this file?" for each of the chosen documents: what each signal gave, strongest first, in words. */
export function explain(chosen: readonly RankedDoc[]): Map<RankedDoc, ScoutReason[]> {
  const words = new Map<RankedRoot, Map<number, Map<LexicalField, string[]>>>();
  for (const root of new Set(chosen.map(({ root }) => root))) {
    words.set(root, explainLexically(root.terms, new Set(chosen.filter((one) => one.root === root).map(({ doc }) => doc))));
  }
  return new Map(chosen.map((one) => [one, reasonsOf(one, words.get(one.root)!.get(one.doc))]));
}

function reasonsOf({ root, doc }: RankedDoc, words: ReadonlyMap<LexicalField, string[]> | undefined): ScoutReason[] {
  const file = root.index.docs[doc]!;
  const factor = roleFactors[file.role] * (file.machineMade ? machineMadeFactor : 1);
  const reasons: ScoutReason[] = [];
  for (const signal of signalNames) {
    const weight = signals[signal].weight * root.strengths[signal][doc]! * factor;
    if (weight < leastReason * factor) continue;
    const said = root.said.get(signal)?.get(doc) ?? wordsFor(signal, words, file.path);
    if (said === undefined) continue;
    reasons.push({ signal, weight: Math.round(weight * 1000) / 1000, text: signals[signal].words.replace('{}', () => said) });
  }
  reasons.sort((left, right) => right.weight - left.weight || (left.signal < right.signal ? -1 : 1));
  return reasons.slice(0, MAX_REASONS);
}

function wordsFor(signal: SignalName, words: ReadonlyMap<LexicalField, string[]> | undefined, path: string): string | undefined {
  if (signal === 'size') return '';
  if (signal === 'path' || signal === 'fileName') return path;
  return (lexicalFields as readonly string[]).includes(signal) ? words?.get(signal as LexicalField)?.join(', ') : undefined;
}

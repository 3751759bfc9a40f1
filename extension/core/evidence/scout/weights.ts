import type { FileRole } from '../../repo/kinds.ts';
import type { CountedZone } from './query.ts';

/** A row of the table: what a signal is worth, and what is said of it under "Why this file?". */
export interface SignalRow {
  weight: number;
  /** A sentence; `{}` stands for what was found (words, a path, a message). */
  words: string;
}

/**
 * Every signal by which files are ranked, and its weight. A file's score is the sum of weight times strength, times the factor of its role.
 * Strengths of the first group are BM25-like sums divided by the best whole-file match of the ticket; all others lie between 0 and about 1.
 * The weights were fitted once for all repositories (docs/benchmarks.md says how); none of them knows a language, a repository or a ticket.
 */
export const signals = {
  content: { weight: 0.65, words: 'Its text has words of the ticket: {}' },
  names: { weight: 1.1, words: 'It uses names from the ticket: {}' },
  defines: { weight: 0.15, words: 'It defines {}' },
  definedWords: { weight: 0.45, words: 'Names it defines have words of the ticket: {}' },
  path: { weight: 0.75, words: 'Its path has words of the ticket: {}' },
  fileName: { weight: 0.3, words: 'The ticket spells out its name: {}' },
  named: { weight: 0.22, words: 'The ticket names this file: {}' },
  namedInCode: { weight: 0.05, words: 'Code or output in the ticket names this file: {}' },
  sameName: { weight: 0.3, words: 'A name in the ticket is the name of this file: {}' },
  module: { weight: 0.38, words: 'A module path in the ticket leads here: {}' },
  frame: { weight: 0.65, words: 'A stack frame lies here: {}' },
  passage: { weight: 0.15, words: 'Many of the ticket’s words stand together at {}' },
  wordPairs: { weight: 0.22, words: 'Words that are neighbours in the ticket are neighbours here: {}' },
  errorMessage: { weight: 0.2, words: 'An error message of the ticket stands here: {}' },
  quotedText: { weight: 0.3, words: 'A text quoted in the ticket stands here: {}' },
  quotedName: { weight: 0.05, words: 'A name quoted in the ticket stands here: {}' },
  folder: { weight: 0.22, words: 'Other suspects lie in the same folder: {}' },
  history: { weight: 0.08, words: 'Commits that speak of the same changed it: {}' },
  changedTogether: { weight: 0.02, words: 'It changes together with a first suspect: {}' },
  size: { weight: 0.12, words: 'It is a large file, and large files are changed more often' },
} as const satisfies Record<string, SignalRow>;

export type SignalName = keyof typeof signals;
export const signalNames = Object.keys(signals) as SignalName[];

/** What a word is worth by where the ticket says it. */
export const zoneWeights: Readonly<Record<CountedZone, number>> = { title: 1.5, prose: 0.8, code: 0.4, inline: 0.9, log: 0.2 };

/** By what a file is. Fixes are made in sources; the rest stays visible behind them. */
export const roleFactors: Readonly<Record<FileRole, number>> = {
  source: 1,
  script: 0.6,
  style: 0.6,
  markup: 0.6,
  types: 0.4,
  locale: 0.3,
  config: 0.25,
  example: 0.08,
  test: 0.06,
  doc: 0.05,
  generated: 0.15,
  vendored: 0.1,
  data: 0.05,
  binary: 0.02,
};

/** Minified, or marked as written by a program. */
export const machineMadeFactor = 0.3;

/** Below this a reason is not worth saying. */
export const leastReason = 0.015;

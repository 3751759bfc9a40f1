import type { HistoryHit, Suspect } from '../../model/code.ts';
import type { Git } from '../../repo/git.ts';
import { termsOf } from '../../repo/index/words.ts';
import type { Query } from './query.ts';
import { stopWords } from './stop-words.ts';

/** One commit of the recent past. */
export interface Commit {
  hash: string;
  date: string;
  author: string;
  subject: string;
  /** Paths from the root. */
  files: string[];
}

/** How far back the history is read: enough for what is remembered, and the same work for any repository. */
const MAX_COMMITS = 500;
const LOG_TIMEOUT_MS = 4000;
/** Commits that touch more files than this say nothing about any of them. */
const SWEEPING = 40;

/** The last commits that touch the root, newest first; empty where there is no git, no commit, or git takes too long. */
export async function recentCommits(root: string, git: Git, signal: AbortSignal): Promise<Commit[]> {
  const timed = AbortSignal.any([signal, AbortSignal.timeout(LOG_TIMEOUT_MS)]);
  try {
    const text = await git.text(root, ['log', '--no-merges', `--max-count=${MAX_COMMITS}`, '--no-renames', '--name-only', '--relative', '--format=%x01%H%x02%aI%x02%an%x02%s'], { signal: timed, maxBytes: 16 * 1024 * 1024, cut: true });
    return text.split('\u0001').slice(1).map(parseCommit);
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

function parseCommit(record: string): Commit {
  const [head = '', ...files] = record.split('\n');
  const [hash = '', date = '', author = '', subject = ''] = head.split('\u0002');
  return { hash, date, author, subject, files: files.filter((file) => file !== '' && !file.startsWith('"')) };
}

/** A commit that has to do with the ticket, how much (0 to 1), and why. */
export interface RelatedCommit {
  commit: Commit;
  strength: number;
  why: string;
}

/** Commits that name the ticket, are named by it, or whose subject speaks of the same; strongest first. */
export function commitsAbout(query: Query, ticketId: string, commits: readonly Commit[]): RelatedCommit[] {
  const named = query.clues.filter((clue) => clue.kind === 'commit').map((clue) => clue.text);
  const number = /(\d{1,7})$/.exec(ticketId)?.[1];
  const ownReference = number === undefined ? undefined : new RegExp(`(?:#|GH-|[A-Z]-)${number}(?!\\d)`);
  const words = new SubjectWords(query, commits);
  const found: RelatedCommit[] = [];
  commits.forEach((commit, i) => {
    if (named.some((hash) => commit.hash.startsWith(hash))) found.push({ commit, strength: 1, why: 'the ticket names this commit' });
    else if (ownReference?.test(commit.subject)) found.push({ commit, strength: 1, why: 'its subject names the ticket' });
    else {
      const { strength, said } = words.compare(i);
      if (strength > 0.3) found.push({ commit, strength: Math.min(0.9, strength), why: `its subject speaks of ${said.join(', ')}` });
    }
  });
  return found.sort((left, right) => right.strength - left.strength).slice(0, 25);
}

/** Compares commit subjects with the ticket's title and prose: the share of the ticket title's weight that a subject has in it. */
class SubjectWords {
  private readonly perCommit: string[][];
  private readonly files = new Map<string, number>();
  private readonly wanted = new Map<string, { text: string; amount: number }>();
  private total = 0;

  constructor(query: Query, commits: readonly Commit[]) {
    this.perCommit = commits.map((commit) => [...new Set(keysOf(commit.subject))]);
    for (const keys of this.perCommit) for (const key of keys) this.files.set(key, (this.files.get(key) ?? 0) + 1);
    for (const entry of query.terms) {
      if (entry.kind !== 'word') continue;
      const amount = (entry.counts[0]! > 0 ? 1 : entry.counts[1]! + entry.counts[3]! > 0 ? 0.3 : 0) * entry.worth;
      if (amount === 0) continue;
      const key = `${entry.term.a}:${entry.term.b}`;
      this.wanted.set(key, { text: entry.text, amount });
      if (entry.counts[0]! > 0) this.total += amount * this.rarity(key);
    }
  }

  compare(commit: number): { strength: number; said: string[] } {
    let sum = 0;
    const said: { text: string; gain: number }[] = [];
    for (const key of this.perCommit[commit]!) {
      const wanted = this.wanted.get(key);
      if (!wanted) continue;
      const gain = wanted.amount * this.rarity(key);
      sum += gain;
      said.push({ text: wanted.text, gain });
    }
    said.sort((left, right) => right.gain - left.gain);
    return { strength: said.length < 2 || this.total === 0 ? 0 : sum / this.total, said: said.slice(0, 4).map(({ text }) => text) };
  }

  private rarity(key: string): number {
    const found = this.files.get(key) ?? 0;
    return Math.log(1 + (this.perCommit.length - found + 0.5) / (found + 0.5));
  }
}

function keysOf(text: string): string[] {
  const keys: string[] = [];
  for (const match of text.slice(0, 300).matchAll(/[A-Za-z0-9_$\u0080-\uffff]{2,80}/g)) {
    if (stopWords.has(match[0].toLowerCase())) continue;
    for (const part of termsOf(match[0]).parts) keys.push(`${part.a}:${part.b}`);
  }
  return keys;
}

/** What related commits say of each file: the strongest of them, less when the commit touched much. */
export function strengthByFile(related: readonly RelatedCommit[]): Map<string, { strength: number; text: string }> {
  const files = new Map<string, { strength: number; text: string }>();
  for (const { commit, strength } of related) {
    if (commit.files.length > SWEEPING) continue;
    const share = strength / Math.sqrt(Math.max(1, commit.files.length / 2));
    for (const file of commit.files) {
      const known = files.get(file);
      if (!known || share > known.strength) files.set(file, { strength: share, text: `${commit.hash.slice(0, 9)} ${commit.subject.slice(0, 100)}` });
    }
  }
  return files;
}

/** How often files were changed in the same commit as one of the leaders: a share of the leader's commits, by path. */
export function changedTogether(commits: readonly Commit[], leaders: readonly string[]): Map<string, { strength: number; text: string }> {
  const together = new Map<string, { strength: number; text: string }>();
  for (const leader of leaders) {
    const own = commits.filter((commit) => commit.files.length <= SWEEPING && commit.files.includes(leader));
    if (own.length < 2) continue;
    const counts = new Map<string, number>();
    for (const commit of own) for (const file of commit.files) if (file !== leader) counts.set(file, (counts.get(file) ?? 0) + 1);
    for (const [file, count] of counts) {
      const strength = count / (own.length + 2);
      const known = together.get(file);
      if (count >= 2 && (!known || strength > known.strength)) together.set(file, { strength, text: `${count} of ${own.length} recent commits to ${leader} changed it too` });
    }
  }
  return together;
}

const MAX_HITS = 12;
const BLAMED_SUSPECTS = 3;

/** What people want to know of the past: commits about the ticket, the last changes of the first suspects, and who last touched their lines. */
export async function historyHits(root: { name: string; path: string }, git: Git, commits: readonly Commit[], related: readonly RelatedCommit[], suspects: readonly Suspect[], signal: AbortSignal): Promise<HistoryHit[]> {
  const hits = new Map<string, HistoryHit>();
  const add = (commit: Commit, why: string): void => {
    const known = hits.get(commit.hash);
    if (known) known.why = known.why.includes(why) ? known.why : `${known.why}; ${why}`;
    else if (hits.size < MAX_HITS) hits.set(commit.hash, { root: root.name, commit: commit.hash, date: commit.date, author: commit.author, subject: commit.subject, files: commit.files.slice(0, 20), why });
  };
  const own = suspects.filter((suspect) => suspect.root === root.name).slice(0, BLAMED_SUSPECTS);
  for (const { commit, why } of related.slice(0, 6)) add(commit, why);
  for (const suspect of own) {
    for (const hash of await blamed(root.path, git, suspect, signal)) {
      const commit = commits.find((one) => one.hash === hash);
      if (commit) add(commit, `last changed the suspect lines of ${suspect.file}`);
    }
  }
  for (const suspect of own) for (const commit of commits.filter((one) => one.files.includes(suspect.file)).slice(0, 2)) add(commit, `a recent change of ${suspect.file}`);
  return [...hits.values()];
}

async function blamed(root: string, git: Git, suspect: Suspect, signal: AbortSignal): Promise<string[]> {
  const ranges = suspect.lines.slice(0, 2).flatMap(([from, to]) => ['-L', `${from},${Math.min(to, from + 120)}`]);
  if (ranges.length === 0) return [];
  const timed = AbortSignal.any([signal, AbortSignal.timeout(LOG_TIMEOUT_MS)]);
  try {
    const text = await git.text(root, ['blame', '--porcelain', ...ranges, '--', suspect.file], { signal: timed, maxBytes: 2 * 1024 * 1024, cut: true });
    const hashes = [...text.matchAll(/^([0-9a-f]{40}) \d+ \d+ \d+$/gm)].map((match) => match[1]!);
    return [...new Set(hashes)].filter((hash) => !/^0+$/.test(hash));
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

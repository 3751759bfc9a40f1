import { existsSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { ScoutResult, Suspect } from '../../model/code.ts';
import type { Git } from '../../repo/git.ts';
import { freshIndexes, type Indexes, type OpenedIndex } from '../../repo/index/open.ts';
import { DamagedCache, cacheFileOf } from '../../repo/index/store.ts';
import { Outliner } from '../../repo/symbols/outline.ts';
import { explain } from './explain.ts';
import { type Commit, type RelatedCommit, changedTogether, commitsAbout, historyHits, recentCommits, strengthByFile } from './history.ts';
import { placesOf } from './places.ts';
import { type Query, readTicket } from './query.ts';
import { type Past, type RankedDoc, type RankedRoot, rank } from './ranking.ts';
import { relatedFiles } from './related.ts';
import { maxTicketLength } from './zones.ts';

/** A ticket as the scout takes it: data, never instructions. */
export interface ScoutTicket {
  /** `owner/repo#12` or any other name; its last number finds commits that name the ticket. */
  id: string;
  title: string;
  /** All of the ticket's text. */
  body: string;
}

export interface ScoutInput {
  ticket: ScoutTicket;
  roots: readonly { name: string; path: string }[];
  /** `off`: no history, and files are listed by walking. */
  git: 'auto' | 'off';
  /** Where the index is kept between tickets; absent: nothing is kept. */
  cacheFolder?: string;
  /** Folder of the tree-sitter grammars; absent: rough outlines. */
  grammars?: string;
  /** How many suspects to give, with lines and reasons; default 20. */
  limit?: number;
}

export interface ScoutDeps {
  /** Absent: as with `git: 'off'`. */
  git?: Git;
  /** Kept between searches by a process that lives on; absent: each search looks for itself. */
  indexes?: Indexes;
  now: () => number;
}

/** Suspects that are parsed for their outline; for the rest the passages do. */
const OUTLINED = 10;

interface OpenedRoot {
  name: string;
  path: string;
  opened: OpenedIndex;
  commits: Commit[];
  about: RelatedCommit[];
}

/**
 * Ranks the files that a ticket is about and gathers what the repository knows of it. Deterministic: the same ticket and the same bytes give the same
 * result, `stats.milliseconds` aside. Heavy and synchronous in parts: `ScoutRunner` keeps it off the extension host's thread.
 * Rejects when aborted, or when a root is no folder.
 */
export async function scout(input: ScoutInput, deps: ScoutDeps, signal: AbortSignal): Promise<ScoutResult> {
  try {
    return await attempt(input, deps, signal);
  } catch (error) {
    if (!(error instanceof DamagedCache) || input.cacheFolder === undefined) throw error;
    deps.indexes?.forget();
    for (const root of input.roots) rmSync(cacheFileOf(input.cacheFolder, realpathSync(root.path)), { force: true });
    return attempt(input, deps, signal);
  }
}

async function attempt(input: ScoutInput, deps: ScoutDeps, signal: AbortSignal): Promise<ScoutResult> {
  const startedAt = performance.now();
  const query = readTicket(input.ticket.title, input.ticket.body);
  const git = input.git === 'off' ? undefined : deps.git;
  const roots: OpenedRoot[] = [];
  try {
    for (const root of input.roots) roots.push(await openRoot(root, input, query, { ...deps, git }, signal));
    const ranking = rank({ query, roots: roots.map(({ name, path, opened }) => ({ name, path, index: opened.index })), pasts: new Map(roots.map((root) => [root.name, pastOf(root)])), signal });
    const chosen = ranking.ranked.slice(0, input.limit ?? 20);
    const suspects = await suspectsOf(query, chosen, new Outliner(input.grammars), signal);
    const history = git ? (await Promise.all(roots.filter((root) => root.commits.length > 0).map((root) => historyHits(root, git, root.commits, root.about, suspects, signal)))).flat() : [];
    const pinned = pinnedFrame(ranking.roots);
    return {
      clues: query.clues,
      suspects,
      history,
      related: relatedFiles(ranking.roots, chosen),
      stats: statsOf(input, roots, ranking.opened, startedAt),
      ...(pinned ? { pinned } : {}),
    };
  } finally {
    for (const { opened } of roots) opened.close();
  }
}

async function openRoot(root: { name: string; path: string }, input: ScoutInput, query: Query, deps: Omit<ScoutDeps, 'git'> & { git: Git | undefined }, signal: AbortSignal): Promise<OpenedRoot> {
  const git = isInRepository(root.path) ? deps.git : undefined;
  const log = git ? recentCommits(root.path, git, signal) : Promise.resolve([]);
  const opening = (deps.indexes ?? freshIndexes).open({ root: root.path, ...(git ? { git } : {}), ...(input.cacheFolder === undefined ? {} : { cacheFolder: input.cacheFolder }), signal, now: deps.now });
  const [commits, opened] = await Promise.all([log, opening]);
  return { ...root, opened, commits, about: commitsAbout(query, input.ticket.id, commits) };
}

/** Spares folders without git the processes that would only say so. */
function isInRepository(folder: string): boolean {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return true;
    if (at === path.dirname(at)) return false;
  }
}

function pastOf(root: OpenedRoot): Past {
  return { related: strengthByFile(root.about), together: (leaders) => changedTogether(root.commits, leaders) };
}

async function suspectsOf(query: Query, chosen: readonly RankedDoc[], outliner: Outliner, signal: AbortSignal): Promise<Suspect[]> {
  const reasons = explain(chosen);
  const suspects: Suspect[] = [];
  for (const [i, one] of chosen.entries()) {
    signal.throwIfAborted();
    const { lines, symbols } = await placesOf(query, one, i < OUTLINED ? outliner : undefined);
    const score = Math.round(one.root.scores[one.doc]! * 10_000) / 10_000;
    suspects.push({ root: one.root.name, file: one.root.index.docs[one.doc]!.path, score, lines, symbols, why: reasons.get(one)! });
  }
  return suspects;
}

/** The innermost frame of the ticket that lies on a line its file really has. */
function pinnedFrame(roots: readonly RankedRoot[]): ScoutResult['pinned'] {
  for (const root of roots) {
    const { innermost } = root.mentions;
    const file = innermost && root.index.docs[innermost.doc]!;
    const line = innermost?.frame.line;
    if (file && line !== undefined && line <= file.lines) return { root: root.name, file: file.path, line };
  }
  return undefined;
}

/** Counters that tests and the bench read. `filesLookedAt`: whose size and times were asked for; `filesRead`: contents read for the index; `filesOpened`: suspects read closely, at most 60 whatever the repository's size. */
function statsOf(input: ScoutInput, roots: readonly OpenedRoot[], filesOpened: number, startedAt: number): Record<string, number> {
  const sum = (of: (root: OpenedRoot) => number): number => roots.reduce((total, root) => total + of(root), 0);
  return {
    files: sum(({ opened }) => opened.listing.files.length),
    filesLookedAt: sum(({ opened }) => opened.filesLookedAt),
    filesRead: sum(({ opened }) => opened.filesRead),
    filesIndexed: sum(({ opened }) => opened.filesIndexed),
    filesOpened,
    filesUnreadable: sum(({ opened }) => opened.listing.unreadable),
    cacheFailed: sum(({ opened }) => (opened.cacheFailed ? 1 : 0)),
    ticketCharactersLeftOut: Math.max(0, input.ticket.title.length + input.ticket.body.length + 1 - maxTicketLength),
    milliseconds: Math.round(performance.now() - startedAt),
  };
}

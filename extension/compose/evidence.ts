import { isAbsolute, join, resolve, win32 } from 'node:path';
import type { Clock } from '../core/base/clock.ts';
import { decodeText, splitLines } from '../core/base/encoding.ts';
import type { CodeEvidence, TreeChange } from '../core/cases/deps.ts';
import { checkCitations } from '../core/evidence/citations/check.ts';
import { extractCitations } from '../core/evidence/citations/extract.ts';
import type { ScoutRunner } from '../core/evidence/scout/runner.ts';
import type { ScoutResult, Snapshot } from '../core/model/code.ts';
import type { Ticket } from '../core/model/ticket.ts';
import type { Git } from '../core/repo/git.ts';
import { type Root, rootsNow } from '../core/repo/roots.ts';
import { SnapshotReader } from '../core/repo/snapshot-reader.ts';
import { takeSnapshot } from '../core/repo/snapshot.ts';
import { WorkTreeReader } from '../core/repo/work-tree.ts';
import type { CheckpointChange, Checkpoints } from '../core/review/checkpoints.ts';

/** Readers cache what they read; this many snapshots are kept warm. */
const keptReaders = 4;

/** Snapshot, scout, citations and tree guard, bound to the workspace's roots and Casebook's folder for it. */
export function createEvidence(deps: { roots: () => readonly Root[]; cwd: string; git: Git; folder: string; clock: Clock; scout: ScoutRunner; checkpoints: Pick<Checkpoints, 'watchRun'> }): CodeEvidence {
  const readers = new Map<string, SnapshotReader>();
  const here = (snapshot: Snapshot): Snapshot => ({ ...snapshot, roots: rootsNow(snapshot.roots, deps.roots()) });
  const readerOf = (recorded: Snapshot): SnapshotReader => {
    const snapshot = here(recorded);
    const key = JSON.stringify(snapshot.roots.map((root) => [root.path, root.tree ?? root.listing]));
    const reader = readers.get(key) ?? new SnapshotReader(snapshot, deps);
    readers.delete(key);
    readers.set(key, reader);
    for (const oldest of readers.keys()) if (readers.size > keptReaders) readers.delete(oldest);
    return reader;
  };
  return {
    roots: deps.roots,
    takeSnapshot: (signal) => takeSnapshot(deps.roots(), deps, signal),
    async check(claims, snapshot, signal) {
      const current = new WorkTreeReader(here(snapshot).roots);
      return checkCitations(claims, { snapshot, reader: readerOf(snapshot), current, signal });
    },
    async lineAt(file, line, snapshot, signal) {
      const bytes = await readerOf(snapshot).read(file, signal);
      const decoded = bytes === undefined ? undefined : decodeText(bytes);
      return decoded?.kind === 'text' ? splitLines(decoded.text)[line - 1] : undefined;
    },
    // A path of another machine, quoted from the ticket, is no claim about this code.
    extract: (markdown) => extractCitations(markdown).filter((claim) => !isElsewhere(claim.file, deps.roots())),
    async scout(ticket, signal) {
      const found = await deps.scout.run({ ticket: { id: ticket.id, title: ticket.title, body: textOf(ticket) }, roots: deps.roots() }, signal);
      return ticket.source === 'file' ? withoutFile(found, resolve(deps.cwd, ticket.key), deps.roots()) : found;
    },
    async watchTree(of, signal) {
      const watch = await deps.checkpoints.watchRun(of, signal);
      return {
        async end(later) {
          const { files, checkpoint } = await watch.end(later);
          return { files: files.flatMap(treeChangesOf), ...(checkpoint === undefined ? {} : { checkpoint }) };
        },
      };
    },
  };
}

/** A case names paths that came and went; which went where is told in the review. */
function treeChangesOf({ root, path, from, change, by }: CheckpointChange): TreeChange[] {
  if (change !== 'renamed') return [{ root, path, change, by }];
  return [...(from === undefined ? [] : [{ root, path: from, change: 'deleted' as const, by }]), { root, path, change: 'added', by }];
}

/** A ticket kept in the repository has all of its own words, and says nothing about itself. */
function withoutFile(found: ScoutResult, path: string, roots: readonly Root[]): ScoutResult {
  const isOther = (place: { root: string; file: string }) => !roots.some((root) => root.name === place.root && join(root.path, place.file) === path);
  return { ...found, suspects: found.suspects.filter(isOther), related: found.related.filter(isOther) };
}

function isElsewhere(cited: string, roots: readonly Root[]): boolean {
  // A frame quoted as inline code brings its "at" along.
  const file = cited.replace(/^at\s+/u, '');
  return (isAbsolute(file) || win32.isAbsolute(file)) && !roots.some((root) => file.startsWith(`${root.path}/`));
}

/** Everything in a ticket that may point at code, as one text; what the reporter wrote first. */
function textOf(ticket: Ticket): string {
  const records = [ticket.where, ticket.environment, ticket.formData, ticket.customData];
  return [
    ticket.description,
    ...ticket.console.map((entry) => entry.text),
    ...ticket.network.map((entry) => [entry.method, entry.url, entry.status, entry.error].filter((part) => part !== undefined).join(' ')),
    ...ticket.thread.map((message) => message.text),
    ...ticket.attachments.flatMap((attachment) => (attachment.text === undefined ? [] : [attachment.text])),
    ...records.flatMap((record) => Object.values(record)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

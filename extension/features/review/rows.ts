import type { FileState, SetState } from '../../core/review/desk/state.ts';
import type { SetOutcome } from '../../core/model/change.ts';
import { ago } from '../../shared/words.ts';

/** One line of the Reviews tree, as data. */
export interface ReviewRow {
  label: string;
  description: string;
  tooltip: string;
  accessible: string;
  icon: string;
  /** Theme colour id; never the only carrier of a meaning, since the icon differs as well. */
  color?: string;
  context: string;
}

export const outcomeWords: Record<SetOutcome, string> = {
  accepted: 'Accepted',
  partly_accepted: 'Partly accepted',
  rejected: 'Rejected',
  abandoned: 'Abandoned',
  decided_elsewhere: 'Decided elsewhere',
  superseded: 'Superseded',
  expired: 'Expired',
  failed: 'Failed',
};

const outcomeLooks: Record<SetOutcome, { icon: string; color?: string }> = {
  accepted: { icon: 'pass', color: 'charts.green' },
  partly_accepted: { icon: 'pass-filled', color: 'charts.yellow' },
  rejected: { icon: 'circle-slash', color: 'charts.red' },
  abandoned: { icon: 'debug-disconnect' },
  decided_elsewhere: { icon: 'terminal' },
  superseded: { icon: 'versions' },
  expired: { icon: 'history' },
  failed: { icon: 'error', color: 'charts.red' },
};

const clientWords: Record<string, string> = { 'working-tree': 'Working tree', checkpoint: 'What changed', patch: 'Patch' };
const fileIcons: Record<FileState['kind'], string> = { modify: 'diff-modified', create: 'diff-added', delete: 'diff-removed', rename: 'diff-renamed', mode: 'lock', symlink: 'file-symlink-file', binary: 'file-binary', notebook: 'notebook' };
const kindWords: Record<FileState['kind'], string> = { modify: 'modified', create: 'new', delete: 'deleted', rename: 'renamed', mode: 'mode changed', symlink: 'link', binary: 'binary', notebook: 'notebook' };

/** Who a set comes from, in words. */
export function originWords(set: Pick<SetState, 'origin'>): string {
  return clientWords[set.origin.client] ?? set.origin.client;
}

/** Lines added and removed in the whole set, and how many changes are undecided. */
export function sizeOf(set: Pick<SetState, 'files'>): { added: number; removed: number; left: number } {
  const sum = { added: 0, removed: 0, left: 0 };
  for (const { counts, left } of set.files) {
    sum.added += counts.added;
    sum.removed += counts.removed;
    sum.left += left;
  }
  return sum;
}

export function setRow(set: SetState, title: string, now: number): ReviewRow {
  return set.settled === undefined ? pendingRow(set, title, now) : settledRow(set, title, now);
}

function pendingRow(set: SetState, title: string, now: number): ReviewRow {
  const { added, removed, left } = sizeOf(set);
  const files = counted(set.files.length, 'file');
  const conflict = set.files.some((file) => file.conflicts.length > 0);
  const state = set.applying ? 'being written' : conflict ? 'conflict' : left === 0 ? 'decided, not finished' : undefined;
  const waits = set.caller.attached ? 'the agent waits for the answer' : undefined;
  const facts = [originWords(set), `${files}, ${added} lines added, ${removed} removed`, state ?? `${counted(left, 'change')} undecided`, waits, ago(set.openedAt, now)].filter((fact) => fact !== undefined && fact !== '');
  return {
    label: title,
    description: [originWords(set), state, `${files} +${added} −${removed}`, ago(set.openedAt, now)].filter((part) => part !== undefined && part !== '').join(' · '),
    tooltip: [title, ...facts].join('\n'),
    accessible: [title, 'pending', ...facts].join(', '),
    ...(conflict ? { icon: 'warning', color: 'charts.orange' } : left === 0 ? { icon: 'check', color: 'charts.green' } : set.caller.attached ? { icon: 'question', color: 'charts.yellow' } : { icon: 'git-pull-request' }),
    context: left === 0 ? 'set.pending.decided' : 'set.pending',
  };
}

function settledRow(set: SetState, title: string, now: number): ReviewRow {
  const { outcome, at, standing, policy, by, observed } = set.settled ?? { outcome: 'failed' as const, at: set.lastEventAt, by: [] };
  const undone = standing === false;
  const differs = observed?.result === 'differs';
  const words = undone ? `${outcomeWords[outcome]}, undone` : differs ? `${outcomeWords[outcome]}, but the file differs` : outcomeWords[outcome];
  const who = policy === undefined ? [...new Set(by.map(({ name }) => name))].join(', ') : `policy ${policy}`;
  const facts = [words, originWords(set), counted(set.files.length, 'file'), who === '' ? undefined : `decided by ${who}`, ago(at, now)].filter((fact) => fact !== undefined && fact !== '');
  return {
    label: title,
    description: [words, originWords(set), ago(at, now)].filter((part) => part !== '').join(' · '),
    tooltip: [title, ...facts].join('\n'),
    accessible: [title, ...facts].join(', '),
    ...(undone ? { icon: 'discard' } : differs ? { icon: 'warning', color: 'charts.orange' } : outcomeLooks[outcome]),
    context: standing === undefined ? 'set.settled' : standing ? 'set.settled.standing' : 'set.settled.undone',
  };
}

export function fileRow(file: FileState, pending: boolean): ReviewRow {
  const cut = file.path.lastIndexOf('/');
  const { added, removed } = file.counts;
  const decided = file.counts.hunks - file.left;
  const state = !pending ? undefined : file.conflicts.length > 0 ? 'conflict' : file.left === 0 ? 'decided' : decided > 0 ? `${decided} of ${file.counts.hunks} decided` : undefined;
  const facts = [kindWords[file.kind], file.from === undefined ? undefined : `from ${file.from}`, `${added} lines added, ${removed} removed`, state, file.draft === undefined ? undefined : 'edited by you', file.by === 'person' ? 'saved by you' : undefined, file.reviewed ? 'looked at' : undefined].filter((fact) => fact !== undefined);
  return {
    label: file.path.slice(cut + 1),
    description: [cut < 0 ? '' : file.path.slice(0, cut), `+${added} −${removed}`, state, file.draft === undefined ? undefined : 'edited'].filter((part) => part !== undefined && part !== '').join(' · '),
    tooltip: [`${file.root}/${file.path}`, ...facts].join('\n'),
    accessible: [file.path, ...facts].join(', '),
    icon: file.conflicts.length > 0 ? 'warning' : pending && file.left === 0 ? 'check' : fileIcons[file.kind],
    context: pending ? 'file.pending' : 'file.settled',
  };
}

export type SortBy = 'age' | 'origin' | 'size';

/** Pending sets in the order that somebody chose; the oldest waits longest and comes first. */
export function sorted(sets: readonly SetState[], by: SortBy): SetState[] {
  const size = (set: SetState): number => sizeOf(set).added + sizeOf(set).removed;
  const byAge = (a: SetState, b: SetState): number => (a.openedAt < b.openedAt ? -1 : a.openedAt > b.openedAt ? 1 : 0);
  return [...sets].sort((a, b) => (by === 'size' ? size(b) - size(a) : by === 'origin' ? originWords(a).localeCompare(originWords(b)) : 0) || byAge(a, b));
}

/** Whether a set has all the words in its title, agent or paths. */
export function matches(set: SetState, filter: string): boolean {
  const text = [set.title, originWords(set), set.origin.client, ...set.files.map((file) => file.path)].join('\n').toLowerCase();
  return filter.toLowerCase().split(/\s+/u).every((word) => text.includes(word));
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

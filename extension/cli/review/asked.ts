import { fileKey, hunksDecided } from '../../core/model/change.ts';
import type { Actor } from '../../core/model/actor.ts';
import { nameOf } from '../../core/review/provenance/summary.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import { lineForTerminal } from '../terminal-text.ts';

/** What one command asked for, to be compared with what became of the set. */
export interface Asked {
  decision: 'accept' | 'reject';
  /** The set as it was when the person decided. */
  before: SetState;
  /** Files by key, and single hunks; empty is all. */
  files: readonly string[];
  hunks: readonly string[];
}

/** In a sentence, why the set has not become what was asked; undefined when it has, or still may. */
export function notAsAsked(state: SetState, asked: Asked): string | undefined {
  const { id, settled } = state;
  if (settled === undefined) {
    if (state.revision > asked.before.revision) return `The files have changed; look again with "casebook review show ${id}".`;
    const conflicts = asked.decision === 'accept' && asked.hunks.length === 0 ? state.files.filter((file) => file.left > 0 && file.conflicts.length > 0) : [];
    if (conflicts.length === 0) return undefined;
    return `Both sides changed the same lines in ${conflicts.map((file) => lineForTerminal(file.key)).join(', ')}; that is accepted only by itself (--hunk ID), or rejected. "casebook review show ${id}" shows it.`;
  }
  const decided = settled.outcome === 'accepted' || settled.outcome === 'partly_accepted' || settled.outcome === 'rejected';
  const others = settled.files.flatMap((file) => hunksDecided(file).filter(({ hunk, decision }) => (decision === 'reject') !== (asked.decision === 'reject') && covers(asked, fileKey(file), hunk)).map(({ by }) => by));
  if (decided && others.length === 0) return undefined;
  const names = [...new Set((others.length === 0 ? settled.by : others).map(who))];
  return `${id}: it was decided otherwise than you asked (${asked.decision})${names.length === 0 ? '' : `, by ${names.join(', ')}`}.`;
}

/** Whether the command asked for this hunk: it was named, or was undecided in what was named. */
function covers({ before, files, hunks }: Asked, key: string, hunk: string): boolean {
  const file = before.files.find((candidate) => candidate.key === key);
  // With a person's own text, what was decided of the proposal is read off the result; there is no hunk to compare.
  if (file === undefined || file.draft !== undefined) return false;
  if (files.length > 0 && !files.includes(key)) return false;
  if (hunks.length > 0) return hunks.some((named) => isOrIsPartOf(hunk, named));
  return file.rest === undefined && !Object.keys(file.decisions).some((earlier) => isOrIsPartOf(hunk, earlier));
}

const isOrIsPartOf = (hunk: string, whole: string): boolean => hunk === whole || hunk.startsWith(`${whole}.`);

function who(actor: Actor): string {
  return lineForTerminal(actor.via === undefined ? nameOf(actor) : `${nameOf(actor)} (${actor.via})`);
}

import { Failure } from '../../base/failure.ts';
import type { EventBody } from '../../journal/kinds/index.ts';
import { casebookActor } from '../../model/actor.ts';
import { type Hunk, splitFor } from '../files/hunks.ts';
import type { DecideInput, DeskFailureReason } from '../port.ts';
import type { FileState, HunkState, SetState } from './state.ts';
import { decisionOn, decisionsOf, fileOf, type Views } from './views.ts';

type Decided = EventBody<'hunks.decided'>['decisions'];

/**
 * What a person decided, as it is recorded: every hunk checked against the files, and how much is left of each. Taking back one hunk of a file that was decided as a whole
 * spells the others out. Fails `not_found` for a hunk that the file does not have.
 */
export async function decisionsToRecord(state: SetState, inputs: readonly DecideInput[], views: Views): Promise<{ decisions: Decided; left: Record<string, number> }> {
  const decisions: Decided = [];
  const left: Record<string, number> = {};
  for (const [key, own] of Map.groupBy(inputs, (input) => input.file)) {
    const file = fileOf(state, key);
    // Without conflicts the first word on all of a file leaves nothing, and no byte of it need be read.
    const all = file.rest === undefined && file.conflicts.length === 0 && own.every((input) => input.hunk === '*' && input.decision !== 'undone');
    const spelled = all ? own : await spelledOut(file, own, views);
    decisions.push(...spelled);
    left[key] = all ? 0 : await leftAfter(file, spelled, views);
  }
  return { decisions, left };
}

/** Whether nothing of a set is undecided. Files that nobody has touched yet need not be read for that. */
export async function allDecided(state: SetState, views: Views): Promise<boolean> {
  const open = state.files.filter((file) => file.rest === undefined || (file.rest.decision === 'accept' && file.conflicts.length > 0));
  if (open.some((file) => file.left > 0 && file.rest === undefined && Object.keys(file.decisions).length === 0)) return false;
  for (const file of open) if (undecided(file, (await views.shown(file)).hunks) > 0) return false;
  return true;
}

async function spelledOut(file: FileState, inputs: readonly DecideInput[], views: Views): Promise<Decided> {
  const shown = await views.shown(file);
  const ids = inputs.map((input) => input.hunk).filter((hunk) => hunk !== '*');
  const hunks = splitFor(shown.hunks, [...Object.keys(file.decisions), ...ids]);
  const known = new Set(hunks.map((hunk) => hunk.id));
  for (const hunk of ids) if (!known.has(hunk)) throw new Failure<DeskFailureReason>('not_found', `${file.key} has no hunk ${hunk}; it may have been edited since.`, { detail: { file: file.key, hunk } });
  const undone = new Set(inputs.filter((input) => input.decision === 'undone').map((input) => input.hunk));
  if (file.rest === undefined || undone.has('*')) return [...inputs];
  if (undone.size === 0) return inputs.flatMap((input) => (input.hunk === '*' ? stillOpen(file, hunks, input) : [input]));
  const others = [...decisionsOf(file, hunks)].filter(([hunk]) => !undone.has(hunk) && !ids.includes(hunk)).map(([hunk, decision]) => ({ file: file.key, hunk, decision }));
  return [{ file: file.key, hunk: '*', decision: 'undone' as const }, ...others, ...inputs.filter((input) => input.decision !== 'undone')];
}

/** A second word on all of a file is about what the first one left open, which are conflicts: they are rejected by it, never accepted. */
function stillOpen(file: FileState, hunks: readonly Hunk[], input: DecideInput): Decided {
  if (input.decision !== 'reject') return [];
  return hunks.filter((hunk) => decisionOn(file, hunk.id) === undefined).map((hunk) => ({ file: file.key, hunk: hunk.id, decision: 'reject' as const }));
}

async function leftAfter(file: FileState, decided: Decided, views: Views): Promise<number> {
  const after: Pick<FileState, 'decisions' | 'rest'> = { decisions: { ...file.decisions }, ...(file.rest === undefined ? {} : { rest: file.rest }) };
  const mark = (decision: 'accept' | 'reject'): HunkState => ({ decision, by: casebookActor('count'), at: '' });
  for (const { hunk, decision } of decided) {
    if (decision === 'undone' && hunk === '*') {
      after.decisions = {};
      delete after.rest;
    } else if (decision === 'undone') delete after.decisions[hunk];
    else if (decision === 'edited') continue;
    else if (hunk === '*') after.rest ??= mark(decision);
    else after.decisions[hunk] = mark(decision);
  }
  return undecided({ conflicts: file.conflicts, ...after }, (await views.shown(file)).hunks);
}

function undecided(file: Pick<FileState, 'decisions' | 'conflicts'> & { rest?: HunkState | undefined }, hunks: readonly Hunk[]): number {
  return splitFor(hunks, Object.keys(file.decisions)).filter((hunk) => decisionOn(file, hunk.id) === undefined).length;
}

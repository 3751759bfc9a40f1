import { Failure } from '../../base/failure.ts';
import type { EventBody } from '../../journal/kinds/index.ts';
import { splitFor } from '../files/hunks.ts';
import type { DecideInput, DeskFailureReason } from '../port.ts';
import type { FileState, SetState } from './state.ts';
import { decisionsOf, fileOf, type Views } from './views.ts';

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
    const all = own.every((input) => input.hunk === '*');
    const spelled = all ? own : await spelledOut(file, own, views);
    decisions.push(...spelled);
    left[key] = all && spelled.at(-1)?.decision !== 'undone' ? 0 : await leftAfter(file, spelled, views);
  }
  return { decisions, left };
}

/** Whether nothing of a set is undecided. Files that nobody has touched yet need not be read for that. */
export async function allDecided(state: SetState, views: Views): Promise<boolean> {
  const open = state.files.filter((file) => file.rest === undefined);
  if (open.some((file) => file.left > 0 && Object.keys(file.decisions).length === 0)) return false;
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
  if (file.rest === undefined || undone.size === 0 || undone.has('*')) return [...inputs];
  const others = [...decisionsOf(file, hunks)].filter(([hunk]) => !undone.has(hunk) && !ids.includes(hunk)).map(([hunk, decision]) => ({ file: file.key, hunk, decision }));
  return [{ file: file.key, hunk: '*', decision: 'undone' as const }, ...others, ...inputs.filter((input) => input.decision !== 'undone')];
}

async function leftAfter(file: FileState, decided: Decided, views: Views): Promise<number> {
  const after: Pick<FileState, 'decisions' | 'rest'> = { decisions: { ...file.decisions }, ...(file.rest === undefined ? {} : { rest: file.rest }) };
  const mark = { decision: 'accept' as const, by: { kind: 'casebook' as const, name: 'count' }, at: '' };
  for (const { hunk, decision } of decided) {
    if (decision === 'undone' && hunk === '*') {
      after.decisions = {};
      delete after.rest;
    } else if (decision === 'undone') delete after.decisions[hunk];
    else if (hunk === '*') after.rest = mark;
    else after.decisions[hunk] = mark;
  }
  return undecided({ ...file, ...after, ...(after.rest === undefined ? { rest: undefined } : {}) }, (await views.shown(file)).hunks);
}

function undecided(file: Pick<FileState, 'decisions'> & { rest?: FileState['rest'] | undefined }, hunks: Parameters<typeof splitFor>[0]): number {
  if (file.rest !== undefined) return 0;
  return splitFor(hunks, Object.keys(file.decisions)).filter((hunk) => file.decisions[hunk.id] === undefined).length;
}

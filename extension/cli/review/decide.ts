import type { Act, DecideInput } from '../../core/review/port.ts';
import { exitCode, UsageError } from '../command.ts';
import { answer, asJson, concluded, fileKeyOf, one, type ReviewCall, type ReviewVerb } from './call.ts';

export const accept: ReviewVerb = (call) => decide(call, 'accept');
export const reject: ReviewVerb = (call) => decide(call, 'reject');

/** `review accept|reject ID [FILE…] [--hunk ID]…`: the whole set, whole files, or single hunks. Says what became of the set, also when another process settles it. */
async function decide(call: ReviewCall, decision: 'accept' | 'reject'): Promise<number> {
  const { core, values, rest } = call;
  const [set, ...files] = rest;
  if (set === undefined) throw new UsageError('Which change set? Give its id.');
  const { review } = core;
  // As it is on record, and not put on what is on disk first: that would be a form that nobody has seen.
  const state = await review.state(set);
  const revision = values.revision === undefined ? state.revision : Number(values.revision);
  const act: Act = { via: 'cli', revision, ...(values.reason === undefined ? {} : { reason: values.reason }) };
  const keys = files.map((file) => fileKeyOf(state, file, call));
  const hunks = values.hunk ?? [];
  if (hunks.length === 0 && keys.length === 0) await review.decideAll(set, decision, act);
  else if (hunks.length === 0) await review.decide(set, keys.map((file) => ({ file, hunk: '*', decision })), act);
  else await review.decide(set, await Promise.all(hunks.map((hunk) => inFile(call, set, keys.length === 0 ? state.files.map((file) => file.key) : keys, hunk, decision))), act);
  return concluded(call, set, { decision, before: state, files: keys, hunks });
}

/** The file that has a hunk (or, for a part's id, the hunk it is a part of). */
async function inFile({ core, context }: ReviewCall, set: string, keys: readonly string[], hunk: string, decision: 'accept' | 'reject'): Promise<DecideInput> {
  const whole = hunk.split('.')[0] ?? hunk;
  for (const file of keys) {
    const { review } = await core.review.file(set, file, context.signal);
    if (review.hunks.some((candidate) => candidate.id === hunk || candidate.id === whole)) return { file, hunk, decision };
  }
  throw new UsageError(`There is no hunk ${hunk} in ${set}.`);
}

/** `review finish ID`: settles a set that is decided, where finishing is a step of its own. */
export const finish: ReviewVerb = async (call) => {
  const set = one(call.rest, 'Which change set? Give its id.');
  const state = await call.core.review.state(set);
  await call.core.review.finish(set, { via: 'cli', revision: state.revision });
  return concluded(call, set);
};

/** `review undo ID`, or `--policy NAME` for everything that a policy accepted. */
export const undo: ReviewVerb = async (call) => {
  const { core, values, rest } = call;
  if (values.policy === undefined) return restore(call, 'undo');
  if (rest.length > 0) throw new UsageError('Give an id or --policy, not both.');
  const done = await core.review.undoPolicy(values.policy, 'cli');
  answer(call, done, [...done.undone.map((set) => `${set}: undone`), ...done.failed.map(({ set, why }) => `${set}: not undone: ${why}`), ...(done.undone.length + done.failed.length === 0 ? ['That policy has nothing to undo.'] : [])]);
  return done.failed.length === 0 ? exitCode.ok : exitCode.problems;
};

export const redo: ReviewVerb = (call) => restore(call, 'redo');

async function restore(call: ReviewCall, what: 'undo' | 'redo'): Promise<number> {
  const set = one(call.rest, 'Which change set? Give its id.');
  const state = await call.core.review[what](set, 'cli');
  answer(call, asJson(state), [`${set}: ${what === 'undo' ? 'undone; the files are as they were before' : 'done again'}`]);
  return exitCode.ok;
}

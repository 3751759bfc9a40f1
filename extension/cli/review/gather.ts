import { basename } from 'node:path';
import type { CheckpointChanges } from '../../core/review/checkpoints.ts';
import type { Gathered, Left } from '../../core/review/sources/gathered.ts';
import { exitCode, UsageError } from '../command.ts';
import { lineForTerminal } from '../terminal-text.ts';
import { answer, concluded, namedFile, none, one, type ReviewCall, type ReviewVerb, sitDown } from './call.ts';

/** `review working-tree [--base REV]`: everything that differs from HEAD or a revision, as a set. */
export const workingTree: ReviewVerb = async (call) => {
  none(call.rest);
  return toDesk(call, await call.core.changes.workingTree(call.values.base, call.context.signal));
};

/** `review patch FILE`: what a patch would change, as a set. */
export const patch: ReviewVerb = async (call) => {
  const file = one(call.rest, 'Which patch? Give its file.');
  const bytes = await namedFile(call, file);
  return toDesk(call, await call.core.changes.patch({ bytes, name: basename(file) }, call.context.signal));
};

async function toDesk(call: ReviewCall, { proposal, left }: Gathered): Promise<number> {
  const set = proposal && (await call.core.review.add(proposal, 'cli'));
  return added(call, set, left);
}

/** Says what came on the desk and what could not; with --open the person at the terminal goes through it at once. */
async function added(call: ReviewCall, set: string | undefined, left: readonly Left[]): Promise<number> {
  const { core, context, values } = call;
  for (const one of left) context.writeError(`not in the review: ${leftInWords(one)}\n`);
  if (set === undefined) {
    answer(call, { set: null, left }, ['Nothing differs that could be reviewed.']);
    return left.length === 0 ? exitCode.ok : exitCode.problems;
  }
  if (values.open === true && context.terminal !== undefined) {
    await sitDown(call, set);
    return concluded(call, set);
  }
  const state = await core.review.state(set);
  answer(call, { set, files: state.files.map((file) => file.key), left }, [`${set}: ${state.files.length} ${state.files.length === 1 ? 'file' : 'files'} to review; "casebook review open ${set}" goes through them`]);
  return exitCode.ok;
}

function leftInWords({ root, path, why }: Left): string {
  return `${[root, path].filter((part) => part !== '').map(lineForTerminal).join('/')}: ${lineForTerminal(why)}`;
}

/** `review checkpoint start|list|changes|review|close`. */
export const checkpoint: ReviewVerb = async (call) => {
  const [action, ...rest] = call.rest;
  const act = action !== undefined && Object.hasOwn(checkpointActions, action) ? checkpointActions[action] : undefined;
  if (act === undefined) throw new UsageError('checkpoint start, list, changes, review or close?');
  return act({ ...call, rest });
};

const checkpointActions: Record<string, ReviewVerb> = {
  async start(call) {
    const { core, context, values } = call;
    none(call.rest);
    const id = await core.checkpoints.take({ why: 'asked', label: values.label ?? 'this checkpoint', via: 'cli' }, context.signal);
    answer(call, { checkpoint: id }, [`${id}: whatever changes from now on can be reviewed with "casebook review checkpoint review ${id}"`]);
    return exitCode.ok;
  },
  async list(call) {
    none(call.rest);
    const open = await call.core.checkpoints.open();
    answer(call, open.map(({ snapshot: _snapshot, ...rest }) => rest), open.length === 0 ? ['No checkpoint is open.'] : open.map((one) => `${one.id}  ${one.at}  ${one.why.padEnd(7)}  ${lineForTerminal(one.label)}`));
    return exitCode.ok;
  },
  async changes(call) {
    const found = await call.core.checkpoints.changes(await checkpointIn(call), call.context.signal);
    answer(call, { checkpoint: found.checkpoint.id, files: found.files, left: found.left }, changesInWords(found));
    return exitCode.ok;
  },
  async review(call) {
    const { set, left } = await call.core.checkpoints.review(await checkpointIn(call), 'cli', call.context.signal);
    return added(call, set, left);
  },
  async close(call) {
    const id = await checkpointIn(call);
    await call.core.checkpoints.close(id, 'cli');
    answer(call, { closed: id }, [`${id}: closed`]);
    return exitCode.ok;
  },
};

/** The checkpoint that is named, or the only one that is open. */
async function checkpointIn({ core, rest }: ReviewCall): Promise<string> {
  if (rest.length > 0) return one(rest, 'Which checkpoint? Give one id.');
  const open = await core.checkpoints.open();
  const only = open.length === 1 ? open[0] : undefined;
  if (only === undefined) throw new UsageError(open.length === 0 ? 'No checkpoint is open.' : 'Several checkpoints are open; give the id of one.');
  return only.id;
}

function changesInWords({ files, left }: CheckpointChanges): string[] {
  const lines = files.map((file) => `${file.change.padEnd(9)} ${lineForTerminal(`${file.root}/${file.path}`)}${file.by === 'person' ? '  (saved by you)' : ''}`);
  return [...(lines.length === 0 ? ['Nothing changed.'] : lines), ...left.map((one) => `not in a review: ${leftInWords(one)}`)];
}

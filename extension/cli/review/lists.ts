import { isFailure } from '../../core/base/failure.ts';
import { type ContentRef, countDecided, hunksDecided, type SettledFile } from '../../core/model/change.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import { decisionOn } from '../../core/review/desk/views.ts';
import { contentOf } from '../../core/review/desk/contents.ts';
import { reviewOf } from '../../core/review/desk/views.ts';
import type { Decision } from '../../core/review/files/resolve.ts';
import { resolveFile, sameContent } from '../../core/review/files/resolve.ts';
import type { FileReview } from '../../core/review/files/file-review.ts';
import { splitFor } from '../../core/review/files/hunks.ts';
import { nameOf } from '../../core/review/provenance/summary.ts';
import { exitCode } from '../command.ts';
import { lineForTerminal } from '../terminal-text.ts';
import { answer, asJson, none, one, paintOf, type ReviewCall, type ReviewVerb } from './call.ts';
import { leftIn, outcomeInWords } from './outcome.ts';
import { fileHeading, hunkAsText } from './paint.ts';

/** `review list`: pending sets, oldest first; with --all the settled ones after them, newest first. */
export const list: ReviewVerb = async (call) => {
  const { core, values } = call;
  none(call.rest);
  const { pending, settled, more } = await core.review.list({ settled: values.all === true ? 200 : 0, ...(values.text === undefined ? {} : { text: values.text }) });
  const watching = await core.checkpoints.open();
  const lines = [...pending, ...settled].map((state) => {
    const what = state.settled?.outcome ?? `${leftIn(state)} undecided`;
    return `${state.id}  ${state.openedAt.slice(0, 16)}  ${what.replaceAll('_', ' ').padEnd(15)}  ${String(state.files.length).padStart(3)} files  ${lineForTerminal(state.origin.client).padEnd(12)}  ${lineForTerminal(state.title)}`;
  });
  const watched = watching.map((checkpoint) => `${checkpoint.id}  ${checkpoint.at.slice(0, 16)}  watching since ${lineForTerminal(checkpoint.label)}`);
  answer(call, { pending: pending.map(asJson), settled: settled.map(asJson), more, checkpoints: watching.map(({ snapshot: _snapshot, ...rest }) => rest) }, lines.length + watched.length === 0 ? ['No change sets are pending.'] : [...lines, ...watched]);
  return exitCode.ok;
};

/** `review show ID`: every file with its hunks and decisions; of a settled set re-opened from its blobs, checked against their hashes and replayed. */
export const show: ReviewVerb = async (call) => {
  const state = await call.core.review.state(one(call.rest, 'Which change set? Give its id.'));
  return state.settled === undefined ? showPending(call, state) : showSettled(call, state, state.settled.files);
};

async function showPending(call: ReviewCall, state: SetState): Promise<number> {
  const { core, context, values } = call;
  const paint = paintOf(context, context.terminal?.showsOutput === true);
  const files: unknown[] = [];
  const lines: string[] = heading(call, state);
  for (const file of state.files) {
    const view = await core.review.file(state.id, file.key, context.signal);
    lines.push('', fileHeading(view, paint).trimEnd());
    const hunks = view.review.hunks.map((hunk) => {
      const decided = decisionOn(file, hunk.id);
      const conflict = view.conflicts.has(hunk.id.split('.')[0] ?? '');
      lines.push(`${hunk.id}  ${conflict ? 'conflict, ' : ''}${decided === undefined ? 'undecided' : `${decided.decision}ed by ${lineForTerminal(nameOf(decided.by))}`}`, hunkAsText(view, hunk, paint).trimEnd());
      return { hunk: hunk.id, ...(conflict ? { conflict } : {}), decision: decided?.decision, by: decided?.by, at: decided?.at };
    });
    files.push({ file: file.key, hunks });
  }
  if (values.json === true) context.write(`${JSON.stringify({ ...asJson(state), hunks: files }, null, 2)}\n`);
  else context.write(`${lines.join('\n')}\n`);
  return exitCode.ok;
}

/** What re-opening one settled file showed. */
interface Reopened {
  file: string;
  /** `verified`: base, proposal and final are there and hash to their names. */
  blobs: 'verified' | 'erased' | 'corrupt';
  /** Whether base, proposal and decisions alone give the final bytes again; `edited`: it holds the person's own text, which is kept as such. */
  replay?: 'same' | 'edited' | 'different';
  hunks: ReturnType<typeof hunksDecided>;
}

async function showSettled(call: ReviewCall, state: SetState, settled: readonly SettledFile[]): Promise<number> {
  const { context, values } = call;
  const paint = paintOf(context, context.terminal?.showsOutput === true);
  const files: Reopened[] = [];
  const lines: string[] = heading(call, state);
  for (const file of settled) {
    const { reopened, review } = await reopen(call, state, file);
    files.push(reopened);
    const key = `${file.root}/${file.path}`;
    lines.push('', paint.strong(lineForTerminal(file.from === undefined ? key : `${file.root}/${file.from} → ${key}`)), `  ${replayWords(reopened)}`);
    const decided = hunksDecided(file);
    const shown = review === undefined ? [] : splitFor(review.hunks, decided.map(({ hunk }) => hunk));
    for (const { hunk, decision, by } of decided) {
      lines.push(`${hunk}  ${decision === 'edited' ? 'edited' : `${decision}ed`} by ${lineForTerminal(nameOf(by))}`);
      const found = shown.find((candidate) => candidate.id === hunk);
      if (found !== undefined && review !== undefined) lines.push(hunkAsText({ review }, found, paint).trimEnd());
    }
    if (file.personsPatch !== undefined) lines.push('the reviewer changed in the proposal:', ...file.personsPatch.trimEnd().split('\n').map((line) => `  ${lineForTerminal(line)}`));
  }
  for (const comment of state.comments) lines.push('', `comment by ${lineForTerminal(nameOf(comment.by))} on ${lineForTerminal(comment.file ?? 'the set')}${comment.line === undefined ? '' : `:${comment.line}`}: ${lineForTerminal(comment.text)}`);
  if (values.json === true) context.write(`${JSON.stringify({ ...asJson(state), settled: state.settled, reopened: files }, null, 2)}\n`);
  else context.write(`${lines.join('\n')}\n`);
  return files.every((file) => file.blobs === 'verified' && file.replay !== 'different') ? exitCode.ok : exitCode.problems;
}

function heading({ core }: ReviewCall, state: SetState): string[] {
  const { origin } = state;
  const from = [origin.client, origin.version, origin.model, origin.against].filter((part) => part !== undefined).map(lineForTerminal);
  return [
    lineForTerminal(state.title),
    outcomeInWords(state, core.journal.session),
    `from ${from.join(', ')}${origin.case === undefined ? '' : `, case ${origin.case}`}${origin.run === undefined ? '' : `, run ${origin.run}`}; ${state.disk === 'applied' ? 'on disk already: rejecting restores' : 'not on disk: accepting writes'}; revision ${state.revision}`,
    ...(state.explanation === undefined ? [] : [lineForTerminal(state.explanation)]),
  ];
}

async function reopen({ core, context }: ReviewCall, state: SetState, file: SettledFile): Promise<{ reopened: Reopened; review?: FileReview }> {
  const { blobs } = core.journal;
  const reopened: Reopened = { file: `${file.root}/${file.path}`, blobs: 'verified', hunks: hunksDecided(file) };
  try {
    const read = (ref: ContentRef) => contentOf(blobs, ref);
    const [base, proposed, final] = [await read(file.base), await read(file.proposed), await read(file.final)];
    const known = state.files.find((candidate) => candidate.root === file.root && candidate.path === file.path);
    const review = await reviewOf(known ?? file, base, proposed, context.signal);
    if (countDecided(file, 'edited') > 0 || file.personsPatch !== undefined) reopened.replay = 'edited';
    else if (reopened.hunks.length > 0) {
      const decisions = new Map(reopened.hunks.map(({ hunk, decision }): [string, Decision] => [hunk, { decision: decision === 'reject' ? 'reject' : 'accept' }]));
      reopened.replay = sameContent(resolveFile(review, decisions).after, final) ? 'same' : 'different';
    }
    return { reopened, review };
  } catch (error) {
    if (isFailure(error, 'not_found', 'corrupt')) return { reopened: { ...reopened, blobs: error.reason === 'corrupt' ? 'corrupt' : 'erased' } };
    if (isFailure(error, 'unknown_hunk', 'undecided')) return { reopened: { ...reopened, replay: 'different' } };
    throw error;
  }
}

function replayWords({ blobs, replay }: Reopened): string {
  if (blobs === 'erased') return 'its bytes were erased';
  if (blobs === 'corrupt') return 'BAD: kept bytes do not match their hash';
  const replayed = { same: 'replayed: the same bytes', edited: "holds the reviewer's own text", different: 'BAD: the decisions do not give the recorded bytes' };
  return `bytes verified${replay === undefined ? '' : `; ${replayed[replay]}`}`;
}

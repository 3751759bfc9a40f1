import { isFailure } from '../../core/base/failure.ts';
import { type ContentRef, countDecided, type HunkVerdict, hunksDecided, type SettledFile } from '../../core/model/change.ts';
import { contentOf } from '../../core/review/desk/contents.ts';
import type { FileState, SetState } from '../../core/review/desk/state.ts';
import { decisionOn, reviewOf } from '../../core/review/desk/views.ts';
import type { FileReview } from '../../core/review/files/file-review.ts';
import { splitFor } from '../../core/review/files/hunks.ts';
import { type Decision, resolveFile, sameContent } from '../../core/review/files/resolve.ts';
import { nameOf } from '../../core/review/provenance/summary.ts';
import { exitCode, UsageError } from '../command.ts';
import { lineForTerminal } from '../terminal-text.ts';
import { asJson, fileKeyOf, paintOf, type ReviewCall, type ReviewVerb } from './call.ts';
import { outcomeInWords } from './outcome.ts';
import { fileHeading, hunkAsText, type Paint } from './paint.ts';

/** A set of more changed lines or files than this is listed by file; a terminal that scrolls through all of it shows nothing. */
const mostLines = 2000;
const mostFiles = 60;

/** How `review show` was asked: everything of some files, of all, or a line for each file. */
interface Asked {
  keys: ReadonlySet<string>;
  brief: boolean;
  paint: Paint;
}

/**
 * `review show SET [FILE]…`: every file with its hunks and decisions; of a settled set re-opened from its blobs, checked against their hashes and replayed. A large set is
 * listed by file, unless files are named or --all is given; it is checked all the same.
 */
export const show: ReviewVerb = async (call) => {
  const { core, context, values, rest } = call;
  const [set, ...files] = rest;
  if (set === undefined) throw new UsageError('Which change set? Give its id.');
  const state = await core.review.state(set);
  const keys = new Set(files.length === 0 ? state.files.map((file) => file.key) : files.map((file) => fileKeyOf(state, file, call)));
  const asked: Asked = { keys, brief: files.length === 0 && values.all !== true && isLarge(state), paint: paintOf(context, context.terminal?.showsOutput === true) };
  if (values.json !== true) context.write(`${heading(call, state).join('\n')}\n`);
  const code = state.settled === undefined ? await showPending(call, state, asked) : await showSettled(call, state, state.settled.files, asked);
  if (values.json !== true && asked.brief) context.write(`\nThis set is large. "casebook review show ${state.id} FILE" shows the changes of a file, --all those of every file.\n`);
  return code;
};

function isLarge({ files }: SetState): boolean {
  return files.length > mostFiles || files.reduce((sum, { counts }) => sum + counts.added + counts.removed, 0) > mostLines;
}

async function showPending(call: ReviewCall, state: SetState, { keys, brief, paint }: Asked): Promise<number> {
  const { core, context, values } = call;
  const files: unknown[] = [];
  if (brief && values.json !== true) context.write('\n');
  for (const file of state.files.filter(({ key }) => keys.has(key))) {
    if (brief && values.json !== true) {
      context.write(`${briefly(file, paint)}\n`);
      continue;
    }
    const view = await core.review.file(state.id, file.key, context.signal);
    const lines = ['', fileHeading(view, paint).trimEnd()];
    const hunks = view.review.hunks.map((hunk) => {
      const decided = decisionOn(file, hunk.id);
      const conflict = view.conflicts.has(hunk.id.split('.')[0] ?? '');
      lines.push(`${hunk.id}  ${conflict ? 'conflict, ' : ''}${decided === undefined ? 'undecided' : `${decided.decision}ed by ${lineForTerminal(nameOf(decided.by))}`}`, hunkAsText(view, hunk, paint).trimEnd());
      return { hunk: hunk.id, ...(conflict ? { conflict } : {}), decision: decided?.decision, by: decided?.by, at: decided?.at };
    });
    files.push({ file: file.key, hunks });
    if (values.json !== true) context.write(`${lines.join('\n')}\n`);
  }
  if (values.json === true) context.write(`${JSON.stringify({ ...asJson(state), hunks: files }, null, 2)}\n`);
  return exitCode.ok;
}

function briefly({ kind, key, counts, left, conflicts }: FileState, paint: Paint): string {
  const notes = [left === 0 ? 'decided' : `${left} of ${counts.hunks} undecided`, ...(conflicts.length === 0 ? [] : [`${conflicts.length} in conflict`])];
  return `${kind.padEnd(8)} ${paint.strong(lineForTerminal(key))}  ${paint.added(`+${counts.added}`)} ${paint.removed(`-${counts.removed}`)}  ${notes.join(', ')}`;
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

async function showSettled(call: ReviewCall, state: SetState, settled: readonly SettledFile[], { keys, brief, paint }: Asked): Promise<number> {
  const { context, values } = call;
  const files: Reopened[] = [];
  if (brief && values.json !== true) context.write('\n');
  for (const file of settled.filter(({ root, path }) => keys.has(`${root}/${path}`))) {
    const { reopened, review } = await reopen(call, state, file);
    files.push(reopened);
    const key = `${file.root}/${file.path}`;
    const name = paint.strong(lineForTerminal(file.from === undefined ? key : `${file.root}/${file.from} → ${key}`));
    const count = (verdict: HunkVerdict): string => `${countDecided(file, verdict)} ${verdict === 'edited' ? 'edited' : `${verdict}ed`}`;
    const lines = brief ? [`${name}  ${count('accept')}, ${count('edited')}, ${count('reject')}; ${replayWords(reopened)}`] : ['', name, `  ${replayWords(reopened)}`, ...hunksOf(file, review, paint)];
    if (values.json !== true) context.write(`${lines.join('\n')}\n`);
  }
  for (const comment of values.json === true ? [] : state.comments) context.write(`\ncomment by ${lineForTerminal(nameOf(comment.by))} on ${lineForTerminal(comment.file ?? 'the set')}${comment.line === undefined ? '' : `:${comment.line}`}: ${lineForTerminal(comment.text)}\n`);
  if (values.json === true) context.write(`${JSON.stringify({ ...asJson(state), settled: state.settled, reopened: files }, null, 2)}\n`);
  return files.every((file) => file.blobs === 'verified' && file.replay !== 'different') ? exitCode.ok : exitCode.problems;
}

function hunksOf(file: SettledFile, review: FileReview | undefined, paint: Paint): string[] {
  const decided = hunksDecided(file);
  const shown = new Map((review === undefined ? [] : splitFor(review.hunks, decided.map(({ hunk }) => hunk))).map((hunk) => [hunk.id, hunk]));
  const lines = decided.flatMap(({ hunk, decision, by }) => {
    const found = shown.get(hunk);
    return [`${hunk}  ${decision === 'edited' ? 'edited' : `${decision}ed`} by ${lineForTerminal(nameOf(by))}`, ...(found === undefined || review === undefined ? [] : [hunkAsText({ review }, found, paint).trimEnd()])];
  });
  if (file.personsPatch !== undefined) lines.push('the reviewer changed in the proposal:', ...file.personsPatch.trimEnd().split('\n').map((line) => `  ${lineForTerminal(line)}`));
  return lines;
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

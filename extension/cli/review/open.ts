import { isAbsolute, relative, resolve, sep } from 'node:path';
import { NodeProcesses } from '../../core/base/node-processes.ts';
import { fileKey } from '../../core/model/change.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import type { Caller, Outcome, Proposal } from '../../core/review/port.ts';
import { exitCode, UsageError } from '../command.ts';
import { lineForTerminal } from '../terminal-text.ts';
import { answer, namedFile, none, one, type ReviewCall, type ReviewVerb, sitDown } from './call.ts';
import { showInDiffTool, type ShownPair } from './difftool.ts';
import { whatBecame } from './outcome.ts';

/** What a caller hears. `verdict` is null unless a person decided; `reviewed`: somebody looked at it on `surface`. The set stays on the desk while it is pending. */
interface Opened {
  verdict: 'accept' | 'reject' | null;
  reviewed: boolean;
  surface: 'terminal' | 'difftool' | 'none';
  set: string | null;
  outcome?: string;
}

/** A file given to a diff program one after the other; more than this nobody clicks through. */
const maxShown = 30;

/** `review open ID`, `open --path FILE --new FILE`, `open --base REV [PATH…]`: shows it on the best surface there is and says what was decided. */
export const open: ReviewVerb = async (call) => {
  const { values, rest } = call;
  if (values.path !== undefined || values.new !== undefined) return said(call, await openText(call));
  if (values.base !== undefined) return said(call, await openPaths(call, values.base, rest));
  return said(call, await openSet(call, one(rest, 'Which change set? Give its id, or --path and --new, or --base.')));
};

function said(call: ReviewCall, opened: Opened): number {
  const decided = opened.verdict === null ? (opened.reviewed ? 'looked at, not decided' : 'not reviewed') : `${opened.verdict}ed`;
  const where = opened.surface === 'none' ? 'no surface can show it here' : opened.surface;
  answer(call, opened, [`${opened.set ?? 'nothing would change'}: ${decided}${opened.outcome === undefined ? '' : ` (${opened.outcome.replaceAll('_', ' ')})`}; ${where}`]);
  return opened.verdict === 'accept' ? exitCode.ok : exitCode.problems;
}

/** A set that is on the desk already; who waits for it gets the answer, this call only tells it. */
async function openSet(call: ReviewCall, set: string): Promise<Opened> {
  const surface = await surfaceFor(call, set);
  const state = await whatBecame(call.core.review, set, surface.surface === 'terminal' ? 15_000 : 0, call.context.signal);
  return { ...surface, set, ...verdictOf(state) };
}

/** Taken as proposed is accept; anything less, or other, is reject for somebody who only knows these two words. */
function verdictOf({ settled }: SetState): Pick<Opened, 'verdict' | 'outcome'> {
  if (settled === undefined) return { verdict: null };
  const decided = settled.outcome === 'accepted' || settled.outcome === 'partly_accepted' || settled.outcome === 'rejected';
  const asProposed = settled.outcome === 'accepted' && settled.files.every((file) => file.decided.every((group) => group.decision === 'accept') && file.personsPatch === undefined);
  return { verdict: !decided ? null : asProposed ? 'accept' : 'reject', outcome: settled.outcome };
}

async function openText(call: ReviewCall): Promise<Opened> {
  const { core, values } = call;
  if (values.path === undefined || values.new === undefined) throw new UsageError('--path and --new belong together: the file, and the file that holds its new text.');
  none(call.rest);
  const file = inRoots(call, values.path);
  const text = (await namedFile(call, values.new)).toString('utf8');
  const proposal: Proposal = { title: values.title ?? `Change of ${fileKey(file)}`, origin: { client: 'cli' }, disk: 'proposed', files: [{ ...file, proposed: { kind: 'text', text } }] };
  const leaving = new AbortController();
  let outcome: Promise<Outcome> | undefined;
  const set = await new Promise<string>((onSet, failed) => {
    const caller: Caller = { name: 'cli', capabilities: { writer: 'casebook', canEdit: false, canPartial: false, canEmpty: true, redelivers: false, canExplain: true }, signal: leaving.signal, onSet };
    outcome = core.review.propose(proposal, caller);
    outcome.then((known) => onSet(known.set), failed);
  });
  if (outcome === undefined || set === '') return { verdict: 'accept', reviewed: false, surface: 'none', set: null, outcome: 'accepted' };
  const surface = await surfaceFor(call, set);
  // Whoever stops leaves the set on the desk; what is decided is settled by this very process.
  if ((await core.review.state(set)).status === 'pending') leaving.abort(new DOMException('gone', 'AbortError'));
  const heard = await outcome;
  return { ...surface, set, verdict: heard.answer?.verdict ?? null, ...(heard.answer === undefined ? {} : { outcome: heard.outcome }) };
}

async function openPaths(call: ReviewCall, base: string, paths: readonly string[]): Promise<Opened> {
  const { core, context } = call;
  const { proposal, left } = await core.changes.workingTree(base, context.signal);
  for (const one of left) context.writeError(`not in the review: ${lineForTerminal(`${one.root}/${one.path}: ${one.why}`)}\n`);
  const wanted = paths.map((path) => fileKey(inRoots(call, path)));
  const files = (proposal?.files ?? []).filter((file) => wanted.length === 0 || wanted.some((key) => fileKey(file) === key || fileKey(file).startsWith(`${key}/`)));
  const set = proposal === undefined || files.length === 0 ? undefined : await core.review.add({ ...proposal, files }, 'cli');
  if (set === undefined) return { verdict: null, reviewed: false, surface: 'none', set: null };
  return openSet(call, set);
}

function inRoots({ core, context }: ReviewCall, given: string): { root: string; path: string } {
  const place = resolve(context.cwd, given);
  for (const root of core.roots()) {
    const inside = relative(root.path, place);
    if (inside !== '' && !isAbsolute(inside) && inside.split(sep)[0] !== '..') return { root: root.name, path: inside.split(sep).join('/') };
  }
  throw new UsageError(`${lineForTerminal(given)} is in none of the folders.`);
}

/** The best surface there is: somebody at a terminal decides; a diff program shows; else nothing is claimed. */
async function surfaceFor(call: ReviewCall, set: string): Promise<Pick<Opened, 'verdict' | 'reviewed' | 'surface'>> {
  const { core, context } = call;
  if ((await sitDown(call, set)) !== undefined) return { verdict: null, reviewed: true, surface: 'terminal' };
  const state = await core.review.state(set);
  const pairs: ShownPair[] = [];
  for (const file of state.files.slice(0, maxShown)) {
    const { review } = await core.review.file(set, file.key, context.signal);
    pairs.push({ path: file.path, base: review.base, proposed: review.proposed });
  }
  if (!(await showInDiffTool(pairs, { processes: new NodeProcesses(), env: context.env, signal: context.signal }))) return { verdict: null, reviewed: false, surface: 'none' };
  await core.review.lookedAt(set, 'difftool');
  return { verdict: null, reviewed: true, surface: 'difftool' };
}

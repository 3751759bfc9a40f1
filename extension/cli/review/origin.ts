import { relative, resolve, sep } from 'node:path';
import type { OriginStep } from '../../core/review/provenance/line-origin.ts';
import { nameOf, summary as summaryOf } from '../../core/review/provenance/summary.ts';
import { trailers as trailersOf } from '../../core/review/provenance/trailers.ts';
import { textOfBytes } from '../../core/review/desk/present.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import { realPlace } from '../../core/repo/roots.ts';
import { readRegular } from '../../core/repo/work-tree.ts';
import { exitCode, UsageError } from '../command.ts';
import { lineForTerminal } from '../terminal-text.ts';
import { answer, one, type ReviewCall, type ReviewVerb } from './call.ts';

/** `review line FILE:LINE`: who decided it. Exit code 1 when that is not known. */
export const line: ReviewVerb = async (call) => {
  const { core, context } = call;
  const [, file = '', number = ''] = /^(.+):(\d+)$/u.exec(one(call.rest, 'Which line? Give FILE:LINE.')) ?? [];
  if (file === '' || Number(number) === 0) throw new UsageError('Give FILE:LINE; the first line is 1.');
  const place = resolve(context.cwd, file);
  const root = core.roots().find((candidate) => place.startsWith(candidate.path + sep));
  if (root === undefined) throw new UsageError(`${lineForTerminal(file)} is in none of the folders.`);
  const path = relative(root.path, place).split(sep).join('/');
  const real = await realPlace(root, path);
  const bytes = real.ok ? await readRegular(real.path) : undefined;
  const text = bytes && textOfBytes(bytes);
  if (text === undefined) throw new UsageError(`${lineForTerminal(file)} is no text file that can be read.`);
  const origin = await core.provenance.lineOrigin({ root: root.name, path, line: Number(number), text }, context.signal);
  const { commit } = origin;
  const head = { decided: 'Decided:', changed_since: 'Changed since it was last decided here:', unknown: 'Not on record here.' }[origin.state];
  answer(call, { ...origin, ...(commit === undefined ? {} : { commit: { ...commit, place: commit.place && { path: commit.place.path, line: commit.place.line } } }) }, [
    head,
    ...origin.steps.map(stepInWords),
    ...(commit === undefined ? ['  in no commit'] : [`  commit ${commit.id.slice(0, 12)} of ${commit.at.slice(0, 10)} by ${lineForTerminal(commit.author)}: ${lineForTerminal(commit.summary)}${commit.sets.length === 0 ? '' : ` (${commit.sets.map(lineForTerminal).join(', ')})`}`]),
  ]);
  return origin.state === 'unknown' ? exitCode.problems : exitCode.ok;
};

function stepInWords(step: OriginStep): string {
  const before = step.earlier ? 'before that: ' : '';
  if (step.kind === 'changed_since') return `  ${before}written after ${step.set}, by nothing on record`;
  if (step.kind === 'unreadable') return `  ${before}${step.set} changed this file, but its bytes are gone`;
  const { decision, by, origin } = step;
  const what = { accept: 'accepted', reject: 'kept, a change of it was rejected', edited: 'edited' }[decision];
  const from = [origin.client, origin.model, origin.run, origin.case].filter((part) => part !== undefined).map(lineForTerminal).join(', ');
  return `  ${before}${what} by ${by.map((actor) => lineForTerminal(nameOf(actor))).join(', ') || 'nobody on record'} on ${step.at.slice(0, 16).replace('T', ' ')} in ${step.set}${step.hunk === undefined ? '' : `, hunk ${step.hunk}`} (${lineForTerminal(step.title)}; from ${from}); ${lineForTerminal(step.path)}:${step.line}`;
}

/** `review summary [--case ID | --branch [--base REV]] [--html]`: Markdown for a pull request, or a page. */
export const summary: ReviewVerb = async (call) => {
  const { context, values } = call;
  const sets = await chosenSets(call);
  const title = values.title ?? (values.case !== undefined ? `case ${values.case}` : values.branch === true ? 'this branch' : 'this workspace');
  context.write(summaryOf(sets, { title, format: values.html === true ? 'html' : 'markdown' }));
  return exitCode.ok;
};

/** `review trailers [ID… | --case ID | --branch]`: lines for a commit message, of sets that left something in the files. */
export const trailers: ReviewVerb = async (call) => {
  const sets = call.rest.length > 0 ? await Promise.all(call.rest.map((set) => call.core.review.state(set))) : (await chosenSets(call)).filter(leftSomething);
  answer(call, trailersOf(sets), trailersOf(sets));
  return exitCode.ok;
};

function leftSomething({ settled }: SetState): boolean {
  return settled !== undefined && settled.standing !== false && (settled.outcome === 'accepted' || settled.outcome === 'partly_accepted');
}

async function chosenSets({ core, context, values, rest }: ReviewCall): Promise<SetState[]> {
  if (values.case !== undefined) return core.provenance.setsOf({ case: values.case }, context.signal);
  if (values.branch === true) return core.provenance.setsOf({ branch: true, ...(values.base === undefined ? {} : { base: values.base }) }, context.signal);
  if (rest.length > 0) return Promise.all(rest.map((set) => core.review.state(set)));
  const { pending, settled } = await core.review.list({ settled: Number.POSITIVE_INFINITY });
  return [...settled, ...pending];
}

import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import { isFailure } from '../../core/base/failure.ts';
import type { JournalFailureReason } from '../../core/journal/port.ts';
import type { Caller, Outcome, Proposal } from '../../core/review/port.ts';
import type { Services } from '../../services.ts';
import { commands, settings } from '../../shared/ids.ts';
import { wordsForReview } from '../../shared/words.ts';
import type { Feature } from '../start.ts';
import { type DiffRequest, readRequest } from './request.ts';
import { showSet } from './show.ts';
import { workingTreeOf } from './sources.ts';
import { chooseTarget } from './target.ts';

/** What a program hears that asked for a review. `verdict` is null when nobody decided, whatever was looked at. */
export interface DiffAnswer {
  verdict: 'accept' | 'reject' | null;
  /** A person looked at it and said so by a decision, or it was shown in a program that only shows. */
  reviewed: boolean;
  /** `editor`: could decide; `difftool`: could only be looked at; `none`: it was not shown. */
  surface: 'editor' | 'difftool' | 'none';
  set?: string;
  outcome?: Outcome['outcome'];
  /** The accepted text where it is not the one that was proposed; a caller that writes by itself writes this. */
  text?: string;
  /** What the person said: reason, comments, what was changed. */
  words?: string;
}

/**
 * `casebook.review.open`: for a person it opens a review; for a program that calls it with `{path, new_text, title?}` or `{paths, base?}` it shows the change,
 * waits for the decision and returns a DiffAnswer.
 */
export const openReviewFeature: Feature<Services> = {
  name: 'open review',
  register(services) {
    const owned = new DisposableStore();
    owned.add(
      services.commands.register(commands.reviewOpen, false, async (argument) => {
        const request = await readRequest(argument, services.roots());
        return request === undefined ? openForPerson(services, argument) : reviewFor(services, request);
      }, wordsForReview),
    );
    return owned;
  },
};

async function openForPerson(services: Services, argument: unknown): Promise<void> {
  const target = await chooseTarget(services, argument, vscode.l10n.t('Open Review'), ({ pending, settled }) => [...pending, ...settled], true);
  if (target !== undefined) await showSet(services, target.set, target.file === undefined ? {} : { file: target.file });
}

async function reviewFor(services: Services, request: DiffRequest): Promise<DiffAnswer> {
  // A restricted workspace takes no decisions, so it cannot give one either.
  if (!vscode.workspace.isTrusted) return viewOnly(services, request);
  const proposal = request.kind === 'text' ? request.proposal : await workingTreeOf(services, request);
  if (proposal === undefined) return { verdict: null, reviewed: false, surface: 'none' };
  try {
    return await decided(services, proposal, request);
  } catch (error) {
    if (isFailure<JournalFailureReason>(error, 'not_recording')) return viewOnly(services, request);
    throw error;
  }
}

async function decided(services: Services, proposal: Proposal, { client, capabilities }: DiffRequest): Promise<DiffAnswer> {
  const board = await services.reviews.board();
  // Arrivals tells new sets from old ones by this list.
  await board.load();
  const caller: Caller = { name: client, capabilities, signal: new AbortController().signal };
  const { set, outcome, answer, reason } = await board.desk.propose(proposal, caller);
  const words = answer?.words ?? answer?.nextPrompt ?? reason;
  const settled = answer === undefined ? undefined : (await board.desk.state(set)).settled;
  return {
    verdict: answer?.verdict ?? null,
    reviewed: answer !== undefined && settled?.policy === undefined,
    surface: 'editor',
    set,
    outcome,
    ...(await textOf(services, proposal, answer)),
    ...(words === undefined || words === '' ? {} : { words }),
  };
}

async function textOf(services: Services, { disk, files }: Proposal, answer: Outcome['answer']): Promise<{ text?: string }> {
  const [file] = files;
  if (file === undefined || disk !== 'proposed' || answer?.edited === undefined) return {};
  const [{ fileKey }, { editedText }, { journal }] = await Promise.all([import('../../core/model/change.ts'), import('../../core/review/desk/answered-text.ts'), services.core()]);
  const text = await editedText(answer, fileKey(file), journal.blobs);
  return text === undefined ? {} : { text };
}

/** Shows it in the configured program, which decides nothing. */
async function viewOnly(services: Services, request: DiffRequest): Promise<DiffAnswer> {
  const program = services.settings.get(settings.reviewDifftool);
  if (program === '' || request.kind !== 'text') return { verdict: null, reviewed: false, surface: 'none' };
  const { showDifftool } = await import('../../host/review/difftool.ts');
  const shown = await showDifftool(program, { path: request.absolute, text: request.text }, services.log);
  return shown ? { verdict: null, reviewed: true, surface: 'difftool' } : { verdict: null, reviewed: false, surface: 'none' };
}

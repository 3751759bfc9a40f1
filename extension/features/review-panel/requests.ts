import { isFailure } from '../../core/base/failure.ts';
import type { DeskFailureReason, ReviewDesk } from '../../core/review/port.ts';
import type { Prompter } from '../../host/prompter.ts';
import type { PanelRequest } from '../../shared/panel-messages.ts';
import type { NeedsConfirmation, ReviewAnswers, ReviewRequestName, ReviewRequests, ReviewSettings } from '../../shared/review-protocol.ts';
import { type Bodies, undecidedFiles } from './bodies.ts';

export interface ReviewRequestDeps {
  set: string;
  desk: Pick<ReviewDesk, 'state' | 'decide' | 'decideAll' | 'edit' | 'editHunk' | 'comment' | 'removeComment' | 'markReviewed' | 'finish' | 'refresh' | 'undo' | 'redo'>;
  bodies: Pick<Bodies, 'file' | 'lines' | 'parts' | 'hunkText' | 'search' | 'warnings'>;
  prompter: Pick<Prompter, 'writeClipboard'>;
  /** Opens the set, or one file of it, in the editor's own diff. */
  openNative(file?: string, line?: number): Promise<void>;
  openCitation(place: ReviewRequests['openCitation']): Promise<void>;
  openCase(): Promise<void>;
  remember(settings: Partial<Pick<ReviewSettings, 'layout' | 'hideWhitespace'>>): Promise<void>;
  /** Sends the page what the set is now. */
  redraw(): void;
  /** Failure `not_trusted` in a restricted workspace. */
  requireTrust(): void;
}

/** What each request gives back; nothing where the next snapshot says it all. */
type Answer<K extends ReviewRequestName> = K extends keyof ReviewAnswers ? ReviewAnswers[K] : unknown;
type Handlers = { [K in ReviewRequestName]: (args: ReviewRequests[K]) => Promise<Answer<K>> };

/** Requests that only read; everything else needs a trusted workspace, in code as well as in the panel. */
const readOnly: ReadonlySet<ReviewRequestName> = new Set<ReviewRequestName>(['file', 'lines', 'parts', 'hunkText', 'search', 'copyForAgent', 'openNative', 'openCitation', 'openCase', 'setLayout', 'setHideWhitespace']);
const answering: ReadonlySet<ReviewRequestName> = new Set<ReviewRequestName>(['file', 'lines', 'parts', 'hunkText', 'search', 'decide', 'decideAll']);

const VIA = 'review-panel';

/** What the review panel may ask of the host, one handler per request of the protocol. */
export function createReviewRequestHandler(deps: ReviewRequestDeps): (request: PanelRequest<ReviewRequests>) => Promise<unknown> {
  const handlers: Handlers = { ...readingHandlers(deps), ...decidingHandlers(deps) };
  const call = async <K extends ReviewRequestName>(name: K, args: ReviewRequests[K]): Promise<unknown> => {
    if (!readOnly.has(name)) deps.requireTrust();
    const value = await handlers[name](args);
    // Values of states stay on this side: the page gets whole snapshots.
    return answering.has(name) ? value : undefined;
  };
  return async ({ name, args }) => {
    try {
      return await call(name, args);
    } catch (error) {
      // Decided on something that is gone: the page has to see what is there instead.
      if (isFailure<DeskFailureReason>(error, 'stale_revision', 'settled', 'not_found')) deps.redraw();
      throw error;
    }
  };
}

type Reading = 'file' | 'lines' | 'parts' | 'hunkText' | 'search' | 'copyForAgent' | 'openNative' | 'openCitation' | 'openCase' | 'setLayout' | 'setHideWhitespace';

function readingHandlers(deps: ReviewRequestDeps): Pick<Handlers, Reading> {
  const { set, desk, bodies } = deps;
  let searching = new AbortController();
  return {
    file: ({ file }) => bodies.file(file),
    lines: ({ file, content, side, from, to }) => bodies.lines(file, content, side, from, to),
    parts: ({ file, hunk }) => bodies.parts(file, hunk),
    hunkText: ({ file, hunk }) => bodies.hunkText(file, hunk),
    search: async ({ text }) => {
      searching.abort();
      searching = new AbortController();
      const { signal } = searching;
      return bodies.search((await desk.state(set)).files.map((file) => file.key), text, signal);
    },
    copyForAgent: async () => deps.prompter.writeClipboard((await desk.state(set)).settled?.answer?.nextPrompt ?? ''),
    openNative: ({ file, line }) => deps.openNative(file, line),
    openCitation: (place) => deps.openCitation(place),
    openCase: () => deps.openCase(),
    setLayout: ({ layout }) => deps.remember({ layout }),
    setHideWhitespace: ({ hidden }) => deps.remember({ hideWhitespace: hidden }),
  };
}

function decidingHandlers(deps: ReviewRequestDeps): Omit<Handlers, Reading> {
  const { set, desk, bodies } = deps;
  /** What has to be confirmed first, when it has not been. */
  const unconfirmed = async (decision: string, confirmed: boolean, files: () => Promise<readonly string[]> | readonly string[]): Promise<NeedsConfirmation | undefined> => {
    if (decision !== 'accept' || confirmed) return undefined;
    const confirm = await bodies.warnings(await files());
    return confirm.length === 0 ? undefined : { confirm };
  };
  return {
    decide: async ({ file, hunks, decision, revision, confirmed }) => {
      const asked = await unconfirmed(decision, confirmed, () => [file]);
      if (asked === undefined) await desk.decide(set, hunks.map((hunk) => ({ file, hunk, decision })), { via: VIA, revision });
      return asked;
    },
    decideAll: async ({ decision, revision, confirmed, reason }) => {
      const asked = await unconfirmed(decision, confirmed, async () => undecidedFiles(await desk.state(set)));
      if (asked === undefined) await desk.decideAll(set, decision, act(revision, reason));
      return asked;
    },
    finish: ({ revision, reason }) => desk.finish(set, act(revision, reason)),
    edit: ({ file, text, revision }) => desk.edit(set, file, text, act(revision)),
    editHunk: ({ file, hunk, text, revision }) => desk.editHunk(set, file, hunk, text, act(revision)),
    comment: (comment) => desk.comment(set, comment, VIA),
    removeComment: ({ id }) => desk.removeComment(set, id, VIA),
    markReviewed: ({ file, reviewed }) => desk.markReviewed(set, file, reviewed, VIA),
    refresh: () => desk.refresh(set),
    undo: () => desk.undo(set, VIA),
    redo: () => desk.redo(set, VIA),
  };
}

function act(revision: number, reason?: string): { via: string; revision: number; reason?: string } {
  return { via: VIA, revision, ...(reason === undefined ? {} : { reason }) };
}

import type { Cases } from '../../core/cases/port.ts';
import type { CaseState } from '../../core/cases/state.ts';
import type { Editor } from '../../host/editor.ts';
import type { Prompter } from '../../host/prompter.ts';
import type { FromPanel, PanelRequestName, PanelRequests } from '../../shared/protocol.ts';

export interface RequestDeps {
  caseId: string;
  cases: Pick<Cases, 'state' | 'answer' | 'acceptVerdict' | 'overrideVerdict' | 'editReply' | 'overrideFinding' | 'recheck' | 'folder'>;
  editor: Editor;
  prompter: Pick<Prompter, 'writeClipboard'>;
  runAgain(mode: 'restart' | 'resume'): Promise<unknown>;
  stopRun(): Promise<void>;
  /** Shows the exact payload, asks, and carries out what was approved. */
  postReply(state: CaseState): Promise<void>;
  explainFile(state: CaseState, root: string, file: string): Promise<void>;
  /** Puts a kept attachment where the editor can open it, and gives its path. */
  saveAttachment(state: CaseState, blob: string): Promise<string>;
  toggleMarks(): void;
  /** Opens the review of everything since a checkpoint. */
  reviewChanges(checkpoint: string): Promise<void>;
  showJournal(): Promise<void>;
  /** Failure `not_trusted` in a restricted workspace. */
  requireTrust(): void;
  join(folder: string, name: string): string;
}

type Handlers = { [K in PanelRequestName]: (args: PanelRequests[K]) => unknown };

/** Requests that only read; everything else needs a trusted workspace, in code as well as in the panel. */
const readOnly: ReadonlySet<PanelRequestName> = new Set<PanelRequestName>(['openCitation', 'explainFile', 'copyReply', 'openReport', 'openTicket', 'openAttachment', 'toggleMarks', 'showJournal']);

const VIA = 'panel';

/** What the panel may ask of the host, one handler per request of the protocol. */
export function createRequestHandler(deps: RequestDeps): (request: FromPanel & { type: 'request' }) => Promise<unknown> {
  const handlers = createHandlers(deps);
  const call = async <K extends PanelRequestName>(name: K, args: PanelRequests[K]): Promise<unknown> => {
    if (!readOnly.has(name)) deps.requireTrust();
    return handlers[name](args);
  };
  return async (request) => {
    // Values of states stay on this side: the panel gets whole snapshots, an answer only says that it was done.
    await call(request.name, request.args);
    return undefined;
  };
}

function createHandlers(deps: RequestDeps): Handlers {
  const { caseId, cases, editor } = deps;
  const state = (): Promise<CaseState> => cases.state(caseId);
  return {
    openCitation: async (place) => editor.openCitation(await state(), place),
    explainFile: async ({ root, file }) => deps.explainFile(await state(), root, file),
    stopRun: async () => deps.stopRun(),
    runAgain: async ({ mode }) => deps.runAgain(mode),
    answer: async ({ question, answers }) => cases.answer(caseId, question, answers, VIA),
    acceptVerdict: async () => cases.acceptVerdict(caseId, VIA),
    overrideVerdict: async (override) => cases.overrideVerdict(caseId, override, VIA),
    editReply: async ({ text }) => cases.editReply(caseId, text, VIA),
    overrideFinding: async ({ rule, reason }) => cases.overrideFinding(caseId, rule, reason, VIA),
    postReply: async () => deps.postReply(await state()),
    copyReply: async () => deps.prompter.writeClipboard((await state()).reply?.text ?? ''),
    recheckCitations: async () => cases.recheck(caseId, 'asked'),
    openReport: async () => editor.openReport(deps.join(cases.folder(caseId), 'analysis.md')),
    openTicket: async () => openTicket(editor, await state()),
    openAttachment: async ({ blob }) => editor.openFile(await deps.saveAttachment(await state(), blob)),
    toggleMarks: () => deps.toggleMarks(),
    reviewChanges: async () => {
      const checkpoint = (await state()).treeChanges.findLast((change) => change.checkpoint !== undefined)?.checkpoint;
      if (checkpoint !== undefined) await deps.reviewChanges(checkpoint);
    },
    showJournal: async () => deps.showJournal(),
  };
}

async function openTicket(editor: Editor, { ticket }: CaseState): Promise<void> {
  if (ticket.url !== undefined) await editor.openPage(ticket.url);
}

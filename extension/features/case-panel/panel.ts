import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import { Failure } from '../../core/base/failure.ts';
import type { CaseState } from '../../core/cases/state.ts';
import type { Core } from '../../compose/ports.ts';
import type { Services } from '../../services.ts';
import { commands, settings } from '../../shared/ids.ts';
import type { PanelPart, PanelRequests, PanelSettings, ToPanel } from '../../shared/protocol.ts';
import { engineWords, type HostFailureReason, wordsFor } from '../../shared/words.ts';
import { postReply } from '../gates.ts';
import { loadPage } from '../panels/page.ts';
import { PanelSession, type SessionDeps } from '../panels/session.ts';
import { saveAttachment } from './attachment.ts';
import { explainSuspect } from './explain.ts';
import { createRequestHandler } from './requests.ts';

const TITLE_LENGTH = 48;

/** The case panel's messages, as its session sends them. */
export interface CaseProtocol {
  snapshot: Extract<ToPanel, { type: 'case' | 'empty' }>;
  note: Extract<ToPanel, { type: 'reveal' }>;
  requests: PanelRequests;
}

/** One open case panel: a webview that is sent the case's whole state on every change. */
export class CasePanel implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly session: PanelSession<CaseProtocol>;
  private last: CaseState | undefined;

  private constructor(
    readonly caseId: string,
    readonly panel: vscode.WebviewPanel,
    private readonly services: Services,
    private readonly core: Core,
    parse: SessionDeps<CaseProtocol>['parse'],
    private readonly onState: (state: CaseState) => void,
  ) {
    const log = services.log.child('panel');
    this.session = new PanelSession({
      post: panel.webview.postMessage.bind(panel.webview),
      parse,
      handle: createRequestHandler(this.requestDeps()),
      explain: (error, doing) => {
        log.error(`${doing} failed`, error);
        return wordsFor(error);
      },
    });
    this.owned.add(panel.webview.onDidReceiveMessage((message: unknown) => void this.session.receive(message)));
    this.owned.add({ dispose: () => this.session.close() });
  }

  /** Fills a webview panel (new, or restored by the editor) with a case. */
  static async fill(caseId: string, panel: vscode.WebviewPanel, services: Services, onState: (state: CaseState) => void): Promise<CasePanel> {
    const [core, { parseFromPanel }] = await Promise.all([services.core(), import('./parse.ts')]);
    const made = new CasePanel(caseId, panel, services, core, parseFromPanel, onState);
    made.load();
    return made;
  }

  reveal(part: PanelPart): void {
    this.session.tell({ type: 'reveal', part });
  }

  /** Sends the state again, after something in the settings of the panel changed. */
  redraw(): void {
    if (this.last !== undefined) this.show(this.last);
  }

  /** The latest state, once there is one. */
  get state(): CaseState | undefined {
    return this.last;
  }

  dispose(): void {
    this.owned.dispose();
  }

  private load(): void {
    const { panel, services, core } = this;
    loadPage(panel, services.context.extensionUri, { name: 'case', title: 'Casebook' });
    this.owned.add(services.onBoard((board) => board.onState((state) => state.id === this.caseId && this.show(state))));
    this.owned.add(core.journal.onState(() => this.redraw()));
    void this.first();
  }

  private async first(): Promise<void> {
    try {
      const state = await this.core.cases.state(this.caseId);
      // A change may have been shown while this was read; that one is newer.
      if (this.last === undefined) this.show(state);
      this.services.board?.refresh(this.caseId);
    } catch (error) {
      this.services.log.error('a case could not be opened', error);
      this.panel.title = vscode.l10n.t('Case');
      this.session.show({ type: 'empty', why: wordsFor(error) });
    }
  }

  private show(state: CaseState): void {
    this.last = state;
    const title = state.title.length > TITLE_LENGTH ? `${state.title.slice(0, TITLE_LENGTH)}…` : state.title;
    if (this.panel.title !== title) this.panel.title = title;
    this.session.show({ type: 'case', state, settings: this.settings(state) });
    this.onState(state);
  }

  private settings(state: CaseState): PanelSettings {
    const engine = this.services.settings.get(settings.engine);
    return {
      cursorMarks: this.services.marks.visible,
      canPost: vscode.workspace.isTrusted && this.core.sources.byId(state.ticket.source)?.reply !== undefined,
      engineLabel: engine === 'auto' ? vscode.l10n.t('Automatic') : engineWords[engine],
      journal: this.core.journal.state.kind === 'not_recording' ? 'not_recording' : 'recording',
    };
  }

  private requestDeps(): Parameters<typeof createRequestHandler>[0] {
    const { caseId, services, core } = this;
    return {
      caseId,
      cases: core.cases,
      editor: services.editor,
      prompter: services.prompter,
      runAgain: (mode) => services.runs.start(caseId, mode, 'panel'),
      stopRun: () => services.runs.stop(caseId, 'panel'),
      postReply: (state) => postReply(state, { cases: core.cases, prompter: services.prompter, showText: (name, text) => services.documents.show(name, text) }, 'panel'),
      explainFile: (state, root, file) => explainFile(services, state, root, file),
      saveAttachment: (state, blob) => saveAttachment(state, blob, core.journal.blobs),
      toggleMarks: () => void vscode.commands.executeCommand(commands.toggleMarks),
      reviewChanges: async (checkpoint) => void (await vscode.commands.executeCommand(commands.reviewWhatChanged, { checkpoint })),
      showJournal: async () => void (await vscode.commands.executeCommand(commands.showJournal, caseId)),
      requireTrust: () => {
        if (!vscode.workspace.isTrusted) throw new Failure<HostFailureReason>('not_trusted', 'the workspace is restricted');
      },
      join,
    };
  }
}

/** Shows the signals by which the scout ranked a file; Failure `file_gone` when it ranked no such file. */
export async function explainFile(services: Pick<Services, 'documents'>, state: CaseState, root: string, file: string): Promise<void> {
  const suspects = state.scout?.result?.suspects ?? [];
  const index = suspects.findIndex((suspect) => suspect.root === root && suspect.file === file);
  const suspect = suspects[index];
  if (suspect === undefined) throw new Failure<HostFailureReason>('file_gone', 'the scout ranked no such file');
  await services.documents.show(`why ${file.split('/').at(-1) ?? file}.txt`, explainSuspect(suspect, index + 1));
}

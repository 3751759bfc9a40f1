import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/disposable.ts';
import { Failure } from '../../core/base/failure.ts';
import type { CaseState } from '../../core/cases/state.ts';
import type { Citation } from '../../core/model/code.ts';
import type { SetState } from '../../core/review/desk/state.ts';
import type { Core } from '../../compose/ports.ts';
import { Debounced } from '../../host/debounce.ts';
import type { Services } from '../../services.ts';
import { commands, settings } from '../../shared/ids.ts';
import type { ReviewRequests, ReviewSettings, ToReview } from '../../shared/review-protocol.ts';
import { type HostFailureReason, wordsForReview } from '../../shared/words.ts';
import { loadPage } from '../panels/page.ts';
import { PanelSession, type SessionDeps } from '../panels/session.ts';
import type { Bodies } from './bodies.ts';
import type { createReviewRequestHandler, ReviewRequestDeps } from './requests.ts';

export interface ReviewProtocol {
  snapshot: Extract<ToReview, { type: 'set' | 'empty' }>;
  note: Extract<ToReview, { type: 'reveal' }>;
  requests: ReviewRequests;
}

const TITLE_LENGTH = 48;
/** Citations that one page lists. */
const MAX_CITATIONS = 200;
/** A page whose script has not answered by then is taken for broken. Milliseconds. */
const PAGE_PATIENCE = 20_000;

/** What the panel remembers over sets and windows, by key of the editor's global state. */
const memory = { layout: 'casebook.review.layout', hideWhitespace: 'casebook.review.hideWhitespace' } as const;

/** The parts of this folder that need the core; loaded with the first panel. */
interface Parts {
  core: Core;
  Bodies: typeof Bodies;
  createReviewRequestHandler: typeof createReviewRequestHandler;
  parseFromReview: SessionDeps<ReviewProtocol>['parse'];
}

/** One open review panel. It only shows: nothing of a set depends on this page, or is lost with it. */
export class ReviewPanel implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly session: PanelSession<ReviewProtocol>;
  private readonly reading: Debounced;
  private last: SetState | undefined;
  private cited: CaseState | undefined;
  private citedAsked = false;

  private constructor(
    readonly set: string,
    readonly panel: vscode.WebviewPanel,
    private readonly services: Services,
    private readonly parts: Parts,
  ) {
    const log = services.log.child('review panel');
    this.reading = this.owned.add(new Debounced(0, () => this.read(), (error) => this.failed(error)));
    this.session = new PanelSession({
      post: panel.webview.postMessage.bind(panel.webview),
      parse: parts.parseFromReview,
      handle: parts.createReviewRequestHandler(this.requestDeps()),
      explain: (error, doing) => {
        log.error(`${doing} failed`, error);
        return wordsForReview(error);
      },
    });
    this.owned.add({ dispose: () => this.session.close() });
  }

  /** Fills a webview panel (new, or restored by the editor) with a change set. */
  static async fill(set: string, panel: vscode.WebviewPanel, services: Services): Promise<ReviewPanel> {
    const [core, { Bodies }, { createReviewRequestHandler }, { parseFromReview }] = await Promise.all([services.core(), import('./bodies.ts'), import('./requests.ts'), import('./parse.ts')]);
    const made = new ReviewPanel(set, panel, services, { core, Bodies, createReviewRequestHandler, parseFromReview });
    made.load();
    return made;
  }

  reveal(file: string, hunk?: string): void {
    this.session.tell({ type: 'reveal', file, ...(hunk === undefined ? {} : { hunk }) });
  }

  /** Sends the set again, as it is now. */
  redraw(): void {
    this.reading.call();
  }

  get state(): SetState | undefined {
    return this.last;
  }

  dispose(): void {
    this.owned.dispose();
  }

  private load(): void {
    const { panel, services, parts } = this;
    const { review } = parts.core;
    const broken = setTimeout(() => void this.offerNative(), PAGE_PATIENCE);
    this.owned.add({ dispose: () => clearTimeout(broken) });
    this.owned.add(
      panel.webview.onDidReceiveMessage((message: unknown) => {
        clearTimeout(broken);
        void this.session.receive(message);
      }),
    );
    loadPage(panel, services.context.extensionUri, {
      name: 'review',
      title: 'Casebook',
      fallback: vscode.l10n.t('The review panel is loading. If it stays like this, run the command "{0}": the review is kept whatever happens to this page.', vscode.l10n.t('Casebook: Review in the Diff Editor')),
    });
    this.owned.add(review.onChange((id) => id === this.set && this.redraw()));
    this.owned.add(parts.core.journal.onState(() => this.redraw()));
    this.redraw();
    // What the set stands on may have changed while nobody looked; when it did, that is an event, and drawn like one.
    if (vscode.workspace.isTrusted) review.refresh(this.set).catch((error: unknown) => this.services.log.debug('a set could not be refreshed', error));
  }

  private async read(): Promise<void> {
    const state = await this.parts.core.review.state(this.set);
    this.last = state;
    const title = state.title.length > TITLE_LENGTH ? `${state.title.slice(0, TITLE_LENGTH)}…` : state.title;
    if (this.panel.title !== title) this.panel.title = title;
    this.session.show({ type: 'set', state, settings: this.settings(), citations: await this.citations(state) });
  }

  private failed(error: unknown): void {
    this.services.log.error('a change set could not be read', error);
    if (this.last === undefined) this.session.show({ type: 'empty', why: wordsForReview(error) });
  }

  /** Places of the case that lie in files of the set; none when the case cannot be read. */
  private async citations(state: SetState): Promise<Citation[]> {
    if (state.origin.case === undefined) return [];
    if (!this.citedAsked) {
      this.citedAsked = true;
      this.cited = await this.parts.core.cases.state(state.origin.case).catch(() => undefined);
    }
    const files = new Set(state.files.flatMap((file) => (file.from === undefined ? [file.key] : [file.key, `${file.root}/${file.from}`])));
    return (this.cited?.citations ?? []).filter((citation) => files.has(citation.file)).slice(0, MAX_CITATIONS);
  }

  private settings(): ReviewSettings {
    const { globalState } = this.services.context;
    const diff = vscode.workspace.getConfiguration('diffEditor');
    const blanks = diff.inspect<boolean>('ignoreTrimWhitespace');
    return {
      layout: globalState.get<ReviewSettings['layout']>(memory.layout) ?? (diff.get<boolean>('renderSideBySide') === true ? 'split' : 'unified'),
      // Only where a person chose it: the editor's own default hides such changes without a word.
      hideWhitespace: globalState.get<boolean>(memory.hideWhitespace) ?? blanks?.workspaceValue ?? blanks?.globalValue ?? false,
      finish: this.services.settings.get(settings.reviewFinish),
      canDecide: vscode.workspace.isTrusted,
      recording: this.parts.core.journal.state.kind !== 'not_recording',
    };
  }

  private requestDeps(): ReviewRequestDeps {
    const { set, services, parts } = this;
    return {
      set,
      desk: parts.core.review,
      bodies: new parts.Bodies(set, parts.core.review),
      prompter: services.prompter,
      openNative: (file, line) => this.openNative(file, line),
      openCitation: async (place) => {
        if (this.cited !== undefined) await services.editor.openCitation(this.cited, place);
      },
      openCase: async () => {
        const id = this.last?.origin.case;
        if (id !== undefined) await services.panels.show(id);
      },
      remember: async (chosen) => {
        const { globalState } = services.context;
        if (chosen.layout !== undefined) await globalState.update(memory.layout, chosen.layout);
        if (chosen.hideWhitespace !== undefined) await globalState.update(memory.hideWhitespace, chosen.hideWhitespace);
        this.redraw();
      },
      redraw: () => this.redraw(),
      requireTrust: () => {
        if (!vscode.workspace.isTrusted) throw new Failure<HostFailureReason>('not_trusted', 'the workspace is restricted');
      },
    };
  }

  private async openNative(file?: string, line?: number): Promise<void> {
    await vscode.commands.executeCommand(commands.reviewOpenNative, { set: this.set, ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) });
  }

  private async offerNative(): Promise<void> {
    const open = vscode.l10n.t('Open in Diff Editor');
    if ((await this.services.prompter.warn(vscode.l10n.t('The review panel does not start. The review is kept.'), [open])) === open) await this.openNative();
  }
}

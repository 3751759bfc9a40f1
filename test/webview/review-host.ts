import { Bodies } from '../../extension/features/review-panel/bodies.ts';
import type { ReviewProtocol } from '../../extension/features/review-panel/panel.ts';
import { parseFromReview } from '../../extension/features/review-panel/parse.ts';
import { createReviewRequestHandler } from '../../extension/features/review-panel/requests.ts';
import { PanelSession } from '../../extension/features/panels/session.ts';
import type { Citation } from '../../extension/core/model/code.ts';
import type { ReviewDesk } from '../../extension/core/review/port.ts';
import type { ReviewSettings, ToReview } from '../../extension/shared/review-protocol.ts';
import { wordsForReview } from '../../extension/shared/words.ts';
import type { Panel, PanelHarness } from './harness.ts';

type OpenOptions = NonNullable<Parameters<PanelHarness['open']>[0]>;

/** The host's side of a review panel as the extension has it, on a real desk; only the editor is missing. */
export class ReviewHost {
  readonly opened: unknown[] = [];
  /** Largest message to the page so far, in characters. */
  largest = 0;
  clipboard = '';
  settings: ReviewSettings = { layout: 'unified', hideWhitespace: false, finish: 'whenDecided', canDecide: true, recording: true };
  citations: Citation[] = [];
  panel!: Panel;
  private readonly session: PanelSession<ReviewProtocol>;

  private constructor(
    readonly set: string,
    readonly desk: ReviewDesk,
  ) {
    this.session = new PanelSession<ReviewProtocol>({
      post: (message) => this.post(message),
      parse: parseFromReview,
      handle: createReviewRequestHandler({
        set,
        desk,
        bodies: new Bodies(set, desk),
        prompter: { writeClipboard: async (text) => void (this.clipboard = text) },
        openNative: async (file, line) => void this.opened.push({ native: file, line }),
        openCitation: async (place) => void this.opened.push(place),
        openCase: async () => void this.opened.push('case'),
        remember: async (chosen) => {
          this.settings = { ...this.settings, ...chosen };
          await this.redraw();
        },
        redraw: () => void this.redraw(),
        requireTrust: () => undefined,
      }),
      explain: (error) => wordsForReview(error),
    });
    desk.onChange((id) => {
      if (id === set) void this.redraw();
    });
  }

  /** A page with the set on it. */
  static async open(harness: PanelHarness, desk: ReviewDesk, set: string, options: OpenOptions & { settings?: Partial<ReviewSettings>; citations?: Citation[] } = {}): Promise<ReviewHost> {
    const host = new ReviewHost(set, desk);
    host.settings = { ...host.settings, ...options.settings };
    host.citations = options.citations ?? [];
    const waiting: unknown[] = [];
    const holder: { panel?: Panel } = {};
    const panel = await harness.open({
      width: 1200,
      ...options,
      page: 'review',
      // The page says `ready` before this has its page.
      onMessage: (_panel, message) => (holder.panel === undefined ? waiting.push(message) : void host.session.receive(message)),
    });
    holder.panel = panel;
    host.panel = panel;
    for (const message of waiting) await host.session.receive(message);
    await host.redraw();
    await panel.page.locator('h1').waitFor();
    return host;
  }

  async redraw(): Promise<void> {
    const state = await this.desk.state(this.set);
    this.session.show({ type: 'set', state, settings: this.settings, citations: this.citations });
  }

  reveal(file: string, hunk?: string): void {
    this.session.tell({ type: 'reveal', file, ...(hunk === undefined ? {} : { hunk }) });
  }

  /** Waits until the file on screen has its changes drawn, and its lines. */
  async drawn(): Promise<void> {
    await this.panel.until("document.querySelector('.row-hunk') && ![...document.querySelectorAll('.text .dim')].some((one) => one.textContent === 'Loading')");
  }

  /** Stops talking to the page, and closes it. */
  async close(): Promise<void> {
    this.session.close();
    await this.panel.close();
  }

  private async post(message: ToReview): Promise<boolean> {
    this.largest = Math.max(this.largest, JSON.stringify(message).length);
    try {
      await this.panel.page.evaluate((data) => (globalThis as unknown as { postMessage(data: unknown, to: string): void }).postMessage(data, '*'), message);
      return true;
    } catch {
      // Closed meanwhile, as a panel may be.
      return false;
    }
  }
}

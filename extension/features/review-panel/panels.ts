import * as vscode from 'vscode';
import type { Disposable } from '../../core/base/disposable.ts';
import type { OpenOptions } from '../../host/review/native.ts';
import type { ReviewPanelDoor } from '../../host/review/reviews.ts';
import type { Services } from '../../services.ts';
import { panels as panelIds } from '../../shared/ids.ts';
import { OpenPanels } from '../panels/open-panels.ts';
import { ReviewPanel } from './panel.ts';

/** The open review panels, one per change set. */
export class ReviewPanels implements Disposable, ReviewPanelDoor {
  private readonly open: OpenPanels<ReviewPanel>;

  constructor(services: () => Services) {
    this.open = new OpenPanels<ReviewPanel>({
      viewType: panelIds.review,
      title: vscode.l10n.t('Review'),
      fill: (set, panel) => ReviewPanel.fill(set, panel, services()),
    });
  }

  /** Opens the panel of a set, or brings it to the front, at a file or a hunk of it. */
  async show(set: string, { file, hunk, quietly }: OpenOptions = {}): Promise<void> {
    const shown = await this.open.show(set, quietly);
    if (file !== undefined) shown?.reveal(file, hunk);
  }

  visible(): boolean {
    return this.open.all().some((one) => one.panel.visible);
  }

  restore(panel: vscode.WebviewPanel, stored: unknown): Promise<void> {
    return this.open.restore(panel, stored);
  }

  /** The set whose panel has the focus. */
  get active(): string | undefined {
    return this.open.active;
  }

  /** Sets whose panel is open. */
  ids(): string[] {
    return this.open.ids();
  }

  close(set: string): void {
    this.open.close(set);
  }

  /** After something in the settings changed. */
  redraw(): void {
    for (const one of this.open.all()) one.redraw();
  }

  dispose(): void {
    this.open.dispose();
  }
}

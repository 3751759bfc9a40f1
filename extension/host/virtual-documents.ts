import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../core/base/disposable.ts';

const SCHEME = 'casebook';

/** Read-only documents that Casebook shows: payloads of gates, explanations. The text goes when its document is closed. */
export class VirtualDocuments implements Disposable, vscode.TextDocumentContentProvider {
  private readonly owned = new DisposableStore();
  private readonly texts = new Map<string, string>();
  private count = 0;

  constructor() {
    this.owned.add(vscode.workspace.registerTextDocumentContentProvider(SCHEME, this));
    this.owned.add(vscode.workspace.onDidCloseTextDocument((document) => this.texts.delete(document.uri.toString())));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  /** Shows text under a name; a fresh address each time, so that nothing shows an earlier text from a cache. */
  async show(name: string, text: string): Promise<void> {
    this.count += 1;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query: String(this.count) });
    this.texts.set(uri.toString(), text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  }

  dispose(): void {
    this.owned.dispose();
    this.texts.clear();
  }
}

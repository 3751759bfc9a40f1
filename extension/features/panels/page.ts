import * as vscode from 'vscode';
import { newNonce, panelPage } from './html.ts';

export interface PageFill {
  /** Base name of the page's script and style sheet in `dist/webview`. */
  name: string;
  title: string;
  /** Shown until the page's script takes over, and for good where it cannot run. */
  fallback?: string;
}

/** Puts one of our pages into a webview panel: locked down, with Casebook's icon. Data follows by message. */
export function loadPage(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, { name, title, fallback }: PageFill): void {
  const folder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  const icon = (theme: 'light' | 'dark'): vscode.Uri => vscode.Uri.joinPath(extensionUri, 'media', 'icons', `casebook-${theme}.svg`);
  const asset = (file: string): string => panel.webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
  panel.webview.options = { enableScripts: true, enableCommandUris: false, enableForms: false, localResourceRoots: [folder] };
  panel.iconPath = { light: icon('light'), dark: icon('dark') };
  panel.webview.html = panelPage({ cspSource: panel.webview.cspSource, script: asset(`${name}.js`), style: asset(`${name}.css`), nonce: newNonce(), title, ...(fallback === undefined ? {} : { fallback }) });
}

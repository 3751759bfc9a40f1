import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import '@vscode/codicons/dist/codicon.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/header.css';
import './styles/parts.css';
import './styles/text.css';
import type { FromPanel } from '../../extension/shared/protocol.ts';
import { parseToPanel } from '../shared/parse.ts';
import { FocusMemory } from '../shared/focus-memory.ts';
import { RequestClient } from '../shared/requests.ts';
import { UiStore, type UiState } from '../shared/ui-state.ts';
import { CaseApp } from './app.ts';

/** What VS Code gives a webview page; see "Webview API" in its extension guide. */
interface VsCodeApi {
  postMessage(message: FromPanel): void;
  getState(): unknown;
  setState(state: UiState): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

const vscode = acquireVsCodeApi();
const post: (message: FromPanel) => void = vscode.postMessage.bind(vscode);
const client = new RequestClient(post);
const store = new UiStore(vscode.getState(), (state) => vscode.setState(state));
const focus = new FocusMemory(document, store);
const app = new CaseApp(client, store, focus);
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  const message = parseToPanel(event.data);
  if (message) app.receive(message);
});
window.addEventListener('pagehide', () => client.dispose());
document.body.append(app);
focus.watch();
post({ type: 'ready' });

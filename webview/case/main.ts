import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import '@vscode/codicons/dist/codicon.css';
import '../shared/styles/base.css';
import '../shared/styles/controls.css';
import './styles/header.css';
import './styles/parts.css';
import '../shared/styles/text.css';
import type { PanelRequests } from '../../extension/shared/protocol.ts';
import { FocusMemory } from '../shared/focus-memory.ts';
import { RequestClient } from '../shared/requests.ts';
import { UiStore } from '../shared/ui-state.ts';
import { connect } from '../shared/vscode.ts';
import { CaseApp } from './app.ts';
import { parseToPanel } from './parse.ts';

const { post, saved, save } = connect();
const client = new RequestClient<PanelRequests>(post);
const store = new UiStore(saved, save);
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

import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import '@vscode/codicons/dist/codicon.css';
import '../shared/styles/base.css';
import '../shared/styles/controls.css';
import '../shared/styles/text.css';
import './styles/review.css';
import './styles/diff.css';
import type { ReviewRequests } from '../../extension/shared/review-protocol.ts';
import { FocusMemory } from '../shared/focus-memory.ts';
import { RequestClient } from '../shared/requests.ts';
import { UiStore } from '../shared/ui-state.ts';
import { connect } from '../shared/vscode.ts';
import { ReviewApp } from './app.ts';
import { parseToReview } from './parse.ts';

const { post, saved, save } = connect();
const client = new RequestClient<ReviewRequests>(post);
const store = new UiStore(saved, save);
const focus = new FocusMemory(document, store);
const app = new ReviewApp(client, store);
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  const message = parseToReview(event.data);
  if (message) app.receive(message);
});
window.addEventListener('pagehide', () => client.dispose());
// Until here the page says what to do when this script does not run.
document.querySelector('#fallback')?.remove();
document.body.append(app);
focus.watch();
post({ type: 'ready' });

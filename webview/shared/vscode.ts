import type { UiState } from './ui-state.ts';

/** What VS Code gives a webview page; see "Webview API" in its extension guide. */
interface VsCodeApi<Message> {
  postMessage(message: Message): void;
  getState(): unknown;
  setState(state: UiState): void;
}
declare function acquireVsCodeApi<Message>(): VsCodeApi<Message>;

/** The page's way to the host. To be called once: the editor hands its API out a single time. */
export function connect<Message>(): { post(message: Message): void; saved: unknown; save(state: UiState): void } {
  const api = acquireVsCodeApi<Message>();
  return { post: (message) => api.postMessage(message), saved: api.getState(), save: (state) => api.setState(state) };
}
